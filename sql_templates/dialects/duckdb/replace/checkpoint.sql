{# Writes everything to the database file and empties its write-ahead log #}
checkpoint
