"""Flip Over, a trick-taking game by sirou: the same hands twice, with every disc turned."""
