"""What a run costs against the floor: one grouping and one copy of the same table."""
