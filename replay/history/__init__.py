"""Somebody's own games: `record` reads one log, `history` adds them up, `plot` draws them.

Nothing is verified here; the verdict on a log is the audit's.
"""
