"""The dialogue for sharing a game: the overlay of a stream, the picture alone, and phones."""

from __future__ import annotations

from html import escape

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from deskref.language import say
from deskref.page.keys import counts_once, key
from deskref.page.plain_pages import PARTS, USUAL_PARTS
from deskref.page.port import HOST
from deskref.page.setup_camera import allow_phones, draw_phone_code
from deskref.page.site import Site
from deskref.page.titled_dialog import titled_dialog


def overlay_address(port: int, parts: tuple[str, ...]) -> str:
    """The address of the overlay that shows these parts."""
    named = "" if parts == USUAL_PARTS else f"?parts={','.join(parts)}"
    return f"http://{HOST}:{port}/overlay{named}"


def open_share(site: Site) -> None:
    """Show the dialogue over the page."""
    chosen = {part: part in USUAL_PARTS for part in PARTS}
    with titled_dialog(say("set_share_title"), classes="card form") as dialog:
        ui.label(say("set_share_obs"))
        address = ui.html("", sanitize=False)
        with ui.element("fieldset").classes("row"):
            ui.html(f"<legend>{escape(say('set_share_parts'))}</legend>", sanitize=False)
            for part in PARTS:
                ui.checkbox(
                    say(f"set_part_{part}"),
                    value=chosen[part],
                    on_change=lambda event, part=part: choose(part, event),
                )

        def now() -> str:
            return overlay_address(site.page.port, tuple(part for part in PARTS if chosen[part]))

        def show() -> None:
            address.set_content(f'<code class="address">{escape(now())}</code>')

        def choose(part: str, event: ValueChangeEventArguments[bool | None]) -> None:
            chosen[part] = bool(event.value)
            show()

        def copy() -> None:
            ui.clipboard.write(now())
            ui.notify(say("set_share_copied"))

        show()
        key(say("set_share_copy"), copy, small=True)
        picture = f"http://{HOST}:{site.page.port}/stream.mjpg"
        ui.html(f'{escape(say("set_share_picture"))}: <code class="address">{picture}</code>', sanitize=False)
        ui.element("hr")
        ui.html(f"<h2>{escape(say('set_share_score'))}</h2>", sanitize=False)
        trouble = ui.label().classes("says").props('role="alert"')

        async def allow(event: ValueChangeEventArguments[bool | None]) -> None:
            trouble.set_text(await allow_phones(site, is_allowed=bool(event.value)))
            draw()

        def renew() -> None:
            site.phones.renew()
            draw()

        counts_once(ui.switch(say("set_phones"), value=site.phones.is_open, on_change=allow))
        code = ui.element("div")

        def draw() -> None:
            code.clear()
            with code:
                if site.phones.is_open:
                    draw_phone_code(site, "phone")
                    with ui.element("div").classes("row"):
                        key(say("set_phones_renew"), renew, small=True)
                        ui.label(say("set_phones_renew_why")).classes("hint")
                else:
                    ui.label(say("set_phones_why")).classes("hint")

        draw()
        key(say("set_share_close"), dialog.close)
    dialog.open()
