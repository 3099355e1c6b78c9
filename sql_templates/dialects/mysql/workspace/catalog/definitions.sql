{# The definitions of the server's views; output: name, text #}
select table_name, view_definition
from information_schema.views
