"""The source tables of the benchmarks and their policies."""
