"""The outside world: cameras and the light and sound board. Decides nothing.

Importing any part of it first sets what OpenCV reads from the environment (`devices.opencv_settings`).
"""

from devices import opencv_settings as opencv_settings
