"""One seat while it plays: entries come and go, are passed on, caught up and decided."""
