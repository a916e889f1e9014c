"""Seats that are lost while a coin or witnesses settle a question: the others settle it first."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from engine.bots import sensible
from engine.game import Game
from engine.games import load
from engine.lost import Lost
from engine.question import Choose, Question
from engine.won import Won
from p2p.protocol.entry import decode_entry
from p2p.protocol.step import LEAVE
from tests.protocol.kit import Hub, bare_hub, require_all_cards
from tests.protocol.losing import Gone, go_on, lose
from tests.protocol.scenes import one_turn
from tests.protocol.verbs import DECK, VerbsTable

SEATS: Final = 5
LEAST: Final = 3
GAMES: Final[dict[str, dict[str, Any]]] = {
    "flaps": {"level": 7, "turn-limit": 12},
    "you-fink": {"cardLimit": "50"},
}


def note_coins(hub: Hub) -> set[int]:
    """The steps in which a share of a coin leaves a seat; they are known once the game is over."""
    steps, bend = set[int](), hub.bend

    def note(seat: int, record: bytes) -> list[bytes]:
        entry, sent = decode_entry(record), bend(seat, record)
        if entry.kind == "coin" and sent:
            steps.add(entry.step)
        return sent

    hub.bend = note
    return steps


def sit_down(game: Game, seed: int, *gone: Gone, **options: Any) -> Hub:
    """A table of five that three seats can continue; these seats vanish."""
    return lose(bare_hub(game, SEATS, seed, least=LEAST, **options), *gone)


def survivors(hub: Hub) -> list[Any]:
    """The seats that are there at the end."""
    return [seat for seat in hub.seats if seat.result is not None]


def finish(hub: Hub) -> VerbsTable:
    """The table of those who are left: they agree on everything, and nobody is accused."""
    go_on(hub)
    assert not hub.faults
    first, *rest = survivors(hub)
    for seat in rest:
        assert (seat.log, seat.result) == (first.log, first.result)
    require_all_cards(hub, first)
    table: VerbsTable = first.session.table
    return table


def kinds(hub: Hub) -> list[str]:
    """The kinds of the steps of the log, in order."""
    return [decode_entry(records[0]).kind for records in survivors(hub)[0].log]


# -- coins ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_no_decision_lies_within_a_coin_that_loses_a_seat(name: str, seed: int) -> None:
    """A seat that knows the value of a coin vanishes, and a friend decides by that value.

    Answer: nobody decides anything between the first share of a coin and its value.
    """
    rng = Random(f"{name} {seed}")
    one, two = rng.sample(range(SEATS), 2)
    gone = (Gone(one, "coin", rng.randrange(3)), Gone(two, "coin", rng.randrange(4)))
    hub = sit_down(load(name), seed, *gone, **GAMES[name])
    bot = sensible(name)
    hub.chooser = lambda view, question: bot(view, question, hub.rng)
    shares = note_coins(hub)
    go_on(hub)
    assert not hub.faults
    assert shares, "no coin was begun: another seed is needed"
    asked = kinds(hub)
    for step in shares:
        last, *_ = [kind for kind in asked[step:] if kind != "vote"]
        assert last == "coin", f"step {step}: {asked[step : step + 4]} (seed {seed})"


async def tossed(t: VerbsTable) -> None:
    await t.fresh(DECK, t.stock)
    t.seen += await t.flip(1000)


async def bet(t: VerbsTable, seat: int, asked: Question[Any]) -> None:
    """A decision and a coin, after a seat is lost."""
    t.seen.append(await t.choose(t.present()[0], ("low", "high"), "a bet"))
    t.seen += await t.flip(1000)
    t.over = True


async def tossed_then_chosen(t: VerbsTable) -> None:
    await tossed(t)
    t.seen.append(await t.choose(t.present()[0], ("low", "high"), "a bet"))


def test_coin_keeps_its_value_when_seats_are_lost() -> None:
    """The value is the one that the vanished seat could compute, and it is public at once."""
    game = one_turn("tossed-then-chosen", tossed_then_chosen, bet)
    whole = finish(sit_down(game, 3))
    hub = sit_down(game, 3, Gone(2, "coin"))
    assert finish(hub).seen[0] == whole.seen[0]
    assert kinds(hub)[:3] == ["vote", "coin", "coin"]
    assert hub.seats[0].session.journal[2] == Lost(2, gone=True)


def test_second_seat_lost_while_others_finish_a_coin() -> None:
    game = one_turn("tossed-then-chosen", tossed_then_chosen, bet)
    whole = finish(sit_down(game, 3))
    hub = sit_down(game, 3, Gone(2, "coin"), Gone(4, "coin", 2))
    table = finish(hub)
    assert table.seen[0] == whole.seen[0]
    assert table.lost == [2, 4]
    assert kinds(hub)[:5] == ["vote", "coin", "vote", "coin", "coin"]


def test_seat_lost_at_last_coin_has_resigned() -> None:
    """The coin ends the game; the others sign the result, and the rules know of the loss."""
    hub = sit_down(one_turn("tossed-last", tossed, bet), 3, Gone(1, "coin"))
    assert finish(hub).lost == [1]
    assert kinds(hub) == ["vote", "coin", "coin", "close"]


# -- races ------------------------------------------------------------------------------------


async def slap(t: VerbsTable) -> None:
    """Everybody slaps; the winner is seen."""
    won = await t.race([Choose(one, ("slap",), "slap?") for one in t.present()], "slap", t.pile)
    assert won is not None
    t.seen.append(won.seat)


async def slapped(t: VerbsTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 2)
    await slap(t)
    t.seen += await t.flip(6)


async def slap_again(t: VerbsTable, seat: int, asked: Question[Any]) -> None:
    t.over = True


SLAPPED: Final = one_turn("slapped", slapped, slap_again)


def all_but(*seats: int) -> Callable[[Any, Any], object]:
    """Everybody slaps, but for these seats, which pass."""
    return lambda view, question: None if view.seat in seats else 0


def test_race_is_decided_by_witnesses_that_are_left() -> None:
    """A seat vanishes at the witness step, so that the race of its rivals is void.

    Answer: the others say again what they saw, and the race is decided.
    """
    hub = sit_down(SLAPPED, 1, Gone(3, "witness"))
    hub.chooser = all_but(0, 3)
    assert finish(hub).seen[0] in (1, 2, 4)
    race = kinds(hub).index("race")
    assert kinds(hub)[race : race + 3] == ["race", "vote", "witness"]


def test_claim_of_lost_seat_comes_after_all_others() -> None:
    """Of two claimants one vanishes at the witness step: the other one is first."""
    hub = sit_down(SLAPPED, 1, Gone(3, "witness"))
    hub.chooser = all_but(0, 1, 2)
    assert finish(hub).seen[0] == 4
    assert kinds(hub).count("witness") == 0


def test_race_is_drawn_when_all_claimants_are_lost() -> None:
    hub = sit_down(SLAPPED, 1, Gone(3, "witness"), Gone(4, "witness"))
    hub.chooser = all_but(0, 1, 2)
    assert finish(hub).seen[0] in (3, 4)
    race = kinds(hub).index("race")
    assert kinds(hub)[race : race + 3] == ["race", "vote", "coin"]


def leaves(hub: Hub, seat: int, chooses: Callable[[Any, Any], object]) -> None:
    """Let a seat leave for good in its first race."""

    def decide(view: Any, question: Any) -> object:
        return LEAVE if view.seat == seat else chooses(view, question)

    hub.chooser = decide


def test_race_with_a_claim_is_decided_before_its_leaver_is_gone() -> None:
    """A seat leaves in a race, so that what a rival has claimed is void.

    Answer: it has passed, and the rival wins the race.
    """
    hub = sit_down(SLAPPED, 1)
    leaves(hub, 3, all_but(0, 1, 2))
    assert finish(hub).seen == [4]
    won, lost = hub.seats[0].session.journal[-2:]
    assert isinstance(won, Won)
    assert (won.seat, lost) == (4, Lost(3))
    assert kinds(hub)[-2:] == ["farewell", "close"]


def test_leaver_who_is_lost_at_witnesses_owes_no_farewell() -> None:
    hub = sit_down(SLAPPED, 1, Gone(3, "witness"))
    leaves(hub, 3, all_but(0))
    table = finish(hub)
    assert table.voted_out == [3]
    assert "farewell" not in kinds(hub)


def test_race_that_two_seats_leave_counts_one_claim() -> None:
    hub = sit_down(SLAPPED, 1)
    hub.chooser = lambda view, question: 0 if view.seat == 1 else LEAVE
    assert finish(hub).seen == [1]
    assert finish(hub).lost == [0]
