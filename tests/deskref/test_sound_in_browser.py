"""The page's sounds in a real browser: what each effect sounds like, and that nothing sounds unasked or twice."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deskref import page as page_package
from deskref.light_and_sound import PROGRAMS
from deskref.signal import SignalKind
from deskref.sound_effects import Effect
from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, expect, more

pytestmark = SLOW

HERE = Path(page_package.__file__).parent
RATE_HZ = 44100

RENDER = """async ([name, rate]) => {
  const audio = new OfflineAudioContext(1, 4 * rate, rate);
  const lasts = window.deskrefEffects[name](audio, audio.destination, 0);
  const rendered = await audio.startRendering();
  const bytes = new Uint8Array(rendered.getChannelData(0).buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return [lasts, btoa(text)];
}"""

LISTEN = """
window.heard = [];
document.addEventListener("DOMContentLoaded", () => {
  for (const name of ["deskrefTones", "deskrefEffect", "deskrefSpeak"]) {
    const made = window[name];
    window[name] = (...given) => { window.heard.push([name, ...given]); return made(...given); };
  }
});
"""
"""Notes what is to sound; set up again where the page is loaded anew."""

Samples = npt.NDArray[np.float32]


@pytest.fixture(scope="module")
def rendered(shared_browser: Any) -> dict[Effect, tuple[float, Samples]]:
    """Each effect with how long it says that it lasts."""
    import base64

    page = shared_browser.new_page()
    page.goto("about:blank")
    for script in ("tones.js", "effects.js"):
        page.add_script_tag(content=(HERE / script).read_text(encoding="utf-8"))
    made = {}
    for effect in Effect:
        lasts, coded = page.evaluate(RENDER, [effect.value, RATE_HZ])
        made[effect] = (float(lasts), np.frombuffer(io.BytesIO(base64.b64decode(coded)).read(), np.float32))
    page.close()
    return made


def loudest_hz(samples: Samples, begin_s: float, end_s: float) -> float:
    part = samples[round(begin_s * RATE_HZ) : round(end_s * RATE_HZ)]
    power = np.abs(np.fft.rfft(part * np.hanning(len(part)))) ** 2
    return float(np.fft.rfftfreq(len(part), 1 / RATE_HZ)[power.argmax()])


def spread(samples: Samples, begin_s: float, end_s: float) -> float:
    """Share of the frequencies that hold nine tenths of the power: near 0 for tones, high for noise."""
    part = samples[round(begin_s * RATE_HZ) : round(end_s * RATE_HZ)]
    power = np.sort(np.abs(np.fft.rfft(part * np.hanning(len(part)))) ** 2)[::-1]
    return float(np.searchsorted(np.cumsum(power), 0.9 * power.sum()) / len(power))


@pytest.mark.parametrize("effect", list(Effect))
def test_every_effect_is_heard_and_ends_when_it_says(
    rendered: dict[Effect, tuple[float, Samples]], effect: Effect
) -> None:
    lasts, samples = rendered[effect]
    assert 0.2 <= lasts <= 3.5
    assert 0.1 < np.abs(samples).max() < 1.5, "the page's limiter keeps it below 1"
    assert np.abs(samples[round((lasts + 0.01) * RATE_HZ) :]).max() < 1e-4
    assert np.sqrt(np.mean(samples[: round(lasts * RATE_HZ)] ** 2)) > 0.01


def test_effects_sound_like_what_they_are_named(rendered: dict[Effect, tuple[float, Samples]]) -> None:
    sound = {effect: samples for effect, (_, samples) in rendered.items()}
    assert loudest_hz(sound[Effect.LASGUN], 0.0, 0.03) > 3 * loudest_hz(sound[Effect.LASGUN], 0.13, 0.16)
    assert loudest_hz(sound[Effect.LASGUN_PAST], 0.5, 0.55) > loudest_hz(sound[Effect.LASGUN_PAST], 0.25, 0.3)
    assert loudest_hz(sound[Effect.KETTLE], 0.3, 0.5) < 1500
    assert loudest_hz(sound[Effect.KETTLE], 2.0, 2.4) == pytest.approx(2350, rel=0.05)
    assert loudest_hz(sound[Effect.CLANK], 0.1, 0.5) == pytest.approx(410, rel=0.05)
    assert spread(sound[Effect.JETS], 0.1, 0.6) > 5 * spread(sound[Effect.CLANK], 0.1, 0.6)
    loud = [np.abs(sound[Effect.TOPPLE][round(s * RATE_HZ) :][:2000]).max() for s in (0.0, 0.16, 0.27, 0.34)]
    assert loud == sorted(loud, reverse=True), "a thing that falls bounces ever less"


def heard(page: Any) -> list[list[Any]]:
    return page.evaluate("() => window.heard")  # type: ignore[no-any-return]  # as `LISTEN` keeps it


def until_heard(page: Any, count: int) -> list[list[Any]]:
    page.wait_for_function(f"() => window.heard.length >= {count}", timeout=PATIENCE_MS)
    return heard(page)


def test_nothing_sounds_unasked_and_one_window_only(run: Callable[..., Program], browser: Any) -> None:
    program = run("play", "--camera", "none")
    one, two = browser.new_page(), browser.new_page()
    for page in (one, two):
        page.add_init_script(LISTEN)
        page.goto(program.address)
        expect(page.locator(".side .who")).to_contain_text("Lokan", timeout=PATIENCE_MS)
        page.wait_for_function("() => window.did_handshake", timeout=PATIENCE_MS)  # keys are heard from now on
    one.bring_to_front()
    one.keyboard.press("6")
    for page in (one, two):
        expect(page.locator(".ruling")).to_contain_text("Lokan hits", timeout=PATIENCE_MS)
        assert heard(page) == [], "off until asked"
    one.keyboard.press("m")
    expect(one.get_by_role("button", name="Mute (M)", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    one.keyboard.press("1")
    assert until_heard(one, 1)[0][0] == "deskrefTones"
    assert heard(two) == []
    more(one, "Sounds")
    one.get_by_role("checkbox", name="Sound effects instead of tones").click()
    one.get_by_role("checkbox", name="Rulings are read aloud").click()
    one.get_by_role("button", name="Done").click()
    expect(one.get_by_role("button", name="Done")).to_have_count(0, timeout=PATIENCE_MS)
    one.evaluate("() => { window.heard = []; }")
    one.keyboard.press("6")
    one.wait_for_function(
        "() => window.heard.some(([name, what]) => name === 'deskrefEffect' && what === 'lasgun')", timeout=PATIENCE_MS
    )
    assert any(name == "deskrefSpeak" and "hits" in what for name, what, *_ in heard(one))
    hit = [[tone.hz, tone.ms] for tone in PROGRAMS[SignalKind.HIT].tones]
    assert ["deskrefTones", hit] not in heard(one), "an effect takes the place of its tones"
    two.bring_to_front()
    two.keyboard.press("m")
    expect(one.get_by_role("button", name="Unmute (M)", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    one.evaluate("() => { window.heard = []; }")
    two.keyboard.press("u")
    until_heard(two, 1)
    assert heard(one) == [], "one window of a table sounds"
    two.close()
    one.close()


def test_the_demo_is_silent_whatever_the_settings_say(
    run: Callable[..., Program], browser: Any, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text("[page]\nsound = true\neffects = true\nspeech = true\n", encoding="utf-8")
    program = run("demo")
    page = browser.new_page()
    page.add_init_script(LISTEN)
    page.goto(program.address)
    expect(page.get_by_role("button", name="Unmute (M)", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".ruling")).to_contain_text("hits", timeout=3 * PATIENCE_MS)
    assert heard(page) == []
    page.close()
