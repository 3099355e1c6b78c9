"""The commands that work on a project; one file per command."""
