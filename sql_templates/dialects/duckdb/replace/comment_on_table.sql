{# Says of a table what was said of it before, which also keeps other writers out until the end of the transaction; inputs: table, comment #}
comment on table {{ table | name }} is {{ comment | written }}
