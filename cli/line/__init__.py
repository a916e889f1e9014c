"""The numbered line mode: a table on a plain terminal, also for screen readers."""
