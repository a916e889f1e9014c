"""What the screen says about a table of Flop-A: plain lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine import question as ask
from engine.cards import SUITS, Card
from engine.games.flop_a.betting import Act
from engine.games.flop_a.cards import high_value, low_value, rank_name
from engine.games.flop_a.table import FLIPS, FlopTable, Stage
from engine.question import Question, Seat
from engine.view import View

WIDTH: Final = 80

RULES: Final = """\
Flop-A, by Brian Odell. 2 to 8 players, one pack of 52; suits mean nothing.

Each hand. Everybody antes 1 chip and gets three cards; four cards lie face
down in a row. Look at your cards: first round of betting, from dealer's left.
  Then the cards of the row are turned up one by one, and last the top card of
the deck: five flips. A rank that lies there already goes onto its pile, and
the top of the deck takes its place, until a new rank comes.
  After each flip everybody still in has to flop: lay all his cards of that
rank on it. (The program lays them, and proves without showing your hand that
none is left.) If nobody is out of cards a round of betting follows, begun by
the first player from dealer's left who flopped a card this time.

Betting. Check or bet 1-4 chips; call, raise by 1-4 chips, or fold; at most
three raises a round. If all others fold you take the pot, and nothing is
shown. Chips are a running tally that may go below zero.

Flopping out. Who lays his last card wins at once: the pot, and 20 % of it
(rounded down) from each other player still in. Several at once: each other
player still in puts 10 chips into the pot, and the winners share it.

Declaration. After the sixth betting all who are left choose in secret, by
chips in a closed hand: 1 for high, 2 for low, 3 for swing (both). Choices are
opened together, then the hands. Count the cards still held: 2-10 as printed,
J Q K 10, ace 11 for high and 1 for low.
  A swing that beats everybody (who went that way, or swung too) both ways
takes the pot; a tie is not enough. Otherwise swingers are out; the highest of
the highs and the lowest of the lows take half each, or all if nobody went the
other way. Ties share. If all have swung and failed, the pot stays for the
next hand; after the last hand it is split.

The deal moves left. After the agreed number of hands (two a player) the
highest tally wins; ties share. A player who is lost folds. Folded hands, and
those of a pot won by folds, are never seen by anybody.

Options. hands=1..100. ante=0. bet=1..10: most chips of a bet or raise.
raises=0..10. foldersPay=on: the 20 % is paid by those who folded, too.
stack=20..500: table stakes. Everybody starts with so many chips and can bet
and pay no more than he has; who is all in plays on for the main pot, the
others for side pots; who has no chips left sits out.
"""


def describe_card(card: Card, *, ascii: bool = False) -> str:  # noqa: A002
    """A card as people read it: 7♦, or 7D."""
    return card.name if ascii else f"{rank_name(card.rank)}{SUITS[card.suit]}"


def describe_note(
    note: tuple[Any, ...],
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """What happened, in one sentence; the note is one of `table.notes`."""
    match note:
        case ("hand", number, dealer, ante, pot):
            antes = f" Everybody antes {ante}." if ante else ""
            carried = f" {_chips(pot)} lie in the pot from before." if pot else ""
            return f"Hand {number}: {names[dealer]} deals.{antes}{carried}"
        case ("deal", _):
            return "Three cards for each player, four in a row."
        case ("betting", number, seat):
            return f"Betting round {number}: {names[seat]} begins."
        case ("act", seat, verb, chips):
            return f"{names[seat]} {_act_told(verb, chips)}."
        case ("flip", card, True):
            return f"The flip is {describe_card(card, ascii=ascii)}."
        case ("flip", card, False):
            return f"The flip is {describe_card(card, ascii=ascii)}, there already: another card."
        case ("flop", seat, cards):
            return f"{names[seat]} flops {_cards(cards, ascii)}."
        case ("flopped-out", seats):
            verb = "has" if len(seats) == 1 else "have"
            return f"{_and(names, seats)} {verb} flopped all cards!"
    return _describe_end(note, names, ascii)


def _describe_end(note: tuple[Any, ...], names: Sequence[str], ascii: bool) -> str:  # noqa: A002
    """What happens when a hand ends, in one sentence."""
    match note:
        case ("takes", seat, chips):
            return f"{names[seat]} takes {_chips(chips)} from the pot."
        case ("pays", seat, chips, to):
            return f"{names[seat]} pays {_chips(chips)} to {names[to]}."
        case ("pays-in", seat, chips):
            return f"{names[seat]} pays {_chips(chips)} into the pot."
        case ("uncalled", seat, chips):
            return f"{names[seat]} takes back {_chips(chips)} that nobody could call."
        case ("declares", seat, ""):
            return f"{names[seat]} does not open his choice, and is out."
        case ("declares", seat, word):
            return f"{names[seat]} declares {word}."
        case ("shows", seat, cards, _, high, low):
            return f"{names[seat]} shows {_cards(cards, ascii)}: high {high}, low {low}."
        case ("carried", chips):
            return f"Nobody wins: {_chips(chips)} stay in the pot for the next hand."
        case ("hand-over", number, tally):
            return f"Hand {number} is over: {_by_name(names, tally)}."
        case ("over", tally):
            return f"The game is over: {_by_name(names, tally)}. {_praise(names, tally)}"
    raise ValueError(f"Flop-A makes no such note: {note!r}")


def describe_question(
    view: View,
    question: Question[Any],
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """What is asked now, from where the seat of `view` sits."""
    table = _table(view)
    match question:
        case ask.Choose() if question.seat == view.seat:
            return f"Your turn: {question.topic}."
        case ask.Choose():
            return f"{names[question.seat]} may {question.topic}."
        case ask.Together() if view.seat in question.deciders:
            return f"Declare in secret: {question.topic}."
        case ask.Together():
            return "Those left declare high, low or swing in secret."
        case ask.Fresh() | ask.Shuffle() | ask.Deal():
            return "The cards are being shuffled and dealt."
        case ask.Open() if table.stage is Stage.DECLARATION:
            return "The hands are being opened."
        case ask.Open():
            return f"Flip {table.flips + 1} of {FLIPS} is being turned up."
        case ask.LayAll():
            return f"Everybody lays all cards of the rank {rank_name(table.ranks[-1])}."
    raise ValueError(f"Flop-A asks no such question: {question!r}")


def describe_decision(
    view: View,
    question: Question[Any],
    decision: Any,
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """One decision of `question` as a choice in a list: bet 2, or high (1 chip)."""
    if isinstance(question, ask.Together):
        word = question.options[question.seats.index(view.seat)][decision]
        return f"{word} ({_chips(decision + 1)})"
    act: Any = question.options[decision] if isinstance(question, ask.Choose) else None
    if not isinstance(act, Act):
        raise TypeError(f"nobody decides at {question!r} in Flop-A")
    return f"{act.verb} {act.chips}" if act.chips else act.verb


def table_lines(view: View, names: Sequence[str], *, ascii: bool = False) -> list[str]:  # noqa: A002
    """The whole table: what lies face up, the seats, one's own hand."""
    table = _table(view)
    lines = [_headline(table), _board_line(table, ascii), ""]
    lines += ["  Seat           cards     bet  in pot   tally"]
    lines += [_seat_line(view, table, seat, names[seat]) for seat in range(table.seats)]
    if 0 <= view.seat < table.seats and not table.over:
        lines += ["", f"Your hand: {hand_line(view, ascii=ascii)}"]
    return [line[:WIDTH].rstrip() for line in lines]


def hand_line(view: View, *, ascii: bool = False) -> str:  # noqa: A002
    """One's own cards by rank, and what they count."""
    cards = sorted(view.cards(_table(view).hands[view.seat]), key=_rank)
    if not cards:
        return "no cards"
    return f"{_cards(cards, ascii)}   (high {high_value(cards)}, low {low_value(cards)})"


def _headline(table: FlopTable) -> str:
    if table.over:
        return f"Flop-A   game over after {table.hand} hands"
    stakes = f"   table stakes {table.stack}" if table.stack else ""
    where = {
        Stage.BETTING: f"betting round {table.flips + 1}",
        Stage.FLIP: f"flip {table.flips + 1} of {FLIPS}",
        Stage.DECLARATION: "declaration",
        Stage.DEAL: "deal",
    }[table.stage]
    hand = f"hand {max(1, table.hand)} of {table.hands_to_play}"
    return f"Flop-A   {hand}   {where}   pot {table.pot}{stakes}"


def _board_line(table: FlopTable, ascii: bool) -> str:  # noqa: A002
    """A pile for each rank, in the order of the flips, and what is still face down."""
    faces = [table.face(slot) for slot in table.board]
    piles = [_cards([card for card in faces if card.rank == rank], ascii) for rank in table.ranks]
    piles += ["[ ]"] * len(table.row)
    return f"Table  {'   '.join(piles)}"


def _seat_line(view: View, table: FlopTable, seat: Seat, name: str) -> str:
    turn = ">" if table.stage is Stage.BETTING and seat == table.turn_of else " "
    name += " (you)" if seat == view.seat else ""
    words = ["dealer"] if table.hand and seat == table.dealer else []
    if table.hand and not table.still_in[seat]:
        words.append("out")
    elif table.stack and table.chips(seat) == 0:
        words.append("all in")
    tally = f"{table.chips(seat)}" if table.stack else f"{table.tally[seat]:+}"
    bet = table.bets[seat] if table.stage is Stage.BETTING else 0
    cards = len(table.hands[seat])
    return (
        f"{turn} {name[:14]:14} {cards:5} {bet:7} {table.paid[seat]:7} {tally:>7}"
        f"   {', '.join(words)}"
    )


def _act_told(verb: str, chips: int) -> str:
    if verb == "call":
        return f"calls {chips}"
    return {"fold": "folds", "check": "checks", "bet": f"bets {chips}"}.get(
        verb, f"raises by {chips}"
    )


def _table(view: View) -> FlopTable:
    table = view.table
    if not isinstance(table, FlopTable):
        raise TypeError("that is no table of Flop-A")
    return table


def _rank(card: Card) -> int:
    return card.rank


def _chips(count: int) -> str:
    return f"{count} chip" if count == 1 else f"{count} chips"


def _cards(cards: Iterable[Card], ascii: bool) -> str:  # noqa: A002
    return " ".join(describe_card(card, ascii=ascii) for card in cards)


def _and(names: Sequence[str], seats: Sequence[Seat]) -> str:
    return " and ".join(names[seat] for seat in seats)


def _by_name(names: Sequence[str], tally: Sequence[int]) -> str:
    return ", ".join(f"{name} {chips:+}" for name, chips in zip(names, tally, strict=True))


def _praise(names: Sequence[str], tally: Sequence[int]) -> str:
    best = [name for name, chips in zip(names, tally, strict=True) if chips == max(tally)]
    return f"{' and '.join(best)} {'win' if len(best) > 1 else 'wins'}."
