"""The viewer of saved games: a page of the same kit as the full screen."""
