"""dbt-style projects: read policies, profiles and plans from disk, run commands on them, and write artifacts."""
