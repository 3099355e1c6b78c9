{# The evaluated classes of a node; inputs as in the judged template, with keys and measures; output: key_1 …, part_1 … (of columns below their root), majority (of the label), class_size, suppressed, measure_1 … #}
{% include judged_template %}
