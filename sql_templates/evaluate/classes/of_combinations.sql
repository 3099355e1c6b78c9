{#- The classes of a node where each combination is a class; inputs: frequencies; output: class_size -#}
select row_count as class_size
from {{ frequencies | name }}
