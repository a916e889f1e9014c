"""Before there is a table: who sits down with whom, at the host and at a guest."""
