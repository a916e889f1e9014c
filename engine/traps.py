"""The traps of writing a game, looked for at every question while `engine.testing` plays it.

Each is a mistake with which a game plays on, or fails far from its cause: so each has a sentence
that names game, question and seat, and says what to write instead.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import fields
from functools import partial
from itertools import chain, combinations, islice
from math import comb
from typing import Any, Final

from engine.acts import Deal, Flip, HandOver, Open, Reshuffle
from engine.dealer import TrustedDealer
from engine.env.checking import Readable
from engine.errors import AsksLostError, EngineError
from engine.game import Game
from engine.games import NAMES, if_there, load_text, plain_text
from engine.lost import Lost
from engine.question import Choose, LayDown, Question, Together
from engine.registry import Registry
from engine.session import Session
from engine.sets import MOST_TRIED, Laid, LaySet, any_cards
from engine.subsets import Subsets
from engine.table import Table
from engine.view import View
from engine.wording import Wording
from engine.wording.roles import first_own_zones
from engine.zone import Seat, Slot, Zone, twins

LOOKED_AT: Final = 40
"""How many of the sets that a rule lists are looked at, evenly spaced."""
TRIED: Final = 1000
"""How many sets are tried if a rule lists none."""
NUMBERS_ALONE: Final = re.compile(r"[\d\s,-]+")
GONE: Final = (
    "this player has left, and cannot be asked or hold a card: go through `t.present()`, and on to"
    " `t.neighbour(seat)`"
)
NEVER_AWAITED: Final = re.compile(r"coroutine '(.+)' was never awaited")


def told(
    game: Game, asked: Question[Any] | None, seats: Sequence[Seat], what: str
) -> AssertionError:
    """The sentence about a trap."""
    kind = "before the first question" if asked is None else f"question {asked.kind}"
    topic = "" if asked is None else asked.topic
    who = "".join(f", seat {seat}" for seat in seats)
    return AssertionError(f"{game.name}, {kind}{f' ({topic})' if topic else ''}{who}: {what}")


# -- a forgotten await, and zones that the table did not make -------------------------------------


@contextmanager
def whole(game: Game, asked: Question[Any] | None, table: Callable[[], Table]) -> Iterator[None]:
    """Check what the rules do after `asked`: every coroutine is awaited, every zone is made."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        try:
            yield
        except AsksLostError as fault:
            raise told(game, fault.asked, (fault.seat,), GONE) from fault
        except EngineError as fault:
            forgotten = _still_there(fault) or _forgotten(caught)
            if forgotten:
                raise told(game, asked, _seats(asked), _no_await(forgotten, asked)) from fault
            every_zone_made(game, asked, table(), fault)
            raise
    forgotten = _forgotten(caught)
    if forgotten:
        raise told(game, asked, _seats(asked), _no_await(forgotten, asked))
    for other in caught:
        warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)


def every_zone_made(
    game: Game, asked: Question[Any] | None, table: Table, fault: EngineError | None = None
) -> None:
    """AssertionError if a field has a zone that the table did not make: no fork has it."""
    known = set(map(id, table.zones))
    for part in fields(table):
        if any(id(zone) not in known for zone in _zones(getattr(table, part.name))):
            what = f"{part.name} is no zone of the table: make it with t.zone(name, owner)"
            raise told(game, asked, _seats(asked), what) from fault


def _seats(asked: Question[Any] | None) -> Sequence[Seat]:
    """The seats that a question is about: those that decide it, or the one that acts alone."""
    if asked is None or asked.deciders:
        return () if asked is None else asked.deciders
    seat = getattr(asked, "by", getattr(asked, "seat", None))
    return () if seat is None else (seat,)


def _no_await(forgotten: str, asked: Question[Any] | None) -> str:
    when = "" if asked is None else "after it "
    return f"{when}`{forgotten}` was called and never awaited: write `await` before the call"


def _forgotten(caught: Sequence[warnings.WarningMessage]) -> str:
    """The coroutine that nobody awaited, by Python's warning; "" if there is none."""
    found = [NEVER_AWAITED.match(str(one.message)) for one in caught]
    return next((match[1] for match in found if match), "")


def _still_there(fault: EngineError) -> str:
    """A coroutine that nobody awaited, still held by the rules when they failed; "" if none."""
    cause = fault.__cause__
    trace = cause.__traceback__ if cause is not None else None
    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            if inspect.iscoroutine(value) and inspect.getcoroutinestate(value) == "CORO_CREATED":
                value.close()
                return value.__qualname__
        trace = trace.tb_next
    return ""


def _zones(value: object) -> Sequence[Zone]:
    if isinstance(value, Zone):
        return [value]
    return [one for one in value if isinstance(one, Zone)] if isinstance(value, list) else []


# -- what is looked at when a question is asked ---------------------------------------------------


class Traps:
    """Looks at each question of one session before it is answered."""

    def __init__(self, session: Session, dealer: TrustedDealer) -> None:
        self._session = session
        self._dealer = dealer
        self._picks = _Picks(session.game)
        self._readable = Readable(session.table.seats)
        self._text: Wording[Any] | None = None

    def copy(self, session: Session, dealer: TrustedDealer) -> Traps:
        """The same for a fork of the session."""
        made = Traps(session, dealer)
        made._picks, made._readable = self._picks.copy(), self._readable.copy()
        return made

    @property
    def text(self) -> Wording[Any]:
        """The words of the game."""
        if self._text is None:
            self._text = _text_of(self._session)
        return self._text

    def look(self, asked: Question[Any]) -> None:
        """AssertionError with the sentence of the first trap that this question falls into."""
        table, game = self._session.table, self._session.game
        if not self._session.journal:
            every_zone_made(game, asked, table)
        self._picks.look(table, asked, self.text.held)
        answered = bool(self._session.journal) and type(self._session.journal[-1]) is not Lost
        self._readable.look(table, asked, answered)
        if not asked.deciders:
            if asked.for_seats:
                raise told(game, asked, (), "nobody can answer it: it is put to no seat")
            return
        for seat in asked.deciders:
            if not 0 <= seat < table.seats:
                raise told(game, asked, (seat,), f"nobody can answer it: {table.seats} play")
        for seat in asked.deciders:
            for part in asked.parts(seat):
                self._look_at_part(part, seat)
        for seat in asked.deciders:
            if not asked.decisions(self._dealer.view(table, seat)):
                what = "nobody can answer it: it leaves this seat nothing to decide"
                raise told(game, asked, (seat,), what)
        self._look_at_options(asked)
        self._look_at_faces(asked)

    def _look_at_faces(self, asked: Question[Any]) -> None:
        """A seat that is asked observes no face that it could not have read (`engine.env`)."""
        table, cards = self._session.table, self._dealer.truth.cards
        for seat in asked.deciders:
            slots = self._readable.never_read(table, seat, cards)
            if slots:
                what = (
                    f"it observes the cards in {slots}, and could never read them: `has_seen` of"
                    " the table says more than is true"
                )
                raise told(self._session.game, asked, (seat,), what)

    def _look_at_part(self, part: Question[Any], seat: Seat) -> None:
        table, zone = self._session.table, part.hand(seat)
        if zone is None:
            return
        hidden = any(table.locks[slot] == seat for slot in zone)
        if hidden and not any(zone is one for one in self.text.held(table, seat)):
            what = (
                f"nobody declared the zone {zone.name!r} to be a hand, so no screen shows its cards"
                " to this seat: make it before the seat's other zones, or say in the wording's"
                " `held` that it is one"
            )
            raise told(self._session.game, part, (seat,), what)
        why = FAULTS.find(part)
        fault = "" if why is None else why(part, self._dealer.view(table, seat))
        if fault:
            raise told(self._session.game, part, (seat,), fault)

    # -- options that are slots -------------------------------------------------------------

    def _look_at_options(self, asked: Question[Any]) -> None:
        for seat in asked.deciders:
            numbers = [_numbers(option) for option in asked.options_of(seat)]
            if sum(map(bool, numbers)) < 2 or not self._told_as_numbers(asked, seat, numbers):
                continue
            if self._are_slots(asked, seat, numbers):
                what = (
                    "the options are slots, and people read them as numbers: say in the wording's"
                    " `options` what they are, and pick unseen cards by `pick_blind`"
                )
                raise told(self._session.game, asked, (seat,), what)

    def _told_as_numbers(
        self, asked: Question[Any], seat: Seat, numbers: Sequence[Sequence[int]]
    ) -> bool:
        text, view = self.text, self._dealer.view(self._session.table, seat)
        names = [f"Player {one}" for one in range(self._session.table.seats)]
        places = [place for place, found in enumerate(numbers) if found]
        said = (text.describe_decision(view, asked, place, names) for place in places)
        return all(NUMBERS_ALONE.fullmatch(one) for one in said)

    def _are_slots(
        self, asked: Question[Any], seat: Seat, numbers: Sequence[Sequence[int]]
    ) -> bool:
        """Whether each of the first options, if it is taken, touches the slot of its number."""
        named = set(chain.from_iterable(numbers))
        before = _lying(self._session.table)
        touched = []
        for option in [at for at, found in enumerate(numbers) if found][:3]:
            fork = self._session.fork()
            decisions = {**dict.fromkeys(asked.deciders, 0), seat: option}
            with whole(fork.game, asked, partial(_table_of, fork)):
                fork.answer(self._dealer.answer(fork.table, asked, decisions))
            after = _lying(fork.table)
            moved = {slot for slot in named & before.keys() if after.get(slot) != before[slot]}
            moved |= named & set(_slots_of(fork.pending))
            fork.close()
            if not moved or not moved <= set(numbers[option]):
                return False
            touched.append(frozenset(moved))
        return len(set(touched)) == len(touched)


def _table_of(session: Session) -> Table:
    return session.table


def _why_no_candidates(claim: LaySet, view: View) -> str:
    """How the sets that the terms list differ from those that fit, if a quick look shows it."""
    terms, zone, table = claim.terms, claim.zone, view.table
    if not terms.up:
        return ""
    if terms.sets is None:
        return _why_too_many(claim)
    listed = Subsets(terms.sets(view.cards(zone), zone, claim.sizes))
    step = max(1, len(listed) // LOOKED_AT)
    for place in range(0, len(listed), step):
        slots = listed[place]
        cards = tuple(view.cards(slots))
        if claim.why_not(table, Laid(slots, cards)) is not None:
            return (
                f"{terms.name!r} lists {_row(cards)} as a set that can be laid, and it does not"
                " fit: `sets` has to list exactly what `fits` allows, or is left out"
            )
    sizes = chain.from_iterable(combinations(zone, size) for size in claim.sizes)
    for slots in () if listed else islice(sizes, TRIED):
        cards = tuple(view.cards(slots))
        if claim.why_not(table, Laid(slots, cards)) is None:
            return (
                f"{terms.name!r} lists no set, and {_row(cards)} fits: `sets` has to list exactly"
                " what `fits` allows, or is left out"
            )
    return ""


def _why_too_many(claim: LaySet) -> str:
    """A sentence if there are more sets than are tried without a list; "" if not."""
    ways = sum(comb(len(claim.zone), size) for size in claim.sizes)
    if claim.terms.fits is any_cards or ways <= MOST_TRIED:
        return ""
    return f"{claim.terms.name!r} leaves {ways} sets to be tried: list those that fit by `sets`"


Fault = Callable[[Any, View], str]
FAULTS: Final[Registry[Fault]] = Registry("what is wrong with it", {LaySet: _why_no_candidates})
"""What may be wrong with a question of this kind, as its seat sees it; "" if nothing is."""


def _row(cards: Sequence[object]) -> str:
    return " ".join(map(repr, cards))


def _numbers(option: object) -> list[int]:
    """The numbers in an option; none if it holds anything else."""
    if type(option) is int:
        return [option]
    parts = option if isinstance(option, tuple | list) else ()
    return list(parts) if all(type(part) is int for part in parts) else []


def _lying(table: Table) -> dict[Slot, tuple[int, int]]:
    """Where each slot lies, and who can read it."""
    return {slot: (zone.id, table.locks[slot]) for zone in table.zones for slot in zone}


def _slots_of(asked: Question[Any] | None) -> Sequence[Slot]:
    """The slots that an act of the dealer is about."""
    if asked is None or asked.deciders:
        return ()
    return asked.about()


def _text_of(session: Session) -> Wording[Any]:
    """The words of a game, even of one that is not installed yet."""
    game = session.game
    # A compiled function does not say its module; only games of the project are compiled.
    known = game.name in NAMES
    text = load_text(game.name) if known else _text_in(game.turn.__module__.rpartition(".")[0])
    if text is None or not isinstance(session.table, text.table):
        return plain_text(game)
    return text


def _text_in(package: str) -> Wording[Any] | None:
    if not package:
        return None
    text = getattr(if_there(f"{package}.text"), "TEXT", None)
    return text if isinstance(text, Wording) else None


# -- blind picks ----------------------------------------------------------------------------------


Held = Callable[[Any, Seat], Sequence[Zone]]


class _Picks:
    """Finds cards that are taken out of a hand unseen, and not by lot.

    If the hand was not reshuffled, others can tell its slots apart (this one was drawn last);
    if it was, and somebody chooses a place, its holder has put it in order.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._asked = 0
        self._held: Held = first_own_zones
        self._hidden_at: dict[Slot, int] = {}
        """When the order of the hand in which this slot lay was hidden."""
        self._laying: Zone | None = None
        """A copy of the zone from which somebody has just been asked to lay cards down."""
        self._set_down: dict[Slot, int] = {}
        """The zones into which holders have set slots down by a decision of their own."""
        self._coin = 0
        """When a coin or a choice could last name a card; 0 if none could since one was taken."""
        self._flipped = 0
        self._choice: tuple[int, Question[Any]] | None = None
        """The last choice that could name a card, and when it came."""
        self._chose: set[Seat] = set()
        """The seats that could name a card of their own since one was taken."""

    def copy(self) -> _Picks:
        made = copy(self)
        made._chose = set(self._chose)
        made._hidden_at, made._set_down = dict(self._hidden_at), dict(self._set_down)
        return made

    def look(self, table: Table, asked: Question[Any], held: Held) -> None:
        self._asked += 1
        self._held = held
        laid, self._laying = self._laying, None
        if laid is not None:
            others = (zone for zone in table.zones if zone.id != laid.id)
            self._set_down.update((s, zone.id) for zone in others for s in zone if s in laid)
        look = PICKS.find(asked)
        if look is not None:
            look(self, table, asked)

    def _lay_down(self, table: Table, asked: LayDown) -> None:
        (self._laying,) = twins([asked.zone])
        self._chose.add(asked.seat)

    def _reshuffle(self, table: Table, asked: Reshuffle) -> None:
        self._hidden_at.update(dict.fromkeys(asked.slots, self._asked))

    def _flip(self, table: Table, asked: Flip) -> None:
        self._coin = self._flipped = self._asked

    def _choose(self, table: Table, asked: Question[Any]) -> None:
        self._coin, self._choice = self._asked, (self._asked, asked)
        self._chose.update(asked.deciders)

    def _hand_over(self, table: Table, asked: HandOver) -> None:
        self._look_at_taken(table, asked, asked.about())
        self._forget(table, asked)

    def _open(self, table: Table, asked: Open) -> None:
        if self._coin:  # without one, the rules show the card as it comes, and nobody picks
            self._look_at_taken(table, asked, asked.slots)
        self._forget(table, asked)

    def _forget(self, table: Table, asked: Question[Any]) -> None:
        """Forget, after a card was taken, which seats could have named one before."""
        self._coin, self._chose = 0, set()

    def _look_at_taken(self, table: Table, asked: Question[Any], taken: Sequence[Slot]) -> None:
        when = self._coin or self._asked
        for zone in table.zones:
            seat, place = zone.owner, zone.id
            mine = [
                slot
                for slot in zone
                if table.locks[slot] == seat and self._set_down.get(slot) != place
            ]
            picked = [slot for slot in mine if slot in taken]
            if seat is None or not picked or len(picked) == len(mine) or seat in self._chose:
                continue
            if not any(zone is one for one in self._held(table, seat)):
                continue  # cards that lie before a seat are no hand: all see which is taken
            hidden = {self._hidden_at.get(slot, -1) for slot in mine}
            if len(hidden) > 1 or not 0 <= min(hidden) < when:
                what = (
                    f"a card of the zone {zone.name!r} of this seat is taken unseen, and the zone"
                    " was not reshuffled before: use t.pick_blind"
                )
                raise told(self._game, asked, (seat,), what)
            self._look_at_choice(zone, min(hidden))

    def _look_at_choice(self, zone: Zone, hidden: int) -> None:
        """Whether a choice, and no coin, can have named a card of a hand since it was hidden."""
        if self._choice is None or self._choice[0] < hidden or self._flipped > hidden:
            return
        what = (
            f"a card of the zone {zone.name!r} of seat {zone.owner} is chosen by its place, and its"
            " holder has put the zone in order: use t.pick_blind"
        )
        chosen = self._choice[1]
        raise told(self._game, chosen, chosen.deciders, what)


Look = Callable[[_Picks, Table, Any], None]
PICKS: Final[Registry[Look]] = Registry(
    "what it is for a pick",
    {
        LayDown: _Picks._lay_down,
        Reshuffle: _Picks._reshuffle,
        Flip: _Picks._flip,
        Choose: _Picks._choose,
        Together: _Picks._choose,
        HandOver: _Picks._hand_over,
        Open: _Picks._open,
        Deal: _Picks._forget,
    },
)
"""What each kind does for a card that is picked; kinds that are not here do nothing."""
