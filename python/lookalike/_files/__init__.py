"""From files to files, as the command does it."""
