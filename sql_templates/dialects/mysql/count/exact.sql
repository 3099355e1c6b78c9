{#- A column in a form in which equal means equal byte for byte; inputs: column -#}
{% if column.kind == "text" -%}
cast({{ column.name | name }} as char) collate utf8mb4_nopad_bin
{%- elif column.kind in ("single", "float") -%}
case when {{ column.name | name }} = 0 then 0.0 else {{ column.name | name }} end
{%- else -%}
{{ column.name | name }}
{%- endif %}
