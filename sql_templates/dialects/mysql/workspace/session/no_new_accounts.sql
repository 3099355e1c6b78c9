{# Makes a grant to an account that does not exist an error, instead of creating one without a password #}
set session sql_mode = concat(@@session.sql_mode, ',NO_AUTO_CREATE_USER')
