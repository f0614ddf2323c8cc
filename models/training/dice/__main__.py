"""Commands that make the dice nets: `python -m models.training.dice --help`."""

from __future__ import annotations

import argparse
import logging
import sys
from functools import partial
from pathlib import Path


def _tiles(a: argparse.Namespace) -> None:
    from models.training.dice.tiles import make_shard, write_shards

    write_shards(a.folder, partial(make_shard, negatives=a.only_negatives), first=a.first, count=a.count)


def _detector(a: argparse.Namespace) -> None:
    from models.training.dice import parallel, train_steps

    parallel.run(a.parallel, partial(train_steps.detector, a))


def _value(a: argparse.Namespace) -> None:
    from models.training.dice import parallel, train_steps

    parallel.run(a.parallel, partial(train_steps.value, a))


def _export(a: argparse.Namespace) -> None:
    from models.training.dice.export import export_detector, export_value

    a.out.mkdir(parents=True, exist_ok=True)
    if a.detector:
        export_detector(a.detector, a.out / "dice_detector.onnx")
    if a.value:
        export_value(a.value, a.out / "dice_value.onnx", temperature=a.temperature)


def _quantise(a: argparse.Namespace) -> None:
    from models.training.dice import quantise as ranges
    from models.training.dice.photographs import load
    from models.training.shrink import quantise

    pictures = ranges.detector_pictures(a.folder, load(a.photos, without=a.without))
    quantise(a.nets / "dice_detector.onnx", pictures, exact=ranges.EXACT_IN_DETECTOR)
    crops = ranges.value_crops(a.folder, a.photos, a.known, without=a.without)
    quantise(a.nets / "dice_value.onnx", crops, exact=ranges.EXACT_IN_VALUE)


def _known(a: argparse.Namespace) -> None:
    from models.dice_nets import DiceNets
    from models.training.dice.known import collect

    collect(a.photos, DiceNets.load(folder=a.nets, threads=1), a.out, refine=a.refine, only=a.only)


def _average(a: argparse.Namespace) -> None:
    import torch

    states = [torch.load(path, weights_only=True) for path in a.weights]
    mean = {
        key: sum(state[key] for state in states) / len(states) if value.is_floating_point() else value
        for key, value in states[0].items()
    }
    torch.save(mean, a.out)


def _mine(a: argparse.Namespace) -> None:
    from models.dice_nets import DiceNets
    from models.training.dice.mine import mine

    mine(DiceNets.load(folder=a.nets, threads=1), a.folder, a.out)


def _negatives(a: argparse.Namespace) -> None:
    from models.dice_nets import DiceNets
    from models.training.dice.mine import judge_negatives

    nets = DiceNets.load(folder=a.nets, threads=1)
    figures = judge_negatives(nets, first=a.first, count=a.count, negatives=a.only_negatives)
    logging.info("%s", figures)


def _calibrate(a: argparse.Namespace) -> None:
    from models.training.dice.calibrate import read_rows, reader_rates, temperature, weights

    rows = read_rows(a.rows)
    logging.info("temperature %.3f", temperature(rows))
    logging.info("weights of the witnesses for vision/dice_agreement.py: %s", weights(rows))
    for name in sorted({row["collection"] for row in rows}):
        figures = reader_rates([row for row in rows if row["collection"] == name])
        logging.info("%s as set now: %s", name, {key: round(value, 2) for key, value in figures.items()})


def _read(a: argparse.Namespace) -> None:
    from models.dice_nets import DiceNets
    from models.training.dice.evaluate import read_line

    nets = DiceNets.load(folder=a.nets, threads=1)
    for picture in a.pictures:
        sys.stdout.write(read_line(nets, picture) + "\n")


def _evaluate(a: argparse.Namespace) -> None:
    from models.dice_nets import DiceNets
    from models.training.dice.evaluate import look_at, rates, write_rows
    from models.training.dice.photographs import load

    rows = look_at(DiceNets.load(folder=a.nets, threads=1), load(a.photos, only=a.only))
    write_rows(a.out, rows)
    for name in sorted({row["collection"] for row in rows}):
        part = [row for row in rows if row["collection"] == name]
        for least in (0.5, 0.9, 0.97):
            figures = {key: round(value, 2) for key, value in rates(part, least).items()}
            logging.info("%s at %.2f: %s", name, least, figures)


def main() -> None:
    """Parse the command line and run one step."""
    import cv2

    cv2.setNumThreads(1)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    parser = argparse.ArgumentParser(prog="python -m models.training.dice", description=__doc__)
    steps = parser.add_subparsers(required=True)
    tiles = steps.add_parser("tiles", help="draw synthetic tiles into a folder")
    tiles.add_argument("--first", type=int, default=100, help="first seed")
    tiles.add_argument("--count", type=int, default=56, help="shards of 250 tiles")
    tiles.add_argument("--only-negatives", action="store_true", help="no pip dice at all")
    tiles.set_defaults(run=_tiles)
    detector = steps.add_parser("detector", help="train the detector")
    detector.set_defaults(run=_detector, rate=3e-3, steps=2500)
    value = steps.add_parser("value", help="train the value net")
    value.set_defaults(run=_value, rate=3e-3, steps=3500)
    value.add_argument("--known", type=Path, help="file of photographed dice and mined negatives, from `known`")
    value.add_argument("--mined", type=Path, help="file of mistakes on drawn tiles, from `mine`")
    mine = steps.add_parser("mine", help="look at the drawn tiles and keep the mistakes")
    mine.add_argument("--nets", type=Path, required=True, help="folder of the ONNX files")
    mine.add_argument("--out", type=Path, required=True, help="file of JSON lines to write")
    mine.set_defaults(run=_mine)
    for step in (tiles, detector, value, mine):
        step.add_argument("--folder", type=Path, required=True, help="folder of the synthetic tiles")
    for step in (detector, value):
        step.add_argument("--out", type=Path, required=True, help="file for the trained weights")
        step.add_argument("--photos", type=Path, help="folder that holds the collections of photographs")
        step.add_argument("--without", nargs="+", default=[], help="collections to leave out")
        step.add_argument("--real-share", type=float, default=0.0, help="share of training pictures from photographs")
        step.add_argument("--start", type=Path, help="weights to start from")
        step.add_argument("--parallel", type=int, default=1, help="processes that train together")
        step.add_argument("--seed", type=int, default=1)
        step.add_argument("--rate", type=float, default=step.get_default("rate"))
        step.add_argument("--steps", type=int, default=step.get_default("steps"))
    export = steps.add_parser("export", help="write trained nets as ONNX files")
    export.add_argument("--detector", type=Path, help="trained weights of the detector")
    export.add_argument("--value", type=Path, help="trained weights of the value net")
    export.add_argument("--temperature", type=float, default=1.0, help="calibrated temperature of the value net")
    export.add_argument("--out", type=Path, required=True, help="folder for the ONNX files")
    export.set_defaults(run=_export)
    quantised = steps.add_parser("quantise", help="reckon exported nets with 8 bits")
    quantised.add_argument("--nets", type=Path, required=True, help="folder of the ONNX files, rewritten")
    quantised.add_argument("--folder", type=Path, required=True, help="folder of the synthetic tiles")
    quantised.add_argument(
        "--photos", type=Path, required=True, help="folder that holds the collections of photographs"
    )
    quantised.add_argument("--known", type=Path, required=True, help="file of photographed dice, from `known`")
    quantised.add_argument("--without", nargs="+", default=[], help="collections to leave out")
    quantised.set_defaults(run=_quantise)
    read = steps.add_parser("read", help="read pictures with a given pair of nets: a JSON line each, as for scoring")
    read.add_argument("--nets", type=Path, required=True, help="folder of the ONNX files")
    read.add_argument("pictures", type=Path, nargs="+")
    read.set_defaults(run=_read)
    average = steps.add_parser("average", help="average the weights of runs that began from one start")
    average.add_argument("weights", type=Path, nargs="+", help="trained weights")
    average.add_argument("--out", type=Path, required=True, help="file for the mean weights")
    average.set_defaults(run=_average)
    negatives = steps.add_parser("negatives", help="draw unseen tiles and count what wrongly gets a value")
    negatives.add_argument("--nets", type=Path, required=True, help="folder of the ONNX files")
    negatives.add_argument("--first", type=int, default=90000, help="first seed; training uses 100 to 999")
    negatives.add_argument("--count", type=int, default=4, help="shards of 250 tiles")
    negatives.add_argument("--only-negatives", action="store_true", help="no pip dice at all")
    negatives.set_defaults(run=_negatives)
    calibrate = steps.add_parser("calibrate", help="fit the temperature on left-out predictions")
    calibrate.add_argument("rows", type=Path, nargs="+", help="files from `evaluate`, each of a left-out collection")
    calibrate.set_defaults(run=_calibrate)
    known = steps.add_parser("known", help="find the top faces of the photographed dice, and the false finds")
    known.add_argument("--refine", action="store_true", help="believe the value net about the top faces' corners")
    known.set_defaults(run=_known)
    evaluate = steps.add_parser("evaluate", help="look at photographs with exported nets")
    evaluate.set_defaults(run=_evaluate)
    for step in (known, evaluate):
        step.add_argument("--only", nargs="+", help="these collections only")
        step.add_argument("--photos", type=Path, required=True, help="folder that holds the collections of photographs")
        step.add_argument("--nets", type=Path, required=True, help="folder of the ONNX files")
        step.add_argument("--out", type=Path, required=True, help="file of JSON lines to write")
    a = parser.parse_args()
    run = a.run
    del a.run  # spawned processes get what is left: only plain values travel
    run(a)


if __name__ == "__main__":
    main()
