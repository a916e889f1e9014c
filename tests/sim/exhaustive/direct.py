"""The same search without automata: whole tables, gone through again for each state.

Nothing happens by itself: a frame arrives, a write reaches the disk, a seat crashes or comes back,
because somebody chose it (`Table.do`).  It is what `search` is measured by: slow and plain.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from typing import Final

from p2p.errors import LocalError
from p2p.protocol.entry import unread
from p2p.protocol.frame_kinds import RECORD
from tests.sim.exhaustive.seat import (
    WAITS,
    WAITS_MAX,
    Disk,
    Event,
    Found,
    Place,
    Shape,
    WrongError,
    frames_at_once,
    keys_of,
)


def search(count: int, shape: Shape, crashes: int) -> Found:
    """Try everything.  WrongError if something goes wrong."""
    seen: set[bytes] = set()
    found: Final = Found(steps=0)
    ways: list[tuple[Event, ...]] = [()]
    while ways:
        way = ways.pop()
        table = Table(count, shape, crashes)
        for event in way:
            table.do(event)
        found.steps += 1
        key = table.fingerprint()
        if key not in seen:
            seen.add(key)
            events = table.events()
            found.states += 1
            found.ends += not events
            ways.extend((*way, event) for event in events)
    return found


class Table:
    """Seats that play steps of this shape, with so many crashes at most."""

    def __init__(self, count: int, shape: Shape, crashes: int) -> None:
        self.count: Final = count
        self.shape: Final = shape
        self.now = 0.0
        self.keys: Final = keys_of(count)
        self.crashes = crashes
        self.waited = 0
        self.disks: Final = [Disk() for _ in range(count)]
        self.lives: Final = [0] * count
        self.places: Final[list[Place | None]] = [None] * count
        self.wires: Final[dict[tuple[int, int], deque[bytes]]] = {
            (one, two): deque() for one in range(count) for two in range(count) if one != two
        }
        self.at_once: Final = frames_at_once(crashes)
        self.news: Final[deque[tuple[int, int, bytes]]] = deque()
        self.signed: Final[dict[tuple[int, int], bytes]] = {}
        for seat in range(count):
            self.places[seat] = Place(self, seat, self.disks[seat], 0)
        for place in self._alive():
            place.start()
        self._spread_news()

    def _alive(self) -> Iterator[Place]:
        return (place for place in self.places if place is not None)

    def is_there(self, seat: int) -> bool:
        """Whether the program of a seat is running."""
        return self.places[seat] is not None

    def send(self, place: Place, to: int, frame: bytes) -> None:
        """A frame leaves a seat: what it signed has to be durable, and the only one of its step."""
        if frame[0] == RECORD.number:
            self._look(place, frame[1:])
        if self.places[to] is None:
            return
        if frame[0] in self.at_once:
            self.news.append((place.seat, to, frame))
        else:
            self.wires[place.seat, to].append(frame)

    def _look(self, place: Place, record: bytes) -> None:
        origin = unread(record)
        if self.signed.setdefault((origin.seat, origin.step), record) != record:
            raise WrongError(f"seat {origin.seat} signed two entries for step {origin.step}")
        place.look(origin)

    # -- what can happen -------------------------------------------------------------------

    def events(self) -> list[Event]:
        """All that can happen now; empty when the table is over."""
        found = [
            Event("deliver", to, source)
            for (source, to), frames in self.wires.items()
            if frames and self.places[to] is not None
        ]
        found += [Event("write", place.seat) for place in self._alive() if place.writes]
        found += [Event("return", seat) for seat in range(self.count) if self.places[seat] is None]
        busy = bool(found)
        if self.crashes:
            found += [Event("crash", place.seat) for place in self._alive() if not place.ended]
        if not busy and not all(place.ended for place in self._alive()):
            found.append(Event("wait"))
        return found

    def do(self, event: Event) -> None:
        """Let it happen."""
        match event.what:
            case "deliver":
                self._deliver(event.source, event.seat)
            case "write":
                self._write(event.seat)
            case "crash":
                self._crash(event.seat)
            case "return":
                self._return(event.seat)
            case "wait":
                self._wait()
        if event.what != "wait":
            self.waited = 0
        self._spread_news()
        self._compare()

    def _spread_news(self) -> None:
        while self.news:
            source, to, frame = self.news.popleft()
            place = self.places[to]
            if place is not None:
                place.runner.receive(self.keys[source], frame)
                place.settle()

    def _compare(self) -> None:
        heads: dict[int, tuple[bytes, ...]] = {}
        for place in self._alive():
            for step, records in enumerate(place.machine.records):
                if heads.setdefault(step, records) != records:
                    raise WrongError(f"two histories at step {step}")

    def _place(self, seat: int) -> Place:
        place = self.places[seat]
        if place is None:
            raise LocalError("this seat is not there")
        return place

    def _deliver(self, source: int, to: int) -> None:
        place = self._place(to)
        frame = self.wires[source, to].popleft()
        place.runner.receive(self.keys[source], frame)
        place.settle()

    def _write(self, seat: int) -> None:
        place = self._place(seat)
        place.write()
        place.settle()

    def _crash(self, seat: int) -> None:
        self.crashes -= 1
        self.places[seat] = None
        for pair, frames in self.wires.items():
            if seat in pair:
                frames.clear()
        self._links_changed(seat, up=False)

    def _return(self, seat: int) -> None:
        self.lives[seat] += 1
        place = self.places[seat] = Place(self, seat, self.disks[seat], self.lives[seat])
        place.start()
        place.greet()
        place.settle()
        self._links_changed(seat, up=True)

    def _links_changed(self, seat: int, *, up: bool) -> None:
        for other in self._alive():
            if other.seat != seat:
                other.runner.link_changed(self.keys[seat], up)
                other.settle()

    def _wait(self) -> None:
        self.waited += 1
        if self.waited > WAITS_MAX:
            raise WrongError("nothing happens any more, and the table is not over")
        self.now += WAITS
        for place in self._alive():
            place.desk.ring()
            place.settle()

    def fingerprint(self) -> bytes:
        """The same for two tables only if the same can happen at both, with the same outcome."""
        parts = [None if one is None else one.fingerprint() for one in self.places]
        wires = sorted((pair, tuple(frames)) for pair, frames in self.wires.items())
        disks = [(tuple(disk.own), tuple(disk.log)) for disk in self.disks]
        signed = sorted(self.signed.items())
        all_of_it = (parts, wires, disks, self.lives, signed, self.crashes, self.waited)
        return hashlib.sha256(repr(all_of_it).encode()).digest()[:16]
