"""Folders of the user: identity, saved games, unfinished games."""
