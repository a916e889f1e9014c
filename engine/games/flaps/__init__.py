"""Flaps, by Paul Feagan, at seven levels."""
