"""What a shell offers when Tab is pressed: commands, options, games, levels, saved games.

Nothing of the peers is imported, so that it appears at once.
"""
