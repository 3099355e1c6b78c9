{#- Part of ranges: the mean of a region's values; reads cells; output: published_value -#}
cells.mean as published_value,
