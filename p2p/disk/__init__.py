"""The disk itself: durable writes, locks, and files of others, bounded."""
