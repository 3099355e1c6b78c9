"""What commands return, as plain values, and the words for it."""
