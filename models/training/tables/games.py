"""Recorded games of Skuffle Wammer: drawn, and refereed for a score.

    python -m models.training.tables.games draw FOLDER --seed 90000 --count 10
    python -m models.training.tables.games score FOLDER [--json] [--journal]

`draw` makes a folder for each seed whose table has room for its game, and skips those that are there; `score` lets the
running eyes and the referee play each against its truth. Seeds from 90000 are kept for judging: nothing is ever
trained on games, and training scenes have seeds below.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import cv2

from models.training.tables.game_film import draw_game
from models.training.tables.game_plan import plan_game
from models.training.tables.game_score import Score, score_game, words

FIRST_SEED = 90_000


def draw_games(folder: Path, first_seed: int, count: int) -> None:
    """Draw games of following seeds until so many are there."""
    done = 0
    seed = first_seed
    while done < count:
        target = folder / f"game{seed}"
        try:
            if not target.exists():
                plan = plan_game(seed)
                part = folder / f"game{seed}.part"
                draw_game(plan, part)
                part.rename(target)
            done += 1
            print(target, flush=True)
        except ValueError as problem:
            shutil.rmtree(folder / f"game{seed}.part", ignore_errors=True)
            print(f"seed {seed} is left out: {problem}", flush=True)
        seed += 1


def score_games(folder: Path, *, as_json: bool, journal: bool) -> None:
    """Referee all games in a folder and print what was right, one by one and together."""
    cv2.setNumThreads(1)
    whole = Score()
    for game in sorted(p for p in folder.iterdir() if (p / "film.json").exists()):
        score = score_game(game, journal=game / "journal.jsonl" if journal else None)
        whole += score
        print(
            json.dumps({"game": game.name, **score.as_json()}) if as_json else f"{game.name}: {words(score)}",
            flush=True,
        )
    print(json.dumps({"game": "all", **whole.as_json()}) if as_json else f"all: {words(whole)}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m models.training.tables.games", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw", help="draw games")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("--seed", type=int, default=FIRST_SEED)
    drawing.add_argument("--count", type=int, default=10)
    scoring = commands.add_parser("score", help="referee drawn games against their truth")
    scoring.add_argument("folder", type=Path)
    scoring.add_argument("--json", action="store_true", help="JSON lines instead of words")
    scoring.add_argument("--journal", action="store_true", help="write each game's journal beside it")
    given = parser.parse_args()
    if given.command == "draw":
        cv2.setNumThreads(1)
        draw_games(given.folder, given.seed, given.count)
    else:
        score_games(given.folder, as_json=given.json, journal=given.journal)


if __name__ == "__main__":
    main()
