"""What a question to a cluster says: columns, method, limits."""
