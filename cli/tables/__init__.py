"""Tables that commands open: alone, with bots, on the network; and who plays there."""
