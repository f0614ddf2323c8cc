"""The outside world: cameras and the light and sound board. Decides nothing."""
