"""What the screen says about Flop-A."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import acts
from engine import question as ask
from engine.cards import Card
from engine.games.flop_a.betting import Act
from engine.games.flop_a.cards import high_value, low_value, rank_name
from engine.games.flop_a.table import FLIPS, FlopTable, Stage
from engine.wording import (
    CardSet,
    Column,
    MarkKind,
    Scene,
    ShownSet,
    Wording,
    Words,
    by_value,
    counted,
)
from engine.zone import Seat

BRIEF: Final = """\
Lay all your cards and you win the pot at once, and a fifth of it from each other player still \
in.
Five cards are turned up, one by one: the four of the row, then one from the deck. After each, \
everybody lays all cards of that rank (the program does it for you), then all bet, begun by the \
first who laid a card.
If nobody runs out of cards: declare high, low or swing (both, or nothing) in secret. Whose \
cards count most of those who said high, and least of those who said low, take half the pot \
each (an odd chip goes to high).
Cards count as printed, J Q K 10, an ace 11 for high and 1 for low; suits mean nothing.
"""


def _hand_begins(words: Words, number: int, dealer: Seat, ante: int, pot: int) -> str:
    antes = f" Everybody antes {ante}." if ante else ""
    lie = "lies" if pot == 1 else "lie"
    carried = f" {counted(pot, 'chip')} {lie} in the pot from before." if pot else ""
    return f"Hand {number}: {words.who(dealer)} deals.{antes}{carried}"


def _flopped_out(words: Words, seats: tuple[Seat, ...]) -> str:
    verb = "has" if len(seats) == 1 else "have"
    return f"{words.people(seats)} {verb} flopped all cards!"


def _carried(words: Words, chips: int) -> str:
    stay = "stays" if chips == 1 else "stay"
    return f"Nobody wins: {counted(chips, 'chip')} {stay} in the pot for the next hand."


FREE: Final = "It costs no chips."
"""People show one, two or three chips in the fist for it, and keep them."""


def _bet(scene: Scene[FlopTable], question: ask.Choose) -> str:
    if question.seat == scene.seat:
        return f"Your turn: {question.topic}."
    return f"{scene.who(question.seat)} may {question.topic}."


def _declare(scene: Scene[FlopTable], question: ask.Together) -> str:
    if scene.seat in question.deciders:
        return f"Declare in secret; a swing is both, or nothing. {FREE}"
    return "Those left declare high, low or swing in secret."


def _open(scene: Scene[FlopTable], question: acts.Open) -> str:
    if scene.table.stage is Stage.DECLARATION:
        return "The hands are being opened."
    return f"Flip {scene.table.flips + 1} of {FLIPS} is being turned up."


def _lay_all(scene: Scene[FlopTable], question: acts.LayAll) -> str:
    return f"Everybody lays all cards of the rank {rank_name(scene.table.ranks[-1])}."


def _option(scene: Scene[FlopTable], option: Act | str, place: int) -> str:
    if isinstance(option, str):
        return option
    by = " by" if option.verb == "raise" else ""
    return f"{option.verb}{by} {option.chips}" if option.chips else option.verb


def _headline(scene: Scene[FlopTable]) -> str:
    table = scene.table
    if table.over:
        return f"Flop-A   game over after {counted(table.hand, 'hand')}"
    stakes = f"   table stakes {table.stack}" if table.stack else ""
    where = {
        Stage.BETTING: f"betting round {table.flips + 1} of {FLIPS + 1}",
        Stage.FLIP: f"flips {table.flips} of {FLIPS}",
        Stage.DECLARATION: "declaration",
        Stage.DEAL: "deal",
    }[table.stage]
    hand = f"hand {max(1, table.hand)} of {table.hands_to_play}"
    return f"Flop-A   {hand}   {where}   pot {table.pot}{stakes}"


def _board(scene: Scene[FlopTable]) -> list[str]:
    """A pile for each rank, in the order of the flips, and what is still face down."""
    piles = [*map(scene.cards, _ranks(scene)), *["[ ]"] * len(scene.table.row)]
    return [f"Table  {'   '.join(piles)}"]


def _chapter(scene: Scene[FlopTable]) -> str:
    table = scene.table
    betting = f", betting round {table.flips + 1}" if table.stage is Stage.BETTING else ""
    return f"Hand {max(1, table.hand)}{betting}"


def _sets(scene: Scene[FlopTable]) -> list[CardSet]:
    """The same as cards: those of a rank over each other."""
    row = [None] * len(scene.table.row)
    return [*map(CardSet, _ranks(scene)), *([CardSet(row)] if row else [])]


def _ranks(scene: Scene[FlopTable]) -> list[list[Card]]:
    """The open cards by rank, in the order in which the ranks came up."""
    faces = [scene.table.face(slot) for slot in scene.table.board]
    ranks = dict.fromkeys(card.rank for card in faces)  # `table.ranks` comes after the note
    return [[card for card in faces if card.rank == rank] for rank in ranks]


def _bet_now(scene: Scene[FlopTable], seat: Seat) -> int:
    return scene.table.bets[seat] if scene.table.stage is Stage.BETTING else 0


def _tally(scene: Scene[FlopTable], seat: Seat) -> str:
    table = scene.table
    return f"{table.chips(seat)}" if table.stack else f"{table.tally[seat]:+}"


def _paid(scene: Scene[FlopTable], seat: Seat) -> int:
    return scene.table.paid[seat]


def _cards_held(scene: Scene[FlopTable], seat: Seat) -> int:
    return len(scene.table.hands[seat])


def _columns(table: FlopTable) -> tuple[Column[FlopTable], ...]:
    """What each has paid into the pot matters for side pots; a tally has it already."""
    cards = Column("cards", _cards_held, short="cds", counted=True)
    bet = Column("bet", _bet_now, 7, chips=True)
    state = Column("", _state, 0)
    if not table.stack:
        return cards, bet, Column("tally", _tally, 7, short=""), state
    return cards, bet, Column("paid", _paid, 7, chips=True), Column("chips", _tally, 7), state


def _state(scene: Scene[FlopTable], seat: Seat) -> str:
    table = scene.table
    words = []
    if table.hand and not table.still_in[seat]:
        words.append("out")
    elif table.stack and table.chips(seat) == 0:
        words.append("all in")
    if table.hand and seat == table.dealer:
        words.append("dealer")
    return ", ".join(words)


def _hand(scene: Scene[FlopTable]) -> str | None:
    """The reader's own cards by rank, and what they count."""
    if scene.table.over:
        return None
    cards = sorted(_held(scene), key=_rank)
    return f"{scene.cards(cards)}   {_counts(scene)}" if cards else "no cards"


def _counts(scene: Scene[FlopTable]) -> str:
    cards = () if scene.table.over else _held(scene)
    if not cards:
        return ""
    high, low = high_value(cards), low_value(cards)
    return f"(counts {high})" if high == low else f"(counts {high}/{low})"


def _held(scene: Scene[FlopTable]) -> list[Card]:
    return scene.view.cards(scene.table.hands[scene.seat])


def _rank(card: Card) -> int:
    return card.rank


def _shown(
    seat: Seat, cards: Sequence[Card], declared: str, high: int, low: int
) -> Sequence[ShownSet]:
    values = {"high": f"{high}", "low": f"{low}"}.get(declared, f"{high}/{low}")
    return (ShownSet(seat, sorted(cards, key=_rank), f"{declared} {values}"),)


TEXT: Final = Wording(
    title="Flop-A",
    table=FlopTable,
    cloth="navy",
    scored="chips",
    brief=BRIEF,
    notes={
        "hand": _hand_begins,
        "deal": "Three cards for each player, four in a row; a fifth comes from the deck.",
        "betting": "Betting round {0}: {1:who} begins.",
        "dealt-again": "The hand is dealt again; everybody takes the ante back.",
        "act": by_value(
            1,
            {
                "fold": "{0:who} folds.",
                "check": "{0:who} checks.",
                "call": "{0:who} calls {2}.",
                "bet": "{0:who} bets {2}.",
                "raise": "{0:who} raises by {2}.",
            },
        ),
        "flip": by_value(
            1,
            {
                True: "The flip is {0:card}.",
                False: "The flip is {0:card}, there already: another card.",
            },
        ),
        "flop": "{0:who} flops {1:cards}.",
        "flopped-out": _flopped_out,
        "takes": by_value(
            2,
            {
                "alone": "{0:who} takes {1:n chip} from the pot: all others are out.",
                "flopped": "{0:who} takes {1:n chip} from the pot: all cards are laid.",
                "high": "{0:who} takes {1:n chip} from the pot: high {3}.",
                "low": "{0:who} takes {1:n chip} from the pot: low {3}.",
                "swing": "{0:who} takes {1:n chip} from the pot: best both ways.",
                ...: "{0:who} takes {1:n chip} from the pot.",
            },
        ),
        "pays": "{0:who} owes {2:who} a fifth of the pot, and pays {1:n chip}.",
        "pays-in": "{0:who} pays {1:n chip} into the pot: several have flopped all.",
        "uncalled": "{0:who} takes back {1:n chip} that nobody could call.",
        "declares": by_value(
            1,
            {
                "": "{0:who} does not open his choice, and is out.",
                "swing": "{0:who} declares swing: both, or nothing.",
                ...: "{0:who} declares {1}.",
            },
        ),
        "shows": "{0:who} shows {1:cards}: high {3}, low {4}.",
        "carried": _carried,
        "hand-over": "Hand {0} is over. Tally: {1:each+}.",
        "over": "The game is over: {0:each+}. {1:wins}.",
    },
    why={
        "hand": "the hand as it is would be the highest in {0} and the lowest in {1} of 100 deals",
        "price": "a call costs {0:n chip} for a pot of {1}",
        "flop out": "it may still flop out, in {0} of 100",
        "bluff": "the others may fold",
        "free": "it costs nothing",
    },
    questions={"choose": _bet, "together": _declare, "open": _open, "lay-all": _lay_all},
    options={"": _option},
    headline=_headline,
    middle=_board,
    columns=_columns,
    turn=lambda table: table.turn_of if table.stage is Stage.BETTING else None,
    hand=_hand,
    hand_note=_counts,
    laid=_sets,
    complete=True,
    row=FLIPS,
    chapter=_chapter,
    pot=lambda table: table.pot,
    stock=lambda table: table.stock,
    marks={
        "over": MarkKind.END,
        **dict.fromkeys(("hand", "hand-over", "deal"), MarkKind.ROUND),
        **dict.fromkeys(("flop", "takes"), MarkKind.TRICK),
        **dict.fromkeys(("flip", "declares", "flopped-out"), MarkKind.EFFECT),
    },
    endings={
        "takes": 0,
        **dict.fromkeys(("flip", "declares", "flopped-out", "carried", "hand-over", "over")),
    },
    reasons=frozenset({"takes", "pays", "pays-in"}),
    shows={"shows": _shown},  # what was flopped lies on the table, and is compared with nothing
)
