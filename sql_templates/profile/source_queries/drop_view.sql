{# Drops the view again; inputs: table #}
drop view {{ table | name }}
