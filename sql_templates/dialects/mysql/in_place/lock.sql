{# Keeps everyone else out; every name a statement uses must be listed, once; inputs: table, others (names) #}
lock tables
    {{ table | name }} write{{ "," if others or table.table != "t" }}
    {% if table.table != "t" %}
    {{ table | name }} as t write{{ "," if others }}
    {% endif %}
    {% for other in others %}
    {{ other | name }} write{{ "," if not loop.last }}
    {% endfor %}
