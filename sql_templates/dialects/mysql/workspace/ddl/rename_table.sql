{# Renames a table; inputs: table, to #}
rename table {{ table | name }} to {{ to | name }}
