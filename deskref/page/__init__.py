"""The page in the browser: the live table, the turn, the questions and the log."""
