{# The lock timeout and the statement timeout; output: both in milliseconds, 0 means none #}
select timeout as lock_timeout, 0 as statement_timeout
from pragma_busy_timeout
