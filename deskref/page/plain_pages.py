"""The pages that need no library: a phone's menu and camera, the score board, and the overlay of a stream.

They work where sockets do not: an iPhone refuses sockets to a page whose certificate it does not know.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Final

from deskref.language import now, say

HERE: Final = Path(__file__).parent

PARTS: Final = ("ruling", "turn", "everybody", "tasks", "dice", "log")
"""What an overlay can show, each named in its address."""

LONGEST_ADDRESS: Final = 80
"""Characters of an unknown address that are shown."""

LONGEST_PART, UNKNOWN_SHOWN = 20, 5
"""Letters of an unknown part of an overlay, and how many of them are shown."""

USUAL_PARTS: Final = ("ruling", "turn", "everybody", "tasks")
"""What it shows where the address names none."""


def phone_page() -> str:
    """The first page of a phone: what it may be."""
    return _page(
        say("set_phone_title"),
        f"<main><h1>{_(say('set_phone_title'))}</h1></main>"
        f'<a class="key" href="/camera?as=phone">{_(say("set_phone_camera"))}</a>'
        f'<a class="key" href="/score">{_(say("set_phone_score"))}</a>'
        f"<p>{_(say('set_phone_private'))}</p>",
    )


def camera_page(kind: str) -> str:
    """The page that makes the camera of a phone or browser the table's.

    Args:
        kind: `phone` or `browser`.
    """
    # The script fills the gaps, as only it knows what stands in them.
    words = {
        "sending": say("set_cam_sending", rate="{rate}"),
        "refused": say("set_cam_refused", why="{why}"),
        "lost": say("set_cam_lost"),
        "denied": say("set_cam_denied"),
        "absent": say("set_cam_absent", why="{why}"),
        "insecure": say("set_cam_insecure"),
    }
    return _page(
        say("set_cam_title"),
        f"<main><h1>{_(say('set_cam_title'))}</h1></main>"
        "<video autoplay muted playsinline></video>"
        f'<div class="state" role="status" aria-live="polite">{_(say("set_cam_ready"))}</div>'
        f'<button class="key main" type="button">{_(say("set_cam_start"))}</button>'
        f"<p>{_(say('set_cam_hint'))}</p>"
        '<script src="/camera.js"></script>'
        f"<script>const WORDS = {_script(words)}, KIND = {_script(kind)}, STOP = {_script(say('set_cam_stop'))}, "
        f"START = {_script(say('set_cam_start'))};"
        """
const state = document.querySelector(".state"), button = document.querySelector("button");
const tell = (what, more) => {
  state.classList.toggle("bad", what !== "sending");
  const text = WORDS[what].replace("{rate}", Math.round(more || 0)).replace("{why}", more || "");
  if (state.textContent !== text) state.textContent = text;
};
button.addEventListener("click", async () => {
  if (deskrefCamera.running) { await deskrefCamera.stop(); button.textContent = START; return; }
  if (await deskrefCamera.start(KIND, document.querySelector("video"), tell)) button.textContent = STOP;
});
</script>""",
    )


def score_page() -> str:
    """The score board: the ruling in large type, whose turn it is, everybody's state."""
    shown = "".join(f'<section data-part="{part}" hidden></section>' for part in ("turn", "everybody", "log"))
    return _page(
        say("set_score_title"),
        f'<h1 class="sr">{_(say("set_score_title"))}</h1>'
        f'<div class="lost-word" role="status">{_(say("set_score_lost"))}</div>'
        '<main class="ruling" data-part="ruling" aria-live="polite" aria-atomic="true" hidden></main>'
        f'<section data-part="tasks" role="status" hidden></section>{shown}<script src="/score.js"></script>',
    )


def parts_in(parts: str | None) -> list[str]:
    """The names in an overlay's address, each once, whatever blanks or capitals are among them."""
    return list(dict.fromkeys(filter(None, (part.strip().lower() for part in (parts or "").split(",")))))


def unknown_parts(parts: str | None) -> str:
    """Say which names in an overlay's address are no parts of it, and which there are; empty where all are known."""
    unknown = [part if len(part) <= LONGEST_PART else f"{part[:LONGEST_PART]}…" for part in parts_in(parts)]
    unknown = [part for part in unknown if part not in PARTS]
    if not unknown:
        return ""
    return say("overlay_no_part", parts=", ".join(unknown[:UNKNOWN_SHOWN]), known=", ".join(PARTS))


def overlay_page(parts: str | None) -> str:
    """The overlay of a stream: transparent, with the parts that its address names.

    Args:
        parts: names with commas between; where none is known the usual ones are shown. See `unknown_parts`.
    """
    wanted = [part for part in parts_in(parts) if part in PARTS] or list(USUAL_PARTS)
    shown = "".join(f'<div data-part="{part}" hidden></div>' for part in wanted)
    return _page("deskref", f'{shown}<script src="/score.js"></script>', body="overlay body--dark")


def wrong_overlay_page(why: str) -> str:
    """The answer to an overlay's address that names unknown parts: readable over any picture."""
    return _page(
        "deskref",
        f'<main data-part="ruling" role="alert"><p class="why">{_(why)}</p></main>',
        body="overlay body--dark",
    )


def unknown_page(address: str) -> str:
    """The answer to an address that there is none of."""
    ways = (("/", "unknown_table"), ("/setup", "set_open"), ("/report", "page_report"), ("/doctor", "doc_open"))
    links = "".join(f'<a class="key" href="{way}">{_(say(words))}</a>' for way, words in ways)
    shown = address if len(address) <= LONGEST_ADDRESS else f"{address[:LONGEST_ADDRESS]}…"
    told = _(say("unknown_page", address=shown))
    return _page(
        say("unknown_title"),
        f'<main><h1>{_(say("unknown_title"))}</h1><p class="said">{told}</p></main>{links}',
    )


def refused_page(why: str) -> str:
    """The answer to who is not let in, in a browser; it brings its style along, for nothing else is answered either."""
    shown = _page("deskref", f'<main><h1>deskref</h1><p class="said lead">{_(why)}</p></main>')
    return shown.replace('<link rel="stylesheet" href="/plain.css">', f"<style>{plain_style()}</style>")


def _page(title: str, body_html: str, *, body: str = "plain") -> str:
    return (
        f'<!doctype html><html lang="{now().code}"><head><meta charset="utf-8"><title>{_(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="/plain.css">'
        "<script>if (matchMedia('(prefers-color-scheme: dark)').matches) "
        "document.documentElement.classList.add('body--dark');</script>"
        f'</head><body class="{body}">{body_html}</body></html>'
    )


def plain_style() -> str:
    """The style of these pages: the theme with what they have of their own."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in ("theme.css", "plain.css"))


def script(name: str) -> str:
    """A script of this folder, such as `camera.js`."""
    return (HERE / name).read_text(encoding="utf-8")


def _(text: str) -> str:
    return escape(text, quote=True)


def _script(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
