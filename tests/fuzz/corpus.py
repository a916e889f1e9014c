"""What the fuzzer found worth keeping: for each reader one file of framed inputs.

A file holds inputs, each behind its length (u32, big-endian), smallest first.  They are few and
small, since they are read at each run of the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent / "corpus"
INPUT_MAX: Final = 4096
"""Bytes of one input; larger ones are told by name and not kept."""
FILE_MAX: Final = 3000
"""Bytes of all inputs of one reader."""


def path_of(name: str) -> Path:
    """Where the inputs of a reader are kept."""
    plain = "".join(letter if letter.isalnum() else "-" for letter in name)
    return HERE / f"{plain}.inputs"


def names() -> list[str]:
    """The readers that have any."""
    from tests.fuzz.readers import READERS  # noqa: PLC0415 (it imports everything)

    return [name for name in READERS if path_of(name).exists()]


def of(name: str) -> list[bytes]:
    """The inputs of a reader, none if none are kept."""
    path = path_of(name)
    data, found = path.read_bytes() if path.exists() else b"", []
    while data:
        size = int.from_bytes(data[:4], "big")
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found


def keep(name: str, inputs: Iterable[bytes]) -> None:
    """Keep these, as far as there is room."""
    kept, room = [], FILE_MAX
    for one in sorted(set(inputs), key=lambda data: (len(data), data)):
        room -= 4 + len(one)
        if room < 0 or len(one) > INPUT_MAX:
            break
        kept.append(len(one).to_bytes(4, "big") + one)
    HERE.mkdir(exist_ok=True)
    path_of(name).write_bytes(b"".join(kept))
