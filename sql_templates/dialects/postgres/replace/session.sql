{# Settings of this transaction: an error if row security hides rows, a limit on the wait for locks, and early detection of a lost client, which older servers lack #}
select set_config(wanted.name, wanted.value, true)
from (
    values
        ('row_security', 'off'),
        ('application_name', 'kanon_sql'),
        ('extra_float_digits', '1'),
        ('lock_timeout', '30s'),
        ('client_connection_check_interval', '2s')
) as wanted (name, value)
join pg_catalog.pg_settings as known on known.name = wanted.name
where wanted.name <> 'lock_timeout' or known.setting = '0'
