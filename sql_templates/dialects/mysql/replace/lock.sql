{# Keeps all other sessions out; every name and alias a statement uses must be listed; inputs: table, others (names) #}
lock tables
    {{ table | name }} write{{ "," if others or table.table | lower != "source_row" }}
    {% if table.table | lower != "source_row" %}
    {{ table | name }} as source_row write{{ "," if others }}
    {% endif %}
    {% for other in others %}
    {{ other | name }} write{{ "," if not loop.last }}
    {% endfor %}
