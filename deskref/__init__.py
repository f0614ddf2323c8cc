"""The desk referee: the application that joins cameras, vision, rules and boards."""

from devices import opencv_settings as opencv_settings

# Before anything else, since OpenCV reads its settings while it is imported, wherever that happens first.
