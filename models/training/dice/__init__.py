"""Train the nets that read dice: synthetic tiles, detector, value net, calibration, export. Never needed to play."""
