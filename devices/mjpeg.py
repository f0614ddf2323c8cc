"""Single pictures out of a motion-JPEG stream of bytes; and a JPEG's size without decoding it. Pure."""

from __future__ import annotations

import re

HEAD_MOST_BYTES = 4096
"""Longest head of a part; cameras write 50 to 150 bytes."""

PART_MOST_BYTES = 16 * 1024 * 1024
"""Largest picture kept while its end is awaited; a 4K JPEG has 2 to 4 MB. Beyond, the stream is garbage."""

JPEG_START = b"\xff\xd8"


class MjpegParser:
    """Collect bytes of a `multipart/x-mixed-replace` stream and cut the pictures out.

    A part's length is taken from its `Content-Length`, and where that is missing or wrong, from the next boundary.
    """

    def __init__(self, boundary: str) -> None:
        """Take the boundary as the `Content-Type` gives it, with or without its leading hyphens, quoted or not."""
        self._mark = b"--" + boundary.strip().strip('"').lstrip("-").encode("latin-1", "replace")
        self._buffer = bytearray()
        self.dropped_bytes = 0
        """Bytes that belonged to no picture."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes as they come and return the pictures that are complete now, in order."""
        self._buffer += data
        pictures = []
        while True:
            picture, is_more = self._cut()
            if picture is not None:
                pictures.append(picture)
            if not is_more:
                break
        if len(self._buffer) > PART_MOST_BYTES:
            self.dropped_bytes += len(self._buffer)
            self._buffer.clear()
        return pictures

    def _cut(self) -> tuple[bytes | None, bool]:
        """Cut one part off the buffer; the picture in it, and whether another may be complete."""
        buffer = self._buffer
        start = buffer.find(self._mark)
        if start < 0:
            # Keep what may be the start of a mark.
            surplus = len(buffer) - len(self._mark) - 4
            if surplus > 0 and JPEG_START not in buffer[: len(self._mark) + 64]:
                self.dropped_bytes += surplus
                del buffer[:surplus]
            return None, False
        head_start = start + len(self._mark)
        head_end, gap = _end_of_head(buffer, head_start)
        if head_end < 0:
            if len(buffer) - head_start > HEAD_MOST_BYTES:
                self.dropped_bytes += head_start
                del buffer[:head_start]
                return None, True
            return None, False
        body = head_end + gap
        length = re.search(rb"content-length\s*:\s*(\d+)", buffer[head_start:head_end], re.IGNORECASE)
        if length is not None:
            end = body + int(length[1])
            if end - body > PART_MOST_BYTES:
                length = None
            elif len(buffer) < end:
                return None, False
            else:
                picture = bytes(buffer[body:end])
                if picture.startswith(JPEG_START):
                    del buffer[:end]
                    return picture, True
        end = buffer.find(self._mark, body)
        if end < 0:
            return None, False
        picture = bytes(buffer[body:end]).rstrip(b"\r\n")
        del buffer[:end]
        if picture.startswith(JPEG_START):
            return picture, True
        self.dropped_bytes += len(picture)
        return None, True


def _end_of_head(buffer: bytearray, start: int) -> tuple[int, int]:
    """Find the empty line after a part's head: its place and length, or -1."""
    strict, lax = buffer.find(b"\r\n\r\n", start), buffer.find(b"\n\n", start)
    if strict >= 0 and (lax < 0 or strict < lax):
        return strict, 4
    return lax, 2


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Read width and height from a JPEG's head without decoding it; None if it has none."""
    position = 2
    if not data.startswith(JPEG_START):
        return None
    while position + 9 < len(data):
        if data[position] != 0xFF:
            return None
        kind = data[position + 1]
        if kind == 0xFF:
            position += 1
            continue
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(data[position + 5 : position + 7], "big")
            width = int.from_bytes(data[position + 7 : position + 9], "big")
            return width, height
        if kind in (0x01, *range(0xD0, 0xD9)):
            position += 2
            continue
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return None
