"""How a class is judged by the privacy models; evaluate, recode and verify share it."""
