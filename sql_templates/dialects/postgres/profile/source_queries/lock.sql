{# Lets nobody alter these tables and views, or those the views read, until the transaction ends; the one lock that takes no snapshot before it is granted; inputs: tables (names) #}
lock table
    {% for table in tables %}
    {{ table | name }}{{ "," if not loop.last }}
    {% endfor %}
in access share mode
