"""Every order of delivery, crash and restart, at tables so small that all can be tried."""
