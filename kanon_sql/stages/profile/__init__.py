"""Read what the catalog and a sample say about a source, and check it against the policy."""
