"""Documents, and the questions to ask about them."""
