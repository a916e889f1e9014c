"""One module for each command, imported only when that command is called."""
