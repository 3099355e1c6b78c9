"""Create the labelled classes of a solution."""
