"""What the screen says about a table of You Fink!: plain lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine import question as ask
from engine.cards import SUIT_LETTERS, SUITS, Card
from engine.games.you_fink.acts import FOREHEAD, INTEL, RESHUFFLE, SLAP, TURN, fink_table
from engine.games.you_fink.cards import LETTER_OF, MINION, POWER_NAMES, POWERS
from engine.games.you_fink.rulebook import RULES
from engine.games.you_fink.table import (
    LONGEST,
    MINION_ASKS,
    NO_POWER,
    NOBODY,
    FinkTable,
    Phase,
    is_barred,
    is_touched,
    matches,
)
from engine.question import PASS, Question, Seat
from engine.view import View

__all__ = [
    "RULES",
    "describe_card",
    "describe_decision",
    "describe_note",
    "describe_question",
    "table_lines",
]

WIDTH: Final = 80
SHOWN: Final = 12
"""So many cards of the pile are shown, the top one last."""
Names = Sequence[str]


def describe_card(card: Card, *, ascii: bool = False) -> str:  # noqa: A002
    """A card as people read it: 7♦ or 7D; a challenger with its powers: K♥ 3/3/0."""
    if card is MINION:
        return "Minion"
    symbol = (SUIT_LETTERS if ascii else SUITS)[card.suit]
    powers = "/".join(str(value) for value in POWERS[card.id])
    return f"{LETTER_OF.get(card.rank, card.rank)}{symbol} {powers}".rstrip()


def describe_note(note: tuple[Any, ...], names: Names, *, ascii: bool = False) -> str:  # noqa: A002
    """What happened, in one sentence; the note is one of `table.notes`."""
    match note:
        case ("deal", dealer, _, first):
            return f"{names[dealer]} deals all cards face down; {names[first]} leads."
        case ("turn", seat, card):
            return f"{names[seat]} turns {describe_card(card, ascii=ascii)}."
        case ("forehead", seat):
            return f"{names[seat]} touches the forehead."
        case ("slap", seat):
            return f"{names[seat]} slaps first!"
        case ("false-slap", seat, 0):
            return f"{names[seat]} slaps in vain, and has no cards to pay with."
        case ("false-slap", seat, paid):
            return f"{names[seat]} slaps in vain and pays {_cards(paid)} to the booty."
        case ("take", seat, count):
            return f"{names[seat]} takes the pile and the booty: {_cards(count)}."
        case ("reshuffle", seat, count):
            return f"Everybody shuffles the {_cards(count)} that {names[seat]} has won: a new deck."
        case ("over", owned):
            return f"The game is over: {_by_name(names, owned)}. {_praise(names, owned)}"
    return _challenge_note(note, names)


def _challenge_note(note: tuple[Any, ...], names: Names) -> str:
    match note:
        case ("power", seat, power, count):
            return f"{names[seat]} challenges with {POWER_NAMES[power]}: {_cards(count)} to answer."
        case ("minion", seat):
            return f"The Minion of {names[seat]} asks for five cards."
        case ("minion-beaten", owner, seat):
            return f"The Minion of {names[owner]} is beaten by {names[seat]}."
        case ("minion-wins", owner):
            return f"Five number cards: the Minion of {names[owner]} wins."
        case ("all-used", seat):
            return f"The card of {names[seat]} has no power left to be answered."
        case ("lost", owner):
            return f"The challenge of {names[owner]} is not beaten: anybody may slap!"
    raise ValueError(f"You Fink! makes no such note: {note!r}")


def describe_question(
    view: View,
    question: Question[Any],
    names: Names,
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """What is asked now, from where the seat of `view` sits."""
    table = fink_table(view.table)
    match question:
        case ask.Race():
            return _describe_race(view.seat, table, names)
        case ask.Choose():
            return f"{_subject(view.seat, question.seat, names)} may go on: cards are shuffled."
        case ask.Open():
            return f"{_subject(view.seat, table.due, names)} turned: everybody opens the card."
        case ask.Fresh() | ask.Shuffle():
            return "The cards are being shuffled by everybody."
        case ask.Flip():
            return "Chance decides who deals."
    raise ValueError(f"You Fink! asks no such question: {question!r}")


def _describe_race(viewer: Seat, table: FinkTable, names: Names) -> str:
    if table.phase is Phase.FREE:
        return f"Free for all: slap! If nobody does, {_if_nobody_slaps(table, names)}."
    match = " The top two match!" if matches(table) else ""
    who = _subject(viewer, table.due, names)
    if table.phase is Phase.CHOOSE:
        return f"{who} choose{'' if who == 'You' else 's'} a power.{match}"
    return f"{who} to turn{_answering(table, names)}.{match}"


def _if_nobody_slaps(table: FinkTable, names: Names) -> str:
    if table.heir == NOBODY:
        return "the next card covers the pile"
    return f"{_short(names[table.heir])} takes the pile"


def _answering(table: FinkTable, names: Names) -> str:
    if table.owner == NOBODY:
        return ""
    asked = "the Minion" if table.asked == MINION_ASKS else POWER_NAMES[table.asked]
    return f", {table.remaining} more for {asked} of {_short(names[table.owner])}"


def describe_decision(
    view: View,
    question: Question[Any],
    decision: Any,
    names: Names,
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """One decision of `question` as a choice in a list."""
    table = fink_table(view.table)
    if not isinstance(question, ask.Race):
        return "done"
    if decision is PASS:
        return _waiting(view.seat, table)
    if decision >= INTEL:
        card = table.face(table.pile[-1])
        return f"{POWER_NAMES[decision - INTEL]} {POWERS[card.id][decision - INTEL]}"
    called = {
        TURN: "turn a card",
        FOREHEAD: "touch forehead",
        SLAP: "slap",
        RESHUFFLE: "reshuffle",
    }
    return called[decision]


def _waiting(seat: Seat, table: FinkTable) -> str:
    """What it means to do nothing in this race."""
    if seat != table.due or table.phase is Phase.FREE:
        return "do nothing"
    return "let others slap first" if table.phase is Phase.TURN else "take the highest"


def table_lines(view: View, names: Names, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """The whole table: the pile, the challenge, and what everybody owns."""
    table = fink_table(view.table)
    lines = [_headline(table), _pile_line(table, ascii), _challenge_line(table, names), ""]
    lines.append("  Seat             deck  won  hand")
    lines += [_seat_line(view.seat, table, seat, names) for seat in range(table.seats)]
    return [line[:WIDTH].rstrip() for line in lines]


def _headline(table: FinkTable) -> str:
    limit = "" if table.limit == LONGEST else f" of {table.limit}"
    state = "   game over" if table.over else ""
    return f"You Fink!   card {table.turned}{limit}{state}"


def _pile_line(table: FinkTable, ascii: bool) -> str:  # noqa: A002
    """The pile from the bottom up, the top card last and with its powers."""
    faces = [table.face(slot) for slot in table.pile]
    shown = [describe_card(card, ascii=ascii).split()[0] for card in faces[-SHOWN:-1]]
    shown += [f"[{describe_card(card, ascii=ascii)}]" for card in faces[-1:]]
    more = "... " if len(faces) > SHOWN else ""
    return f"Pile {len(faces)}, booty {len(table.booty)}: {more}{' '.join(shown)}"


def _challenge_line(table: FinkTable, names: Names) -> str:
    if table.phase is Phase.FREE:
        return "Free for all: the pile can be slapped."
    if table.owner == NOBODY:
        return "The top two cards match." if matches(table) else ""
    used = ", ".join(POWER_NAMES[power] for power in table.used)
    series = f"   (used in this series: {used})" if used else ""
    if table.asked == NO_POWER:
        return f"{_short(names[table.owner])} chooses a power.{series}"
    asked = "Minion" if table.asked == MINION_ASKS else POWER_NAMES[table.asked]
    return f"{asked} of {_short(names[table.owner])}: {_cards(table.remaining)} to answer.{series}"


def _seat_line(viewer: Seat, table: FinkTable, seat: Seat, names: Names) -> str:
    mark = ">" if seat == table.due and table.phase is not Phase.FREE and not table.over else " "
    name = names[seat] + (" (you)" if seat == viewer else "")
    hand = "forehead" if is_touched(table, seat) else "held back" if is_barred(table, seat) else ""
    if table.gone[seat]:
        hand = "gone"
    return f"{mark} {name[:16]:16} {len(table.decks[seat]):4} {len(table.claimed[seat]):4}  {hand}"


def _subject(viewer: Seat, seat: Seat, names: Names) -> str:
    return "You" if viewer == seat else _short(names[seat])


def _short(name: str) -> str:
    """A name as it fits into a line with others."""
    return name[:14]


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _by_name(names: Names, owned: Sequence[int]) -> str:
    return ", ".join(f"{name} {_cards(count)}" for name, count in zip(names, owned, strict=True))


def _praise(names: Names, owned: Sequence[int]) -> str:
    best = [name for name, count in zip(names, owned, strict=True) if count == max(owned)]
    return f"{' and '.join(best)} {'win' if len(best) > 1 else 'wins'}: hail!"
