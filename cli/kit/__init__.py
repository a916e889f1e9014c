"""The tools that draw screen, menu and viewer, and the way to print lines."""
