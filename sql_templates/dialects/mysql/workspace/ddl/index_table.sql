{# Joins without an index compare every pair here, and of a text only the first characters are indexed; inputs: table, column, prefix (how many, or 0) #}
alter table {{ table | name }}
    {% if prefix %}
    modify {{ column | name }} longtext character set utf8mb4 collate utf8mb4_nopad_bin,
    add index ({{ column | name }}({{ prefix | number }}))
    {% else %}
    add index ({{ column | name }})
    {% endif %}
