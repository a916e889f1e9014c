"""The full-screen table: what is drawn (pure), how it is laid out (pure), and the application."""
