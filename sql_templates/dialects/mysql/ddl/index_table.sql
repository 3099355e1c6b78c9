{# Joins without an index compare every pair here; inputs: table, column, prefix (characters of a text, or 0) #}
alter table {{ table | name }} add index ({{ column | name }}{% if prefix %}({{ prefix | number }}){% endif %})
