{# Sets the comment on a table, which also keeps other writers out until the transaction ends; inputs: table, comment #}
comment on table {{ table | name }} is {{ comment | written }}
