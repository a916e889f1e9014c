"""The table with the card verbs that rules are written with.

Each verb asks first and changes the state afterwards, so that no card ever lives only in a local
variable across an `await`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import Literal, overload

from engine import acts
from engine import question as ask
from engine.cards import Card, Deck, Fits
from engine.compiling import mypyc_attr
from engine.errors import EngineError
from engine.question import Otherwise
from engine.sets import Laid, LaySet, LayTogether, Terms
from engine.table_state import JOINT, OPEN, TableState
from engine.won import Won
from engine.zone import Seat, Slot, Zone


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True, eq=False)
class Table(TableState):
    """What rules ask and change.  A game adds its own plain fields in a subclass."""

    # -- the dealer's verbs -------------------------------------------------------------

    async def fresh(self, deck: Deck, zone: Zone) -> None:
        """Gather everything and lay a new deck into `zone`, every face known to all."""
        for other in self.zones:
            other.clear()
        self.deck = deck
        self.faces = list(deck.cards)
        self.locks = [OPEN] * len(deck)
        zone.extend(range(len(deck)))
        await acts.Fresh()

    async def shuffle(self, zone: Zone) -> None:
        """Everybody shuffles; faces and history of the zone are forgotten."""
        slots = tuple(zone)
        highest = max(map(self.locks.__getitem__, slots), default=JOINT)
        if highest >= 0:
            raise _refused("shuffle a seat's own slots")
        if slots:
            await acts.Shuffle(slots)
        locks, faces = self.locks, self.faces
        for slot in slots:
            locks[slot], faces[slot] = JOINT, None

    async def reshuffle(self, zone: Zone, by: Seat) -> None:
        """The holder re-orders own or public cards, so that nobody else can track slots."""
        slots = tuple(zone)
        readers = set(map(self.locks.__getitem__, slots))
        if not readers <= {by, OPEN}:
            raise _refused("reshuffle others' slots")
        if slots:
            await acts.Reshuffle(slots, by)
        for slot in slots:
            self.locks[slot], self.faces[slot] = by, None

    async def deal(self, source: Zone, to: Sequence[Zone], each: int) -> None:
        """Deal `each` top cards of `source` to every zone of `to`, one at a time in turn."""
        if len(source) < each * len(to):
            raise _refused("deal more cards than there are")
        top = source[: -each * len(to) - 1 : -1]
        moves = tuple(zip(top, [_owner(zone) for zone in to] * each, strict=True))
        await acts.Deal(moves)
        del source[len(source) - len(top) :]
        for place, zone in enumerate(to):
            zone.extend(top[place :: len(to)])
        for slot, seat in moves:
            self.locks[slot] = seat

    async def draw(self, source: Zone, to: Zone) -> None:
        """Deal the top card of `source` to the owner of `to`."""
        if not source:
            raise _refused("draw from nothing")
        slot, seat = source[-1], _owner(to)
        await acts.Deal(((slot, seat),))
        source.pop()
        to.append(slot)
        self.locks[slot] = seat

    async def open(self, slots: Sequence[Slot]) -> tuple[Card, ...]:
        """Turn JOINT slots, or slots locked to a seat, face up for all."""
        cards = await acts.Open(tuple(slots))
        for place, slot in enumerate(slots):  # as many as cards: the question sees to that
            self.faces[slot], self.locks[slot] = cards[place], OPEN
        return cards

    async def show(self, slot: Slot, to: Seat) -> None:
        """One seat looks at a hidden slot; it stays where it is, locked to that seat."""
        if self.locks[slot] == OPEN:
            raise _refused("show a slot that everybody knows")
        move = ((slot, to),)
        await (acts.Deal(move) if self.locks[slot] == JOINT else acts.HandOver(move))
        self.locks[slot] = to

    async def put_back(self, slots: Sequence[Slot], zone: Zone) -> None:
        """Locked slots return under everybody's lock, into `zone`."""
        hidden = tuple(slot for slot in slots if self.locks[slot] >= 0)
        if hidden:
            await acts.PutBack(hidden)
        for slot in hidden:
            self.locks[slot] = JOINT
        self.move(slots, zone)

    async def hand_over(self, moves: Sequence[tuple[Slot, Zone]]) -> None:
        """Each slot moves to another seat's zone, whose owner can read it from then on."""
        hidden = tuple((slot, _owner(zone)) for slot, zone in moves if self.locks[slot] != OPEN)
        if any(self.locks[slot] == JOINT for slot, _ in hidden):
            raise _refused("hand over a card that nobody holds")
        if hidden:
            await acts.HandOver(hidden)
        for slot, seat in hidden:
            self.locks[slot] = seat
        for slot, zone in moves:
            self.move((slot,), zone)

    async def cut(self, zone: Zone, count: int) -> tuple[Card, ...]:
        """`count` random cards of the zone are seen by all, their places are not."""
        if not 0 < count <= len(zone):
            raise _refused("cut more cards than there are")
        if max(map(self.locks.__getitem__, zone)) >= 0:
            raise _refused("cut a seat's own slots")
        return await acts.Cut(tuple(zone), count)

    async def swear(self, seat: Seat, zone: Zone, none_of: Fits) -> None:
        """`seat` proves that no card of the zone fits `none_of`, showing none."""
        await acts.Swear(seat, tuple(zone), none_of)

    async def flip(self, sides: int, times: int = 1) -> tuple[int, ...]:
        """Public joint random values in range(sides)."""
        return await acts.Flip(sides, times)

    async def pick_blind(self, hands: Sequence[Zone]) -> tuple[Slot, ...]:
        """One card of each of these hands, drawn by lot; the cards stay where they are.

        This is how a card is taken, lost or looked at unseen.  Nobody chooses: each owner hides
        the order of the hand, then one coin for all hands says which places.  So neither who
        takes a card nor who holds it has any influence, and everybody sees that.

        People are told by the note ("pick blind", ((owner, place, size), ...)).
        """
        if not all(hands) or len({hand.id for hand in hands}) < len(hands):
            raise _refused("pick a card from an empty hand, or twice from one")
        if not hands:
            return ()
        for hand in hands:
            await self.reshuffle(hand, by=_owner(hand))
        places = await self._lots([len(hand) for hand in hands])
        picked = list(zip(hands, places, strict=True))
        self.note("pick blind", tuple([(_owner(hand), at, len(hand)) for hand, at in picked]))
        return tuple([hand[at] for hand, at in picked])

    async def _lots(self, sizes: Sequence[int]) -> list[int]:
        """A place below each of these sizes by one coin, each exactly as likely as the others."""
        drawn = await self.flip(lcm(*sizes), len(sizes))
        return [value % size for value, size in zip(drawn, sizes, strict=True)]

    # -- the players' verbs -------------------------------------------------------------

    @overload
    async def play(
        self,
        seat: Seat,
        zone: Zone,
        fits: Fits,
        to: Zone,
        otherwise: Literal[Otherwise.NOTHING, Otherwise.ANY_SWORN] = ...,
        why: str = ...,
    ) -> Card: ...

    @overload
    async def play(
        self,
        seat: Seat,
        zone: Zone,
        fits: Fits,
        to: Zone,
        otherwise: Literal[Otherwise.PASS],
        why: str = ...,
    ) -> Card | None: ...

    async def play(
        self,
        seat: Seat,
        zone: Zone,
        fits: Fits,
        to: Zone,
        otherwise: Otherwise = Otherwise.NOTHING,
        why: str = "that card does not fit",
    ) -> Card | None:
        """`seat` lays a card of `zone` open onto `to`; its face, or None for a pass.

        People are told by the note ("play", seat, card).
        """
        answer = await ask.Play(seat, zone, fits, otherwise, why)
        if answer is None:
            return None
        slot, card = answer
        zone.remove(slot)
        to.append(slot)
        self.faces[slot], self.locks[slot] = card, OPEN
        if self.notes is not None:
            self.notes.append(("play", seat, card))
        return card

    async def lay_all(
        self, hands: Sequence[Zone], fits: Fits, to: Zone
    ) -> tuple[tuple[Card, ...], ...]:
        """The owners of `hands` lay every card that fits open onto `to`; the cards of each.

        Nobody chooses: what remains is sworn not to fit.
        """
        laid = await acts.LayAll(tuple(hands), fits)
        for hand, pairs in zip(hands, laid, strict=True):
            for slot, card in pairs:
                hand.remove(slot)
                to.append(slot)
                self.faces[slot], self.locks[slot] = card, OPEN
        return tuple([tuple([card for _, card in pairs]) for pairs in laid])

    async def lay_down(self, seat: Seat, zone: Zone, count: int, to: Zone) -> tuple[Slot, ...]:
        """`seat` lays `count` cards of `zone` face down into `to`; they stay locked to it."""
        slots = await ask.LayDown(seat, zone, count)
        for slot in slots:
            zone.remove(slot)
        to.extend(slots)
        return slots

    async def choose(self, seat: Seat, options: Sequence[object], topic: str) -> int:
        """An open choice; the index of the option.

        Never of a card that somebody holds in an order of his own making: see `pick_blind`.
        """
        return await ask.Choose(seat, options, topic)

    async def together(
        self, seats: tuple[Seat, ...], options: Sequence[Sequence[object]], topic: str
    ) -> tuple[int | None, ...]:
        """Simultaneous secret choices; an index for each seat, None for a forfeit."""
        return await ask.Together(seats, options, topic)

    async def race(
        self,
        claims: Sequence[ask.Claim],
        topic: str,
        to: Zone | None = None,
        *,
        window_ms: int | None = None,
        awaited: Seat | None = None,
    ) -> Won | None:
        """Whoever is first with a claim, or None when all pass.

        A card that wins is laid open onto `to`; cards that came later stay in their hands,
        but everybody knows them now.
        """
        race = ask.Race(claims, topic, window_ms=window_ms, awaited=awaited)
        won = await race
        if won is None:
            return None
        for slot, card in won.shown:
            self.faces[slot], self.locks[slot] = card, OPEN
        claim = race.claims[won.seat]
        play = claim.play if isinstance(claim, ask.Either) else claim
        if isinstance(play, ask.Play) and isinstance(won.answer, tuple):
            if to is None:
                raise EngineError("a race for laying a card needs a zone to lay it onto")
            slot, card = won.answer
            play.zone.remove(slot)
            to.append(slot)
            self.faces[slot], self.locks[slot] = card, OPEN
            self.note("play", won.seat, card)
        return won

    async def lay_set(
        self, seat: Seat, zone: Zone, sizes: range, terms: Terms, to: Zone
    ) -> Laid | None:
        """`seat` lays a set of `zone` onto `to`, open or face down; None for a pass."""
        laid = await LaySet(seat, zone, sizes, terms)
        if laid is not None:
            self._lay(zone, laid, to)
        return laid

    async def lay_together(
        self, claims: Sequence[LaySet], to: Sequence[Zone]
    ) -> tuple[Laid | None, ...]:
        """Sets chosen in secret and turned up at once, each laid onto its zone of `to`."""
        answer = await LayTogether(claims)
        for place, laid in enumerate(answer):
            if laid is not None:
                self._lay(claims[place].zone, laid, to[place])
        return answer

    def _lay(self, zone: Zone, laid: Laid, to: Zone) -> None:
        slots, cards = laid
        to.extend(slots)
        for place, slot in enumerate(slots):
            zone.remove(slot)
            if cards is not None:
                self.faces[slot], self.locks[slot] = cards[place], OPEN

    def move(self, slots: Sequence[Slot], to: Zone) -> None:
        """Move slots between zones; nothing is revealed."""
        for slot in slots:
            next(zone for zone in self.zones if slot in zone).remove(slot)
            to.append(slot)

    def move_all(self, zone: Zone, to: Zone) -> None:
        """Everything in a zone joins another, in order; nothing is revealed."""
        to.extend(zone)
        zone.clear()


def _owner(zone: Zone) -> Seat:
    if zone.owner is None:
        raise EngineError(f"nobody owns the zone {zone.name}")
    return zone.owner


def _refused(what: str) -> EngineError:
    return EngineError(f"the rules tried to {what}")
