{#- The loss of a label by the leaves it covers of the domain; reads nodes, domains -#}
cast(nodes.leaves as double) / domains.leaves
