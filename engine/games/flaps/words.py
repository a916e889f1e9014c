"""What happens at a table of Flaps, as sentences; cards as people read and type them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.cards import SUITS, Card
from engine.games.flaps.calls import CAUGHT, LAST_CARD
from engine.games.flaps.cards import ACE, FACES, NO_SUIT, PRINTED
from engine.games.flaps.duties import COLOURS
from engine.wording import CardStyle, MarkKind, Words, by_value, counted
from engine.wording.words import Sentence
from engine.zone import Seat

SUIT_NAMES: Final = ("clubs", "spades", "hearts", "diamonds")


def describe_card(card: Card, ascii: bool = False) -> str:  # noqa: A002
    """A card as people read it, with what is printed beside its number.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> [describe_card(BY_NAME[name], ascii=True) for name in ("10H", "MFH", "AJ", "KLC")]
    ['10H', 'MFH MEGA-FLAP', 'AJ ACE-JACK', "KLC KING'N'LAY"]
    """
    title = FACES[card.id].row.title
    if title.startswith("'"):
        title = f"{'ACE' if card.rank == ACE else 'KING'}{title}"
    short = short_card(card, ascii)
    return f"{short} {title}" if title and title not in short else short


def short_card(card: Card, ascii: bool) -> str:  # noqa: A002
    """A card as people type it, the letter of its suit as a symbol."""
    if ascii or card.suit == NO_SUIT:
        return card.name
    return card.name[:-1] + SUITS[card.suit]


CARDS: Final = CardStyle(spell=describe_card)


def _shown(words: Words, pairs: Iterable[tuple[Seat, Card]]) -> str:
    return ", ".join(f"{words.who(seat)} {_ranked(words, card)}" for seat, card in pairs)


def _ranked(words: Words, card: Card) -> str:
    """A card that is compared with others: the rank too, where its name does not say it.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> words = Words((), CARDS, ascii=True)
    >>> [_ranked(words, BY_NAME[name]) for name in ("HDC", "4H", "OM1")]
    ['HDC HOOFERS-DOOFERS (Q)', '4H FLAPS', "OM1 OL' MAID 1"]
    """
    told, rank = words.card(card), PRINTED[card.rank] if card.rank < len(PRINTED) else ""
    hidden = card.suit != NO_SUIT and not card.name.startswith(rank)
    return f"{told} ({rank})" if hidden else told


def _pile(words: Words, actor: Seat, player: Seat) -> str:
    return "their own pile" if actor == player else f"the pile of {words.who(player)}"


def _draw(words: Words, seat: Seat, count: int) -> str:
    what = counted(count, "card") if count else "nothing: no card is left"
    return f"{words.who(seat)} picks up {what}."


def _draw_each(words: Words, seats: Sequence[Seat]) -> str:
    verb, each = ("picks", "") if len(seats) == 1 else ("pick", " each")
    return f"{words.people(seats)} {verb} up a card{each}."


def _down(words: Words, seat: Seat, player: Seat) -> str:
    return f"{words.who(seat)} places a 1-DOWN card on {_pile(words, seat, player)}."


def _turned(words: Words, seat: Seat, player: Seat, card: Card) -> str:
    pile = _pile(words, seat, player)
    return f"{words.who(seat)} turns {words.card(card)} face up in {pile}."


def _look(words: Words, seat: Seat, player: Seat, where: str) -> str:
    if where == "hand":
        return f"{words.who(seat)} looks at a card in the hand of {words.who(player)}."
    pile = _pile(words, seat, player)
    return f"{words.who(seat)} looks at a card, which goes on top of {pile}."


def _swap(words: Words, seat: Seat, player: Seat, place: int) -> str:
    pile = _pile(words, seat, player)
    return f"{words.who(seat)} exchanges a card with place {place + 1} from the bottom of {pile}."


def _ranking(words: Words, reason: str, winners: tuple[Seat, ...]) -> str:
    verb = "wins" if len(winners) == 1 else "win"
    return f"The game ends, {reason}: {words.people(winners)} {verb} with the fewest cards."


def _out(words: Words, seat: Seat, count: int) -> str:
    return f"{words.whose(seat)} cards go under the stock, face down: {count}."


FURTHEST: Final = "the furthest takes all"
"""What SPOOF is about."""
NOTES: Final[Mapping[str, Sentence]] = {
    "play": "{0:who} lays {1:card}.",
    "deal": "{0:who} deals {1:n card} to each player.",
    "turn up": "{0:card} is turned up.",
    "draw": _draw,
    "draw each": _draw_each,
    "out": _out,
    "alone": "{0:who} alone is left, and wins.",
    "recycle": "The discards ({0}) go under the stock, in order.",
    "call": by_value(
        1,
        {
            LAST_CARD: '{0:who} says "Last Card".',
            CAUGHT: "Caught! {0:who} has not said Last Card and picks one up.",
            ...: "{0:who} has forgotten to say Last Card and picks one up.",
        },
    ),
    "suit": "{0:who} calls {1:suit name}.",
    "name": "{0:who} names {1:who}.",
    "knock": "{0:who} knocks.",
    "flapping over": "No more flapping.",
    "trumps": "{0:who} declares {1:suit name} trumps: they are above every other suit, "
    "OL' MAIDS above all.",
    "aside": "{0:who} puts a card face down beside the pile.",
    "aside up": "Turned up: {0:shown}.",
    "cut": "A tie: who cuts lowest takes them (Ace 1, trumps highest): {0:shown}.",
    "lot": "Still a tie; the lot falls on {0:who}.",
    "takes all": by_value(
        1,
        {
            1: "{0:who} takes the only card of {2} back.",
            2: "{0:who} takes both cards of {2}.",
            ...: "{0:who} takes all {1:n card} of {2}.",
        },
    ),
    "sum called": "{0:who} calls {1}.",
    "sum": f"The sum is {{0}}: {FURTHEST}.",
    "secrets": by_value(
        0,
        {
            "lose": "Everybody loses a secret: {2:n card} to the Mystery Pile.",
            "pick": "{1:who} puts a hand card on the Mystery Pile.",
            "guess blind": "A card of the stock goes to the Mystery Pile unseen.",
            "guess": "{1:who} looks at a card of the stock: it goes to the Mystery Pile.",
            "share": "{1:who} looks at the drawn card and puts it on the Mystery Pile.",
            "solve": "{1:who} solves the mystery and takes {2:n card}.",
            "solve nothing": "The Mystery Pile is empty: {1:who} takes no card.",
        },
    ),
    "down": _down,
    "piles move": by_value(
        0, {1: "All piles move one seat left.", -1: "All piles move one seat right."}
    ),
    "turned": _turned,
    "look": _look,
    "swap": _swap,
    "up": "{1:who} takes the top card of their own pile.",
    "monty fails": "{0:who} holds fewer than three cards: the FULL MONTY does nothing.",
    "monty points": "{0:who} points at card {1}.",
    "monty shows": "{0:who} shows {1:card}.",
    "monty": by_value(
        2,
        {
            True: "{1:who} takes the card pointed at from {0:who}.",
            False: "{1:who} takes the other card from {0:who}.",
        },
    ),
    "gather": "Nothing is left to draw: {0:n card} of the piles are shuffled.",
    "win": by_value(
        1,
        {
            1: "{0:who} goes out with {2:card}, and wins!",
            ...: "{0:who} goes out with {2:card}, and wins twice!",
        },
    ),
    "ranking": _ranking,
    "over": "The session is over. Wins: {0:each}. {1:wins}.",
}
MARKS: Final = {
    "over": MarkKind.END,
    **dict.fromkeys(("deal", "win", "ranking"), MarkKind.ROUND),
    **dict.fromkeys(("trumps", "suit", "secrets", "swap", "monty", "down"), MarkKind.EFFECT),
    **dict.fromkeys(("gather", "lot", "cut", "recycle", "call", "knock"), MarkKind.EFFECT),
}
SPECS: Final = {
    "suit name": lambda words, suit: SUIT_NAMES[suit],
    "apart": lambda words, aces: ", not counting Aces" if aces else "",
    "colour": lambda words, suits: COLOURS[suits[0] // 2][0],
    "shown": _shown,
    "most": lambda words, numbers: str(max(numbers)),
}
