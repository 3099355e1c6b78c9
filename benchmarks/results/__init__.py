"""How figures are written: one module per section of RESULTS.md."""
