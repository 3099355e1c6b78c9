{# Creates a temporary table from a query, for reading it as a whole: without transactions and pages, writing and scanning take half as long; inputs: table, select #}
create temporary table {{ table | name }} engine = Aria transactional = 0 row_format = dynamic as
{{ select }}
