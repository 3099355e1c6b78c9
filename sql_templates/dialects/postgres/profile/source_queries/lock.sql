{# Locks tables and views, and the tables that the views read, against changes until the transaction ends; the only lock that takes no snapshot before it is granted; inputs: tables (names) #}
lock table
    {% for table in tables %}
    {{ table | name }}{{ "," if not loop.last }}
    {% endfor %}
in access share mode
