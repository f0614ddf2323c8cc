"""The English words of the doctor: what was checked, what was found, and what to do."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

WORDS: Final = {
    "doc_title": "Doctor",
    "doc_lead": "What deskref needs on this computer, and what to do where something is missing.",
    "doc_checking": "Checking … a camera takes some seconds.",
    "doc_again": "Check again",
    "doc_back": "Back to the table",
    "doc_open": "Doctor",
    "doc_all_good": "Everything that deskref needs is there.",
    "doc_some_bad": "Something needs your hand: {count}",
    "doc_good": "good",
    "doc_note": "note",
    "doc_bad": "not good",
    "doc_check": "Check",
    "doc_found": "Found",
    "doc_to_do": "What to do",
    # what is checked
    "doc_settings": "settings",
    "doc_games": "saved games",
    "doc_disk": "room on the disk",
    "doc_page": "page",
    "doc_demo": "demo recording",
    "doc_cameras": "cameras",
    "doc_camera": "camera {name}",
    "doc_brightness": "brightness",
    "doc_focus": "focus",
    "doc_markers": "markers",
    "doc_picture": "picture",
    "doc_model": "model {name}",
    "doc_board": "light board",
    "doc_board_at": "light board {port}",
    # versions
    "doc_python_on": "{version} on {system}",
    "doc_python_old": "Install Python 3.11 or newer.",
    "doc_missing": "not installed",
    "doc_install_again": "Install deskref again.",
    "doc_mqtt_extra": "Only for an MQTT broker: pip install 'deskref[mqtt]'",
    # files
    "doc_settings_mend": "Mend the file, or delete it to begin afresh.",
    "doc_no_right": "Let your user write there, or set {variable} to another folder.",
    "doc_games_sound": "{count} games, the newest can be read",
    "doc_games_none": "none yet",
    "doc_games_broken": "the newest is broken: {why}",
    "doc_games_broken_do": "The next start goes on from before the fault; the broken file is kept.",
    "doc_disk_free": "{free} GB free",
    "doc_disk_full": "Make room: an hour of play takes about 0.1 GB.",
    "doc_port_free": "port {port} is free",
    "doc_port_used": "port {port} is in use",
    "doc_port_here": "answers at port {port}",
    "doc_demo_none": "not there",
    "doc_opens": "opens",
    "doc_loads": "loads",
    # cameras
    "doc_no_camera": "none",
    "doc_no_camera_do": "Plug one in, use a phone, or play with typed dice: deskref play --camera none",
    "doc_camera_runs": "{width} x {height}, {rate} pictures a second, in use",
    "doc_camera_tried": "{width} x {height}, {rate} pictures a second; the first came after {seconds} s",
    "doc_no_picture": "no picture came",
    "doc_no_picture_do": "Unplug it and plug it in again, and close other programs that use it.",
    "doc_bright": "{level} of 255",
    "doc_sharp": "edges are {width} pixels wide",
    "doc_no_edges": "nothing in view has an edge to judge by",
    "doc_markers_seen": "{markers} markers of the table are seen",
    "doc_corners_seen": "the clicked corners are seen",
    "doc_no_mat": "no table in view",
    "doc_no_mat_do": "Lay the printed mat (deskref mat) under the camera, so that all its markers are in view.",
    # the board
    "doc_board_off": "not wanted",
    "doc_board_off_do": 'Only if you want one: kind = "auto" under [board] in the settings.',
    "doc_board_none": "none (optional)",
    "doc_board_build": "The handbook says how to build one: docs/board.md",
    "doc_board_untried": "{name}: not tried",
    "doc_board_try": "Only if it is your board: deskref board test --port {port}",
    "doc_board_opens": "{name}: can be opened",
    "doc_board_test": "To see all its lights: deskref board test",
    "doc_board_runs": "{name}, {leds} LEDs",
    # the bundle
    "doc_bundle": "Save a diagnostics file",
    "doc_bundle_why": "For whoever helps you: what is above, versions, settings without passwords, the last messages "
    "and the last game with the names in it. Nothing is sent; look into it first, it is a ZIP file.",
    "doc_bundle_picture": "With one picture of the camera",
    "doc_bundle_written": "{path} is written. Look into it before you pass it on: it holds {what}.",
    "doc_bundle_what": "settings without passwords, the findings, and the last game with its names",
    "doc_bundle_what_picture": "settings without passwords, the findings, the last game with its names, and a picture",
    "doc_bundle_failed": "The diagnostics file cannot be written: {why}",
}

CATALOGUE: Final = Catalogue(WORDS)
