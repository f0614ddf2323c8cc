"""What a person's JSON says is said once, and a slip of the pen is shown where it is."""

from __future__ import annotations

import pytest

from deskref.sound_json import sound_json


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "'c' stands twice in one pair of braces"),
        (b'{"a": 1,\n "b" 2}', "line 2, character 6: this is not JSON"),
        (b"", "the file is empty"),
        (b"  \n", "the file is empty"),
        (b"\x80\x81", "this is no text"),
        (b"[" * 100_000, "brackets stand in brackets"),
    ],
)
def test_a_slip_is_told(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        sound_json(data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_editors_save_is_read(encoding: str) -> None:
    assert sound_json('{"name": "Bär"}'.encode(encoding)) == '{"name": "Bär"}'
