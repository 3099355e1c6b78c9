"""Labels, bounds and axes of columns, which several stages share."""
