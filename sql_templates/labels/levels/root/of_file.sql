{#- Part of listed: the root as the file names it; inputs: file, height; output: label -#}
select min({{ "label" | numbered(height) }}) as label
from {{ file | name }}
