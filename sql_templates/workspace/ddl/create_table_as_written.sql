{# Creates a table from its parsed definition, under another name; inputs: table, text (columns, constraints, options) #}
create table {{ table | name }} (
    {% for column in text.columns %}
    {{ column.name | name }} {{ column.definition | written }}{{ "," if not loop.last or text.table_constraints }}
    {% endfor %}
    {% for constraint in text.table_constraints %}
    {{ constraint.text | written }}{{ "," if not loop.last }}
    {% endfor %}
) {{ text.options | written }}
