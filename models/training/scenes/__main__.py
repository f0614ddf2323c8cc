"""Command lines: `python -m models.training.scenes --help`."""

from __future__ import annotations

import argparse
from pathlib import Path

from models.training.scenes import recording


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(prog="python -m models.training.scenes", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    render = commands.add_parser("render-demo", help="render the demo's pictures (needs Blender's bpy); resumable")
    encode = commands.add_parser("encode-demo", help="put the pictures together into demo.mp4 (needs OpenCV, ffmpeg)")
    for command in (render, encode):
        command.add_argument("--cache", type=Path, required=True, help="folder for the pictures")
        command.add_argument("--quality", choices=sorted(recording.QUALITIES), default="final")
    render.add_argument("--threads", type=int, default=1)
    render.add_argument("--longest-s", type=float, default=float("inf"))
    encode.add_argument("--folder", type=Path, required=True, help="where demo.mp4, truth.jsonl and setup.json go")
    encode.add_argument("--kilobits", type=int, default=640, help="largest rate a second")
    encode.add_argument("--noise", type=float, default=2.0, help="of the sensor, in grey levels")
    encode.add_argument("--may-lack", action="store_true", help="hold the last picture where one is missing")
    options = parser.parse_args()
    quality = recording.QUALITIES[options.quality]
    if options.command == "render-demo":
        done = recording.render(options.cache, quality, threads=options.threads, longest_s=options.longest_s)
        raise SystemExit(0 if done else 3)
    recording.encode(
        options.cache,
        quality,
        options.folder,
        kilobits=options.kilobits,
        noise_sigma=options.noise,
        may_lack=options.may_lack,
    )


if __name__ == "__main__":
    main()
