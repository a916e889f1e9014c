"""Sneak, a card-winning game of bluff and force by David Parlett."""
