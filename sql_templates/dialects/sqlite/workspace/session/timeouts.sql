{# How long statements wait for locks and run; output: both in milliseconds, 0 without end #}
select timeout as lock_timeout, 0 as statement_timeout
from pragma_busy_timeout
