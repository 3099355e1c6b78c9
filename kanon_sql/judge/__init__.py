"""Applies the privacy models to classes; evaluate, recode and verify share it."""
