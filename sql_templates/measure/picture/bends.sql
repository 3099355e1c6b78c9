{# Whether each axis is logarithmic; inputs: frame; output: x_bent, y_bent #}
select
    x_bent,
    y_bent
from {{ frame | name }}
