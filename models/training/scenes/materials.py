"""What things in Blender look like: materials of one colour, with grain, of a picture, of a desk, of a figure."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from models.training.scenes.scene import Colour, Figure, Table

UNIT_MM = 10.0
"""Millimetres to one unit of Blender."""


def plain_material(
    name: str,
    colour: Colour,
    *,
    roughness: float = 0.5,
    metallic: float = 0.0,
    translucency: float = 0.0,
    grain_mm: float = 0.0,
    bump: float = 0.0,
    mottle: float = 0.0,
) -> Any:
    """Make a material of one colour, with grain on the surface and mottling where asked for."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Metallic"].default_value = metallic
    shader.inputs["Transmission Weight"].default_value = translucency
    if grain_mm and (bump or mottle):
        place, noise = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = UNIT_MM / grain_mm
        noise.inputs["Detail"].default_value = 4.0
        links.new(place.outputs["Object"], noise.inputs["Vector"])
        if bump:
            relief = nodes.new("ShaderNodeBump")
            relief.inputs["Strength"].default_value = bump
            relief.inputs["Distance"].default_value = 0.03
            links.new(noise.outputs["Fac"], relief.inputs["Height"])
            links.new(relief.outputs["Normal"], shader.inputs["Normal"])
        if mottle:
            ramp = nodes.new("ShaderNodeValToRGB")
            ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.3, 0.7
            ramp.color_ramp.elements[0].color = (*(c * (1 - mottle) for c in colour), 1.0)
            ramp.color_ramp.elements[1].color = (*(min(1.0, c * (1 + mottle)) for c in colour), 1.0)
            links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
            links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return material


def picture_material(name: str, picture: npt.NDArray[np.float64]) -> Any:
    """Make a material of a picture, shape (rows, columns, 3), linear RGB 0..1, laid on by the mesh's coordinates."""
    rows, columns, _ = picture.shape
    image = bpy.data.images.new(name, columns, rows)
    pixels = np.ones((rows, columns, 4), dtype=np.float32)
    pixels[..., :3] = picture[::-1]  # Blender's first row is the bottom one
    image.pixels.foreach_set(pixels.ravel())
    image.pack()
    material = plain_material(name, (1, 1, 1), roughness=0.75)
    texture = material.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    shader = material.node_tree.nodes["Principled BSDF"]
    material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material


def table_material(table: Table) -> Any:
    """Make the material of a desk: wood, cloth or one colour."""
    material = plain_material("table", table.colour, roughness=0.45)
    if table.look == "plain":
        return material
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    place, mapping = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    generator = np.random.default_rng(table.seed)
    mapping.inputs["Location"].default_value = tuple(float(v) for v in generator.uniform(0, 50, 3))
    noise, ramp = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeValToRGB")
    if table.look == "wood":
        mapping.inputs["Rotation"].default_value[2] = float(generator.uniform(0, math.pi))
        mapping.inputs["Scale"].default_value = (0.035, 1.1, 1.0)
        noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 0.9, 8.0
        noise.inputs["Distortion"].default_value = 0.6
        spread = 0.35
    else:
        shader.inputs["Roughness"].default_value = 0.95
        noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 3.0, 6.0
        spread = 0.2
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.3, 0.7
    ramp.color_ramp.elements[0].color = (*(c * (1 - spread) for c in table.colour), 1.0)
    ramp.color_ramp.elements[1].color = (*(min(1.0, c * (1 + spread)) for c in table.colour), 1.0)
    links.new(place.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return material


def figure_materials(figure: Figure) -> dict[str, Any]:
    """Make the materials of a procedural figure: painted in many colours, or bare plastic or metal."""
    generator = np.random.default_rng(figure.seed + 77)
    names = ("base", "rim", "ground", "body", "cloth", "skin", "metal", "leather", "accent")
    if figure.paint != "painted":
        metallic, roughness = (0.9, 0.38) if figure.paint == "metal" else (0.0, 0.4)
        bare = plain_material("bare", figure.colour, roughness=roughness, metallic=metallic, grain_mm=0.8, bump=0.25)
        rim = bare if generator.random() < 0.6 else plain_material("rim", (0.02, 0.02, 0.02), roughness=0.4)
        return {name: rim if name in ("base", "rim") else bare for name in names}
    rims = ((0.015, 0.015, 0.015), (0.09, 0.05, 0.03), (0.03, 0.07, 0.02), (0.2, 0.2, 0.2))
    grounds = ((0.12, 0.2, 0.05), (0.18, 0.11, 0.06), (0.2, 0.19, 0.18), (0.35, 0.27, 0.15))
    rim, ground = rims[generator.integers(4)], grounds[generator.integers(4)]
    skins: tuple[Colour, ...] = ((0.6, 0.36, 0.25), (0.25, 0.13, 0.08), (0.15, 0.28, 0.1), (0.5, 0.5, 0.48))
    skin = skins[generator.integers(4)]
    accent = tuple(float(c) for c in generator.uniform(0.02, 0.6, 3))
    cloth = tuple(float(c) for c in np.clip(np.array(figure.colour)[::-1] * generator.uniform(0.5, 1.2), 0, 1))
    return {
        "base": plain_material("base", rim),
        "rim": plain_material("rim", rim, roughness=0.45),
        "ground": plain_material("ground", ground, roughness=0.95, grain_mm=0.9, bump=1.0, mottle=0.6),
        "body": plain_material("body", figure.colour, roughness=0.5, grain_mm=2.5, bump=0.4, mottle=0.35),
        "cloth": plain_material(
            "cloth", (cloth[0], cloth[1], cloth[2]), roughness=0.8, grain_mm=2.0, bump=0.3, mottle=0.4
        ),
        "skin": plain_material("skin", skin, roughness=0.55, grain_mm=2.0, mottle=0.25),
        "metal": plain_material("metal", (0.45, 0.45, 0.47), roughness=0.35, metallic=0.85, grain_mm=1.5, mottle=0.4),
        "leather": plain_material("leather", (0.1, 0.05, 0.03), roughness=0.7, grain_mm=1.5, mottle=0.4),
        "accent": plain_material("accent", (accent[0], accent[1], accent[2]), roughness=0.5, grain_mm=2.0, mottle=0.3),
    }
