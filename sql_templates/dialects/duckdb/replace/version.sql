{# The version of DuckDB; output: version #}
select library_version
from pragma_version()
