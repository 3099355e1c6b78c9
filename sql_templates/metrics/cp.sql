{#- The conditional privacy that is lost; reads class_size, entropy, total, whole_entropy -#}
1 - power(2.0, -{% include "metrics/mi.sql" %})
