"""The table, with the card verbs in which rules are written.

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
        """Gather all cards and lay a new deck into `zone`, every face known to all.

        All other zones are empty afterwards.  A game begins with this, and usually shuffles next.

        Seen: all see every card.
        """
        for other in self.zones:
            other.clear()
        self.deck = deck
        self.faces = list(deck.cards)
        self.locks = [OPEN] * len(deck)
        zone.extend(range(len(deck)))
        await acts.Fresh()

    async def shuffle(self, zone: Zone) -> None:
        """Let everybody shuffle; faces and history of the zone are forgotten.

        Open cards of the zone are hidden too.  An empty zone asks nothing.

        Seen: nobody can read a card of the zone, and nobody can say where any of them came from.

        EngineError: a seat holds one of the cards (`put_back` first).
        """
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
        """Let the holder re-order its own or public cards, so that nobody else can track slots.

        The seat `by` can read all of them afterwards.  It chooses the order: if a card is to be
        taken unseen, use `pick_blind`, which does this and lets a coin choose.

        Seen: others who knew which cards lie there still know, but no longer where each one lies.

        EngineError: a card is hidden from everybody, or held by another seat.
        """
        slots = tuple(zone)
        readers = set(map(self.locks.__getitem__, slots))
        if not readers <= {by, OPEN}:
            raise _refused("reshuffle others' slots")
        if slots:
            await acts.Reshuffle(slots, by)
        for slot in slots:
            self.locks[slot], self.faces[slot] = by, None

    async def deal(self, source: Zone, to: Sequence[Zone], each: int) -> None:
        """Deal `each` top cards of `source` to every zone of `to`, one at a time in turn.

        The last slot of a zone is its top.  If cards are left over because they do not come out
        even, deal them with `draw`, one by one.

        Seen: the owner of a zone can read the cards dealt to it; the others see how many they are,
        and no face.

        EngineError: there are too few cards, or nobody owns a zone of `to`.
        """
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
        """Deal the top card of `source` to the owner of `to`.

        Seen: the owner of `to` can read it; the others see that a card was drawn.

        EngineError: `source` is empty, or nobody owns `to`.
        """
        if not source:
            raise _refused("draw from nothing")
        slot, seat = source[-1], _owner(to)
        await acts.Deal(((slot, seat),))
        source.pop()
        to.append(slot)
        self.locks[slot] = seat

    async def open(self, slots: Sequence[Slot]) -> tuple[Card, ...]:
        """Turn JOINT slots, or slots locked to a seat, face up for all.

        They stay where they are; the answer holds their faces, in the order of `slots`.  No seat is
        asked: what it holds is opened whether its player likes it or not.

        Seen: all see these cards from now on.
        """
        cards = await acts.Open(tuple(slots))
        for place, slot in enumerate(slots):  # as many as cards: the question checks that
            self.faces[slot], self.locks[slot] = cards[place], OPEN
        return cards

    async def show(self, slot: Slot, to: Seat) -> None:
        """Let one seat look at a hidden slot; it stays where it is, locked to that seat.

        A seat that could read it before remembers it, but is no longer asked about it: `show` it
        back.

        Seen: the seat `to` can read the card; the others see that it looks, and at which slot.

        EngineError: everybody knows the card.
        """
        if self.locks[slot] == OPEN:
            raise _refused("show a slot that everybody knows")
        move = ((slot, to),)
        await (acts.Deal(move) if self.locks[slot] == JOINT else acts.HandOver(move))
        self.locks[slot] = to

    async def put_back(self, slots: Sequence[Slot], zone: Zone) -> None:
        """Return locked slots under everybody's lock, into `zone`.

        They go on top.  The seats that held them know where they lie until `zone` is shuffled.
        Open cards stay open.

        Seen: all see how many cards return and where they lie, and no face.
        """
        hidden = tuple(slot for slot in slots if self.locks[slot] >= 0)
        if hidden:
            await acts.PutBack(hidden)
        for slot in hidden:
            self.locks[slot] = JOINT
        self.move(slots, zone)

    async def hand_over(self, moves: Sequence[tuple[Slot, Zone]]) -> None:
        """Move each slot to another seat's zone, whose owner can read it from then on.

        `moves` are pairs of a slot and the zone to which it goes.  The holder has to choose the
        card, or `pick_blind` has to draw it.

        Seen: giver and taker know the card; the others see from whom to whom it goes.  Open
        cards stay open.

        EngineError: a card is hidden from everybody, or nobody owns the zone.
        """
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
        """Show `count` random cards of the zone to all, but not their places.

        The zone stays as it is: this is how one cuts for the deal.

        Seen: all see these faces; nobody knows where in the zone they lie.

        EngineError: there are too few cards, `count` is 0, or a seat holds one of them.
        """
        if not 0 < count <= len(zone):
            raise _refused("cut more cards than there are")
        if max(map(self.locks.__getitem__, zone)) >= 0:
            raise _refused("cut a seat's own slots")
        return await acts.Cut(tuple(zone), count)

    async def swear(self, seat: Seat, zone: Zone, none_of: Fits) -> None:
        """Let `seat` prove that no card of the zone fits `none_of`, without showing any.

        Ask for it when a player has said such a thing ("no diamond left").  A card that is laid
        under `Otherwise.ANY_SWORN` comes with its oath.

        Seen: all see that it is true, and nothing else about the cards.  If it is not true, there
        is no proof, and the game does not go on.
        """
        await acts.Swear(seat, tuple(zone), none_of)

    async def flip(self, sides: int, times: int = 1) -> tuple[int, ...]:
        """Draw `times` public joint random values in range(sides).

        This is the only chance in rules besides shuffled cards: a coin, a die, a first player.

        Seen: all see the values; nobody can foresee or bend them, except all seats together.
        """
        return await acts.Flip(sides, times)

    async def pick_blind(self, hands: Sequence[Zone]) -> tuple[Slot, ...]:
        """Draw one card of each of these hands by lot; the cards stay where they are.

        This is how a card is taken, lost or looked at unseen.  Nobody chooses: each owner hides the
        order of the hand, then one coin for all hands says which places.  Neither the taker nor the
        holder of a card has any influence, and everybody sees that.

        People are told by the note ("pick blind", ((owner, place, size), ...)).

        Seen: all see which place was drawn of how many; nobody but the owner knows the card before
        it is handed over (`hand_over`), looked at (`show`) or opened (`open`).

        EngineError: a hand is empty, named twice, owned by nobody, or not its owner's to read.
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
        """Let `seat` lay a card of `zone` open onto `to`; its face, or None for a pass.

        `fits(card)` says which cards will do, and `why` in a sentence why another does not.
        `otherwise` says what else may be done: nothing (the rules know that a card fits), pass, or
        lay any card and swear that none fits (this is how suit is followed).

        People are told by the note ("play", seat, card).

        Seen: all see the card; after an oath they know that no card of the zone fitted.
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
        """Let the owners of `hands` lay every card that fits open onto `to`; the cards of each.

        Nobody chooses: the owners swear that what remains does not fit.  The answer holds the faces
        laid, hand by hand.

        Seen: all see the cards that fit, and that the others do not.
        """
        laid = await acts.LayAll(tuple(hands), fits)
        for hand, pairs in zip(hands, laid, strict=True):
            for slot, card in pairs:
                hand.remove(slot)
                to.append(slot)
                self.faces[slot], self.locks[slot] = card, OPEN
        return tuple([tuple([card for _, card in pairs]) for pairs in laid])

    async def lay_down(self, seat: Seat, zone: Zone, count: int, to: Zone) -> tuple[Slot, ...]:
        """Let `seat` lay `count` cards of `zone` face down into `to`; they stay locked to it.

        The answer names the slots.

        Seen: all see which slots were laid, and no face.  If these slots have a history (this one
        was drawn last), `reshuffle` the hand first.
        """
        slots = await ask.LayDown(seat, zone, count)
        for slot in slots:
            zone.remove(slot)
        to.extend(slots)
        return slots

    async def choose(self, seat: Seat, options: Sequence[object], topic: str) -> int:
        """Ask for an open choice; the index of the option.

        `options` are plain values (text, numbers, cards, tuples of these), `topic` says what is
        chosen; the wording says them to people.  Never offer cards in an order that their holder
        has chosen: see `pick_blind`.

        Seen: all see the choice.
        """
        return await ask.Choose(seat, options, topic)

    async def together(
        self, seats: tuple[Seat, ...], options: Sequence[Sequence[object]], topic: str
    ) -> tuple[int | None, ...]:
        """Ask for simultaneous secret choices; an index for each seat, None for a forfeit.

        `options[i]` are those of `seats[i]`.  A seat that commits itself and does not open its
        choice forfeits: the rules say what that means, and never reward it.

        Seen: nobody sees a choice before all have chosen, then all see all.
        """
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
        """Find who is first with a claim; None if all pass.

        Each claim is a `Play`, a `Choose` or an `Either`, each of a different seat.  `window_ms`
        says how long one may claim (None: until somebody does, or all pass), `awaited` whose turn
        it is: a pass of that seat ends the race too.  A game with races says `races=True`.

        A card that wins is laid open onto `to`; cards that came later stay in their hands,
        but everybody knows them now.

        Seen: all see who was first with what, and the cards of those who came later.

        EngineError: a card won, and there is no zone `to`.
        """
        race = ask.Race(claims, topic, window_ms=window_ms, awaited=awaited)
        won = await race
        if won is None:
            return None
        for slot, card in won.shown:
            self.faces[slot], self.locks[slot] = card, OPEN
        hand = race.hand(won.seat)
        if hand is not None and isinstance(won.answer, tuple):
            if to is None:
                raise EngineError("a race for laying a card needs a zone to lay it onto")
            slot, card = won.answer
            hand.remove(slot)
            to.append(slot)
            self.faces[slot], self.locks[slot] = card, OPEN
            self.note("play", won.seat, card)
        return won

    async def lay_set(
        self, seat: Seat, zone: Zone, sizes: range, terms: Terms, to: Zone
    ) -> Laid | None:
        """Let `seat` lay a set of `zone` onto `to`, open or face down; None for a pass.

        `sizes` says how many cards (`range(2, 4)`: two or three), `terms` which: see `Terms`.  The
        answer holds the slots and, for an open set, the faces.

        Seen: all see an open set; of one laid face down they see the slots, which stay locked to
        the seat.
        """
        laid = await LaySet(seat, zone, sizes, terms)
        if laid is not None:
            self._lay(zone, laid, to)
        return laid

    async def lay_together(
        self, claims: Sequence[LaySet], to: Sequence[Zone]
    ) -> tuple[Laid | None, ...]:
        """Ask for sets chosen in secret and turned up at once, each laid onto its zone of `to`.

        Each claim is a `LaySet`, each of a different seat.  The answer holds what each laid, or
        None for a pass or a forfeit.

        Seen: nobody sees a set before all have decided, then all see those that were laid; a seat
        that passed has shown nothing.
        """
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
        """Move slots between zones; nothing is revealed.

        Nothing is asked either, so there is nothing to await.  A seat that could read a slot still
        can; if another is to read it, use `hand_over`.

        Seen: all see which slots move where.

        EngineError: a slot lies in no zone.
        """
        for slot in tuple(slots):  # `slots` may be the zone that they leave
            for zone in self.zones:
                if slot in zone:
                    zone.remove(slot)
                    break
            else:
                raise _refused("move a slot that lies nowhere")
            to.append(slot)

    def move_all(self, zone: Zone, to: Zone) -> None:
        """Move all slots of a zone to another, in order; nothing is revealed.

        Seen: all see it, as with `move`.
        """
        to.extend(zone)
        zone.clear()


def _owner(zone: Zone) -> Seat:
    if zone.owner is None:
        raise EngineError(f"nobody owns the zone {zone.name}")
    return zone.owner


def _refused(what: str) -> EngineError:
    return EngineError(f"the rules tried to {what}")
