"""What a call is told: arguments, groups of options, the method, progress."""
