{# Disables user triggers while rows are replaced; inputs: table #}
alter table {{ table | name }} disable trigger user
