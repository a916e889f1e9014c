"""Long-term keys: who a player is, in the file and in words."""
