"""What a reader of foreign bytes is: a row of the table that all tests here go through."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

import trio

from p2p.errors import PeerError
from p2p.protocol.frame_kinds import FrameKind
from p2p.text.names import is_printable
from tests.fuzz.mutation import Bend, bend_bytes, bend_wire

SENTENCE_MAX: Final = 600
"""Letters of what a person reads when something is refused; a path may be among them."""


@dataclass(frozen=True, eq=False)
class Reader:
    """One row: `read` takes any bytes, and gives a value or raises one of `errors`.

    `valid` makes sound examples; what a reader finds behind a signature or a checksum, its `read`
    signs first, so that what is bent comes so far.  `bend` bends one of them.  `clocked` readers
    look at trio's clock.  `kinds` are the frames whose payload it reads.  `heavy` ones take
    milliseconds for each input, and get fewer.
    """

    name: str
    read: Callable[[bytes], object]
    valid: Callable[[], Iterable[bytes]]
    errors: tuple[type[Exception], ...] = (PeerError,)
    bend: Bend = bend_wire
    kinds: tuple[FrameKind, ...] = ()
    clocked: bool = False
    heavy: bool = False
    _kept: list[bytes] = field(default_factory=list, repr=False)

    @property
    def examples(self) -> list[bytes]:
        """The sound examples, made once."""
        if not self._kept:
            self._kept.extend(self.valid())
        return self._kept

    def take(self, data: bytes) -> Exception | None:
        """Read these bytes; the refusal, if they are refused.  Anything else is a fault of ours."""
        try:
            if self.clocked:
                trio.run(self._inside, data)
            else:
                self.read(data)
        except self.errors as error:
            said = str(error)
            assert is_printable(said), f"{self.name} refuses with unprintable letters: {said!r}"
            assert 0 < len(said) <= SENTENCE_MAX, f"{self.name} refuses with {said[:99]!r}..."
            return error
        return None

    async def _inside(self, data: bytes) -> None:
        done = self.read(data)
        if inspect.isawaitable(done):
            await done

    def bent(self, rng: Random) -> bytes:
        """Sound bytes with something wrong in them, or nothing."""
        data, other = rng.choice(self.examples), rng.choice(self.examples)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            bend = bend_bytes if rng.randrange(6) == 0 else self.bend
            data = bend(data, other, rng)
        return data

    def __str__(self) -> str:
        return self.name


def table(rows: Iterable[Reader]) -> dict[str, Reader]:
    """The rows by name; ValueError for a name that is taken."""
    found: dict[str, Reader] = {}
    for row in rows:
        if row.name in found:
            raise ValueError(f"two readers are called {row.name}")
        found[row.name] = row
    return found


def each(*rows: Iterator[Reader]) -> Iterator[Reader]:
    """The rows of several modules."""
    for some in rows:
        yield from some
