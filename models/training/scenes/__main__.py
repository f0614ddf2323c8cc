"""Scenes of the table, photographed by Blender's Cycles, and the demo recording."""

from __future__ import annotations

import argparse
from pathlib import Path

from models.training.scenes import lessons, random_tables, recording
from models.training.scenes.photograph import animations, photograph
from models.training.scenes.scene import from_json


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(prog="python -m models.training.scenes", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("random", help="photograph random tables, with their truth (needs Blender's bpy)")
    draw.add_argument("folder", type=Path, help="where NAME.jpg, NAME.json (truth) and NAME.scene.json go")
    draw.add_argument("--seed", type=int, default=0, help="of the first table; the next ones count on")
    draw.add_argument("--count", type=int, default=1)
    draw.add_argument("--prefix", default="table", help="of the names, before the seed")
    one = commands.add_parser("photograph", help="photograph a described scene (needs Blender's bpy)")
    one.add_argument("scene", type=Path, help="a NAME.scene.json")
    one.add_argument("folder", type=Path, help="where the picture and its truth go")
    learn = commands.add_parser("lessons", help="photograph random tables to learn from, quickly (needs Blender's bpy)")
    learn.add_argument("folder", type=Path, help="where NAME.jpg, NAME.json (truth) and NAME.npz (maps) go")
    learn.add_argument("--seed", type=int, default=0, help="of the first table; those that are there are left out")
    learn.add_argument("--count", type=int, default=1)
    learn.add_argument("--cache", type=Path, required=True, help="folder for built dice")
    learn.add_argument("--threads", type=int, default=1)
    for command in (draw, one):
        command.add_argument("--cache", type=Path, required=True, help="folder for built dice")
        command.add_argument("--meshes", type=Path, help="folder with figure meshes (*.glb)")
        command.add_argument("--samples", type=int, default=12, help="a pixel")
        command.add_argument("--threads", type=int, default=1)
    render = commands.add_parser("render-demo", help="render the demo's pictures (needs Blender's bpy); resumable")
    encode = commands.add_parser("encode-demo", help="put the pictures together into demo.mp4 (needs OpenCV, ffmpeg)")
    for command in (render, encode):
        command.add_argument("--cache", type=Path, required=True, help="folder for the pictures")
        command.add_argument("--quality", choices=sorted(recording.QUALITIES), default="final")
    render.add_argument("--threads", type=int, default=1)
    render.add_argument("--longest-s", type=float, default=float("inf"), help="stop after so many seconds")
    encode.add_argument("--folder", type=Path, required=True, help="where demo.mp4, truth.jsonl and setup.json go")
    encode.add_argument("--kilobits", type=int, default=700, help="largest rate a second")
    encode.add_argument("--noise", type=float, default=2.0, help="of the sensor, in grey levels")
    encode.add_argument("--preset", default="fast", help="of x264")
    encode.add_argument("--may-lack", action="store_true", help="hold the last picture where one is missing")
    raise SystemExit(_run(parser.parse_args()))


def _run(options: argparse.Namespace) -> int:
    if options.command == "random":
        meshes = animations(options.meshes) if options.meshes is not None else ()
        for seed in range(options.seed, options.seed + options.count):
            scene = random_tables.random_scene(seed, meshes=meshes)
            stem = options.folder / f"{options.prefix}{seed:05d}"
            photograph(
                scene,
                stem,
                cache=options.cache,
                meshes=options.meshes,
                samples=options.samples,
                threads=options.threads,
            )
        return 0
    if options.command == "photograph":
        stem = options.folder / options.scene.name.removesuffix(".json").removesuffix(".scene")
        scene = from_json(options.scene.read_text())
        photograph(
            scene, stem, cache=options.cache, meshes=options.meshes, samples=options.samples, threads=options.threads
        )
        return 0
    if options.command == "lessons":
        for seed in range(options.seed, options.seed + options.count):
            stem = options.folder / f"{seed:06d}"
            if not stem.with_name(stem.name + ".npz").exists():
                lessons.photograph_lesson(
                    lessons.lesson_scene(seed), stem, cache=options.cache, threads=options.threads
                )
        return 0
    quality = recording.QUALITIES[options.quality]
    if options.command == "render-demo":
        done = recording.render(options.cache, quality, threads=options.threads, longest_s=options.longest_s)
        return 0 if done else 3
    recording.encode(
        options.cache,
        quality,
        options.folder,
        kilobits=options.kilobits,
        noise_sigma=options.noise,
        preset=options.preset,
        may_lack=options.may_lack,
    )
    return 0


if __name__ == "__main__":
    main()
