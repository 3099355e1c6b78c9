"""Turn a solution into classes with labels."""
