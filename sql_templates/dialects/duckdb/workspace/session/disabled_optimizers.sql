{# The optimizers that are switched off; output: their names, separated by commas #}
select current_setting('disabled_optimizers')
