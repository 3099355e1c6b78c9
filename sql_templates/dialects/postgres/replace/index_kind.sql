{#- The kind of an index; inputs: i (a row of pg_index in the query); output: an expression -#}
case
        when i.indisunique then 'unique'
        when i.indexprs is not null or i.indpred is not null then 'expression_index'
        else 'index'
    end
