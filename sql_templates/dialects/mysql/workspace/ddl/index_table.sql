{# Indexes a column, because joins would compare every pair of rows; inputs: table, column, prefix (number of characters of a text to index, or 0) #}
alter table {{ table | name }}
    {% if prefix %}
    modify {{ column | name }} longtext character set utf8mb4 collate utf8mb4_nopad_bin,
    add index ({{ column | name }}({{ prefix | number }}))
    {% else %}
    add index ({{ column | name }})
    {% endif %}
