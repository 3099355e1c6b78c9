{# A table of the run, gone with the session; inputs: table, select #}
create temporary table {{ table | name }} as
{{ select }}
