"""The English words about the light board on the page, and about what goes wrong with files."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

WORDS: Final = {
    "board_ask": "Is this your light board?",
    "board_ask_what": "{name} at {port} was plugged in.",
    "board_ask_why": "It may be a light board, or a 3D printer at work: deskref has not touched it. "
    "If it is no light board, leave it alone.",
    "board_ask_yes": "Yes, use it",
    "board_ask_no": "No, leave it alone",
    "board_ask_later": "Ask again later",
    "board_asked_no": "{name} is left alone from now on.",
    # the journal
    "form_refused": "The game cannot begin: {why}",
    "referee_refused": "That could not be taken, and the game stays as it was: {why}",
    "form_whole": "{name}: a whole number from {least} to {most}.",
    "record_trouble": "The game cannot be recorded now: {why}. It goes on; make room, and nothing is lost.",
    "record_trouble_short": "not recorded: {why}",
    "record_again": "The game is recorded again; nothing is missing.",
    "news_close": "Close",
}

CATALOGUE: Final = Catalogue(WORDS)
