"""What a stage's pixels show: which thing, how high above the table, and where a thing's points are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from models.training.scenes.blender import Stage, mesh_points, read_png
from models.training.scenes.materials import UNIT_MM
from models.training.scenes.solids import FloatArray

Bytes = npt.NDArray[np.uint8]


def shape(stage: Stage, name: str) -> FloatArray:
    """Give all vertices of a thing where it stands now, shape (n, 3), in table mm."""
    bpy.context.view_layer.update()
    parts = []
    for thing in stage.objects[name]:
        world = np.array(thing.matrix_world)
        parts.append(mesh_points(thing.data) @ world[:3, :3].T + world[:3, 3])
    result: FloatArray = np.vstack(parts) * UNIT_MM
    return result


def silhouettes(stage: Stage, names: Sequence[str]) -> tuple[Bytes, dict[str, npt.NDArray[np.bool_]]]:
    """See which pixels show what.

    Args:
        stage: the scene, as it stands.
        names: things whose whole silhouettes are wanted.

    Returns:
        As `numbers`; and for each name the pixels it would cover if it stood alone.
    """
    hidden = {name: things[0].hide_render for name, things in stage.objects.items()}
    together = numbers(stage, names)
    alone = {}
    try:
        with _data_instead_of_light(stage, _material("Object Index", 1 / 255)):
            for i, name in enumerate(names):
                for other in stage.objects:
                    stage.show(other, visible=other == name)
                alone[name] = _bytes(stage) == i + 1
    finally:
        for name, was in hidden.items():
            stage.show(name, visible=not was)
    return together, alone


def numbers(stage: Stage, names: Sequence[str]) -> Bytes:
    """Give for each pixel the number of the nearest thing: its place in `names` plus one, 0 for anything else."""
    places = {name: i + 1 for i, name in enumerate(names)}
    for name, things in stage.objects.items():
        for thing in things:
            thing.pass_index = places.get(name, 0)
    with _data_instead_of_light(stage, _material("Object Index", 1 / 255)):
        return _bytes(stage)


def heights_mm(stage: Stage) -> Bytes:
    """Give for each pixel how high above the table the nearest surface is, up to 255 mm."""
    with _data_instead_of_light(stage, _material("Position", UNIT_MM / 255)):
        return _bytes(stage)


@contextmanager
def _data_instead_of_light(stage: Stage, material: Any) -> Iterator[None]:
    """Let every surface glow with a number, and nothing else shine or blur."""
    world, layer = stage.world, bpy.context.view_layer
    view = world.view_settings
    kept = (view.view_transform, view.look, view.exposure, world.cycles.use_denoising, world.cycles.filter_width)
    dither, world.render.dither_intensity = world.render.dither_intensity, 0.0  # it would add 1 to many a number
    layer.material_override = material
    view.view_transform, view.look, view.exposure = "Raw", "None", 0.0
    world.cycles.use_denoising, world.cycles.filter_width = False, 0.01
    background, world.world = world.world, None
    try:
        yield
    finally:
        layer.material_override = None
        view.view_transform, view.look, view.exposure = kept[:3]
        world.cycles.use_denoising, world.cycles.filter_width = kept[3:]
        world.world, world.render.dither_intensity = background, dither


def _bytes(stage: Stage) -> Bytes:
    file = stage.cache / "numbers.png"
    stage.render(file, samples=1)
    return np.rint(read_png(file)[..., 0] * 255).astype(np.uint8)


def _material(value: str, factor: float) -> Any:
    """Make a material that glows with the object's number or the height of the surface, times a factor."""
    material = bpy.data.materials.new("data")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    times = nodes.new("ShaderNodeMath")
    glow, out = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    times.operation, times.inputs[1].default_value = "MULTIPLY", factor
    if value == "Position":
        place, parts = nodes.new("ShaderNodeNewGeometry"), nodes.new("ShaderNodeSeparateXYZ")
        links.new(place.outputs["Position"], parts.inputs["Vector"])
        links.new(parts.outputs["Z"], times.inputs[0])
    else:
        links.new(nodes.new("ShaderNodeObjectInfo").outputs["Object Index"], times.inputs[0])
    links.new(times.outputs["Value"], glow.inputs["Color"])
    links.new(glow.outputs["Emission"], out.inputs["Surface"])
    return material
