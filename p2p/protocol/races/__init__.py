"""Who was first: terms, times, windows and disputes of races, without any entry."""
