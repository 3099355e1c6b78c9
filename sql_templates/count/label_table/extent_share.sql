{#- The loss of a label by the extent it covers of the domain; reads nodes, domain -#}
coalesce(nodes.extent / nullif(domain.extent, 0), 0.0)
