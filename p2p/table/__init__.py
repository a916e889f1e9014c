"""A table between peers, from the proposal that all agree to, to the last game."""
