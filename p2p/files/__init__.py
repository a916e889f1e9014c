"""What a seat keeps on disk: log, seat file, hand, states, and the ledger of what was signed."""
