"""`docs/how-to-add-a-rule-set.md` is carried out to the letter in a copy of the project, and the new game is played."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to-add-a-rule-set.md"
PACKAGES = ("calibration", "deskref", "devices", "models", "rules", "vision")
BLOCK = re.compile(r"^```(python|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^`([a-z_/]+\.py)`, (?:new|changed):$", re.MULTILINE)

PLAY = '''
"""High Roll: a refused die, equal dice, one throw taken back and done again, a winner; then replayed."""

import sys
from pathlib import Path

from deskref.inputs import EnterDie, HighRollSetup, Redo, StartGame, Undo
from deskref.play import Play
from deskref.recording import Journal
from deskref.replay import rulings

path = Path(sys.argv[1])
with Journal(path, version="1", started="2026-01-01T00:00:00") as journal:
    play = Play(journal)
    for given in (
        StartGame(setup=HighRollSetup(("Lokan", "Tarik"))),
        EnterDie(value=9),
        EnterDie(value=4),
        EnterDie(value=4),
        EnterDie(value=2),
        Undo(),
        Redo(),
        EnterDie(value=5),
        EnterDie(value=1),
    ):
        for signal in play.happened(given):
            print(signal.message.text)
print(len(list(rulings(path))), "rulings replayed")
'''


def put_into(copy: Path) -> int:
    """Carry out the page's blocks in a copy of the project and return how many there were."""
    text = PAGE.read_text(encoding="utf-8")
    files = [(match.end(), match[1]) for match in FILE.finditer(text)]
    blocks = list(BLOCK.finditer(text))
    for block in blocks:
        target = copy / [name for end, name in files if end < block.start()][-1]
        if block[1] == "python":
            assert not target.exists()
            target.write_text(block[2], encoding="utf-8")
            continue
        lines = block[2].splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in "- ")
        new = "".join(line[1:] for line in lines if line[0] in "+ ")
        before = target.read_text(encoding="utf-8")
        assert before.count(old) == 1, f"{target.name} no longer holds once:\n{old}"
        target.write_text(before.replace(old, new), encoding="utf-8")
    return len(blocks)


def test_the_page_adds_a_game_that_is_played_taken_back_and_replayed(tmp_path: Path) -> None:
    copy = tmp_path / "project"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", "training"))
    assert put_into(copy) == 7
    command = [sys.executable, "-c", PLAY, str(tmp_path / "game.jsonl")]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Lokan, it is your turn.",
        "A d6 shows 1 to 6, not 9.",
        "Lokan: the d6 shows 4.",
        "Lokan throws 4.",
        "Tarik: the d6 shows 4.",
        "Both threw 4: both throw again.",
        "Lokan: the d6 shows 2.",
        "Lokan throws 2.",
        "Taken back: Lokan throws 2.",
        "Done again: Lokan throws 2.",
        "Tarik: the d6 shows 5.",
        "Tarik wins with 5.",
        "No die is awaited now.",
        "5 rulings replayed",
    ]
