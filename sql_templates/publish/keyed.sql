{#- Part of release: the source's rows with the packed keys of their combination; inputs as in release; output: key_1 …, carried_1 …, counted -#}
select
    {% include "publish/row_keys.sql" %}
    1 as counted
{% include "publish/row_joins.sql" %}
