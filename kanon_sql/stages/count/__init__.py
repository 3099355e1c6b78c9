"""Count the combinations of the source once."""
