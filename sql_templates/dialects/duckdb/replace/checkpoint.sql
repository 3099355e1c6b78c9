{# Writes everything into the file and empties the log beside it #}
checkpoint
