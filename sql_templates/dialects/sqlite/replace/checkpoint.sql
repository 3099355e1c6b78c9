{# Moves the write-ahead log, if there is one, into the file and empties it; output: whether a reader prevented it #}
pragma wal_checkpoint(truncate)
