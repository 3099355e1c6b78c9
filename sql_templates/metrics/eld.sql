{#- Entropy l-diversity as a risk: 1 ÷ the fewest values that a class's entropy stands for; reads entropy -#}
power(2.0, -min(entropy))
