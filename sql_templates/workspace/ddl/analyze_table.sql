{# Lets the planner know a table of the run; inputs: table #}
analyze {{ table | name }}
