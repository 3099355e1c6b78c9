"""Projects: policies, profiles, plans and artifacts on disk in, checked requests out; one conductor per command."""
