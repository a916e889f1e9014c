"""Pictures are written whole, even if a stream takes only a part at once."""

from __future__ import annotations

import io
import os
import threading

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.kit.terminal import whole

PICTURE = "▀▄" * 40_000


class ShortWrites(io.FileIO):
    """A terminal that takes a hundred bytes at once, as a slow one may."""

    def write(self, data: object) -> int:
        return super().write(bytes(data)[:100])  # type: ignore[call-overload]


def test_a_picture_is_written_whole_without_a_buffer() -> None:
    inside, outside = os.pipe()
    with open(inside, "rb") as read_end:
        read: list[bytes] = []
        reader = threading.Thread(target=lambda: read.append(read_end.read()))
        reader.start()
        unbuffered = io.TextIOWrapper(ShortWrites(outside, "wb"), "utf-8", write_through=True)  # type: ignore[arg-type]
        with unbuffered:
            terminal = Vt100_Output(whole(unbuffered), lambda: Size(24, 80), term="xterm")
            terminal.write(PICTURE)
            terminal.flush()
        reader.join()
    assert read[0].decode() == PICTURE


def test_a_stream_with_a_buffer_stays_as_it_is() -> None:
    stream = io.TextIOWrapper(io.BytesIO())
    assert whole(stream) is stream
