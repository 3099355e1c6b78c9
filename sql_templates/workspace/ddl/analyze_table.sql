{# Collects statistics of a table for the planner; inputs: table #}
analyze {{ table | name }}
