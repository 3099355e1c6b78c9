{#- Whether a class fails a model of sensitive values, as a condition; a measure within 1e-12 of the limit equals it; inputs: m (number, model); reads measure_1 … -#}
{{ "measure" | numbered(m.number) }}
{% if m.model.bound == "at_least" %}
<
{% elif m.model.bound == "at_most" %}
>
{% else %}
>=
{% endif %}
{% include "judge/limit.sql" %}
{% if m.model.bound == "at_most" %}
+ 0.000000000001
{% else %}
- 0.000000000001
{% endif %}
