"""A referee who has every table secret, and says whether what all believe is true.

It looks over the shoulder of one honest seat: whenever a question has been answered and every
proof of it was accepted there, it decrypts every slot and compares.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

from engine import acts
from engine.cards import Card
from engine.question import Either, Otherwise, Play, Question, Race
from engine.table_state import JOINT, OPEN
from engine.zone import Seat, Slot, Zone
from p2p.crypto import group
from p2p.crypto.elgamal import Cipher, read
from p2p.crypto.group import IDENTITY, ORDER, POINT_BYTES, Point
from p2p.protocol.cards import Cards
from p2p.protocol.entry import decode_entry
from p2p.protocol.step import Program
from tests.protocol.kit import Hub


class UntrueError(AssertionError):
    """Something that every seat takes for proven is not true."""


class Referee:
    """Watches seat `of`, which is honest and checks every proof."""

    def __init__(self, hub: Hub, of: Seat = 0) -> None:
        self.looks = 0
        self.claims = 0
        """How often it looked, and how many oaths it found true."""
        self._hub: Final = hub
        self._seat: Final = hub.seats[of]
        self._secrets: Final = [seat.cards.keys.own for seat in hub.seats]
        self._inverse: Final = [pow(secret.scalar, -1, ORDER) for secret in self._secrets]
        self._plain: dict[tuple[Cipher, int], Point] = {}
        self._published: defaultdict[Point, set[Seat]] = defaultdict(set)
        self._locked_first: dict[Point, int] = {}
        self._lay: dict[int, tuple[Slot, ...]] = {}
        """What lay in each zone when it was asked: the rules have moved cards since."""
        self._read = 0
        machine = self._seat.machine
        machine._program = self._watching(machine._program)

    def _watching(self, program: Program[Any]) -> Program[Any]:
        told, session = None, self._seat.session
        asked, answered = session.pending, len(session.journal)
        while True:
            try:
                step = program.send(told)
            except StopIteration as end:
                return end.value
            if len(session.journal) > answered:
                if len(session.journal) == answered + 1:
                    self._judge_answer(asked, session.journal[answered])
                self._look()
            asked, answered = session.pending, len(session.journal)
            self._lay = {id(zone): tuple(zone) for zone in session.table.zones}
            told = yield step

    # -- what is behind the slots -----------------------------------------------------------------

    @property
    def _cards(self) -> Cards:
        return self._seat.cards

    def number(self, slot: Slot) -> int:
        """The face that is really behind a slot."""
        slots, lock = self._cards.slots, self._cards.table.locks[slot]
        if lock == OPEN:
            return self._opened(slot)
        return slots.identify(self._under(slots.ciphers[slot], lock))

    def _under(self, cipher: Cipher, lock: int) -> Point:
        known = self._plain.get((cipher, lock))
        if known is None:
            a, known = cipher
            for seat, secret in enumerate(self._secrets):
                if lock in (seat, JOINT):
                    known = read(secret, (a, known))
            self._plain[cipher, lock] = known
        return known

    def _opened(self, slot: Slot) -> int:
        """Of an open card: under one of the keys its cipher is the face that all know."""
        slots = self._cards.slots
        cipher, number = slots.ciphers[slot], slots.numbers[slot]
        assert number is not None
        if cipher[0] == IDENTITY:
            found = [cipher[1]]
        else:
            found = [self._under(cipher, lock) for lock in range(JOINT, len(self._secrets))]
        self._require(slots.points[number] in found, f"slot {slot} does not hold its open face")
        return number

    # -- what all believe -------------------------------------------------------------------------

    def _look(self) -> None:
        self.looks += 1
        table, slots = self._cards.table, self._cards.slots
        numbers = [self.number(slot) for slot in range(len(slots.ciphers))]
        assert table.deck is not None or not numbers
        if table.deck is not None:
            whole = Counter(numbers) == Counter(table.deck.lowest)
            self._require(whole, "the slots do not hold the deck")
        for slot, number in enumerate(numbers):
            sworn = number in slots._sworn[slot]
            self._require(not sworn, f"slot {slot} holds {number}, which was sworn not to be there")
            face = table.faces[slot]
            right = face is None or face is slots.card(number)
            self._require(right, f"the face of slot {slot} is not the right one")
        self._look_at_own(numbers)
        self._look_at_shares()

    def _look_at_own(self, numbers: list[int]) -> None:
        own = self._cards.slots.own
        mine = [
            slot for slot, lock in enumerate(self._cards.table.locks) if lock == self._seat.seat
        ]
        self._require(sorted(own) == mine, "the honest seat reads other slots than are its own")
        self._require(
            all(numbers[slot] == number for slot, number in own.items()),
            "the honest seat takes one of its cards for another one",
        )

    def _look_at_shares(self) -> None:
        """Of each point: no share is out, or all but the lock's, or all (section 2)."""
        self._read_shares()
        everybody = frozenset(range(len(self._secrets)))
        for (a, _), lock in zip(self._cards.slots.ciphers, self._cards.table.locks, strict=True):
            if lock != OPEN:
                self._locked_first.setdefault(a, lock)
        for a, out in self._published.items():
            first = self._locked_first.get(a)
            left = everybody - out
            if first is None:  # never seen hidden: a coin, a cut, a card laid after its merge
                right = not left or len(out) == 1
            elif first == JOINT:
                right = len(left) <= 1
            else:
                right = not left or out <= {first} or left == {first}
            self._require(right, f"of a point of lock {first} the shares of {sorted(out)} are out")

    def _read_shares(self) -> None:
        log = self._seat.log
        for records in log[self._read :]:
            for record in records:
                entry = decode_entry(record)
                for share in _shares(entry.payload):
                    self._published[group.mul(share, self._inverse[entry.seat])].add(entry.seat)
        self._read = len(log)

    # -- what was claimed -------------------------------------------------------------------------

    def _judge_answer(self, asked: Question[Any] | None, answer: Any) -> None:
        """A seat that was bound to hold no fitting card holds none."""
        match asked:
            case Play():
                self._judge_card(asked, answer)
            case acts.LayAll():
                for hand, laid in zip(asked.hands, answer, strict=True):
                    self._holds_none(self._stayed(hand, *laid), asked.fits)
            case acts.Swear():
                self._holds_none(asked.slots, asked.none_of)
            case Race() if answer is not None:
                for seat, claim in asked.claims.items():
                    play = claim.play if isinstance(claim, Either) else claim
                    if isinstance(play, Play):
                        shown = [
                            laid for laid in answer.shown if laid[0] in self._lay[id(play.zone)]
                        ]
                        for laid in [answer.answer] if seat == answer.seat else shown:
                            self._judge_card(play, laid)

    def _judge_card(self, asked: Any, answer: Any) -> None:
        if not isinstance(answer, tuple) or asked.otherwise is Otherwise.PASS:
            return
        slot, card = answer
        if not asked.fits(card):
            bound = asked.otherwise is Otherwise.ANY_SWORN
            self._require(bound, "a card was laid that does not fit")
            self._holds_none(self._stayed(asked.zone, (slot, card)), asked.fits)

    def _stayed(self, zone: Zone, *laid: tuple[Slot, Card]) -> list[Slot]:
        """What was in a zone when the question was asked, without what was laid."""
        return [slot for slot in self._lay[id(zone)] if slot not in dict(laid)]

    def _holds_none(self, among: Iterable[Slot], fits: Any) -> None:
        self.claims += 1
        for slot in among:
            card = self._cards.slots.card(self.number(slot))
            self._require(not fits(card), f"slot {slot} holds {card}, which it must not")

    def _require(self, true: bool, otherwise: str) -> None:
        if not true:
            raise UntrueError(f"step {self._cards.chain.step}: {otherwise}")


def _shares(payload: Any) -> Iterable[Point]:
    """The shares in a payload of any kind."""
    if not isinstance(payload, dict):
        return
    if isinstance(payload.get("share"), bytes):
        yield payload["share"]
    joined = payload.get("shares", b"")
    yield from (joined[i : i + POINT_BYTES] for i in range(0, len(joined), POINT_BYTES))
    for inner in ("shown", "laid"):
        yield from _shares(payload.get(inner))
