"""What screen, menu and viewer are drawn with, and how lines are printed."""
