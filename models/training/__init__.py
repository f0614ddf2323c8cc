"""How the models, the demo recording and the judging scenes are made. Never imported by the game."""
