"""Frame to observation to events: what stands, lies and moves on the table."""
