"""What steps say of entries that are a little odd: `python -m tests.protocol.odd_entries` writes
the page again.

Tables that write what `tests.protocol.written` says are played once more.  Whenever a step is over,
one seat of the table reads its entries again, each bent in some places: a number one more, a byte
or an element too few, two exchanged, a part left out or too many.  A line is a kind of step at a
table: how many were read so, how many of them were accepted, and a digest of what was made of each:
what was read, or the verdict and the sentence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.games import load
from p2p.errors import PeerError
from p2p.protocol import terms
from p2p.protocol.step import Program, Step, Work
from tests.protocol.kit import Hub, altered
from tests.protocol.losing import LOSING, go_on, sit_down
from tests.protocol.scenes import SCENES
from tests.protocol.stable_text import tell
from tests.protocol.written import tables as written_tables

PAGE: Final = Path(__file__).with_name("odd_entries.txt")
TIMES: Final = 24
"""So often each entry is bent."""
DEEP: Final = 4
AS_NUMBERS: Final = (0, 1, -1, 1 << 40)
LEAVE_OUT: Final = ("slapped-often", "laid-and-slapped", "a star", "three", "test-verbs")
"""Long games of what others play shortly."""


@dataclass
class Bent:
    """What came of the bent entries of one kind of step."""

    read: int = 0
    accepted: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def note(self, step: Step, seat: int, kind: str, payload: object) -> None:
        """Read one, and judge it."""
        self.read += 1
        try:
            parsed = step.read(seat, kind, payload)
            if step.verify is not None:
                step.verify(seat, parsed)
            self.accepted += 1
            said = tell(parsed)
        except PeerError as refusal:
            said = str(refusal)
        self.digest.update(f"{said}\n".encode())


class Bender:
    """Reads the entries of one seat's program again; what came of it, by kind."""

    def __init__(self, name: str) -> None:
        self.came_of: Final[dict[str, Bent]] = {}
        self._rng: Final = Random(name)
        self._read: Final[list[tuple[int, str, Any]]] = []

    def around(self, program: Program[Any]) -> Program[Any]:
        """The same program; of each step that is over, entries are read once more."""
        return altered(program, self._around)

    def _around(self, asked: Step | Work) -> Program[Any]:
        if isinstance(asked, Work):
            return (yield asked)
        self._read.clear()
        value = yield replace(asked, parse=self._noting(asked))
        self._bend(asked)
        return value

    def _noting(self, step: Step) -> Callable[[int, Any], Any]:
        def parse(seat: int, payload: Any) -> Any:
            self._read.append((seat, str(step.kind), payload))
            return step.parse(seat, payload)

        return parse

    def _bend(self, step: Step) -> None:
        if not self._read:
            return
        bent = self.came_of.setdefault(str(step.kind), Bent())
        seat, kind, payload = self._rng.choice(self._read)
        for _ in range(TIMES):
            bent.note(step, seat, kind, self.odd(payload))
        stranger = self._rng.choice([one for one, _, _ in self._read])
        bent.note(step, stranger, kind, payload)

    def odd(self, value: Any, deep: int = 0) -> Any:
        """The same but for one place."""
        if deep < DEEP and isinstance(value, dict | list) and value and self._rng.random() < 0.75:
            at = self._rng.choice([*value] if isinstance(value, dict) else range(len(value)))
            copied = value.copy()
            copied[at] = self.odd(value[at], deep + 1)
            return copied
        return self._rng.choice(_ODD.get(type(value), _other))(value, self._rng)


Odd = Callable[[Any, Random], Any]
_other: tuple[Odd, ...] = (
    lambda value, rng: 0 if value is None else None,
    lambda value, rng: "text",
    lambda value, rng: [value],
)


def _swapped(value: Any, rng: Random) -> Any:
    """Two neighbours exchanged, of bytes two halves."""
    if isinstance(value, bytes):
        return value[len(value) // 2 :] + value[: len(value) // 2]
    at = rng.randrange(max(1, len(value) - 1))
    return [*value[:at], *value[at : at + 2][::-1], *value[at + 2 :]]


def _without(value: Any, rng: Random) -> Any:
    left = rng.choice([*value] or [None])
    return {key: one for key, one in value.items() if key != left}


def _flipped(value: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(value) or 1)
    flipped = bytes(one ^ (1 << rng.randrange(8)) for one in value[at : at + 1])
    return value[:at] + flipped + value[at + 1 :]


_ODD: Final[dict[type, tuple[Odd, ...]]] = {
    int: (
        *[lambda value, rng: value + 1, lambda value, rng: value - 1],
        *[lambda value, rng: rng.choice(AS_NUMBERS), lambda value, rng: bool(value)],
    ),
    bytes: (
        *[_flipped, _flipped, _swapped, lambda value, rng: value[:-1]],
        *[lambda value, rng: value + b"\0", lambda value, rng: bytes(len(value))],
    ),
    list: (
        *[_swapped, lambda value, rng: value[:-1], lambda value, rng: value + value[-1:]],
        *[lambda value, rng: value[1:] + value[:1], lambda value, rng: [*value, None]],
    ),
    dict: (_without, lambda value, rng: value | {"more": 0}),
}


def tables() -> Iterator[tuple[str, Callable[[], Hub]]]:
    """Each table by its name; those that lose a seat are not played yet, either."""
    for name, make in written_tables():
        if not name.startswith((*LEAVE_OUT, "lost")):
            yield name, make
    for name, plan in LOSING.items():
        yield f"lost: {name}", partial(sit_down, plan)


def lines(name: str, make: Callable[[], Hub]) -> str:
    """What one table comes to, a line for each kind of step."""
    hub, bender = make(), Bender(name)
    machine = hub.seats[0].machine
    machine._program = bender.around(machine._program)
    go_on(hub) if name.startswith("lost") else hub.run()
    return "".join(
        f"{name}, {kind}: {one.accepted} of {one.read}, {one.digest.hexdigest()[:16]}\n"
        for kind, one in bender.came_of.items()
    )


if __name__ == "__main__":
    terms.load = lambda name: SCENES.get(name) or load(name)
    PAGE.write_text("".join(lines(*one) for one in tables()), encoding="utf-8")
