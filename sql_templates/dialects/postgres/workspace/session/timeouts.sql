{# The lock timeout and the statement timeout; output: both in milliseconds, 0 means none #}
select
    max(setting) filter (where name = 'lock_timeout') as lock_timeout,
    max(setting) filter (where name = 'statement_timeout') as statement_timeout
from pg_catalog.pg_settings
where name in ('lock_timeout', 'statement_timeout')
