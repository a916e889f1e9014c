"""Who was first: terms, times, windows and disputes of races, but no entries."""
