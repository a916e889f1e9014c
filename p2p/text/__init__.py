"""Names and printable text: what may be shown of what others write."""
