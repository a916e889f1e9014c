"""How pictures are written: completely, however little the terminal takes at once."""

from __future__ import annotations

import io
import sys
from typing import TextIO

from prompt_toolkit.output import Output
from prompt_toolkit.output.defaults import create_output


def whole_output() -> Output:
    """prompt_toolkit's output to this terminal, over a stdout that writes everything."""
    return create_output(whole(sys.stdout))


def whole(stdout: TextIO) -> TextIO:
    """The stream, or if it has no buffer (PYTHONUNBUFFERED, python -u), one that has.

    A raw stream may write less than it was given, and prompt_toolkit does not look: a terminal
    that is slow for a moment would lose the end of the picture until each part changes again.
    """
    raw = getattr(stdout, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stdout
    return io.TextIOWrapper(_Whole(raw), encoding=stdout.encoding, errors="replace")


class _Whole(io.BufferedWriter):
    """A buffer over a stream that belongs to somebody else, who closes it."""

    def close(self) -> None:
        self.flush()
