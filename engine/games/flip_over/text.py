"""What the screen says about a table of Flip Over: plain lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine import question as ask
from engine.cards import Card
from engine.games.flip_over.cards import LETTERS, SYMBOLS
from engine.games.flip_over.table import FlipTable, round_scores, totals
from engine.question import Question
from engine.view import View

WIDTH: Final = 80

RULES: Final = """\
Flip Over, by sirou. 3 to 5 players, 2 rounds (or more, an even number is
fair).

Cards. One card of each number in each suit: 3 suits of 1-8 for three players,
4 of 1-10 for four, 5 of 1-12 for five. All are dealt out.

Discs. As many as there are tricks, numbered from 1, in a row. Blue ones count
plus their number (+), red ones minus (-). Each lies a random side up. Then
(1) while three or more neighbours have one colour, the second largest of them
is turned; (2) else, while there is more of one colour, the larger of the
highest two equal neighbours is turned; and again (1).

Tricks. Trick 1 is played for disc 1, trick 2 for disc 2, and so on. The
leader lays any card, the others follow clockwise. Who holds the led suit has
to follow suit; others lay any card (and the program proves, without showing
the hand, that they could not follow).
  Every card whose number is that of the trick is a trump, whatever its suit.
It still belongs to its suit. If trumps were laid, the last one laid wins;
otherwise the highest card of the led suit. The winner takes the disc as it
lies and leads to the next trick.
  Everybody keeps what he laid beside him.

Score. Your blue numbers minus your red ones; it may be below zero.

Next round. In even rounds all discs are turned over, and everybody takes up
and plays the same cards again. (All have seen them: remember!) In odd rounds
discs and cards are new. Who took the last disc leads. After the last round
the highest sum wins; ties share.

Options. trumps=off: no trumps, for a first game. discs=alternating: colours
in turn. rounds=1..20. teams=on (four players): partners sit opposite and add
up their discs; before each even round everybody gives one card to each other
player, all chosen before any is seen.
"""


def describe_card(card: Card, *, ascii: bool = False) -> str:  # noqa: A002
    """A card as people read it: 7♦, or 7D."""
    return card.name if ascii else f"{card.rank}{SYMBOLS[card.suit]}"


def describe_disc(number: int, blue: bool) -> str:
    """A disc as what it counts: +3 or -3."""
    return f"{'+' if blue else '-'}{number}"


def describe_note(
    note: tuple[Any, ...],
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """What happened, in one sentence; the note is one of `table.notes`."""
    match note:
        case ("leader", seat):
            return f"{names[seat]} leads to the first trick."
        case ("deal", count):
            return f"The cards are shuffled and dealt, {count} to each player."
        case ("set-up", _, ()):
            return "The discs lie well as they fell."
        case ("set-up", _, turned):
            return f"Turned in setting up the discs: {_listed(turned)}."
        case ("discs", number, row):
            return f"Round {number} is played for the discs {_listed(_discs(row))}."
        case ("take-up",):
            return "Everybody takes up the cards of the last round; all discs are turned over."
        case ("exchange",):
            return "Everybody has given one card to each other player."
        case ("play", seat, card):
            return f"{names[seat]} lays {describe_card(card, ascii=ascii)}."
        case ("trick", number, blue, seat):
            return f"{names[seat]} takes disc {describe_disc(number, blue)}."
        case ("round", number, scores, _):
            return f"Round {number} is over: {_by_name(names, scores)}."
        case ("over", sums):
            return f"The game is over: {_by_name(names, sums)}. {_praise(names, sums)}"
    raise ValueError(f"Flip Over makes no such note: {note!r}")


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
        case ask.Play():
            return _describe_turn(view.seat, table, question.seat, names, ascii)
        case ask.Together() if view.seat in question.deciders:
            return "Choose one card for each other player; all choose before any is seen."
        case ask.Together():
            return "All choose one card for each other player."
        case ask.Fresh() | ask.Shuffle() | ask.Deal():
            return "The cards are being shuffled and dealt."
        case ask.Reshuffle():
            return f"{names[question.by]} hides the order of the hand."
        case ask.HandOver():
            return "The chosen cards change hands."
        case ask.Flip() if question.sides == 2:
            return "The discs are being thrown."
        case ask.Flip():
            return "Chance decides who leads."
    raise ValueError(f"Flip Over asks no such question: {question!r}")


def describe_decision(
    view: View,
    question: Question[Any],
    decision: Any,
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """One decision of `question` as a choice in a list: a card, or who is given which."""
    if isinstance(question, ask.Together):
        gifts: Any = question.options[question.seats.index(view.seat)][decision]
        return ", ".join(
            f"{describe_card(view.face(slot), ascii=ascii)} to {names[receiver]}"
            for slot, receiver in gifts
        )
    return describe_card(view.face(decision), ascii=ascii)


def table_lines(view: View, names: Sequence[str], *, ascii: bool = False) -> list[str]:  # noqa: A002
    """The whole table: discs, seats, the trick, one's own hand."""
    table = _table(view)
    lines = [_headline(table), *_disc_lines(table, names), ""]
    lines += _seat_lines(view, table, names, ascii)
    if 0 <= view.seat < table.seats:
        lines += ["", f"Your hand: {hand_line(view, ascii=ascii)}"]
    return [line[:WIDTH].rstrip() for line in lines]


def hand_line(view: View, *, ascii: bool = False) -> str:  # noqa: A002
    """One's own cards by suit and number."""
    cards = view.cards(_table(view).hands[view.seat])
    suits = [[card for card in cards if card.suit == suit] for suit in range(len(LETTERS))]
    return "  ".join(
        " ".join(describe_card(card, ascii=ascii) for card in sorted(suit, key=_rank))
        for suit in suits
        if suit
    )


def _describe_turn(
    viewer: int,
    table: FlipTable,
    seat: int,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> str:
    disc = describe_disc(table.disc, table.blue[table.disc - 1])
    who, verb = ("You", "") if seat == viewer else (names[seat], "s")
    if not table.trick:
        return f"{who} lead{verb} to trick {table.disc}, for disc {disc}."
    symbol = (LETTERS if ascii else SYMBOLS)[table.trick[0].suit]
    return f"{who} follow{verb} suit ({symbol}) if possible, for disc {disc}."


def _headline(table: FlipTable) -> str:
    if table.over:
        return f"Flip Over   game over after {table.rounds} rounds"
    trick = f"   trick {table.disc} of {table.numbers}" if table.disc else ""
    variants = "" if table.trumps else "   no trumps"
    teams = "   teams: 0+2, 1+3" if table.teams else ""
    return f"Flip Over   round {max(1, table.round)} of {table.rounds}{trick}{variants}{teams}"


def _disc_lines(table: FlipTable, names: Sequence[str]) -> list[str]:
    """The discs with their signs, the current one marked, and below who took each."""
    discs, takers = [], []
    for number, disc in enumerate(_discs(table.blue), start=1):
        discs.append(f"[{disc}]" if number == table.disc else f" {disc} ")
        taken = number <= len(table.takers)
        takers.append(names[table.takers[number - 1]][:4] if taken else "")
    return [
        f"Discs  {''.join(f'{disc:^6}' for disc in discs)}",
        f"taken  {''.join(f'{taker:^6}' for taker in takers)}",
    ]


def _seat_lines(
    view: View,
    table: FlipTable,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> list[str]:
    lines = ["  Seat           cards   round   total   trick"]
    sums, now = totals(table), round_scores(table) if table.disc else (0,) * table.seats
    for seat in range(table.seats):
        place = (seat - table.leader) % table.seats
        card = describe_card(table.trick[place], ascii=ascii) if place < len(table.trick) else ""
        turn = ">" if place == len(table.trick) and table.disc and not table.over else " "
        name = names[seat] + (" (you)" if seat == view.seat else "")
        led = " led" if card and place == 0 else ""
        lines.append(
            f"{turn} {name[:14]:14} {len(table.hands[seat]):5} {now[seat]:+7} {sums[seat]:+7}"
            f"   {card}{led}"
        )
    return lines


def _table(view: View) -> FlipTable:
    table = view.table
    if not isinstance(table, FlipTable):
        raise TypeError("that is no table of Flip Over")
    return table


def _rank(card: Card) -> int:
    return card.rank


def _discs(row: Sequence[bool]) -> list[str]:
    return [describe_disc(number, blue) for number, blue in enumerate(row, start=1)]


def _listed(items: Iterable[object]) -> str:
    return " ".join(str(item) for item in items)


def _by_name(names: Sequence[str], scores: Sequence[int]) -> str:
    return ", ".join(f"{name} {score:+}" for name, score in zip(names, scores, strict=True))


def _praise(names: Sequence[str], sums: Sequence[int]) -> str:
    best = [name for name, total in zip(names, sums, strict=True) if total == max(sums)]
    return f"{' and '.join(best)} {'win' if len(best) > 1 else 'wins'}: hail!"
