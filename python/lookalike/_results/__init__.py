"""Answers: a deduplication, pairs, two texts beside each other; as objects, lines and HTML."""
