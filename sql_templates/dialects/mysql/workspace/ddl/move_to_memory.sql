{# Moves a temporary table to memory, where rows are found by hashing; inputs: table, columns (texts: name, type) #}
alter table {{ table | name }}
    {% for column in columns %}
    modify {{ column.name | name }} {{ column | type }} null,
    {% endfor %}
    engine = MEMORY
