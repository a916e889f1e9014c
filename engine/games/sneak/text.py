"""What the screen says about a table of Sneak: plain lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any, Final

from engine import question as ask
from engine.cards import SUITS, Card
from engine.games.sneak.cards import RANKS
from engine.games.sneak.combos import kind_of
from engine.games.sneak.table import NO_COUNT, SneakTable
from engine.question import Question, Seat
from engine.sets import Lay, LaySet, LayTogether
from engine.view import View

WIDTH: Final = 80
SET_WIDTH: Final = 38
"""What is left of a seat's line for the cards laid before it."""

RULES: Final = """\
Sneak, by David Parlett. 2 to 7 players: if you've got it, flaunt it; if not,
bluff it.

Cards. One pack of 52 for two to four players, two packs for five to seven
(for four also: packs=two). Ace high; suits are equal. The pack is the stock,
face down. Everybody's first turn of a round is a draw.

Turn. On your turn, do one of these; then it is your left neighbour's turn,
whoever won cards.
  Draw the top card of the stock. (All there is to do with no cards in hand.)
  Sneak: lead any cards face down. Only while there is stock.
  Flaunt: lead face up a single card, or a combination of two or more.
Somebody else has to hold as many cards as you lead.

Combinations, the best first: match (all of one rank), straight flush (a run in
one suit), straight (a run), flush (one suit). Anything else is nothing, and can
only be sneaked. Only sets of equal size meet. Matches go by rank, runs by their
top card, flushes and nothing by the highest card, then the next. The ace is
high (Q-K-A) or low (A-2-3). Of equal sets the one laid last wins: the leader
lays first, then everybody to his left.

Challenge. Everybody who holds as many cards as were led may challenge with as
many; all decide in secret, and all challenges are turned up at once. Nobody
sees what those who passed hold. Nobody challenges: the leader takes his cards
back into his winnings; a sneak is never seen. Otherwise the best set wins all
cards that were laid. A flaunt of two or more is challenged with combinations
only, and:
  a flaunted straight flush falls only to a better straight flush;
  on a flaunted straight, a straight flush counts as a straight;
  on a flaunted flush, a straight flush counts as a flush.

End. When the last stock card is drawn, sneaking is over: whoever has cards has
to flaunt. Who alone still has cards adds them to his winnings. Each card won is
a point. The game ends with the round in which somebody reaches 100 (two packs:
200); the highest total wins. A tie plays another round, at most ten in a row.

Options. packs=one|two (four players). target=25, 50, 100, 150 or 200 points.
ranking=house (two packs): straight flush above match, flush above straight; a
flaunted match falls to a straight flush too. ending=one-more-turn: after the
last stock card everybody has exactly one more turn, and cards left in hand then
are worth nothing.
"""


def describe_card(card: Card, *, ascii: bool = False) -> str:  # noqa: A002
    """A card as people read it: 7♦, or 7D."""
    return card.name if ascii else f"{RANKS[card.rank]}{SUITS[card.suit]}"


def describe_cards(cards: Iterable[Card], *, ascii: bool = False) -> str:  # noqa: A002
    """Several cards in a row, high ones first."""
    ordered = sorted(cards, key=lambda card: (-card.rank, card.suit))
    return " ".join(describe_card(card, ascii=ascii) for card in ordered)


def describe_note(
    note: tuple[Any, ...],
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """What happened, in one sentence; the note is one of `table.notes`."""
    match note:
        case ("round", number, dealer, first):
            return (
                f"Round {number}: {names[dealer]} deals, everybody draws a card, "
                f"{names[first]} begins."
            )
        case ("draw", seat):
            return f"{names[seat]} draws a card."
        case ("stock gone", True):
            return "The stock is gone: everybody has one more turn, and has to flaunt."
        case ("stock gone", _):
            return "The stock is gone, and with it sneaking: now you have to flaunt."
        case ("sneak", seat, count):
            return f"{names[seat]} sneaks {_count(count)}."
        case ("flaunt", seat, cards):
            return f"{names[seat]} flaunts {_named(cards, ascii)}."
        case ("unchallenged", seat, count):
            return f"Nobody challenges: {names[seat]} wins {_count(count)} back."
        case ("turned up", seat, cards):
            return f"{names[seat]} has sneaked {_named(cards, ascii)}."
        case ("challenge", seat, cards):
            return f"{names[seat]} challenges with {_named(cards, ascii)}."
        case ("contest", seat, count):
            return f"{names[seat]} wins all {_count(count)}."
    return _describe_end(note, names)


def _describe_end(note: tuple[Any, ...], names: Sequence[str]) -> str:
    match note:
        case ("leftover", seat, count, True):
            return f"{names[seat]} alone has cards left, and wins them: {count}."
        case ("leftover", seat, count, _):
            return f"{names[seat]} has {_count(count)} left, for which nobody scores."
        case ("round over", number, won, _):
            return f"Round {number} is over: {_by_name(names, won)}."
        case ("tie", seats):
            tied = " and ".join(names[seat] for seat in seats)
            return f"{tied} share the lead: another round."
        case ("over", sums):
            best = [name for name, own in zip(names, sums, strict=True) if own == max(sums)]
            verb = "win" if len(best) > 1 else "wins"
            said = _by_name(names, sums, sign="")
            return f"The game is over: {said}. {' and '.join(best)} {verb}!"
    raise ValueError(f"Sneak makes no such note: {note!r}")


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
        case LaySet():
            you = question.seat == view.seat
            who = "You draw, sneak or flaunt" if you else f"{names[question.seat]} is to lead"
            if not question.terms.down:
                who = "You flaunt" if you else f"{names[question.seat]} has to flaunt"
            most = question.sizes[-1]
            return f"{who} (at most {_count(most)})." if you else f"{who}."
        case LayTogether():
            return _describe_challenge(view, table, question, names, ascii)
        case ask.Fresh() | ask.Shuffle():
            return "The cards are being shuffled."
        case ask.Deal() if len(question.moves) > 1:
            return "Everybody draws a card."
        case ask.Deal():
            return f"{names[question.moves[0][1]]} draws a card."
        case ask.Open():
            return f"{names[table.seat]} turns the sneak up."
        case ask.Flip():
            return "Chance decides who deals first."
    raise ValueError(f"Sneak asks no such question: {question!r}")


def _describe_challenge(
    view: View,
    table: SneakTable,
    question: LayTogether,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> str:
    led = table.played[table.seat]
    known = [face for slot in led if (face := table.faces[slot]) is not None]
    what = f"flaunt of {_named(known, ascii)}" if known else f"sneak of {_count(len(led))}"
    if view.seat in question.deciders:
        whose = f"{names[table.seat]}'s" if view.seat != table.seat else "your"
        return f"Challenge {whose} {what} with {_count(len(led))}, or pass; all decide in secret."
    who = ", ".join(names[seat] for seat in question.deciders)
    return f"{who} may challenge the {what}."


def describe_decision(
    view: View,
    question: Question[Any],
    decision: Any,
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """One decision of `question` as a choice in a list."""
    leads = isinstance(question, LaySet)
    if not isinstance(decision, Lay):
        return "draw" if leads else "pass"
    cards = describe_cards(view.cards(decision.slots), ascii=ascii)
    if not leads:
        return f"challenge {cards}"
    return f"{'sneak' if decision.down else 'flaunt'} {cards}"


def table_lines(view: View, names: Sequence[str], *, ascii: bool = False) -> list[str]:  # noqa: A002
    """The whole table: stock, seats, what lies in the contest, one's own hand."""
    table = _table(view)
    lines = [_headline(table), "", f"  {'Seat':14}  hand   won  points   laid"]
    lines += [_seat_line(view, table, seat, names, ascii) for seat in range(table.seats)]
    if 0 <= view.seat < table.seats:
        lines += ["", *wrap(f"Your hand: {hand_line(view, ascii=ascii)}", WIDTH)]
    return lines


def hand_line(view: View, *, ascii: bool = False) -> str:  # noqa: A002
    """One's own cards, high ones first."""
    return describe_cards(view.cards(_table(view).hands[view.seat]), ascii=ascii)


def _headline(table: SneakTable) -> str:
    packs = "two packs" if table.packs == 2 else "one pack"
    house = "   house ranking" if table.house else ""
    if table.over:
        return f"Sneak   game over after {table.round} rounds"
    stock = f"stock {len(table.stock)}" if table.stock else "stock gone: flaunts only"
    left = f"   {table.turns_left} turns left" if table.turns_left != NO_COUNT else ""
    return f"Sneak   round {table.round}   {stock}{left}   to {table.target}, {packs}{house}"


def _seat_line(
    view: View,
    table: SneakTable,
    seat: Seat,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> str:
    turn = ">" if seat == table.seat and not table.over else " "
    name = names[seat] + (" (you)" if seat == view.seat else "")
    counts = f"{len(table.hands[seat]):4}  {len(table.winnings[seat]):4}  {table.scores[seat]:6}"
    return f"{turn} {name[:14]:14}  {counts}   {_laid(view, table, seat, ascii)}".rstrip()


def _laid(view: View, table: SneakTable, seat: Seat, ascii: bool) -> str:  # noqa: A002
    """What lies before a seat; face down for those who may not know it."""
    laid = table.played[seat]
    if not laid:
        return ""
    if not all(view.knows(slot) for slot in laid):
        return f"{_count(len(laid))} face down"
    cards = describe_cards(view.cards(laid), ascii=ascii)
    if len(cards) > SET_WIDTH:
        cards = cards[: SET_WIDTH - 4].rsplit(" ", 1)[0] + " ..."
    return cards


def _table(view: View) -> SneakTable:
    table = view.table
    if not isinstance(table, SneakTable):
        raise TypeError("that is no table of Sneak")
    return table


def _count(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _named(cards: Sequence[Card], ascii: bool) -> str:  # noqa: A002
    said = describe_cards(cards, ascii=ascii)
    return said if len(cards) == 1 else f"{said} ({kind_of(cards).value})"


def _by_name(names: Sequence[str], points: Sequence[int], sign: str = "+") -> str:
    return ", ".join(f"{name} {own:{sign}}" for name, own in zip(names, points, strict=True))
