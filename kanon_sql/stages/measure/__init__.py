"""Measure what a release costs and what it risks."""
