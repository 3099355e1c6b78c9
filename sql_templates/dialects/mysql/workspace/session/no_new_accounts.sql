{# A right for an account that is not there is an error, instead of a new account without a password #}
set session sql_mode = concat(@@session.sql_mode, ',NO_AUTO_CREATE_USER')
