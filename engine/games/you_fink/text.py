"""What the screen says about You Fink!"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine import question as ask
from engine.cards import SUIT_LETTERS, SUITS, Card
from engine.game import Options
from engine.games.you_fink.acts import ACTS, FOREHEAD, INTEL, RESHUFFLE, SHUFFLED, SLAP, TURN
from engine.games.you_fink.cards import LETTER_OF, MINION, POWER_NAMES, POWERS
from engine.games.you_fink.challenges import highest_power
from engine.games.you_fink.table import (
    LONGEST,
    MINION_ASKS,
    NO_POWER,
    NOBODY,
    FinkTable,
    Phase,
    is_barred,
    is_touched,
    limit_of,
    matches,
)
from engine.question import PASS
from engine.wording import (
    SPACE,
    CardSet,
    CardStyle,
    ClaimKey,
    Column,
    MarkKind,
    Scene,
    Wording,
    Words,
    by_value,
    counted,
)
from engine.wording.words import clip
from engine.zone import Seat

BRIEF: Final = """\
Own all cards. In turn everybody turns the top card of his deck onto the pile.
Slap (touch your forehead first) when the top two cards have the same rank, or when nobody has \
beaten a challenge: the first slap wins the pile and the booty, where a slap in vain pays three \
cards. The hand leaves the forehead when you slap or turn a card, and when two more cards are \
turned.
A K Q J challenge with a power, Intel/Might/Magic: 3/3/0 on the king of hearts is Intel 3, \
Might 3 and no Magic. The next player has to turn so many cards. A challenger among them beats \
it, and challenges in turn with a power that was not used yet; if none is left, it wins the \
pile. A Minion wins if five number cards follow it.
Are the bots too quick for you? Easy ones are slower: play you-fink --bots easy.
"""
CARDS_A_MINUTE: Final = 42
"""Measured: 500 cards between bots at their pace take 12 minutes."""
DONE_SECONDS: Final = 10
"""So long a player may take his time after a reshuffle; then it goes on (section 7)."""
FANNED: Final = 4
"""How many cards of the pile are drawn."""
SHOWN: Final = 12
"""How many cards of the pile are shown, the top one last."""


def describe_card(card: Card, ascii: bool = False) -> str:  # noqa: A002
    """A card as people read it: 7♦ or 7D; a challenger with its powers: K♥ 3/3/0."""
    if card is MINION:
        return "Minion"
    symbol = (SUIT_LETTERS if ascii else SUITS)[card.suit]
    powers = "/".join(str(value) for value in POWERS[card.id])
    return f"{LETTER_OF.get(card.rank, card.rank)}{symbol} {powers}".rstrip()


def _race(scene: Scene[FinkTable], race: ask.Race) -> str:
    table = scene.table
    if table.phase is Phase.FREE:
        return f"Slap! The first takes the pile. If nobody does, {_if_nobody_slaps(scene)}."
    match = " The top two match!" if matches(table) else ""
    if table.phase is Phase.CHOOSE:
        highest = _said_power(table, highest_power(table))
        then = f"; {highest} if you choose none" if table.due == scene.seat else ""
        return f"{scene.does(table.due, 'choose')} a power{then}.{match}"
    verb = "are" if table.due == scene.seat else "is"
    return f"{scene.subject(table.due)} {verb} to turn {_cards(scene)}.{match}"


def _if_nobody_slaps(scene: Scene[FinkTable]) -> str:
    heir = scene.table.heir
    return "the next card covers the pile" if heir == NOBODY else f"{_take(scene, heir)} the pile"


def _take(scene: Scene[FinkTable], heir: Seat) -> str:
    return "you take" if heir == scene.seat else f"{scene.who(heir)} takes"


def _cards(scene: Scene[FinkTable]) -> str:
    """The next card, or how many more an answer needs."""
    table = scene.table
    if table.owner == NOBODY:
        return "a card"
    asked = "Minion" if table.asked == MINION_ASKS else POWER_NAMES[table.asked]
    return f"{table.remaining} more for {scene.whose(table.owner)} {asked}"


def _act(scene: Scene[FinkTable], question: object, act: int) -> str | None:
    table = scene.table
    if act >= INTEL:
        return _said_power(table, act - INTEL)
    if act == TURN and is_touched(table, scene.seat):
        return f"{_ACTS[act]} (hand off the forehead)"
    return _ACTS[act]


def _said_power(table: FinkTable, power: int) -> str:
    """A power of the challenger on top, with its value."""
    return f"{POWER_NAMES[power]} {POWERS[table.face(table.pile[-1]).id][power]}"


_ACTS: Final[Mapping[int, str]] = {
    TURN: "turn a card",
    FOREHEAD: "touch forehead",
    SLAP: "slap",
    RESHUFFLE: "reshuffle",
}


def _waits(scene: Scene[FinkTable], race: ask.Race, decision: int | None) -> str | None:
    """What it means to do nothing in this race."""
    table = scene.table
    if decision is not PASS:
        return None
    if scene.seat != table.due or table.phase is Phase.FREE:
        return "do nothing"
    if table.phase is Phase.TURN:
        return "let others slap first"
    return _said_power(table, highest_power(table))


def _headline(scene: Scene[FinkTable]) -> str:
    table = scene.table
    limit = "" if table.limit == LONGEST else f" of {table.limit}"
    last = table.turned >= table.limit
    state = "   game over" if table.over else "   the last pile" if last else ""
    return f"You Fink!   card {table.turned}{limit}{state}"


def _centre(scene: Scene[FinkTable]) -> Sequence[str]:
    """The pile from the bottom up, the top card last and with its powers; the challenge."""
    table = scene.table
    faces = [table.face(slot) for slot in table.pile]
    shown = [scene.card(card).split()[0] for card in faces[-SHOWN:-1]]
    shown += [f"[{scene.card(card)}]" for card in faces[-1:]]
    more = "... " if len(faces) > SHOWN else ""
    pile = f"Pile {len(faces)}, booty {len(table.booty)}: {more}{' '.join(shown)}"
    challenge = _challenge(scene)
    return (pile, challenge) if challenge else (pile,)


def _sets(scene: Scene[FinkTable]) -> list[CardSet]:
    """The top of the pile, and the booty below it, as cards."""
    table = scene.table
    pile = [table.face(slot) for slot in table.pile[-FANNED:]]
    booty = [None] * min(FANNED, len(table.booty))
    sets = [CardSet(pile, "pile", count=len(table.pile))] if pile else []
    return [*sets, *([CardSet(booty, "booty", count=len(table.booty))] if booty else [])]


def _challenge(scene: Scene[FinkTable]) -> str:
    table = scene.table
    if table.phase is Phase.FREE:
        return "Free for all: whoever slaps first takes the pile."
    if table.owner == NOBODY:
        return "The top two cards match." if matches(table) else ""
    used = ", ".join(POWER_NAMES[power] for power in table.used)
    series = f"   (used in this series: {used})" if used else ""
    if table.asked == NO_POWER:
        return f"{clip(scene.who(table.owner), 14)} chooses a power.{series}"
    asked = "Minion" if table.asked == MINION_ASKS else POWER_NAMES[table.asked]
    cards = counted(table.remaining, "card")
    return f"{asked} of {clip(scene.who(table.owner), 14)}: {cards} to answer.{series}"


def _state(scene: Scene[FinkTable], seat: Seat) -> str:
    table = scene.table
    if table.gone[seat]:
        return "gone"
    return "forehead" if is_touched(table, seat) else "held back" if is_barred(table, seat) else ""


def _power(words: Words, seat: Seat, power: int, count: int) -> str:
    cards = counted(count, "card")
    return f"{words.who(seat)} challenges with {POWER_NAMES[power]}: {cards} to answer."


def _over(words: Words, owned: Sequence[int], limit: bool, winners: Sequence[Seat]) -> str:
    """How it stands; with a `limit` not every card has to be owned, and the most cards win."""
    each = words.each([counted(count, "card") for count in owned])
    why = "as many cards were turned as agreed, and the most cards win. " if limit else ""
    hail = ": hail!" if winners else "."
    return f"The game is over: {why}{each}. {words.wins(winners)}{hail}"


def _lasts(seats: int, options: Options) -> str:
    limit = limit_of(options)
    if limit == LONGEST:
        return "until somebody owns all cards, which may take an hour"
    minutes = counted(max(1, (limit + CARDS_A_MINUTE // 2) // CARDS_A_MINUTE), "minute")
    return f"{limit} cards and the pile in play at most, about {minutes}"


TEXT: Final = Wording(
    title="You Fink!",
    table=FinkTable,
    cloth="umber",
    scored="cards",
    brief=BRIEF,
    cards=CardStyle(spell=describe_card),
    notes={
        "deal": "{0:who} deals all cards face down; {2:who} leads.",
        "turn": "{0:who} turns {1:card}.",
        "forehead": "{0:who} touches the forehead.",
        "slap": "{0:who} slaps first!",
        "false-slap": by_value(
            1,
            {
                0: "{0:who} slaps in vain, and has no cards to pay with.",
                ...: "{0:who} slaps in vain and pays {1:n card} to the booty.",
            },
        ),
        "take": "{0:who} takes the pile and the booty: {1:n card}.",
        "reshuffle": "Everybody shuffles the {1:n card} that {0:who} has won: a new deck.",
        "power": _power,
        "minion": "The Minion of {0:who} asks for five cards.",
        "minion-beaten": "The Minion of {0:who} is beaten by {1:who}.",
        "minion-wins": "Five number cards: the Minion of {0:who} wins.",
        "all-used": "No power is left to answer: the challenge of {0:who} wins.",
        "lost": "The challenge of {0:who} is not beaten: anybody may slap!",
        "to booty": "The cards of {0:who} go to the booty: {1:n card}.",
        "over": _over,
    },
    why={
        "waits": "nothing is to be won now",
        "power": "{0} {1} is the lowest, so the pile is soonest free for all",
        "slap": "the pile can be won now",
        "forehead": by_value(
            0,
            {
                True: "the pile can be won, and the hand has to touch the forehead first",
                False: "whoever has touched the forehead can slap first",
            },
        ),
        "turn": by_value(
            0,
            {
                True: "the next card takes the pile from those who are ready to slap",
                False: "the others wait for this card",
            },
        ),
    },
    questions={
        "race": _race,
        "choose": lambda scene, question: (
            f"{scene.subject(question.seat)} may go on: cards are shuffled."
        ),
        "open": lambda scene, question: (
            f"{scene.subject(scene.table.due)} turned: everybody opens the card."
        ),
        **dict.fromkeys(("fresh", "shuffle"), "The cards are being shuffled by everybody."),
        "flip": "Chance decides who deals.",
    },
    choices={"race": _waits, "act": _act},
    headline=_headline,
    when=lambda scene: f"card {scene.table.turned}",
    middle=_centre,
    columns=lambda table: (
        Column("deck", lambda scene, seat: len(scene.table.decks[seat]), 4),
        Column("won", lambda scene, seat: len(scene.table.claimed[seat]), 4),
        Column("hand", _state, 0),
    ),
    turn=lambda table: None if table.phase is Phase.FREE else table.due,
    hand=lambda scene: None,
    held=lambda table, seat: (),
    by_itself={SHUFFLED: DONE_SECONDS},
    laid=_sets,
    stock=lambda table: table.stock,
    lasts=_lasts,
    marks={
        "over": MarkKind.END,
        "deal": MarkKind.ROUND,
        "take": MarkKind.TRICK,
        **dict.fromkeys(("minion", "minion-beaten", "minion-wins"), MarkKind.EFFECT),
        **dict.fromkeys(("power", "lost"), MarkKind.EFFECT),
    },
    keys={
        ACTS[SLAP]: ClaimKey(SPACE),
        ACTS[FOREHEAD]: ClaimKey(
            "f",
            does="touch the forehead",
            instead="Touch your forehead first: f.",
        ),
    },
    endings={"take": 0, "over": None},
)
