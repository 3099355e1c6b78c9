{# Indexes a column of a temporary table, because SQLite might compare every pair of rows in a join; inputs: table, column, index (its name), prefix (not used) #}
create index temp.{{ index | name }} on {{ table | name }} ({{ column | name }})
