{# Keeps everyone else out; every name a statement uses must be listed; inputs: table, others (names) #}
lock tables
    {{ table | name }} write,
    {{ table | name }} as t write{{ "," if others }}
    {% for other in others %}
    {{ other | name }} write{{ "," if not loop.last }}
    {% endfor %}
