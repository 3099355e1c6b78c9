{# Gives an empty table its new columns; inputs: table, clauses (action, name, definition) #}
alter table {{ table | name }}
    {% for clause in clauses %}
    {% if clause.action == "drop" %}
    drop column {{ clause.name | name }}{{ "," if not loop.last }}
    {% elif clause.action == "retype" %}
    alter column {{ clause.name | name }} type {{ clause.definition | written }} using null{{ "," if not loop.last }}
    {% elif clause.action == "allow_null" %}
    alter column {{ clause.name | name }} drop not null{{ "," if not loop.last }}
    {% elif clause.action == "add" %}
    add column {{ clause.name | name }} {{ clause.definition | written }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
