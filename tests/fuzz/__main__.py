"""`python -m tests.fuzz [NAME] --minutes M`: run a parser on nonsense for so long, and print what it failed on.

Without a name it lists the parsers. With atheris installed its coverage guides the search. Inputs that a parser failed
on are written into the folder of `--found`.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import logging
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz import engine


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("name", nargs="?", help="which parser; without it they are listed")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--found", type=Path, help="folder for the inputs that a parser failed on")
    parser.add_argument("--plain", action="store_true", help="without atheris, though it is installed")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with_atheris = not given.plain and importlib.util.find_spec("atheris") is not None
    if with_atheris and given.name:
        import atheris

        with atheris.instrument_imports(include=["calibration", "deskref", "devices", "rules", "vision"]):
            from tests.fuzz.targets import TARGETS
    else:
        from tests.fuzz.targets import TARGETS
    if not given.name:
        for target in TARGETS.values():
            print(f"{target.name:12} {target.about}")
        return
    if given.name not in TARGETS:
        parser.error(f"{given.name!r} is none of {', '.join(TARGETS)}")
    target = TARGETS[given.name]
    if with_atheris:
        _guided(target, seconds=60 * given.minutes, seed=given.seed, found=given.found)
    else:
        result = engine.fuzz(target, seconds=60 * given.minutes, seed=given.seed)
        sys.exit(told(result, found=given.found))


def told(result: engine.Result, *, found: Path | None) -> int:
    """Print what came of a run; the exit status is 1 where the parser failed."""
    rate = result.executions / max(result.seconds, 1e-6)
    print(
        f"{result.name}: {result.executions} inputs in {result.seconds:.0f} s ({rate:.0f} a second), "
        f"{len(result.answers)} different answers, {len(result.findings)} findings"
    )
    for where, data in result.findings.items():
        print(f"  {where}\n    {data[:300]!r}")
        if found is not None:
            found.mkdir(parents=True, exist_ok=True)
            (found / f"{result.name}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)
    return 1 if result.findings else 0


def _guided(target: engine.Target, *, seconds: float, seed: int, found: Path | None) -> None:
    """Let atheris choose what is changed further. It never returns, so the end is found in the middle of an input."""
    import atheris

    result = engine.Result(target.name)
    folder = Path(tempfile.mkdtemp())
    corpus = Path(tempfile.mkdtemp())
    for number, data in enumerate(target.seeds):
        (corpus / str(number)).write_bytes(data)
    began_s = time.monotonic()

    def one(data: bytes) -> None:
        engine.tried(target, data, folder, result)
        if time.monotonic() - began_s > seconds:
            result.seconds = time.monotonic() - began_s
            status = told(result, found=found)
            sys.stdout.flush()
            os._exit(status)

    def change(data: bytes, most: int, number: int) -> bytes:
        chance = random.Random(number)
        if chance.random() < 0.3:
            return bytes(atheris.Mutate(data, most))
        return engine.changed(data, target, chance, list(target.seeds))[:most]

    options = [f"-seed={seed + 1}", f"-max_len={engine.LARGEST}", "-len_control=0", "-rss_limit_mb=0", "-timeout=300"]
    atheris.Setup([sys.argv[0], *options, "-verbosity=0", str(corpus)], one, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
