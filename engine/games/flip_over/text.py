"""What the screen says about Flip Over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine import acts
from engine import question as ask
from engine.cards import Card
from engine.games.flip_over.cards import LETTERS, SYMBOLS
from engine.games.flip_over.table import FlipTable, receivers, round_scores, totals, winner
from engine.wording import (
    CardStyle,
    Column,
    Disc,
    MarkKind,
    Scene,
    Trick,
    Wording,
    Words,
    by_value,
    counted,
    may_be_beaten,
)
from engine.wording.roles import one_card
from engine.wording.words import clip, listed
from engine.zone import Seat

BRIEF: Final = """\
Each trick wins the disc of its number: blue (+) discs count plus, red (-) minus. Follow the \
suit that was led if you can; otherwise lay any card. A card with the number of the trick is a \
trump: the last trump laid wins, else the highest card of the suit led.
Round 2 is played with the same cards, and all discs turned. A round is what its discs bring; \
it is added to the total when it is over, and the highest total wins.
"""


def describe_disc(number: int, blue: bool) -> str:
    """A disc as what it counts: +3 or -3."""
    return f"{'+' if blue else '-'}{number}"


def discs(words: Words, row: Sequence[bool]) -> str:
    """Discs in a row, by number."""
    return " ".join(describe_disc(number, blue) for number, blue in enumerate(row, start=1))


def _set_up(words: Words, row: object, turned: Sequence[int]) -> str:
    if not turned:
        return "The discs lie well as they fell."
    which = f"{'disc' if len(turned) == 1 else 'discs'} {listed(map(str, turned))}"
    return (
        f"So that plus and minus are mixed, {which} {'is' if len(turned) == 1 else 'are'} turned."
    )


def _trick(words: Words, number: int, blue: bool, seat: Seat, best: Card, trumps: int) -> str:
    """Who takes the disc, and by what; `trumps` were laid (rules section 3)."""
    why = f"the highest {words.suit(best.suit)}"
    if trumps:
        why = "the last trump laid" if trumps > 1 else "a trump"
    disc = describe_disc(number, blue)
    return f"{words.who(seat)} takes disc {disc} with {words.card(best)}, {why}."


def _over(words: Words, points: Sequence[int], winners: Sequence[Seat]) -> str:
    hail = ": hail!" if winners else "."
    return f"The game is over: {words.each(points, '+')}. {words.wins(winners)}{hail}"


def _turn(scene: Scene[FlipTable], play: ask.Play) -> str:
    table, asked = scene.table, play.seat == scene.seat
    end = f"for disc {describe_disc(table.disc, table.blue[table.disc - 1])}"
    # The hands of others are public in even rounds, and to be remembered: no word of them.
    own = scene.view.cards(table.hands[play.seat]) if asked else []
    if not table.trick:
        end += f"; trick {table.disc - 1} still lies there" if table.takers else ""
        leads = scene.does(play.seat, "lead")
        return f"{leads} to trick {table.disc}, {end}.{_trumps(scene, own)}"
    suit = table.trick[0].suit
    following = [card for card in own if card.suit == suit]
    if asked and not following:
        return f"You hold no {scene.suit(suit)}: lay any card, {end}.{_trumps(scene, own)}"
    follows = f"{scene.does(play.seat, 'follow')} suit ({scene.suit(suit)})"
    return f"{follows}{'' if asked else ' if possible'}, {end}.{_trumps(scene, following)}"


def _trumps(scene: Scene[FlipTable], cards: Sequence[Card]) -> str:
    """Which of the cards that the reader may lay are trumps in this trick."""
    table = scene.table
    found = [scene.card(card) for card in cards if table.trumps and card.rank == table.disc]
    return f" {listed(found)} {'is a trump' if len(found) == 1 else 'are trumps'}." if found else ""


def _exchange(scene: Scene[FlipTable], question: ask.Together) -> str:
    table = scene.table
    if scene.seat not in question.deciders:
        return f"All choose one card for {'their partner' if table.partner_only else _OTHERS}."
    others = receivers(table, scene.seat)
    if table.partner_only:
        return f"Give a card to {scene.people(others)}; all choose before any is seen."
    return (
        f"Give a card each to {scene.people(others)}: name {len(others)} cards, in this order; "
        "all choose before any is seen."
    )


_OTHERS: Final = "each other player"


def _flip(scene: Scene[FlipTable], flip: acts.Flip) -> str:
    return "The discs are being thrown." if flip.sides == 2 else "Chance decides who leads."


def _gifts(scene: Scene[FlipTable], gifts: Any, place: int) -> str:
    return ", ".join(f"{scene.face(slot)} to {scene.who(receiver)}" for slot, receiver in gifts)


def _headline(scene: Scene[FlipTable]) -> str:
    table = scene.table
    if table.over:
        return f"Flip Over   game over after {counted(len(table.scores), 'round')}"
    number = _trick_number(table)
    trick = f"   trick {number} of {table.numbers}" if number else ""
    trumps = f"   trumps: every {number}" if number else ""
    variants = trumps if table.trumps else "   no trumps"
    teams = f"   {_partners(scene)}" if table.teams else ""
    return f"Flip Over   round {max(1, table.round)} of {table.length}{trick}{variants}{teams}"


def _trick_number(table: FlipTable) -> int:
    """The trick that is played now; 0 between rounds, and once all discs are taken."""
    return table.disc if table.disc <= len(table.blue) else 0


def _partners(scene: Scene[FlipTable]) -> str:
    pairs = (f"{clip(scene.who(seat), 8)}+{clip(scene.who(seat + 2), 8)}" for seat in (0, 1))
    return f"teams {', '.join(pairs)}"


def _discs(scene: Scene[FlipTable]) -> list[str]:
    """The discs with their signs, the current one marked; below, who took each."""
    table, row, takers = scene.table, [], []
    for number, blue in enumerate(table.blue, start=1):
        disc = describe_disc(number, blue)
        row.append(f"[{disc}]" if number == table.disc else f" {disc} ")
        taken = number <= len(table.takers)
        takers.append(clip(scene.who(table.takers[number - 1]), 5) if taken else "")
    return [
        f"Discs  {''.join(f'{disc:^6}' for disc in row)}",
        f"taken  {''.join(f'{taker:^6}' for taker in takers)}",
    ]


def _tokens(scene: Scene[FlipTable]) -> list[Disc]:
    table = scene.table
    takers = [*table.takers, *[None] * len(table.blue)]
    return [
        Disc(describe_disc(number, blue), blue, number == table.disc, takers[number - 1])
        for number, blue in enumerate(table.blue, start=1)
    ]


def _chapter(scene: Scene[FlipTable]) -> str:
    table = scene.table
    number = _trick_number(table)
    if not number:
        return f"Round {max(1, table.round)}"
    return f"Trick {number}, disc {describe_disc(number, table.blue[number - 1])}"


def _laid_cards(scene: Scene[FlipTable]) -> Trick:
    """The trick, or the last one until somebody leads to the next."""
    table = scene.table
    if table.trick:
        seats = table.order(table.leader)
        best = seats[winner(table.trick, table.disc, table.trumps)]
        return Trick(tuple(zip(seats, table.trick, strict=False)), won=False, best=best)
    # Of a void round nobody is told which trick was the last.
    order = table.order(table.led_last) if table.takers else ()
    laid = [(seat, table.beside[seat][-1]) for seat in order if table.beside[seat]]
    cards = [(seat, table.face(slot)) for seat, slot in laid]
    return Trick(cards, won=True, best=table.takers[-1] if table.takers else None)


def _laid(scene: Scene[FlipTable], seat: Seat) -> str:
    table = scene.table
    laid = dict(zip(table.order(table.leader), table.trick, strict=False))
    if seat not in laid:
        return ""
    return scene.card(laid[seat]) + (" led" if seat == table.leader else "")


def _scored(scene: Scene[FlipTable], seat: Seat) -> str:
    return f"{_round(scene.table)[seat]:+}"


def _total(scene: Scene[FlipTable], seat: Seat) -> str:
    """How it stands now: nobody should have to add this round to the rounds before."""
    table, now = scene.table, _round(scene.table)
    partner = now[(seat + 2) % table.seats] if table.teams else 0
    return f"{totals(table)[seat] + now[seat] + partner:+}"


def _round(table: FlipTable) -> Sequence[int]:
    """What each seat has in the round that is played; nothing between two, or if it is void."""
    return round_scores(table) if table.disc and not table.over else [0] * table.seats


def _next(table: FlipTable) -> Seat | None:
    order = table.order(table.leader)
    return order[len(table.trick)] if table.disc and len(table.trick) < len(order) else None


def _hand(scene: Scene[FlipTable]) -> str:
    cards = sorted(scene.view.cards(scene.table.hands[scene.seat]), key=_rank)
    suits = [[card for card in cards if card.suit == suit] for suit in range(len(LETTERS))]
    return "  ".join(scene.cards(suit) for suit in suits if suit)


def _rank(card: Card) -> int:
    return card.rank


TEXT: Final = Wording(
    title="Flip Over",
    table=FlipTable,
    cloth="green",
    brief=BRIEF,
    cards=CardStyle(SYMBOLS, LETTERS),
    specs={
        "discs": discs,
        "disc": lambda words, disc: describe_disc(*disc),
        "face": lambda words, face: words.card(Card(0, *face)),
    },
    notes={
        "leader": "{0:who} leads to the first trick.",
        "deal": "The cards are shuffled and dealt, {0} to each player.",
        "set-up": _set_up,
        "discs": "Round {0} is played for the discs {1:discs}.",
        "take-up": "Everybody takes up the cards of the last round; all discs are turned over.",
        "exchange": by_value(
            0,
            {
                "partner": "Everybody has given one card to the partner.",
                "all": f"Everybody has given one card to {_OTHERS}.",
            },
        ),
        "play": "{0:who} lays {1:card}.",
        "trick": _trick,
        "round": "Round {0} is over: {1:each+}.",
        "void": "Round {0} is void, and scores nothing.",
        "over": _over,
    },
    why={
        "exchange": "it helps the others least",
        "leaves": by_value(
            2,
            {
                True: "disc {0:disc} goes to {1:who} or to somebody later",
                False: "disc {0:disc} goes to {1:who}",
            },
        ),
        "takes": "it takes disc {0:disc}",
        "may be beaten": may_be_beaten,
        "saves": "it saves {0:face} for later",
    },
    questions={
        "play": _turn,
        "together": _exchange,
        "hand-over": "The chosen cards change hands.",
        "flip": _flip,
    },
    options={"": _gifts},
    headline=_headline,
    middle=_discs,
    columns=lambda table: (
        Column(
            "cards", lambda scene, seat: len(scene.table.hands[seat]), short="cds", counted=True
        ),
        Column("round", _scored, 7, short="rd"),
        Column("total", _total, 7),
        Column("trick", _laid, 0, in_middle=True),
    ),
    turn=_next,
    hand=_hand,
    beside=lambda table, seat: table.beside[seat : seat + 1],
    stock=lambda table: table.stock,
    marks={
        "over": MarkKind.END,
        **dict.fromkeys(("round", "deal"), MarkKind.ROUND),
        "trick": MarkKind.TRICK,
        **dict.fromkeys(("exchange", "take-up"), MarkKind.EFFECT),
    },
    trick=_laid_cards,
    endings={"trick": 2, "round": None, "over": None},
    shows={"play": one_card},
    discs=_tokens,
    chapter=_chapter,
)
