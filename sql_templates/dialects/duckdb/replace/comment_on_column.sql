{# Says of a column what was said of it before; inputs: column (its full name), comment #}
comment on column {{ column | name }} is {{ comment | written }}
