{# Views of the table's schema and others; parameters: schema (unused), table (unused); output: name, text #}
select table_name, view_definition
from information_schema.views
where %s is not null and %s is not null
