"""Flop-A, a poker-like game by Brian Odell: who can flop all his cards wins at once."""
