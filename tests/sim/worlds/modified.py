"""Seats that are modified: the product's core, and a driver that bends what leaves it.

Each behaviour is a class of `Process`; the plan names it.  Nothing of the product is changed, so
that what the others see is all that differs.
"""

from __future__ import annotations

from typing import Any, Final

from p2p.protocol import step_kinds, wire
from p2p.protocol.entry import PURPOSE, Entry, decode_entry
from p2p.protocol.frame_kinds import HAVE, LINKED, RECORD, TOLD, kind_of
from p2p.protocol.held import AHEAD
from tests.protocol.cheats import FIELDS
from tests.sim.worlds.plan import Plan
from tests.sim.worlds.process import Process

SCALAR: Final = 32
"""The length of a sealed share in bytes."""
FEW: Final = 0.25
"""How often a seat that bends its entries does so."""


class Modified(Process):
    """What all of them share: whose frames are whose, and how to sign another entry."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        others = [key for key in self.world.proposal.identities if key != self.key]
        choice = self.world.plan.rng("modified", self.seat)
        self.victim: Final = choice.choice(others)
        self.choice: Final = self.world.plan.rng("modified", self.seat, self.number)
        self._bent: Final[dict[bytes, Entry | None]] = {}

    def own(self, frame: bytes) -> Entry | None:
        """The entry of its own in a frame."""
        if frame[0] != RECORD.number:
            return None
        entry = decode_entry(frame[1:])
        return entry if entry.seat == self.seat else None

    def sign(self, entry: Entry, **changes: Any) -> bytes:
        """The frame of this entry with other fields, under its own signature."""
        body = wire.pack({**{name: getattr(entry, name) for name in FIELDS}, **changes})
        return RECORD.make(body + self.identity.sign(PURPOSE, body))

    def chosen(self, frame: bytes) -> Entry | None:
        """Now and then an entry of its own, to be bent; the same one each time that it leaves."""
        entry = self.own(frame)
        if entry is None:
            return None
        if frame not in self._bent:
            self._bent[frame] = entry if self.choice.random() < FEW else None
        return self._bent[frame]


def bent(value: Any, choice: Any) -> Any:
    """A payload with one thing changed."""
    match value:
        case bytes() if value:
            at = choice.randrange(len(value))
            return value[:at] + bytes([value[at] ^ (1 << choice.randrange(8))]) + value[at + 1 :]
        case list() if value:
            at = choice.randrange(len(value))
            return [*value[:at], bent(value[at], choice), *value[at + 1 :]]
        case dict() if value:
            name = choice.choice(sorted(value))
            return {**value, name: bent(value[name], choice)}
        case int():
            return value + choice.choice((-1, 1))
        case _:
            return choice.choice((0, b"", [], {}))


class Equivocates(Modified):
    """Signs two bodies for one step, one for its victim and one for the rest."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        entry = self.chosen(frame)
        if entry is not None and peer == self.victim:
            super().transmit(peer, self.sign(entry, payload=bent(entry.payload, self.choice)))
        else:
            super().transmit(peer, frame)


class TwoStates(Modified):
    """Signs another state for its victim."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        entry = self.chosen(frame)
        if entry is not None and peer == self.victim:
            frame = self.sign(entry, state=bytes(len(entry.state)))
        super().transmit(peer, frame)


class SaysMore(Modified):
    """Sends its entry to all, and a second one after it."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        super().transmit(peer, frame)
        entry = self.chosen(frame)
        if entry is not None:
            super().transmit(peer, self.sign(entry, payload=bent(entry.payload, self.choice)))


class BendsPayload(Modified):
    """Sends all the same entry, and it is not right."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        entry = self.chosen(frame)
        if entry is not None:
            choice = self.world.plan.rng("bent", self.seat, entry.table, entry.step)
            frame = self.sign(entry, payload=bent(entry.payload, choice))
        super().transmit(peer, frame)


class Forges(Modified):
    """Changes one field of an entry, each time another one."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        entry = self.chosen(frame)
        if entry is not None:
            choice = self.world.plan.rng("forged", self.seat, entry.table, entry.step)
            name = choice.choice(FIELDS)
            frame = self.sign(entry, **{name: bent(getattr(entry, name), choice)})
        super().transmit(peer, frame)


class Unsigned(Modified):
    """Sends entries in the name of others, and with a broken signature."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        super().transmit(peer, frame)
        entry = self.chosen(frame)
        if entry is not None:
            other = self.choice.randrange(self.world.plan.seats)
            forged = self.sign(entry, seat=other, payload=bent(entry.payload, self.choice))
            super().transmit(peer, self.choice.choice((forged, frame[:-1] + b"\0")))


class Withholds(Modified):
    """Its victim never gets its own entries from it."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        if peer != self.victim or self.own(frame) is None:
            super().transmit(peer, frame)


class Ignores(Modified):
    """Its victim gets nothing at all."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        if peer != self.victim:
            super().transmit(peer, frame)


class FallsSilent(Modified):
    """After a while nobody gets anything, although its links are up."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        if self.world.orders[self.seat] < 60:
            super().transmit(peer, frame)


class PassesNothingOn(Modified):
    """Only its own entries leave."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        if frame[0] != RECORD.number or self.own(frame) is not None:
            super().transmit(peer, frame)


class Replays(Modified):
    """Sends again what it has heard and said."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._heard: Final[list[bytes]] = []

    def take(self, peer: bytes, frame: bytes) -> None:
        self._heard.append(frame)
        super().take(peer, frame)

    def transmit(self, peer: bytes, frame: bytes) -> None:
        super().transmit(peer, frame)
        if self._heard and self.choice.random() < 0.5:
            super().transmit(peer, self.choice.choice(self._heard))


class Floods(Modified):
    """Signs entries without end, for steps that are over or far ahead, and asks all the time."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        super().transmit(peer, frame)
        entry = self.chosen(frame)
        if entry is not None:
            for number in range(60):
                super().transmit(peer, self.sign(entry, step=entry.step + AHEAD + 2 + number))
                place = {"table": entry.table, "step": 0}
                super().transmit(peer, HAVE.make(place))


class Boasts(Modified):
    """Says that it is further on than anybody, and linked with everybody."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        if frame[0] == TOLD.number:
            fields = TOLD.read(frame[1:])
            frame = TOLD.make({**fields, "step": fields["step"] + 5})
        if frame[0] == LINKED.number:
            fields = LINKED.read(frame[1:])
            everybody = [seat for seat in range(self.world.plan.seats) if seat != self.seat]
            frame = LINKED.make({**fields, "seats": everybody})
        super().transmit(peer, frame)


class Garbage(Modified):
    """Sends bytes that are nothing."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        super().transmit(peer, frame)
        if self.choice.random() < 0.05:
            kind = bytes([self.choice.randrange(0x10, 0x20)])
            super().transmit(peer, kind + self.choice.randbytes(self.choice.randrange(80)))


class NeverSyncs(Modified):
    """Believes that everything is on the disk; when power is lost, it signs again."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.drive.syncs = False


class SealsFalsely(Modified):
    """What it has sealed for its victim is no share of its key: the victim complains rightly."""

    def transmit(self, peer: bytes, frame: bytes) -> None:
        entry = self.own(frame)
        if entry is not None and entry.kind == step_kinds.REVEAL and "sealed" in entry.payload:
            keys = [key for key in self.world.proposal.identities if key != self.key]
            at, sealed = SCALAR * keys.index(self.victim), bytearray(entry.payload["sealed"])
            sealed[at] ^= 1
            frame = self.sign(entry, payload={**entry.payload, "sealed": bytes(sealed)})
        super().transmit(peer, frame)


KINDS: Final[dict[str, type[Modified]]] = {
    "equivocates": Equivocates,
    "signs two states": TwoStates,
    "says more": SaysMore,
    "bends payloads": BendsPayload,
    "forges fields": Forges,
    "sends unsigned": Unsigned,
    "withholds": Withholds,
    "ignores a neighbour": Ignores,
    "falls silent": FallsSilent,
    "passes nothing on": PassesNothingOn,
    "replays": Replays,
    "floods": Floods,
    "boasts": Boasts,
    "sends garbage": Garbage,
    "never syncs": NeverSyncs,
    "seals falsely": SealsFalsely,
}


def process_of(plan: Plan, seat: int) -> type[Process]:
    """What a seat of this plan runs."""
    if plan.modified is not None and plan.modified[0] == seat:
        return KINDS[plan.modified[1]]
    return Process


def shown(frame: bytes) -> str:
    """A frame in a few words, for the trace."""
    kind = kind_of(frame)
    if kind is None:
        return f"{len(frame)} bytes of nothing"
    if kind is RECORD:
        try:
            entry = decode_entry(frame[1:])
        except Exception as error:  # noqa: BLE001 - garbage is shown as what it is
            return f"record: {error}"
        return (
            f"record: step {entry.step} of {entry.table.hex()[:4]}, seat {entry.seat}, {entry.kind}"
        )
    if kind in (HAVE, TOLD):
        return f"{kind.name} {frame[-8:].hex()}"
    return kind.name
