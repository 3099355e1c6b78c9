{#- The loss of a label by the extent it covers of the domain; reads nodes, domains -#}
coalesce(nodes.extent / nullif(domains.extent, 0), 0.0)
