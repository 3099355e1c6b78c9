{# Changes a table's definition; inputs: table, clauses (action, name, definition, after) #}
alter table {{ table | name }}
    {% for clause in clauses %}
    {% if clause.action == "drop_primary_key" %}
    drop primary key{{ "," if not loop.last }}
    {% elif clause.action == "drop_index" %}
    drop index {{ clause.name | name }}{{ "," if not loop.last }}
    {% elif clause.action == "drop_foreign_key" %}
    drop foreign key {{ clause.name | name }}{{ "," if not loop.last }}
    {% elif clause.action == "drop_constraint" %}
    drop constraint {{ clause.name | name }}{{ "," if not loop.last }}
    {% elif clause.action == "drop_column" %}
    drop column if exists {{ clause.name | name }}{{ "," if not loop.last }}
    {% elif clause.action == "add_column" %}
    add column {{ clause.name | name }} {{ clause.definition | written }}
        {% if clause.after %}
        after {{ clause.after | name }}{{ "," if not loop.last }}
        {% else %}
        first{{ "," if not loop.last }}
        {% endif %}
    {% elif clause.action == "modify" %}
    modify {{ clause.name | name }} {{ clause.definition | written }}{{ "," if not loop.last }}
    {% elif clause.action == "add" %}
    add {{ clause.definition | written }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
