{# The classes of a node, judged; inputs: those of judged, which keeps keys and measures; output: key_1 …, part_1 … (of columns below their root), majority (of the label), class_size, suppressed, measure_1 … #}
{% include judged_template %}
