{# Keeps writers and other runs out, but not readers; inputs: table #}
lock table {{ table | name }} in share row exclusive mode
