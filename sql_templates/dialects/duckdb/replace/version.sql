{# Which DuckDB this is; output: version #}
select library_version
from pragma_version()
