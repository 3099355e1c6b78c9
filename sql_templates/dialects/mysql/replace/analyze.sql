{# Replaces the statistics, which may show old values; inputs: table #}
analyze table {{ table | name }} persistent for all
