"""The caller's data: which kind it is, where its columns are, and rows back in its own type."""
