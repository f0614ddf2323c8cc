"""Fast synthetic tables for training the finder of things: procedural figures, dice, obstacles and hands on mats."""
