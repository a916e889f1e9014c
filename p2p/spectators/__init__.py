"""Who watches: the gallery at the table, and the program of a spectator."""
