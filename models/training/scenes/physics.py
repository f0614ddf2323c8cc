"""How things come to rest on the table, by the physics engine MuJoCo (which is imported only when asked)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.training.scenes.solids import FloatArray
from models.training.scenes.turning import Quaternion, Vector

STEP_S = 0.001
"""Of the simulation: 1 ms keeps a 16 mm die at 1 m/s from sinking more than a tenth of its size into the table."""
REST_SPEED_MM_S = 1.5
"""Below this speed (and 0.3 rad/s) for a tenth of a second a thing counts as at rest; a pixel is 0.3 mm."""
REST_TURN_RAD_S = 0.3
"""See `REST_SPEED_MM_S`."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a thing's origin is and how it is turned."""

    at_mm: Vector
    turn: Quaternion


@dataclass(frozen=True, slots=True)
class Block:
    """Something that stands in the way: a box, or an upright cylinder whose size is (diameter, diameter, height)."""

    at_mm: Vector
    """Its middle."""
    size_mm: Vector
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    is_round: bool = False


def throw(
    start: Pose,
    *,
    velocity_mm_s: Vector,
    spin_rad_s: Vector,
    size_mm: float,
    blocks: Sequence[Block] = (),
    step_s: float = 1 / 60,
    longest_s: float = 3.0,
) -> tuple[Pose, ...] | None:
    """Let one die fly, tumble and come to rest.

    Returns:
        Its pose every `step_s` from the start until it rests, or None when it does not rest in time.
    """
    half = size_mm / 2
    # A box with a smaller core and rounded corners would roll a little longer; the sharp box is close enough.
    body = f'<geom type="box" size="{half} {half} {half}" mass="0.005" friction="0.25 0.005 0.0001"/>'
    return _run(start, velocity_mm_s, spin_rad_s, body, "", blocks, step_s, longest_s)


def settle(start: Pose, hull_mm: FloatArray, *, blocks: Sequence[Block] = (), longest_s: float = 3.0) -> Pose | None:
    """Let a thing with the convex hull of `hull_mm`, shape (n, 3), fall over and give its resting pose."""
    numbers = " ".join(f"{value:.3f}" for value in hull_mm.ravel())
    asset = f'<asset><mesh name="hull" vertex="{numbers}" inertia="convex"/></asset>'
    body = '<geom type="mesh" mesh="hull" mass="0.01" friction="0.6 0.01 0.005"/>'
    poses = _run(start, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), body, asset, blocks, 0.05, longest_s)
    return poses[-1] if poses is not None else None


def _run(
    start: Pose,
    velocity_mm_s: Vector,
    spin_rad_s: Vector,
    body: str,
    asset: str,
    blocks: Sequence[Block],
    step_s: float,
    longest_s: float,
) -> tuple[Pose, ...] | None:
    import mujoco  # heavy, and no part of the game

    fixed = "".join(_fixed(block) for block in blocks)
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{STEP_S}" gravity="0 0 -9810" integrator="implicitfast"/>{asset}
        <default><geom solref="0.005 0.75" solimp="0.9 0.98 0.3" condim="4"/></default>
        <worldbody><geom type="plane" size="2000 2000 10" friction="0.25 0.005 0.0001"/>{fixed}
        <body name="thing"><freejoint/>{body}</body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    # MuJoCo moves a mesh's frame to its centre of mass but keeps the body's own frame, which is what qpos holds.
    data.qpos[:3], data.qpos[3:] = start.at_mm, start.turn
    data.qvel[:3], data.qvel[3:] = velocity_mm_s, spin_rad_s
    poses = [start]
    calm_s, every = 0.0, round(step_s / STEP_S)
    for step in range(1, round(longest_s / STEP_S) + 1):
        mujoco.mj_step(model, data)
        if step % every == 0:
            poses.append(_pose(data.qpos))
        slow = np.linalg.norm(data.qvel[:3]) < REST_SPEED_MM_S and np.linalg.norm(data.qvel[3:]) < REST_TURN_RAD_S
        calm_s = calm_s + STEP_S if slow else 0.0
        if calm_s >= 0.1:
            return (*poses, _pose(data.qpos))
    return None


def _pose(qpos: FloatArray) -> Pose:
    x, y, z, w, i, j, k = (float(value) for value in qpos[:7])
    return Pose((x, y, z), (w, i, j, k))


def _fixed(block: Block) -> str:
    place = " ".join(str(c) for c in block.at_mm)
    turn = " ".join(str(c) for c in block.turn)
    length, width, height = block.size_mm
    if block.is_round:
        return f'<geom type="cylinder" pos="{place}" quat="{turn}" size="{length / 2} {height / 2}"/>'
    return f'<geom type="box" pos="{place}" quat="{turn}" size="{length / 2} {width / 2} {height / 2}"/>'
