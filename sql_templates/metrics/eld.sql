{#- Entropy l-diversity as a risk: 1 ÷ the fewest equally frequent values with the entropy of a class; reads entropy -#}
power(2.0, -min(entropy))
