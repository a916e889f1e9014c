"""From a view to a board: what the full screen, replay and exports show of a table.  Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cli.kit.clock import AWAY
from cli.kit.tokens import Token
from cli.line.choices import Choice, is_number, usual_choice
from cli.screen.asking import Asking, own_cards
from cli.screen.board import (
    ENTER,
    Board,
    CardShown,
    ChoiceShown,
    NumberShown,
    PileShown,
    SeatShown,
)
from cli.screen.endings import Ending
from cli.screen.new_cards import NewCards
from cli.screen.races import key_of
from engine.cards import Card
from engine.question import Question
from engine.view import View
from engine.wording import Column, Scene, ShownSet, Wording, chairs_of
from engine.zone import Seat, Slot, Zone


@dataclass(frozen=True, slots=True)
class SeatState:
    """How a seat is linked and whether its proofs check; empty if nothing is known.

    `notable`: the link is worth a word on the table; a page says it of all.  `bot`: it says of
    itself that it is one.  `away`: the clock has made its last decisions.  `later`: it has said
    that it comes back.
    """

    link: str = ""
    lost: bool = False
    proof: str = ""
    notable: bool = False
    bot: bool = False
    away: bool = False
    later: bool = False

    @property
    def said(self) -> str:
        """What stands beside the name."""
        if self.away and not self.lost:
            return AWAY
        if self.later and self.lost:
            return BACK_LATER
        return self.link if self.notable else ""


BACK_LATER: Final = "left, comes back"
"""Beside somebody who cannot be reached and has said so before."""
UNKNOWN: Final = SeatState()
NO_NEWS: Final = NewCards()
"""Of somebody who has decided nothing yet, no card is new."""


@dataclass(frozen=True, slots=True)
class Presenter:
    """Makes boards of one game, for one reader.

    `names` of the players by seat; `ascii` letters for suits.
    """

    text: Wording[Any]
    names: Sequence[str]
    ascii: bool = False

    def board(
        self,
        view: View,
        *,
        question: Question[Any] | None = None,
        asking: Asking | None = None,
        states: Mapping[Seat, SeatState] | None = None,
        new: NewCards = NO_NEWS,
    ) -> Board:
        """The table as `view` may see it.

        `question` is what the table waits for, no matter who is to answer it; `asking` is what is
        asked of the seat of `view` (None: nothing); `new` says which cards have come since it
        decided something.
        """
        scene = self.text.scene(view, self.names, ascii=self.ascii)
        asked = asking.question if asking is not None else question
        whole = self.text.table_text(view, self.names, ascii=self.ascii)
        turn = whole.turn if whole.turn is not None else _turn(asked)
        return Board(
            headline=whole.headline,
            cloth=self.text.cloth,
            middle=() if self.text.complete else tuple(whole.middle),
            says=not self.text.complete,
            piles=self._piles(scene),
            places=len(self.names) if self.text.trick is not None else 0,
            row=self.text.row,
            tokens=self._tokens(scene),
            direction=self.text.direction(scene.table) if self.text.direction else 0,
            seats=tuple(
                self._seat(scene, seat, turn, states or {}) for seat in range(len(self.names))
            ),
            told=any(not column.width for column in self._columns(scene)),
            you=whole.you,
            hand=self._hand(scene, asking, new),
            holds=not scene.watching and bool(self.text.held(scene.table, scene.seat)),
            hand_note="" if scene.watching else self.text.hand_note(scene),
            prompt=self._prompt(view, asked),
            yours=asking is not None and (not asking.aside or len(asking.legal) > 1),
            choices=self._choices(asking),
            preview=self._preview(view, asking),
            typed=asking.typed if asking is not None else "",
        )

    def ending(
        self,
        view: View,
        ending: Ending,
        said: str,
        states: Mapping[Seat, SeatState] | None = None,
        new: NewCards = NO_NEWS,
    ) -> Board:
        """The table of this moment, at which something ends, with the cards that were compared."""
        board = replace(self.board(view, states=states, new=new), prompt=said, held=True)
        if any(len(one.cards) > 1 for one in ending.sets):
            return replace(board, sets=tuple(self._set(one, ending.takers) for one in ending.sets))
        # Single cards are drawn as a trick is.
        cards = tuple(self._set(one, ending.takers) for one in ending.sets)
        return replace(board, piles=cards or board.piles)

    def _set(self, one: ShownSet, takers: Collection[Seat]) -> PileShown:
        """Cards that were shown together: whose they are, what they are, and whether they win."""
        *under, top = one.cards
        return PileShown(
            f"{self.names[one.seat]} {one.said}".rstrip(),
            None,
            *self._short(top),
            past=bool(takers) and one.seat not in takers,
            under=tuple(CardShown(*self._short(card)) for card in under),
            lit=one.seat in takers,
            owner=one.seat,
        )

    def told(self, note: tuple[Any, ...]) -> str:
        """What happened, in a sentence."""
        return self.text.describe_note(note, self.names, ascii=self.ascii)

    def describe(self, view: View, question: Question[Any], decision: object) -> str:
        """What a decision is called."""
        return self.text.describe_decision(view, question, decision, self.names, ascii=self.ascii)

    def _seat(
        self, scene: Scene[Any], seat: Seat, turn: Seat | None, states: Mapping[Seat, SeatState]
    ) -> SeatShown:
        columns = self._columns(scene)
        numbers = [
            NumberShown(c.heading, str(c.of(scene, seat)), c.short, c.counted, c.chips)
            for c in columns
            if c.width
        ]
        texts = [(c.heading, str(c.of(scene, seat))) for c in columns if not c.width]
        said = "  ".join(
            f"{heading}: {text}" if heading else text for heading, text in texts if text
        )
        state = states.get(seat, UNKNOWN)
        return SeatShown(
            name=self.names[seat],
            number=seat,
            you=seat == scene.seat,
            turn=seat == turn,
            numbers=tuple(numbers),
            text=said,
            link=state.said,
            lost=state.lost,
            proof=state.proof,
            bot=state.bot,
            empty=chairs_of(scene.table).get(seat, ""),
        )

    def _columns(self, scene: Scene[Any]) -> list[Column[Any]]:
        shown = self.text.trick is not None or self.text.laid is not None
        columns: Sequence[Column[Any]] = self.text.columns(scene.table)
        return [column for column in columns if not (shown and column.in_middle)]

    def _piles(self, scene: Scene[Any]) -> tuple[PileShown, ...]:
        # Empty ones too: the others then stay where they are when a first card is laid there.
        kept = self.text.trick is None
        zones = [zone for zone in scene.table.zones if zone.owner is None and (zone or kept)]
        piles = [self._pile(scene, zone) for zone in zones if self.text.laid is None]
        pot = self.text.pot(scene.table) if self.text.pot is not None else 0
        chips = [PileShown("pot", pot, chips=True)] if pot else []
        return (*piles, *self._sets(scene), *self._trick(scene), *chips)

    def _sets(self, scene: Scene[Any]) -> list[PileShown]:
        sets = self.text.laid(scene) if self.text.laid is not None else ()
        shown = []
        for one in sets:
            cards = [CardShown("", down=True) if card is None else CardShown(*self._short(card))
                     for card in one.cards]  # fmt: skip
            whose = "" if one.seat is None else self.names[one.seat]
            label = f"{whose} {one.label}".strip()
            top = cards.pop()
            shown.append(PileShown(label, one.count, top.name, top.suit,
                                   under=tuple(cards), owner=one.seat))  # fmt: skip
        return shown

    def _tokens(self, scene: Scene[Any]) -> tuple[Token, ...]:
        discs = self.text.discs(scene) if self.text.discs is not None else ()
        return tuple(
            Token(disc.label, disc.good, disc.current)
            if disc.owner is None
            else Token(disc.label, disc.good, disc.current, self.names[disc.owner], disc.owner)
            for disc in discs
        )

    def _trick(self, scene: Scene[Any]) -> list[PileShown]:
        if self.text.trick is None:
            return []
        trick = self.text.trick(scene)
        return [
            PileShown(
                self.names[seat],
                None,
                *self._short(card),
                past=trick.won,
                lit=seat == trick.best,
                owner=seat,
            )
            for seat, card in trick.cards
        ]

    def _pile(self, scene: Scene[Any], zone: Zone) -> PileShown:
        if not zone:
            return PileShown(zone.name, 0)
        card = scene.table.faces[zone[-1]]
        # Everybody knows a deck that is still to be shuffled; nobody wants to look at it.
        if card is None or zone is self.text.stock(scene.table):
            return PileShown(zone.name, len(zone))
        return PileShown(zone.name, len(zone), *self._short(card))

    def _short(self, card: Card) -> tuple[str, int]:
        """What stands on a drawn card: no title, no powers."""
        return self.text.describe_card(card, ascii=self.ascii).split()[0], card.suit

    def _hand(
        self, scene: Scene[Any], asking: Asking | None, new: NewCards
    ) -> tuple[CardShown, ...]:
        if scene.watching:
            return ()
        slots = asking.hand if asking is not None else own_cards(scene.view, self.text.held)
        shown = [self._card(scene.view, slot, asking) for slot in slots]
        if asking is not None and 0 <= (at := asking.marked) < len(shown):
            shown[at] = self._card(scene.view, slots[at], asking, cursor=True)
        came = new.among(shown)
        return tuple(replace(one, new=place in came) for place, one in enumerate(shown))

    def _card(
        self, view: View, slot: Slot, asking: Asking | None, *, cursor: bool = False
    ) -> CardShown:
        card = view.face(slot)
        name, suit = self._short(card)
        _, _, title = self.text.describe_card(card, ascii=self.ascii).partition(" ")
        if asking is None:
            return CardShown(name, suit, title)
        picked = asking.picked.index(slot) + 1 if slot in asking.picked else 0
        return CardShown(name, suit, title, asking.playable(slot), cursor, picked)

    def _prompt(self, view: View, question: Question[Any] | None) -> str:
        if question is None:
            return ""
        return self.text.describe_question(view, question, self.names, ascii=self.ascii)

    def _choices(self, asking: Asking | None) -> tuple[ChoiceShown, ...]:
        if asking is None:
            return ()
        marked_at = asking.marked - len(asking.hand)
        usual = usual_choice(asking.view, asking.question, asking.legal)
        marked = usual if asking.racing else None
        return tuple(
            ChoiceShown(
                _label(entry, marked),
                0 if asking.aside else number or 0,
                place == marked_at,
                key_of(asking, self.text.keys, entry),
            )
            for place, (number, entry) in enumerate(asking.numbered())
        )

    def _preview(self, view: View, asking: Asking | None) -> str:
        """What Enter does; what letters may become; what the card under the cursor does."""
        if asking is None:
            return ""
        choice = asking.chosen()
        if choice is None:
            return _going_on(asking) if asking.typed else _undecided(asking)
        said = f"Enter: {choice.label}"
        longer = [word for word in asking.completions() if word not in choice.spellings]
        if is_number(asking.typed) and longer:
            return f"{said}   or type on: {'   '.join(longer[:6])}"
        slot = asking.hand[asking.marked] if 0 <= asking.marked < len(asking.hand) else None
        if slot is None and asking.several and not asking.typed and asking.ways_here():
            return f"{said}.   Arrows mark a card, Space picks several"
        # Face down a card does nothing of what it does when it is laid open.
        about = None if asking.question.face_down(choice.decision) else self.text.about
        if slot is not None and about is not None and not asking.picked:
            said += f".   {about(view.face(slot))}"
        return said


def _label(choice: Choice, marked: Choice | None) -> str:
    return f"{choice.label}{ENTER}" if marked is not None and choice is marked else choice.label


def _going_on(asking: Asking) -> str:
    """What the letters may become, or why they are nothing."""
    longer = asking.longer()
    if longer:
        return "   ".join(longer[:8])
    return str(getattr(asking.enter(), "why", ""))


def _undecided(asking: Asking) -> str:
    """What else to do if Enter would be refused, or why it would be."""
    if asking.several:
        count = len(asking.picked)
        if len(asking.ways_here()) > 1:
            return "Numbers: the marked card. Arrows mark another, Space picks several"
        return f"Space picks cards ({count} picked)" if count else "Space picks the cards"
    found = asking.enter()
    return str(getattr(found, "why", ""))


def _turn(question: Question[Any] | None) -> Seat | None:
    """Whose turn it is if the game does not say."""
    return None if question is None else question.turn()
