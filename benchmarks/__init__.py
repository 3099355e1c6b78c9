"""Benchmarks: the cost of a run compared with a baseline of one grouping and one copy of the same table."""
