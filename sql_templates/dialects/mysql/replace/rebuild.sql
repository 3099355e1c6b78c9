{# Rewrites the table, so its file keeps no old row; inputs: table #}
optimize table {{ table | name }}
