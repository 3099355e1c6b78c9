"""SQL templates and the proof that a query only reads; the only users of Jinja and sqlglot."""
