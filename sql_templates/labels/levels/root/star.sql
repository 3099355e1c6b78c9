{#- Part of listed: the root of a file that names none; output: label -#}
select '*' as label
