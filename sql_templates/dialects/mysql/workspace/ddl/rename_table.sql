{# Gives a table another name; inputs: table, to #}
rename table {{ table | name }} to {{ to | name }}
