"""Make the demo recording: render its pictures with Blender (resumable), put them together and encode them.

Rendering needs Blender's environment; putting together needs OpenCV and ffmpeg. Both work in one cache folder.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.training.scenes import choreography
from models.training.scenes.shots import Box, Shot, plan, scene_key

UInt8Array = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]


GAIN = 1.1
"""Brings the white paper of the pictures to about 225 of 255, where a webcam's automatic exposure puts it."""


BORDER_PX = 8
"""Over which a rendered part fades into the ground at its border."""
SHADOW_BORDER_PX = 90
"""The same for mere shadow: that of light from all around reaches farther than a part, and must not end in a line."""
NOISE_PICTURES = 12
"""Drawn once and flipped at random: drawing afresh for each frame would take longer than encoding it."""
CLAIM_S = 900.0
"""A reservation older than this is from a process that died: no picture took a tenth of it."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How much work goes into the pictures."""

    still_samples: int
    moving_samples: int
    moving_percent: int
    """Resolution of the moving moments; they are blurred by motion anyway."""
    hand_rate: float
    throw_rate: float


QUALITIES = {
    "draft": Quality(6, 3, 50, 10.0, 15.0),
    "final": Quality(16, 3, 50, 10.0, 15.0),
}
"""Both share the pictures of moving moments; only the pictures of the table at rest differ."""


def shots_of(game: choreography.Recording, quality: Quality) -> list[Shot]:
    """List the pictures that the demo needs."""
    return plan(
        game.film,
        choreography.setting(),
        game.throws,
        frames_per_second=choreography.FRAMES_PER_SECOND,
        hand_rate=quality.hand_rate,
        throw_rate=quality.throw_rate,
    )


def picture_file(shot: Shot, quality: Quality, cache: Path, scene_name: str) -> Path:
    """Say where a picture is kept."""
    work = f"{quality.still_samples}" if shot.is_still else f"{quality.moving_samples} {_percent(shot, quality)}"
    return cache / "pictures" / f"{shot.key(f'{scene_name} {work}')}.png"


def _percent(shot: Shot, quality: Quality) -> int:
    """Dice in flight are small and must be read by eye: they are always rendered at full resolution."""
    return 100 if shot.is_throw else quality.moving_percent


def render(cache: Path, quality: Quality, *, threads: int = 1, longest_s: float = math.inf) -> bool:
    """Render what is missing; says whether everything is there.

    Args:
        cache: folder of finished pictures; those are not rendered again.
        quality: how well.
        threads: of the renderer.
        longest_s: stop after this many seconds; the next call goes on.
    """
    from models.training.scenes.blender import Motion, Stage  # needs bpy

    game, scene = choreography.play(), choreography.setting()
    shots, name = shots_of(game, quality), scene_key(scene)
    (cache / "pictures").mkdir(parents=True, exist_ok=True)
    todo = [shot for shot in shots if not picture_file(shot, quality, cache, name).exists()]
    # Pictures at rest first, then every fourth of the others and so on: an early encoding can hold those it lacks.
    rank = {id(shot): (0 if shot.is_still else (1, 3, 2, 3)[i % 4]) for i, shot in enumerate(shots)}
    todo.sort(key=lambda shot: rank[id(shot)])
    print(f"{len(shots)} pictures, {len(todo)} to render", flush=True)
    if not todo:
        return True
    stage = Stage(scene, cache=cache / "shapes", threads=threads)
    everything = [thing.name for group in (scene.figures, scene.dice, scene.obstacles, scene.hands) for thing in group]
    started = time.monotonic()
    for count, shot in enumerate(todo):
        if time.monotonic() - started > longest_s:
            return False
        file = picture_file(shot, quality, cache, name)
        if not _claimed(file):
            continue
        present = {thing: (a, b) for thing, a, b in shot.poses}
        for thing in everything:
            stage.show(thing, visible=thing in present)
            if thing not in present:
                continue
            first, later = present[thing]
            if first == later:
                stage.place(thing, first.at_mm, first.turn)
            else:
                stage.move(thing, Motion(first.at_mm, first.turn, later.at_mm, later.turn))
        if shot.is_still:
            stage.use_quality(is_fast=False)
            stage.render(file, samples=quality.still_samples, crop=shot.crop)
        else:
            stage.use_quality(is_fast=True, percent=_percent(shot, quality))
            stage.render(file, samples=quality.moving_samples, crop=shot.crop, blurred=True)
        if count % 20 == 0:
            print(f"{count + 1} of {len(todo)} after {time.monotonic() - started:.0f} s", flush=True)
    return all(picture_file(shot, quality, cache, name).exists() for shot in shots)


def _claimed(file: Path) -> bool:
    """Reserve a picture for this process, so that several can work in one cache; False where it is done or reserved."""
    claim = file.with_suffix(".claim")
    if file.exists():
        return False
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        if time.time() - claim.stat().st_mtime < CLAIM_S:
            return False
        claim.touch()
    return True


def frames(
    cache: Path, quality: Quality, *, noise_sigma: float, may_lack: bool = False, seed: int = 1
) -> Iterator[UInt8Array]:
    """Put the recording's frames together.

    Args:
        cache: folder of the rendered pictures.
        quality: with which they were rendered.
        noise_sigma: of the sensor, in grey levels.
        may_lack: hold the last picture where a moving one is missing, instead of refusing.
        seed: of the noise.

    Yields:
        Shape (rows, columns, 3), BGR.
    """
    import cv2

    game, scene = choreography.play(), choreography.setting()
    shots, name = shots_of(game, quality), scene_key(scene)
    sensor = _Sensor(scene.camera.size, noise_sigma, seed)
    total = round(game.film.now_s * choreography.FRAMES_PER_SECOND)
    starts = [shot.frame for shot in shots] + [total]
    ground: FloatArray | None = None
    clean: FloatArray | None = None
    for shot, end in zip(shots, starts[1:], strict=True):
        file = picture_file(shot, quality, cache, name)
        if not file.exists() and may_lack and clean is not None and not shot.is_still:
            for frame in range(shot.frame, end):
                yield sensor.see(clean, frame / choreography.FRAMES_PER_SECOND)
            continue
        read = cv2.imread(str(file)) if file.exists() else None
        if read is None:
            raise FileNotFoundError(f"the picture at {shot.time_s:.2f} s is not rendered yet")
        part = read.astype(np.float32)
        if ground is None or shot.crop is None:
            clean = part
        else:
            is_coarse = not shot.is_still and _percent(shot, quality) < 100
            clean = _laid_over(ground, part, shot.crop, is_coarse=is_coarse, left_behind=shot.left_behind)
        if shot.is_still:
            ground = clean
        for frame in range(shot.frame, end):
            yield sensor.see(clean, frame / choreography.FRAMES_PER_SECOND)


def _coarsened(under: FloatArray) -> FloatArray:
    """Give the ground as a picture of half the resolution would show it."""
    import cv2

    rows, columns = under.shape[:2]
    half = cv2.resize(under, (max(1, columns // 2), max(1, rows // 2)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, (columns, rows), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _sharpened_by(
    part: FloatArray, under: FloatArray, coarse: FloatArray, is_stale: npt.NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Give a coarse part the fine detail of the ground wherever it only shows the ground in another light.

    Returns:
        The part, and the share 0..1 of each pixel, shape (rows, columns), to which it is ground in another light.
    """
    import cv2

    ratio = np.log((np.maximum(part, 0) + 6.0) / (np.maximum(coarse, 0) + 6.0))
    middle = cv2.GaussianBlur(ratio, (0, 0), 4.0)
    spread = np.sqrt(cv2.GaussianBlur((ratio - middle) ** 2, (0, 0), 4.0)).max(axis=2)
    same = np.clip((0.07 - spread) / 0.03, 0, 1) * np.clip((0.12 - np.ptp(middle, axis=2)) / 0.05, 0, 1)
    share = np.where(is_stale, 0, cv2.GaussianBlur(same.astype(np.float32), (0, 0), 1.5)).astype(np.float32)
    lit = (under + 6.0) * np.exp(middle) - 6.0
    result: FloatArray = (part * (1 - share[..., None]) + lit * share[..., None]).astype(np.float32)
    return result, np.asarray(share, dtype=np.float32)


def _laid_over(
    ground: FloatArray,
    part: FloatArray,
    crop: Box,
    *,
    is_coarse: bool = False,
    left_behind: Sequence[Box] = (),
) -> FloatArray:
    """Lay a rendered part over the ground where it differs, with soft borders."""
    import cv2

    left, top, right, bottom = crop
    rows, columns = bottom - top, right - left
    if part.shape[:2] != (rows, columns):
        part = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    under = ground[top:bottom, left:right]
    fade = _faded((rows, columns), crop, ground.shape, BORDER_PX)
    alike = _coarsened(under) if is_coarse else under
    difference = np.abs(cv2.GaussianBlur(part, (0, 0), 2.0) - cv2.GaussianBlur(alike, (0, 0), 2.0)).max(axis=2)
    if is_coarse:
        is_stale = np.zeros((rows, columns), bool)
        for x0, y0, x1, y1 in left_behind:  # where a white die lay on white paper, its face would pass for paper
            is_stale[max(0, y0 - top) : max(0, y1 - top), max(0, x0 - left) : max(0, x1 - left)] = True
        part, share = _sharpened_by(part, under, alike, is_stale)
        fade = fade * (1 - share) + _faded((rows, columns), crop, ground.shape, SHADOW_BORDER_PX) * share
    mask = np.clip((difference - 2.0) / 4.0, 0, 1)
    mask = cv2.GaussianBlur(cv2.dilate(mask, np.ones((9, 9), np.uint8)), (0, 0), 2.5)
    weight = (mask * fade)[..., None]
    result = ground.copy()
    result[top:bottom, left:right] = under * (1 - weight) + part * weight
    return result


def _faded(size: tuple[int, int], crop: Box, whole: tuple[int, ...], border_px: int) -> FloatArray:
    """Give 1 inside and a ramp to 0 at those borders of the crop that are not borders of the picture."""
    fade = np.ones(size, np.float32)
    left, top, right, bottom = crop
    for axis, at_start, at_end in ((1, left > 0, right < whole[1]), (0, top > 0, bottom < whole[0])):
        length = size[axis]
        border = max(1, min(border_px, length // 3))
        ramp = np.minimum(1.0, (np.arange(length) + 0.5) / border).astype(np.float32)
        line = np.ones(length, np.float32)
        if at_start:
            line *= ramp
        if at_end:
            line *= ramp[::-1]
        fade *= line[None, :] if axis else line[:, None]
    return fade


class _Sensor:
    """Turns clean pictures into what a webcam gives: automatic exposure that drifts, and fresh noise."""

    def __init__(self, size: tuple[int, int], noise_sigma: float, seed: int) -> None:
        self.generator = np.random.default_rng(seed)
        shape = (size[1], size[0], 3)
        self.noise = [self._drawn(shape, noise_sigma) for _ in range(NOISE_PICTURES)]

    def _drawn(self, shape: tuple[int, int, int], sigma: float) -> npt.NDArray[np.int16]:
        grey = self.generator.normal(0.0, sigma, (*shape[:2], 1))
        colour = self.generator.normal(0.0, sigma * 0.4, shape)
        result: npt.NDArray[np.int16] = np.rint(grey + colour).astype(np.int16)
        return result

    def see(self, clean: FloatArray, time_s: float) -> UInt8Array:
        import cv2

        gain = GAIN + 0.010 * math.sin(2 * math.pi * time_s / 31.0) + 0.004 * math.sin(2 * math.pi * time_s / 7.3)
        exposed = cv2.convertScaleAbs(clean, alpha=gain)
        noise = self.noise[int(self.generator.integers(len(self.noise)))]
        flip = int(self.generator.integers(-1, 3))
        seen = cv2.add(exposed, noise if flip == 2 else cv2.flip(noise, flip), dtype=cv2.CV_8U)
        return np.asarray(seen, dtype=np.uint8)


def encode(
    cache: Path,
    quality: Quality,
    folder: Path,
    *,
    kilobits: int,
    noise_sigma: float,
    preset: str = "fast",
    may_lack: bool = False,
) -> None:
    """Write demo.mp4, truth.jsonl and setup.json into `folder`.

    Args:
        cache: folder of the rendered pictures.
        quality: with which they were rendered.
        folder: where the recording goes.
        kilobits: a second, on average.
        noise_sigma: of the sensor, in grey levels.
        preset: of the encoder: slower ones make a better picture at the same rate.
        may_lack: hold pictures instead of refusing where moving ones are missing.

    Raises:
        FileNotFoundError: a picture is missing.
        subprocess.CalledProcessError: ffmpeg refuses.
    """
    game, scene = choreography.play(), choreography.setting()
    width, height = scene.camera.size
    folder.mkdir(parents=True, exist_ok=True)
    rate = choreography.FRAMES_PER_SECOND
    command = (
        f"ffmpeg -loglevel error -y -f rawvideo -pix_fmt bgr24 -s {width}x{height} -r {rate} -i - -c:v libx264 "
        f"-preset {preset} -threads 1 -profile:v high -pix_fmt yuv420p -crf 22 -maxrate {kilobits}k "
        f"-bufsize {4 * kilobits}k -g {5 * rate} -movflags +faststart"
    ).split()
    command.append(str(folder / "demo.mp4"))
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for frame in frames(cache, quality, noise_sigma=noise_sigma, may_lack=may_lack):
            process.stdin.write(frame.tobytes())
        process.stdin.close()
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, command)
    (folder / "truth.jsonl").write_text(choreography.truth_lines(game))
    (folder / "setup.json").write_text(json.dumps(choreography.setup_form(), indent=1) + "\n")
