"""What is measured: one module per benchmark, which returns figures."""
