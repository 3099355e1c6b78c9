{# Writes the table anew, so that its file keeps no old row; inputs: table #}
optimize table {{ table | name }}
