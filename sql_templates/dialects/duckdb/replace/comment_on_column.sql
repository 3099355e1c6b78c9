{# Sets the comment on a column; inputs: column (its full name), comment #}
comment on column {{ column | name }} is {{ comment | written }}
