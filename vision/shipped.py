"""The nets that come with the program, loaded once, each None where its model cannot be loaded."""

from __future__ import annotations

import logging
from functools import cache

from models.dice_nets import DiceNets
from models.pyramid_detector import PyramidDetector
from models.runner import ModelError, load_model
from vision.finder import Finder

logger = logging.getLogger(__name__)


@cache
def shipped_finder() -> Finder | None:
    """Give the net that finds things; without it they are told apart by shape alone."""
    try:
        return Finder()
    except ModelError as problem:
        logger.warning("things are told apart by shape alone: %s", problem)
        return None


@cache
def shipped_dice_nets() -> DiceNets | None:
    """Give the nets that find and read dice; without them dice are read by counting pips alone."""
    try:
        return DiceNets.load(threads=1)
    except ModelError as problem:
        logger.warning("dice are read by their pips alone: %s", problem)
        return None


@cache
def shipped_figure_detector() -> PyramidDetector | None:
    """Give the net that finds figures in pictures without a table; without it none are found there."""
    try:
        return PyramidDetector(load_model("figure_detector", threads=1))
    except ModelError as problem:
        logger.warning("without a mat no figures are found: %s", problem)
        return None
