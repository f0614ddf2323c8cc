"""Where the table is in the picture."""
