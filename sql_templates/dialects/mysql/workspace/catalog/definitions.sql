{# What the views of the server read; output: name, text #}
select table_name, view_definition
from information_schema.views
