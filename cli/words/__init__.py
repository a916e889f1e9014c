"""What is said outside a game: lobby, invite, summary, audit."""
