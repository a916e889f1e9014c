"""One module for each act of a dealer or seat: how its entry is made, parsed and verified."""
