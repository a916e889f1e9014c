"""What a log tells about its joint shuffles: which card came to lie at which place.

Players choose the cards that they show by their faces, so "the cards that were shown" are not a
fair sample of a deck.  Two kinds of sightings are fair, and only they are used
(docs/how-to/check-fairness.md):

* blind ones: what became known before anybody who could see a hidden card of that shuffle had
  anything to decide.  Given all that was known, each such card was as likely as any other that
  was unknown, however the game went on (cards turned from a stock, one's own first hand);
* whole ones: every card of the shuffle, in games whose rules show every card.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.acts import Cut, Deal, HandOver, LayAll, PutBack, Reshuffle, Shuffle
from engine.cards import Card
from engine.lost import Lost
from engine.question import Question
from engine.registry import Registry
from engine.session import Session
from engine.table import Table
from engine.zone import Seat, Slot
from p2p.errors import PeerError
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_saved
from replay.audit import Progress, UnreadableError, read_file, unwatched
from replay.own import own_sight
from replay.reader import Reading, read_log

LEAST_CARDS: Final = 5
"""Smaller shuffles are left out: there is too little to find in them."""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """One joint shuffle.  Places count from the bottom of the zone.

    `before` are the cards as they lay, all of them known to everybody; `after[place]` is the place
    in `before` of the card that came to lie there, None if it is not known; `seats` says to whom
    each place was first dealt, None for the rest.
    """

    game: str
    deck: str
    before: tuple[Card, ...]
    after: tuple[int | None, ...]
    seats: tuple[Seat | None, ...]

    @property
    def known(self) -> int:
        """How many places are known."""
        return sum(place is not None for place in self.after)


@dataclass(slots=True)
class _Open:
    """A shuffle whose cards are being watched."""

    slots: tuple[Slot, ...]
    before: tuple[Card, ...]
    stays: dict[Slot, list[int]]
    """For each slot, the steps at which it got a cipher of the same card."""
    seats: tuple[Seat | None, ...] = ()
    blind: set[Slot] = field(default_factory=set)
    watched: bool = True
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """The joint shuffles of the table with this id.  All seats' logs of one table are equal:
    counting a second one counts every shuffle twice."""

    table: bytes
    shuffles: list[Shuffled]


def observe(path: Path, progress: Progress = unwatched) -> Observed:
    """The joint shuffles of a log.  UnreadableError with one sentence for anything else."""
    data = read_file(path)
    try:
        log, _ = split_saved(data)
        header = decode_header(log.header)
    except PeerError as error:
        raise UnreadableError(f"{path} cannot be read: {error.reason}") from error
    own = own_sight(path, header)
    seat = own.seat if own else None
    reading = read_log(header, log.records, seat, own.sight if own else None, progress)
    try:
        return Observed(header.table, _Watcher(reading, seat).watch())
    except _DoubledError as error:
        raise UnreadableError(f"{path} cannot be read: its cards contradict each other") from error


class _DoubledError(Exception):
    """A card came to lie at more places than the deck has copies: nobody verified this log."""


class _Watcher:
    """Follows the answers of a game again and notes what was known at each."""

    def __init__(self, reading: Reading, own: Seat | None) -> None:
        session = reading.session
        self._reading = reading
        self._own = own
        self._twin = Session(session.game, session.table.seats, session.options)
        self._began = [step.before for step in reading.steps]
        self._shuffles: list[_Open] = []

    def watch(self) -> list[Shuffled]:
        for at, answer in enumerate(self._reading.session.journal):
            asked = self._twin.pending
            assert asked is not None  # each answer of a journal was given to a question
            if isinstance(answer, Lost):
                self._lose(answer, at)
                continue
            self._before(asked, at)
            self._twin.answer(answer)
            self._after(asked, at)
        deck = self._twin.table.deck
        name = "" if deck is None else deck.name
        found = [self._told(one, name) for one in self._shuffles]
        return [shuffle for shuffle in found if shuffle.known]

    def _before(self, asked: Question[Any], at: int) -> None:
        """Whether somebody who sees hidden cards may answer what is asked now."""
        table = self._twin.table
        for one in self._shuffles:
            if _somebody_decides(asked):
                self._decided(one)
            if _ends_watching(asked, one):
                one.watched = False
        slots = tuple(asked.about()) if asked.shuffles else ()
        if len(slots) >= LEAST_CARDS:
            faces = [table.faces[slot] for slot in slots]
            if None not in faces:
                before = tuple(face for face in faces if face is not None)
                began = self._step(at) + 1
                stays = {slot: [began] for slot in slots}
                self._shuffles.append(_Open(slots, before, stays))

    def _lose(self, lost: Lost, at: int) -> None:
        """Nobody answers what is asked: a seat left or was lost, and its key is out of all cards.

        Hidden cards have other ciphers then, in some steps if it was lost; and some were shuffled
        once more.  Nobody reads its cards any more.
        """
        first, end = bisect_left(self._began, at), self._step(at) + 1
        for one in self._shuffles:
            self._decided(one)
            one.watched = one.watched and not self._mended(one, first, end)
            for step in range(first, end):
                self._stay(one, one.slots, step, step + 1)
        self._twin.answer(lost)
        for one in self._shuffles:
            self._see(one)

    def _decided(self, one: _Open) -> None:
        """Somebody who may see hidden cards decides something."""
        table = self._twin.table
        if not one.dealt:
            one.seats, one.dealt = _holders(table, one.slots), True
        one.watched = one.watched and not self._secret(table, one)

    def _after(self, asked: Question[Any], at: int) -> None:
        """Note what is known by now."""
        for one in self._shuffles:
            if _does(asked).keeps:
                self._stay(one, asked.about(), self._step(at), self._step(at) + 1)
            self._see(one)

    def _see(self, one: _Open) -> None:
        """Note which cards are known by now, as long as that is blind."""
        table, own = self._twin.table, self._own
        if one.watched:
            one.blind.update(
                slot
                for slot in one.slots
                if table.faces[slot] is not None or table.locks[slot] == own
            )

    def _stay(self, one: _Open, slots: Iterable[Slot], before: int, after: int) -> None:
        """A card that changes hands gets another cipher but stays the same card."""
        faces = self._reading.faces
        for slot in slots:
            stays = one.stays.get(slot)
            if not stays or faces.since(slot, before) != stays[-1]:
                continue
            if faces.is_kept(slot, before, after):
                stays.append(faces.since(slot, after))

    def _mended(self, one: _Open, before: int, after: int) -> bool:
        """Whether slots that were never seen are hidden again."""
        faces = self._reading.faces
        unseen = set(one.slots) - one.blind
        return any(not faces.is_kept(slot, before, after) for slot in unseen)

    def _secret(self, table: Table, one: _Open) -> bool:
        """Whether another seat sees a card of this shuffle that is not known here."""
        return any(
            table.locks[slot] >= 0 and table.locks[slot] != self._own
            for slot in one.slots
            if slot not in one.blind
        )

    def _step(self, at: int) -> int:
        """The step that gave the answer with this number."""
        steps = self._reading.steps
        return steps[bisect_right(self._began, at) - 1].number

    def _told(self, one: _Open, deck: str) -> Shuffled:
        faces = [self._card(one.stays[slot], slot) for slot in one.slots]
        game = self._twin.game
        if not game.shows_all or None in faces:
            faces = [
                face if slot in one.blind else None
                for slot, face in zip(one.slots, faces, strict=True)
            ]
        seats = one.seats or (None,) * len(one.slots)
        return Shuffled(game.name, deck, one.before, _origins(one.before, faces), seats)

    def _card(self, stays: list[int], slot: Slot) -> Card | None:
        cards = (self._reading.faces.face(slot, step) for step in stays)
        return next((card for card in cards if card is not None), None)


class _Does(NamedTuple):
    """What an act does to watched cards."""

    keeps: bool = False
    """Its slots get other ciphers of the same cards."""
    rehides: bool = False
    """Its slots cannot be followed, or nobody can read them any more."""
    samples: bool = False
    """Faces are seen, but not their places."""
    by_faces: bool = False
    """What is done depends on faces, as with a decision."""


DOES: Final = Registry(
    "what it does to cards that are watched",
    {
        Shuffle: _Does(rehides=True),
        Reshuffle: _Does(rehides=True),
        PutBack: _Does(keeps=True, rehides=True),
        Deal: _Does(keeps=True),
        HandOver: _Does(keeps=True),
        Cut: _Does(samples=True),
        LayAll: _Does(by_faces=True),
    },
)
"""What each act does to watched cards; any other act does nothing to them."""
_NOTHING: Final = _Does()


def _does(asked: Question[Any]) -> _Does:
    return DOES.find(asked) or _NOTHING


def _somebody_decides(asked: Question[Any]) -> bool:
    """True also for cards that have to be laid: which ones they are depends on their faces."""
    return bool(asked.deciders) or _does(asked).by_faces


def _ends_watching(asked: Question[Any], one: _Open) -> bool:
    """Whether faces without places are seen, or slots that were never seen are hidden again."""
    does = _does(asked)
    hidden = does.rehides and bool(set(asked.about()) & set(one.slots) - one.blind)
    return does.samples or hidden


def _holders(table: Table, slots: tuple[Slot, ...]) -> tuple[Seat | None, ...]:
    """In whose hand or pile each slot lies."""
    owner = {slot: zone.owner for zone in table.zones for slot in zone}
    return tuple(owner.get(slot) for slot in slots)


def _origins(before: tuple[Card, ...], faces: list[Card | None]) -> tuple[int | None, ...]:
    """Where each card lay before.  Of several with one face the first that is left is taken: nobody
    can see which of them it was, and `numbers.fill` mixes them again."""
    places: dict[Card, list[int]] = {}
    for place, card in enumerate(before):
        places.setdefault(card, []).append(place)
    try:
        return tuple(None if face is None else places[face].pop(0) for face in faces)
    except LookupError:
        raise _DoubledError from None
