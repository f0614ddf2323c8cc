"""Commands that make the net which finds figures in plain pictures: `python -m models.training.plain --help`."""

from __future__ import annotations

import argparse
import logging
from functools import partial
from pathlib import Path


def _tiles(a: argparse.Namespace) -> None:
    from models.training.dice.photographs import load
    from models.training.dice.tiles import write_shards
    from models.training.plain.tiles import make_shard

    photos = load(a.photos) if a.photos else []
    write_shards(a.folder, partial(make_shard, photos=photos), first=a.first, count=a.count)


def _train(a: argparse.Namespace) -> None:
    from dataclasses import replace

    import numpy as np

    from models.training.dice.photographs import load
    from models.training.dice.train_detector import train
    from models.training.plain import lessons
    from models.training.plain.tiles import FIGURE

    photos = (
        [replace(photo, boxes_px=np.zeros((0, 4))) for photo in load(a.photos, without=a.without)] if a.photos else []
    )
    photos += lessons.load(a.lessons) if a.lessons else []
    train(
        a.out,
        a.folder,
        photos,
        steps=a.steps,
        seed=a.seed,
        real_share=a.real_share if photos else 0.0,
        rate=a.rate,
        start=a.start,
        sought=FIGURE,
    )


def _export(a: argparse.Namespace) -> None:
    from models.training.dice.export import export_detector
    from models.training.dice.quantise import EXACT_IN_DETECTOR, detector_pictures
    from models.training.plain.tiles import FIGURE
    from models.training.shrink import quantise

    export_detector(a.weights, a.out)
    quantise(a.out, detector_pictures(a.folder, [], sought=FIGURE), exact=EXACT_IN_DETECTOR)


def main() -> None:
    """Parse the command line and run one step."""
    import cv2

    cv2.setNumThreads(1)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    parser = argparse.ArgumentParser(prog="python -m models.training.plain", description=__doc__)
    steps = parser.add_subparsers(required=True)
    tiles = steps.add_parser("tiles", help="draw tiles into a folder")
    tiles.add_argument("--first", type=int, default=100, help="first seed")
    tiles.add_argument("--count", type=int, default=24, help="shards of 250 tiles")
    tiles.set_defaults(run=_tiles)
    train = steps.add_parser("train", help="train the net")
    train.add_argument("--out", type=Path, required=True, help="file for the trained weights")
    train.add_argument("--start", type=Path, help="weights to start from")
    train.add_argument("--lessons", type=Path, help="folder of rendered tables that count as one more collection")
    train.add_argument("--real-share", type=float, default=0.2, help="share of pictures that are photographs")
    train.add_argument("--without", nargs="+", default=[], help="collections of photographs to leave out")
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--rate", type=float, default=3e-3)
    train.add_argument("--steps", type=int, default=3000, help="of 16 tiles")
    train.set_defaults(run=_train)
    export = steps.add_parser("export", help="write the trained net as an ONNX file, reckoned with 8 bits")
    export.add_argument("--weights", type=Path, required=True)
    export.add_argument("--out", type=Path, required=True, help="the file")
    export.set_defaults(run=_export)
    for step in (tiles, train, export):
        step.add_argument("--folder", type=Path, required=True, help="folder of the tiles")
    for step in (tiles, train):
        step.add_argument("--photos", type=Path, help="folder of photographs, none of which shows a figure")
    a = parser.parse_args()
    a.run(a)


if __name__ == "__main__":
    main()
