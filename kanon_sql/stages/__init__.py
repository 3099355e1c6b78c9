"""The stages of a run; they do not import each other."""
