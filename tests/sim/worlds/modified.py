"""Seats that are modified: the product's core, and a driver that bends what leaves it.

Each behaviour is a class of `Process`; the plan names it.  Nothing of the product is changed, so
that what the others see is all that differs; only a seat that shuffles falsely plays on with that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch

from p2p.crypto import group
from p2p.crypto.elgamal import Cipher, pack_ciphers
from p2p.crypto.group import Point
from p2p.crypto.transcript import Transcript
from p2p.protocol import step_kinds, wire
from p2p.protocol.absence.vote import ROUNDS_MAX, place_of, sign_vote
from p2p.protocol.acts.shuffling import Permuted, ShuffleChain
from p2p.protocol.entry import PURPOSE, Entry, decode_entry, unread
from p2p.protocol.frame_kinds import HAVE, LINKED, RECORD, TOLD, kind_of
from p2p.protocol.held import AHEAD
from tests.protocol.cheats import FIELDS
from tests.sim.worlds.plan import JUMPS, VANISHES, VANISHES_LATER, Plan
from tests.sim.worlds.process import Process

SCALAR: Final = 32
"""The length of a sealed share in bytes."""
FEW: Final = 0.25
"""How often a seat that bends its entries does so."""
FAR: Final = 16
"""The first round that a seat jumps to; no table here opens as many."""
MADE: Final = ShuffleChain.make


class Modified(Process):
    """What all of them share: whose frames are whose, and how to sign another entry."""

    often = FEW

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        others = [key for key in self.world.proposal.identities if key != self.key]
        choice = self.world.plan.rng("modified", self.seat)
        self.victim: Final = choice.choice(others)
        self.choice: Final = self.world.plan.rng("modified", self.seat, self.number)
        self._bent: Final[dict[bytes, Entry | None]] = {}

    def own(self, frame: bytes) -> Entry | None:
        """The entry of its own in a frame."""
        if frame[0] != RECORD.number or unread(frame[1:]).seat != self.seat:
            return None
        return decode_entry(frame[1:])

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
            self._bent[frame] = entry if self.choice.random() < self.often else None
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

    often = 0.5

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


class ShufflesFalsely(Modified):
    """Half of its shuffles are false, and its own program does not verify them."""

    def enter(self, act: Callable[[], object]) -> None:
        def make(chain: ShuffleChain, transcript: Transcript) -> Permuted:
            honest = MADE(chain, transcript)
            if self.choice.random() < 0.5:
                return honest
            false = self.falsify(honest, lambda: MADE(chain, transcript), chain._key)
            self.world.watch.order.false_decks.add(pack_ciphers(false.deck))
            return false

        with (
            patch.object(ShuffleChain, "make", make),
            patch.object(ShuffleChain, "verify", lambda chain: None),
        ):
            super().enter(act)

    def falsify(self, honest: Permuted, again: Callable[[], Permuted], key: Point) -> Permuted:
        """Return a shuffle that is false; `again` makes another right one."""
        raise NotImplementedError


class ProvesAnother(ShufflesFalsely):
    """Sends one shuffle with the proof of another."""

    def falsify(self, honest: Permuted, again: Callable[[], Permuted], key: Point) -> Permuted:
        return honest._replace(deck=again().deck)


class ExchangesCipher(ShufflesFalsely):
    """Proves a shuffle, then exchanges two ciphers, or doubles a card in place of another."""

    def falsify(self, honest: Permuted, again: Callable[[], Permuted], key: Point) -> Permuted:
        deck, places = [*honest.deck], [*range(len(honest.deck))]
        one, other = self.choice.choices(places, k=2)
        deck[one], deck[other] = deck[other], deck[one]
        if one == other or self.choice.random() < 0.5:
            source = self.choice.choice(honest.deck)
            deck[one] = again_under(key, source, self.choice.randrange(1, 1 << 60))
        return honest._replace(deck=deck)


def again_under(key: Point, cipher: Cipher, factor: int) -> Cipher:
    """Encrypt the card of a cipher anew under the same key."""
    a, b = cipher
    return group.add(a, group.base(factor)), group.add(b, group.mul(key, factor))


class JumpsAhead(Modified):
    """Sends with each entry a vote about its step in a round that is far from open.

    Otherwise it votes as its person says: its own program does not hear of these votes.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._jumps: Final[dict[tuple[bytes, int], bytes | None]] = {}

    def transmit(self, peer: bytes, frame: bytes) -> None:
        super().transmit(peer, frame)
        entry = self.own(frame)
        if entry is not None and entry.kind != step_kinds.VOTE:
            place = entry.table, entry.step
            jump = self._jumps[place] = self._jumps.get(place) or self._jump(entry)
            if jump is not None:
                super().transmit(peer, jump)

    def _jump(self, entry: Entry) -> bytes | None:
        """Return a vote about the step at hand, if anybody can be voted out."""
        machine = self.machine
        voters = machine.voting.voters if machine is not None else None
        if machine is None or voters is None or not voters.room or not self._is_here(entry):
            return None
        choice = self.world.plan.rng("jumps", self.seat, entry.step)
        others = [seat for seat in voters.left if seat != self.seat]
        number, absent = choice.randrange(FAR, ROUNDS_MAX), frozenset({choice.choice(others)})
        place = place_of(machine.chain)
        return RECORD.make(sign_vote(self.identity, place, self.seat, number, absent).record)

    def _is_here(self, entry: Entry) -> bool:
        chain = self.machine.chain if self.machine is not None else None
        return chain is not None and (chain.table, chain.step) == (entry.table, entry.step)

    def take(self, peer: bytes, frame: bytes) -> None:
        entry = self.own(frame)
        far = entry is not None and entry.kind == step_kinds.VOTE and entry.payload["round"] >= FAR
        if not far:
            super().take(peer, frame)


class Vanishes(Modified):
    """Keeps an entry of one of these kinds, and is gone for good when it has those of all others.

    It does so at one of the first `most` steps of these kinds.
    """

    kinds: tuple[str, ...]
    most: int

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._steps: Final[list[int]] = []
        """Steps of these kinds in which an entry of its own was to leave."""
        self._last: Final = self.world.plan.rng("vanishes", self.seat).randrange(self.most)

    @property
    def _kept(self) -> int | None:
        """The step at which it vanishes, once that has begun."""
        return self._steps[self._last] if len(self._steps) > self._last else None

    def transmit(self, peer: bytes, frame: bytes) -> None:
        entry = self.own(frame)
        if entry is not None and entry.kind in self.kinds and entry.step not in self._steps:
            self._steps.append(entry.step)
        if entry is None or self._kept is None or entry.step < self._kept:
            super().transmit(peer, frame)

    def enter(self, act: Callable[[], object]) -> None:
        super().enter(act)
        table, kept = self.table, self._kept
        if table is not None and kept is not None and table.machine.chain.step > kept:
            self.die(f"with step {kept}", power=False)


class VanishesAtCoin(Vanishes):
    """Keeps its share of a coin, whose value it then knows alone."""

    kinds = (step_kinds.COIN,)
    most = 2


class VanishesAtLoss(Vanishes):
    """Is gone while the others take the key of a lost seat out of the cards."""

    kinds = (step_kinds.MEND, step_kinds.RELOCK, step_kinds.STRIP)
    most = 3


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
    "proves another shuffle": ProvesAnother,
    "exchanges a cipher": ExchangesCipher,
    JUMPS: JumpsAhead,
    VANISHES: VanishesAtCoin,
    VANISHES_LATER: VanishesAtLoss,
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
