{# Gives a table another name in its schema; inputs: pairs (one of table, to) #}
{% for table, to in pairs %}
alter table {{ table | name }} rename to {{ to.table | name }}
{% endfor %}
