{#- The classes of a node, and whether they fail, from one scan of their sensitive values; inputs: groups (one, which counts rows), failing_below, and those of measured_classes; output: majority (rows with the most frequent label), class_size, failing_below, suppressed, nothing (0, as if nothing were suppressed) -#}
{% set group = groups[0] %}
select
    majority,
    class_size,
    {% if failing_below %}
    failing_below,
    {% endif %}
    suppressed,
    0 as nothing
from (
    {% include "judge/measured_classes.sql" %}
) as judged
