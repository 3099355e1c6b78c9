{#- The loss of a label by the leaves it covers of the domain, apart from the true one; reads nodes, domains -#}
cast(nodes.leaves - 1 as double) / (domains.leaves - 1)
