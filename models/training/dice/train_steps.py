"""The two training commands, in a module of their own so that spawned processes can import them."""

from __future__ import annotations

import argparse
import logging


def _prepare(a: argparse.Namespace) -> None:
    import cv2

    cv2.setNumThreads(1)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    a.out.parent.mkdir(parents=True, exist_ok=True)


def detector(a: argparse.Namespace) -> None:
    """Train the detector as the command line says."""
    from models.training.dice.photographs import load
    from models.training.dice.train_detector import train

    photos = load(a.photos, without=a.without) if a.photos and a.real_share > 0 else []
    _prepare(a)
    train(a.out, a.folder, photos, steps=a.steps, seed=a.seed, real_share=a.real_share, rate=a.rate, start=a.start)


def value(a: argparse.Namespace) -> None:
    """Train the value net as the command line says."""
    from models.training.dice.known import load_groups
    from models.training.dice.mine import load_mined
    from models.training.dice.train_value import train

    groups = load_groups(a.known, a.photos, without=a.without) if a.known and a.real_share > 0 else []
    if a.mined:
        groups.append(load_mined(a.mined, a.folder))
    _prepare(a)
    train(a.out, a.folder, groups, steps=a.steps, seed=a.seed, real_share=a.real_share, rate=a.rate, start=a.start)
