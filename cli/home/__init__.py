"""Folders of the person who plays: identity, saved games, what is unfinished."""
