"""Results against labels, settings from labels, a second opinion on other tools."""
