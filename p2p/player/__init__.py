"""What a seat asks and tells its player: the protocol between a machine and a person or bot."""
