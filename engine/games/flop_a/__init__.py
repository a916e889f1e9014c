"""Flop-A, a poker-like game by Brian Odell: whoever flops all his cards wins at once."""
