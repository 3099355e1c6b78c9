{# Runs a statement that the database's own catalog wrote; inputs: statement #}
{{ statement | written }}
