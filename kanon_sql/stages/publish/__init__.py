"""Write the staging table from the source and the recoding."""
