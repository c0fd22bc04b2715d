"""Jobs of the command, run inside this process, and questions that they answer."""
