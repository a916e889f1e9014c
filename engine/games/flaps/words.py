"""Cards, players and notes of Flaps as words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from engine.cards import SUIT_LETTERS, SUITS, Card
from engine.games.flaps.calls import CAUGHT, LAST_CARD
from engine.games.flaps.cards import FACES, NO_SUIT, PRINTED

SUIT_NAMES: Final = ("clubs", "spades", "hearts", "diamonds")


def describe_card(card: Card, *, ascii: bool = False) -> str:  # noqa: A002
    """A card as people read it, with what is printed beside its number.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> [describe_card(BY_NAME[name], ascii=True) for name in ("10H", "MFH", "AJ")]
    ['10H', 'MFH MEGA-FLAP', 'AJ ACE-JACK']
    """
    title = FACES[card.id].row.title
    short = short_card(card, ascii)
    return f"{short} {title}" if title and title != short else short


def short_card(card: Card, ascii: bool) -> str:  # noqa: A002
    """A card as people type it, the letter of its suit as a symbol."""
    if ascii or card.suit == NO_SUIT:
        return card.name
    return card.name[:-1] + SUITS[card.suit]


def suit_symbol(suit: int, ascii: bool) -> str:  # noqa: A002
    """One suit."""
    return (SUIT_LETTERS if ascii else SUITS)[suit]


def cards_of(count: int) -> str:
    """A number of cards in words."""
    return "1 card" if count == 1 else f"{count} cards"


def describe_note(
    note: tuple[Any, ...],
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """What happened, in one sentence; the note is one of `table.notes`."""
    teller = _TELLERS.get(note[0])
    if teller is None:
        raise ValueError(f"Flaps makes no such note: {note!r}")
    return teller(note[1:], _Words(names, ascii))


class _Words:
    """Players by name, cards and suits as they are to be written."""

    def __init__(self, names: Sequence[str], ascii: bool) -> None:  # noqa: A002
        self.who = names
        self.ascii = ascii

    def card(self, card: Card) -> str:
        return describe_card(card, ascii=self.ascii)

    def shown(self, pairs: Iterable[tuple[int, Card]]) -> str:
        return ", ".join(f"{self.who[seat]} {self.card(card)}" for seat, card in pairs)

    def everybody(self, values: Sequence[object]) -> str:
        pairs = zip(self.who, values, strict=True)
        return ", ".join(f"{name} {value}" for name, value in pairs)

    def pile(self, actor: int, player: int) -> str:
        return "the own pile" if actor == player else f"the pile of {self.who[player]}"


def _call(note: tuple[Any, ...], w: _Words) -> str:
    seat, word = note
    if word == LAST_CARD:
        return f'{w.who[seat]} says "Last Card".'
    if word == CAUGHT:
        return f"Caught! {w.who[seat]} has not said Last Card and picks one up."
    return f"{w.who[seat]} has forgotten to say Last Card and picks one up."


def _draw(note: tuple[Any, ...], w: _Words) -> str:
    seat, count = note
    what = cards_of(count) if count else "nothing: none are left"
    return f"{w.who[seat]} picks up {what}."


def _secrets(note: tuple[Any, ...], w: _Words) -> str:
    what, seat, count = note
    who = w.who[seat]
    return {
        "lose": f"Everybody loses a secret: {cards_of(count)} to the Mystery Pile.",
        "pick": f"{who} puts a hand card on the Mystery Pile.",
        "guess blind": "A card of the stack goes to the Mystery Pile unseen.",
        "guess": f"{who} looks at a card of the stack: it goes to the Mystery Pile.",
        "share": f"{who} looks at the picked card and puts it on the Mystery Pile.",
        "solve": f"{who} solves the mystery and takes {cards_of(count)}.",
    }[str(what)]


def _look(note: tuple[Any, ...], w: _Words) -> str:
    seat, player, where = note
    if where == "hand":
        return f"{w.who[seat]} looks at a card in the hand of {w.who[player]}."
    return f"{w.who[seat]} looks at a card, which goes on top of {w.pile(seat, player)}."


def _win(note: tuple[Any, ...], w: _Words) -> str:
    seat, count = note
    return f"{w.who[seat]} wins{', and it counts twice' if count > 1 else ''}!"


def _ranking(note: tuple[Any, ...], w: _Words) -> str:
    reason, winners = note
    people = " and ".join(w.who[seat] for seat in winners)
    verb = "wins" if len(winners) == 1 else "win"
    return f"The game ends, {reason}: {people} {verb} with the fewest cards."


def _monty(note: tuple[Any, ...], w: _Words) -> str:
    seat, taker, pointed = note
    which = "the card pointed at" if pointed else "the other card"
    return f"{w.who[taker]} takes {which} from {w.who[seat]}."


Teller = Callable[[tuple[Any, ...], _Words], str]
_TELLERS: Final[dict[str, Teller]] = {
    "play": lambda n, w: f"{w.who[n[0]]} lays {w.card(n[1])}.",
    "deal": lambda n, w: f"{w.who[n[0]]} deals {cards_of(n[1])} to each player.",
    "turn up": lambda n, w: f"{w.card(n[0])} is turned up.",
    "draw": _draw,
    "recycle": lambda n, w: f"The discards ({n[0]}) go under the stack, in order.",
    "call": _call,
    "suit": lambda n, w: f"{w.who[n[0]]} calls {SUIT_NAMES[n[1]]}.",
    "name": lambda n, w: f"{w.who[n[0]]} names {w.who[n[1]]}.",
    "knock": lambda n, w: f"{w.who[n[0]]} knocks.",
    "flapping over": lambda n, w: "No more flapping.",
    "trumps": lambda n, w: f"{w.who[n[0]]} declares {SUIT_NAMES[n[1]]} trumps.",
    "aside": lambda n, w: f"{w.who[n[0]]} puts a card face down beside the pile.",
    "aside up": lambda n, w: f"Turned up: {w.shown(n[0])}.",
    "cut": lambda n, w: f"A tie; cut: {w.shown(n[0])}.",
    "lot": lambda n, w: f"Still a tie; the lot falls on {w.who[n[0]]}.",
    "takes all": lambda n, w: f"{w.who[n[0]]} takes all {cards_of(n[1])}.",
    "sum called": lambda n, w: f"{w.who[n[0]]} calls {n[1]}.",
    "sum": lambda n, w: f"The sum is {n[0]}.",
    "secrets": _secrets,
    "down": lambda n, w: f"{w.who[n[0]]} places a 1-DOWN card on {w.pile(n[0], n[1])}.",
    "piles move": lambda n, w: f"All piles move one seat {'left' if n[0] > 0 else 'right'}.",
    "turned": lambda n, w: f"{w.who[n[0]]} turns {w.card(n[2])} face up in {w.pile(n[0], n[1])}.",
    "look": _look,
    "swap": lambda n, w: (
        f"{w.who[n[0]]} exchanges a card with place {n[2] + 1} of {w.pile(n[0], n[1])}."
    ),
    "up": lambda n, w: f"{w.who[n[1]]} takes the top card of the own pile.",
    "monty shows": lambda n, w: f"{w.who[n[0]]} shows {w.card(n[1])}.",
    "monty": _monty,
    "gather": lambda n, w: f"Nothing is left to draw: {cards_of(n[0])} of the piles are shuffled.",
    "win": _win,
    "ranking": _ranking,
    "over": lambda n, w: f"The session is over. Wins: {w.everybody(n[0])}.",
}


def needed(suit: int, rank: int, ascii: bool) -> str:  # noqa: A002
    """What has to be followed."""
    return f"{suit_symbol(suit, ascii)} or {PRINTED[rank]}"
