"""What a seat asks its player and tells it: the protocol between a machine and a person or bot."""
