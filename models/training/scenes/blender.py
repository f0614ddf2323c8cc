"""A scene in Blender's Cycles: built once, then moved and photographed."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from models.training.scenes import dice_shape, hand_shape, mat_print, miniature
from models.training.scenes.materials import UNIT_MM, figure_materials, picture_material, plain_material, table_material
from models.training.scenes.scene import Camera, DieStyle, Figure, Hand, Lamp, Mat, Obstacle, Scene, Table
from models.training.scenes.solids import FloatArray, IntArray, Solid, block, lathe
from models.training.scenes.turning import Quaternion, Vector, about_vertical, from_matrix
from models.training.scenes.view import camera_axes

FIGURE_VOXEL_MM = 0.4
"""Grain at which the parts of a figure melt together: a tenth of a hand on a 28 mm miniature, below a camera pixel."""
HAND_VOXEL_MM = 2.2
"""As for figures, for a hand."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""


@dataclass(frozen=True, slots=True)
class Motion:
    """Where a thing is when the shutter opens and when it closes."""

    at_mm: Vector
    turn: Quaternion
    until_mm: Vector
    until_turn: Quaternion


class Stage:
    """A scene that stands in Blender, whose things can be moved, hidden and rendered."""

    def __init__(self, scene: Scene, *, cache: Path, meshes: Path | None = None, threads: int = 1) -> None:
        """Build everything in the scene; the things keep their names.

        Args:
            scene: what to build.
            cache: folder for built dice and pictures on their way.
            meshes: folder with the files that figures name.
            threads: that the renderer may use.
        """
        self.cache = cache
        cache.mkdir(parents=True, exist_ok=True)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.world: Any = bpy.context.scene
        self.objects: dict[str, list[Any]] = {}
        self.camera = scene.camera
        self._set_up_renderer(threads)
        self._set_light(scene)
        self._set_camera(scene.camera)
        self._add_table(scene.table)
        if scene.mat is not None:
            self._add_mat(scene.mat)
        for figure in scene.figures:
            self._add_figure(figure, meshes)
        for die in scene.dice:
            self._add_die(die.name, die.style, die.size_mm)
            self.place(die.name, die.at_mm, die.turn)
        for obstacle in scene.obstacles:
            self._add_obstacle(obstacle)
        for hand in scene.hands:
            self._add_hand(hand)

    # --- moving and showing -------------------------------------------------------------------------------------

    def place(self, name: str, at_mm: Vector, turn: Quaternion) -> None:
        """Put a thing somewhere, at rest."""
        for thing in self.objects[name]:
            thing.animation_data_clear()
            thing.location = [c / UNIT_MM for c in at_mm]
            thing.rotation_quaternion = turn

    def move(self, name: str, motion: Motion) -> None:
        """Let a thing move while the shutter is open."""
        for thing in self.objects[name]:
            thing.animation_data_clear()
            for frame, at, turn in ((1, motion.at_mm, motion.turn), (2, motion.until_mm, motion.until_turn)):
                thing.location = [c / UNIT_MM for c in at]
                thing.rotation_quaternion = turn
                thing.keyframe_insert("location", frame=frame)
                thing.keyframe_insert("rotation_quaternion", frame=frame)
            for curve in thing.animation_data.action.fcurves:
                for point in curve.keyframe_points:
                    point.interpolation = "LINEAR"

    def show(self, name: str, *, visible: bool) -> None:
        """Show or hide a thing."""
        for thing in self.objects[name]:
            thing.hide_render = not visible

    def render(self, file: Path, *, samples: int, crop: Box | None = None, blurred: bool = False) -> None:
        """Render the picture, or a part of it, into a PNG file that appears only when it is complete."""
        render = self.world.render
        width, height = render.resolution_x, render.resolution_y
        left, top, right, bottom = crop if crop is not None else (0, 0, width, height)
        render.use_border = crop is not None
        render.use_crop_to_border = crop is not None
        # Blender cuts the products with the size off to whole pixels: a thousandth keeps them from falling short.
        render.border_min_x, render.border_max_x = (left + 1e-3) / width, (right + 1e-3) / width
        render.border_min_y, render.border_max_y = (height - bottom + 1e-3) / height, (height - top + 1e-3) / height
        render.use_motion_blur = blurred
        self.world.cycles.samples = samples
        self.world.frame_set(1)
        part = file.with_name(file.stem + ".part.png")
        render.filepath = str(part)
        bpy.ops.render.render(write_still=True)
        os.replace(part, file)

    def use_quality(self, *, is_fast: bool, percent: int = 100) -> None:
        """Choose between the careful settings and those for moving moments, which cost less than half."""
        cycles = self.world.cycles
        cycles.max_bounces = 2 if is_fast else 4
        cycles.diffuse_bounces = cycles.glossy_bounces = 1 if is_fast else 2
        cycles.denoising_quality = "FAST" if is_fast else "HIGH"
        cycles.denoising_input_passes = "RGB_ALBEDO" if is_fast else "RGB_ALBEDO_NORMAL"
        self.world.render.resolution_percentage = percent

    # --- building -----------------------------------------------------------------------------------------------

    def _set_up_renderer(self, threads: int) -> None:
        render, cycles = self.world.render, self.world.cycles
        render.engine = "CYCLES"
        render.threads_mode, render.threads = "FIXED", threads
        render.image_settings.file_format = "PNG"
        render.image_settings.color_mode = "RGB"
        render.image_settings.compression = 20
        render.use_persistent_data = True
        render.motion_blur_shutter = 1.0
        render.motion_blur_position = "START"
        render.resolution_percentage = 100
        cycles.device = "CPU"
        cycles.use_adaptive_sampling = False
        cycles.use_denoising = True
        cycles.denoiser = "OPENIMAGEDENOISE"
        cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 2
        cycles.transmission_bounces, cycles.transparent_max_bounces = 2, 2
        cycles.caustics_reflective = cycles.caustics_refractive = False
        cycles.sample_clamp_indirect = 4.0
        cycles.seed = 1
        self.world.view_settings.view_transform = "AgX"
        self.world.view_settings.look = "AgX - Medium High Contrast"

    def _set_light(self, scene: Scene) -> None:
        self.world.view_settings.exposure = scene.light.exposure
        world = bpy.data.worlds.new("surroundings")
        self.world.world = world
        world.use_nodes = True
        nodes, links = world.node_tree.nodes, world.node_tree.links
        background = nodes["Background"]
        background.inputs["Strength"].default_value = scene.light.surroundings_strength
        folder = Path(bpy.utils.resource_path("LOCAL")) / "datafiles" / "studiolights" / "world"
        file = folder / f"{scene.light.surroundings}.exr"
        if not file.exists():
            raise ValueError(f"Blender has no surroundings called {scene.light.surroundings!r}")
        picture = nodes.new("ShaderNodeTexEnvironment")
        picture.image = bpy.data.images.load(str(file))
        place, mapping = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
        mapping.inputs["Rotation"].default_value[2] = math.radians(scene.light.surroundings_degrees)
        links.new(place.outputs["Generated"], mapping.inputs["Vector"])
        links.new(mapping.outputs["Vector"], picture.inputs["Vector"])
        links.new(picture.outputs["Color"], background.inputs["Color"])
        for i, lamp in enumerate(scene.light.lamps):
            self._add_lamp(f"lamp{i}", lamp)

    def _add_lamp(self, name: str, lamp: Lamp) -> None:
        data = bpy.data.lights.new(name, "AREA")
        data.energy, data.size = lamp.power, lamp.width_mm / UNIT_MM
        data.color = lamp.colour
        thing = bpy.data.objects.new(name, data)
        thing.location = [c / UNIT_MM for c in lamp.at_mm]
        thing.rotation_mode = "QUATERNION"
        thing.rotation_quaternion = _looking(lamp.at_mm, (0.0, 0.0, 0.0), 0.0)
        self.world.collection.objects.link(thing)

    def _set_camera(self, camera: Camera, *, margin: float = 1.0) -> None:
        data = bpy.data.cameras.new("camera")
        width, height = (round(side * margin) for side in camera.size)
        self.world.render.resolution_x, self.world.render.resolution_y = width, height
        data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
        data.lens = camera.focal_px * 36.0 / width
        data.clip_start, data.clip_end = 1.0, 1000.0
        thing = bpy.data.objects.new("camera", data)
        thing.location = [c / UNIT_MM for c in camera.at_mm]
        thing.rotation_mode = "QUATERNION"
        thing.rotation_quaternion = _looking(camera.at_mm, camera.target_mm, camera.roll_degrees)
        self.world.collection.objects.link(thing)
        self.world.camera = thing

    def widen(self, margin: float) -> None:
        """Take pictures of `margin` times the camera's size at the same focal length, to be bent by the lens later."""
        self._set_camera(self.camera, margin=margin)

    def _add(self, name: str, vertices: FloatArray, faces: IntArray, materials: Sequence[Any]) -> Any:
        data = bpy.data.meshes.new(name)
        data.from_pydata((vertices / UNIT_MM).tolist(), [], faces.tolist())
        for material in materials:
            data.materials.append(material)
        data.update()
        thing = bpy.data.objects.new(name, data)
        thing.rotation_mode = "QUATERNION"
        self.world.collection.objects.link(thing)
        self.objects.setdefault(name, []).append(thing)
        thing.pass_index = 1 + list(self.objects).index(name)
        return thing

    def _add_table(self, table: Table) -> None:
        side = 3000.0
        corners = np.array([(-side, -side, 0), (side, -side, 0), (side, side, 0), (-side, side, 0)], dtype=float)
        self._add("table", corners, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32), [table_material(table)])

    def _add_mat(self, mat: Mat) -> None:
        width, height = mat_print.PAPER_MM[mat.paper]
        columns, rows = 29, 41
        x, y = np.meshgrid(np.linspace(-width / 2, width / 2, columns), np.linspace(-height / 2, height / 2, rows))
        generator = np.random.default_rng(mat.seed + 1)
        z = np.full(x.shape, 0.15)
        for corner_x, corner_y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            reach = np.clip((corner_x * x / width + corner_y * y / height) * 2 - 0.9, 0, None)
            z += mat.curl_mm * generator.uniform(0.2, 1.0) * reach**2 / 1.21
        vertices = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
        i = np.arange(rows * columns).reshape(rows, columns)
        a, b, c, d = i[:-1, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel(), i[1:, :-1].ravel()
        faces = np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])]).astype(np.int32)
        thing = self._add("mat", vertices, faces, [picture_material("mat", mat_print.draw(mat))])
        layer = thing.data.uv_layers.new(name="sheet")
        corners = vertices[faces.ravel()]
        uv = np.column_stack([corners[:, 0] / width + 0.5, corners[:, 1] / height + 0.5])
        layer.data.foreach_set("uv", uv.astype(np.float32).ravel())

    def _add_figure(self, figure: Figure, meshes: Path | None) -> None:
        if figure.mesh:
            self._add_mesh_figure(figure, meshes)
        else:
            self._add_solids(figure.name, miniature.build(figure), figure_materials(figure), FIGURE_VOXEL_MM)
        self.place(figure.name, figure.at_mm, figure.turn)

    def _add_solids(self, name: str, solids: Sequence[Solid], materials: dict[str, Any], voxel_mm: float) -> None:
        for material in sorted({solid.material for solid in solids}):
            for fused in (True, False):
                group = [s for s in solids if s.material == material and s.is_fused is fused]
                if not group:
                    continue
                offsets = np.cumsum([0, *(len(s.vertices) for s in group)])
                vertices = np.vstack([s.vertices for s in group])
                faces = np.vstack([s.faces + o for s, o in zip(group, offsets, strict=False)])
                thing = self._add(name, vertices, faces, [materials[material]])
                if fused:
                    _melt(thing, voxel_mm)
                else:
                    _shade_smooth(thing, 35.0)

    def _add_die(self, name: str, style: DieStyle, size_mm: float) -> None:
        vertices, faces, kinds = dice_shape.mesh(style, self.cache)
        body = plain_material("die", style.body, roughness=style.roughness, translucency=style.translucency)
        pip = plain_material("pip", style.pips, roughness=0.5)
        one = plain_material("one", style.one if style.one is not None else style.pips, roughness=0.5)
        thing = self._add(name, vertices * size_mm, faces, [body, pip, one])
        thing.data.polygons.foreach_set("material_index", kinds.astype(np.int32))
        _shade_smooth(thing, 30.0)

    def _add_obstacle(self, obstacle: Obstacle) -> None:
        length, width, height = obstacle.size_mm
        body = plain_material("obstacle", obstacle.colour, roughness=0.65)
        solids = []
        if obstacle.kind == "cylinder":
            edge = min(1.0, height / 8)
            r = length / 2
            solids.append(
                lathe([(r - edge, 0), (r, edge), (r, height - edge), (r - edge, height)], "body", segments=64)
            )
        else:
            solids.append(block((0, 0, height / 2), (length, width, height), "body"))
            if obstacle.sleeve is not None:
                solids.append(
                    block((-length * 0.16, 0, height / 2), (length * 0.62, width + 0.5, height + 0.5), "sleeve")
                )
        sleeve = plain_material("sleeve", obstacle.sleeve or (0.1, 0.1, 0.1), roughness=0.5)
        for solid in solids:
            thing = self._add(
                obstacle.name, solid.vertices, solid.faces, [body if solid.material == "body" else sleeve]
            )
            if obstacle.kind == "box":
                bevel = thing.modifiers.new("bevel", "BEVEL")
                bevel.width, bevel.segments = (0.12 if solid.material == "body" else 0.02), 3
            _shade_smooth(thing, 40.0)
        self.place(obstacle.name, (*obstacle.at_mm, obstacle.lift_mm), about_vertical(obstacle.heading_degrees))

    def _add_hand(self, hand: Hand) -> None:
        materials = {
            "skin": plain_material("skin", hand.skin, roughness=0.55, grain_mm=1.2, bump=0.15),
            "sleeve": plain_material("sleeve", hand.sleeve, roughness=0.9, grain_mm=0.8, bump=0.4),
        }
        self._add_solids(hand.name, hand_shape.build(hand.grip), materials, HAND_VOXEL_MM)
        self.place(hand.name, hand.at_mm, about_vertical(hand.heading_degrees))

    def _add_mesh_figure(self, figure: Figure, meshes: Path | None) -> None:
        if meshes is None or not (meshes / figure.mesh).is_file():
            raise ValueError(f"the figure {figure.name!r} needs the mesh {figure.mesh!r} in the folder {str(meshes)!r}")
        before = set(bpy.data.objects)
        bpy.ops.import_scene.gltf(filepath=str(meshes / figure.mesh))
        brought = [thing for thing in bpy.data.objects if thing not in before]
        for thing in brought:
            if thing.type == "ARMATURE" and figure.pose:
                _strike_pose(thing, figure.pose)
        graph = bpy.context.evaluated_depsgraph_get()
        graph.update()
        kept = []
        for thing in brought:
            # Characters come with alternatives of hand-held things, some hidden, and a bone's marker without material.
            if thing.type == "MESH" and not thing.hide_get() and thing.data.materials:
                data = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
                data.transform(thing.matrix_world)
                kept.append(data)
        points = np.vstack([mesh_points(data) for data in kept])
        low, high = points.min(0), points.max(0)
        scale = (figure.height_mm - miniature.BASE_HEIGHT_MM) / UNIT_MM / float(high[2] - low[2])
        foot = points[points[:, 2] < low[2] + 0.15 * (high[2] - low[2])].mean(0)
        for data in kept:
            moved = (mesh_points(data) - np.array([foot[0], foot[1], low[2]])) * scale
            moved[:, 2] += miniature.BASE_HEIGHT_MM / UNIT_MM
            data.vertices.foreach_set("co", moved.astype(np.float32).ravel())
            data.update()
            thing = bpy.data.objects.new(figure.name, data)
            thing.rotation_mode = "QUATERNION"
            self.world.collection.objects.link(thing)
            self.objects.setdefault(figure.name, []).append(thing)
            thing.pass_index = 1 + list(self.objects).index(figure.name)
        for thing in brought:
            bpy.data.objects.remove(thing)
        base = miniature.base(figure, np.random.default_rng(figure.seed))
        self._add_solids(figure.name, base, figure_materials(figure), FIGURE_VOXEL_MM)


def read_png(file: Path) -> npt.NDArray[np.float32]:
    """Read a picture, shape (rows, columns, 3), RGB display values 0..1."""
    image = bpy.data.images.load(str(file))
    image.colorspace_settings.name = "Non-Color"
    columns, rows = image.size
    pixels = np.empty(rows * columns * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return np.ascontiguousarray(pixels.reshape(rows, columns, 4)[::-1, :, :3])


def write_jpeg(file: Path, picture: npt.NDArray[np.float32], *, quality: int) -> None:
    """Write a picture, shape (rows, columns, 3), RGB display values 0..1."""
    rows, columns, _ = picture.shape
    image = bpy.data.images.new("out", columns, rows)
    image.colorspace_settings.name = "Non-Color"
    pixels = np.ones((rows, columns, 4), dtype=np.float32)
    pixels[..., :3] = picture[::-1]
    image.pixels.foreach_set(pixels.ravel())
    image.file_format = "JPEG"
    image.save(filepath=str(file), quality=quality)
    bpy.data.images.remove(image)


def mesh_points(data: Any) -> FloatArray:
    """Give a mesh's vertices in its own axes, shape (n, 3), in units of Blender."""
    flat = np.empty(len(data.vertices) * 3, dtype=np.float32)
    data.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def _strike_pose(armature: Any, pose: str) -> None:
    action = next((action for action in bpy.data.actions if action.name.split(".")[0] == pose), None)
    if action is None:
        raise ValueError(f"the mesh has no animation {pose!r}")
    if armature.animation_data is None:
        armature.animation_data_create()
    for track in list(armature.animation_data.nla_tracks):
        armature.animation_data.nla_tracks.remove(track)
    armature.animation_data.action = action
    if action.slots:
        armature.animation_data.action_slot = action.slots[0]
    first, last = action.frame_range
    bpy.context.scene.frame_set(round((first + last) / 2))


def _looking(at: Vector, target: Vector, roll_degrees: float) -> Quaternion:
    right, down, forward = camera_axes(Camera(at_mm=at, target_mm=target, roll_degrees=roll_degrees))
    return from_matrix(np.column_stack([right, -down, -forward]))


def _melt(thing: Any, voxel_mm: float) -> None:
    remesh = thing.modifiers.new("melt", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", voxel_mm / UNIT_MM, True
    smooth = thing.modifiers.new("smooth", "SMOOTH")
    smooth.factor, smooth.iterations = 0.5, 3
    _apply(thing)


def _apply(thing: Any) -> None:
    graph = bpy.context.evaluated_depsgraph_get()
    data = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
    thing.modifiers.clear()
    thing.data = data


def _shade_smooth(thing: Any, sharp_degrees: float) -> None:
    thing.data.shade_smooth()
    thing.data.set_sharp_from_angle(angle=math.radians(sharp_degrees))
