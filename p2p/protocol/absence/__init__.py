"""Going on without a player who is gone: votes, and what they decide (protocol, lost players)."""
