{# The lock timeout and the statement timeout; output: both in milliseconds, 0 means none #}
select
    @@session.lock_wait_timeout * 1000 as lock_timeout,
    @@session.max_statement_time * 1000 as statement_timeout
