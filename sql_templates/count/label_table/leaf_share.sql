{#- The loss of a label by the leaves it covers of the domain; reads nodes, domain -#}
cast(nodes.leaves as double) / domain.leaves
