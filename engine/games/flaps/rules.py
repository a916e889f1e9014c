"""The rules of Flaps, by Paul Feagan: dealing, turns, options.  Effects are with their levels."""

from __future__ import annotations

from typing import Final

from engine.game import Game, Option
from engine.games.flaps import laying, level1, level2, level3, level4, level5, level6, level7
from engine.games.flaps.calls import PASS, lay_or_pass
from engine.games.flaps.cards import DECKS
from engine.games.flaps.drawing import draw
from engine.games.flaps.finish import LONGEST, bounds, end_turn, returns, stall
from engine.games.flaps.laying import resolve
from engine.games.flaps.leaving import lose
from engine.games.flaps.table import FlapsTable, duty, new_table
from engine.games.flaps.time_out import timed_out
from engine.zone import Seat

HAND: Final = 7
COMPLETE: Final = 7
"""The highest level."""

for level in (level1, level2, level3, level4, level5, level6, level7):
    laying.EFFECTS.update(level.EFFECTS)


async def turn(t: FlapsTable) -> None:
    """Play one turn with all that follows from it, or deal a game.

    The player lays one card, or declines, even with a card that could be laid.  (The card is asked
    for here and not further down, because every level of coroutines costs time for each answer.)
    """
    if not t.playing:
        await deal(t)
        return
    t.turns += 1
    t.effect = ""
    t.after = seat = t.turn
    fits, why = duty(t)
    if t.due:
        card = await lay_or_pass(t, seat, fits, why)
    else:
        card = await t.play(seat, t.hands[seat], fits, t.discard, PASS, why)
    if card is None:
        await declined(t, seat)
    else:
        t.miss = False
        await resolve(t, seat, card)
    if t.playing:
        end_turn(t)


async def declined(t: FlapsTable, seat: Seat) -> None:
    """After an 8 a knock, which costs the turn; otherwise the whole sum of an attack, or one card.

    If there is nothing at all to draw, this is a pass (D4).
    """
    if t.miss:
        t.miss = False
        t.note("knock", seat)
    elif await draw(t, seat, t.owed or 1):
        t.passes = t.owed = 0
    else:
        t.passes, t.owed = t.passes + 1, 0
        if t.passes >= len(t.present()):
            await stall(t)


async def deal(t: FlapsTable) -> None:
    """Deal; chance names the first dealer, later the deal rotates left (rules section 2)."""
    if t.dealer < 0:
        (dealer,) = await t.flip(len(t.present()))
        t.dealer = t.present()[dealer]
    else:
        t.dealer = t.left_of(t.dealer)
    await t.fresh(DECKS[t.level], t.stock)
    await t.shuffle(t.stock)
    players = t.clockwise(t.dealer)
    await t.deal(t.stock, [t.hands[seat] for seat in players], HAND)
    t.note("deal", t.dealer, HAND)
    begin(t, players[0])
    await turn_up(t)


def begin(t: FlapsTable, seat: Seat) -> None:
    """Do everything that begins a game; `seat` plays first."""
    t.playing, t.turn, t.direction = True, seat, 1
    t.turns, t.passes, t.owed, t.miss = 0, 0, 0, False
    t.due.clear()
    t.known_by.clear()
    t.face_up.clear()


async def turn_up(t: FlapsTable) -> None:
    """Turn up the first discard, without effect; cards without a suit go under the stock (D2)."""
    while True:
        (card,) = await t.open(t.stock[-1:])
        slot = t.stock.pop()
        t.note("turn up", card)
        if card.suit >= 0:
            t.discard.append(slot)
            t.follow(card)
            return
        t.stock.insert(0, slot)


MILLISECONDS: Final = tuple(range(10_001))
GAME: Final = Game(
    name="flaps",
    title="Flaps",
    rules_version=5,
    seats=range(2, 9),
    options=(
        Option(
            "level",
            COMPLETE,
            tuple(range(1, COMPLETE + 1)),
            "cards of levels 1 to this one",
            (
                "attacks, flaps, scuffles and Jacks",
                "and TRUMPS, OL' MAIDS",
                "and QUACK, STOP, DUMP, SIX, KING'N'LAY",
                "and SPOOF, LOW OL' MAID",
                "and fives: secrets for the Mystery Pile",
                "and ones: piles before the players",
                "and FULL MONTY: all 148 cards",
            ),
        ),
        Option(
            "last-card",
            "auto",
            ("auto", "catch", "off"),
            "players who forget to say Last Card pick up: at once, when caught, or never",
        ),
        Option(
            "scuffle",
            "after-ten",
            ("after-ten", "after-last-hd"),
            "who plays after a 10 and all HOOFERS-DOOFERS (HD) laid on it",
            ("the neighbour of the 10's layer", "the neighbour of the last HD's layer"),
        ),
        Option("wins", 1, tuple(range(1, 21)), "how many wins end the session"),
        Option(
            "turn-limit",
            1000,
            tuple(range(LONGEST + 1)),
            "turns a game may last; 0: the most possible, 10,000",
        ),
        Option(
            "quiet-ms",
            5000,
            MILLISECONDS,
            "how many milliseconds nobody has flapped when the last call comes",
        ),
        Option(
            "last-call-ms",
            3000,
            MILLISECONDS,
            "how many milliseconds the last call for FLAPS lasts",
        ),
    ),
    table=new_table,
    turn=turn,
    returns=returns,
    bounds=bounds,
    races=True,
    lose=lose,
    timed_out=timed_out,
)
