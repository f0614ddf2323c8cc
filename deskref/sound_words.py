"""The English words about what is heard, and about the strip of lights that shows the same."""

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
    # what the strip of lights on the page shows, for who cannot see it and for who wonders
    "strip_dark": "Strip of lights: dark",
    "strip_your_turn": "Strip of lights: breathes beside {soldier}, for the turn",
    "strip_your_turn_nobody": "Strip of lights: breathes for the turn",
    "strip_unreadable": "Strip of lights: two lights run round, for a die that cannot be read",
    "strip_hit": "Strip of lights: pulses where somebody was hit",
    "strip_miss": "Strip of lights: fades where an attack missed",
    "strip_saved": "Strip of lights: stands between two white ends, where cover saved somebody",
    "strip_death": "Strip of lights: drains where somebody died",
    "strip_illegal": "Strip of lights: blinks, for what is not possible",
    "strip_disagree": "Strip of lights: blinks, for desk and book disagree",
    "strip_undone": "Strip of lights: runs backwards, for what was taken back",
    "strip_corrected": "Strip of lights: runs backwards, for what was corrected",
    "strip_winner": "Strip of lights: lit all round, for the winner",
    "strip_trouble": "Strip of lights: the corners, for trouble with camera or table",
    "strip_hit_beside": "Strip of lights: pulses beside {soldier}, who was hit",
    "strip_miss_beside": "Strip of lights: fades beside {soldier}, whom an attack missed",
    "strip_saved_beside": "Strip of lights: stands between two white ends beside {soldier}, whom cover saved",
    "strip_death_beside": "Strip of lights: drains beside {soldier}, who died",
    "strip_side_far": "far edge",
    "strip_side_right": "right edge",
    "strip_side_near": "near edge",
    "strip_side_left": "left edge",
}

CATALOGUE: Final = Catalogue(WORDS)
