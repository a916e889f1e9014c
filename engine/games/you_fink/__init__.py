"""You Fink!, a slap game for the Civil Four deck: turn cards, answer challenges, be quick."""
