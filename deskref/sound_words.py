"""The English words about what is heard."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

WORDS: Final = {
    "sound_choose": "Sounds",
    "sound_effects": "Sound effects instead of tones",
    "sound_effects_why": "While a light board sounds, only moves and the kettle are heard here. Listen to them:",
    "sound_speech": "Rulings are read aloud",
    "sound_speech_why": "By this browser's own voice, if it has one for the language of the table.",
    "sound_done": "Done",
    "sound_jets": "Jump jets",
    "sound_lasgun": "Lasgun",
    "sound_lasgun_past": "Lasgun, past",
    "sound_clank": "Clank",
    "sound_swish": "Swish",
    "sound_topple": "Topple",
    "sound_fanfare": "Fanfare",
    "sound_kettle": "Kettle",
}

CATALOGUE: Final = Catalogue(WORDS)
