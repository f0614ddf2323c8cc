"""Photograph a scene: render it, apply lens and sensor, and write the picture with its truth and its description."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from models.training.scenes import sensor, truth
from models.training.scenes.scene import Scene, to_json
from models.training.scenes.view import undistorted_margin

NO_STANDING_POSES = ("Death", "Lie", "Sit", "Jump", "T-Pose")
"""Beginnings of the names of animations in which a character does not stand on its feet."""


def photograph(
    scene: Scene, stem: Path, *, cache: Path, meshes: Path | None = None, samples: int = 12, threads: int = 1
) -> None:
    """Write `stem`.jpg, `stem`.json (the truth) and `stem`.scene.json (the scene). Needs Blender's `bpy`.

    Args:
        scene: what to photograph.
        stem: path without ending.
        cache: folder for built dice.
        meshes: folder with the mesh files that figures name.
        samples: a pixel.
        threads: of the renderer.
    """
    from models.training.scenes import stage_truth  # needs bpy
    from models.training.scenes.blender import Stage, read_png, write_jpeg

    stage = Stage(scene, cache=cache, meshes=meshes, threads=threads)
    margin = undistorted_margin(scene.camera)
    stage.widen(margin)
    file = cache / "photograph.png"
    stage.render(file, samples=samples)
    picture = sensor.seen(sensor.bent(read_png(file), scene.camera, margin), scene.sensor)
    obstacles = [o.name for o in scene.obstacles if truth.is_on_sheet(o, scene)]
    names = [*(f.name for f in scene.figures), *(d.name for d in scene.dice), *obstacles]
    numbers, alone = stage_truth.silhouettes(stage, names)
    camera = scene.camera
    shares = truth.visible_shares(
        sensor.bent_mask(numbers, camera, margin),
        {name: sensor.bent_mask(mask, camera, margin) for name, mask in alone.items()},
    )
    facts = truth.table_truth(scene, {f.name: stage_truth.shape(stage, f.name) for f in scene.figures}, shares)
    stem.parent.mkdir(parents=True, exist_ok=True)
    write_jpeg(stem.with_name(stem.name + ".jpg"), picture, quality=scene.sensor.jpeg_quality)
    stem.with_name(stem.name + ".json").write_text(json.dumps(facts, indent=1) + "\n")
    stem.with_name(stem.name + ".scene.json").write_text(to_json(scene) + "\n")


def animations(folder: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List the GLB files of a folder with the names of those animations in which the figure stands.

    Raises:
        ValueError: a file is no GLB.
    """
    found = []
    for file in sorted(folder.glob("*.glb")):
        data = file.read_bytes()
        if data[:4] != b"glTF" or data[16:20] != b"JSON":
            raise ValueError(f"{file.name} is no GLB file")
        (length,) = struct.unpack("<I", data[12:16])
        names = [animation["name"] for animation in json.loads(data[20 : 20 + length]).get("animations", ())]
        names = [name for name in names if not name.startswith(NO_STANDING_POSES)]
        found.append((file.name, tuple(names)))
    return tuple(found)
