{# Drops permanent tables if they exist; inputs: tables (one, unless the database drops several at once) #}
drop table if exists
    {% for table in tables %}
    {{ table | name }}{{ "," if not loop.last }}
    {% endfor %}
