"""What every game has to stand when players leave: at any question, any seat, at any moment."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import testing
from engine.bots import random_bot, sensible
from engine.compiling import is_compiled
from engine.dealer import TrustedDealer
from engine.game import Game, Value
from engine.games import NAMES, load, load_text
from engine.lost import Lost
from engine.session import Session
from engine.simulate import game_seed, play_game, seated
from engine.totals import winners_of
from engine.view import SPECTATOR
from tests.engine import tiny
from tests.engine.play import step
from tests.shares import every_second

GAMES: dict[str, Game] = {**{name: load(name) for name in NAMES}, "tiny": tiny.GAME}
SHORT: dict[str, Value] = {"turn-limit": 30, "target": 25, "hands": 3, "cardLimit": "50"}
SHARES = 20
GAMES_A_SHARE = 1000
A_FEW = 40


def short(game: Game) -> dict[str, Value]:
    """Options with which a game soon ends, and that have whatever it can ask."""
    found = {one.name: SHORT[one.name] for one in game.options if one.name in SHORT}
    return {**found, "last-card": "catch"} if game.name == "flaps" else found


TABLES = [
    pytest.param(game, seats, short(game), id=f"{game.name}-{seats}")
    for game in GAMES.values()
    for seats in game.seats
    if seats > 2
]
MORE: list[Any] = [
    pytest.param(GAMES[name], seats, {**short(GAMES[name]), **options}, id=f"{name}-{options}")
    for name, seats, options in (
        ("flip-over", 4, {"teams": True}),
        ("flaps", 4, {"last-card": "auto", "scuffle": "after-last-hd"}),
        ("flop-a", 4, {"stack": 20, "foldersPay": True}),
        ("sneak", 3, {"ending": "one-more-turn"}),
        ("sneak", 5, {"ranking": "house"}),
        ("you-fink", 4, {"guests": 2, "minionBeatenTakesPile": True}),
    )
]


KINDS = {"flip-over": 5, "flaps": 44, "flop-a": 8, "sneak": 9, "you-fink": 7, "tiny": 13}
"""How many kinds of questions are met at least; Flaps has 47 in all.

Compiled rules do not say where they are, so fewer kinds are told apart there.
"""
FEWER = {**KINDS, "flaps": 28, "sneak": 6, "flop-a": 6, "you-fink": 6}


@pytest.mark.parametrize(("game", "seats", "options"), every_second([*TABLES, *MORE]))
def test_any_seat_may_leave_at_every_kind_of_question(
    game: Game, seats: int, options: dict[str, Value]
) -> None:
    """No card is lost, doubled or shown to anybody, nothing stalls, and all have a result."""
    games = 60 if game.name == "flaps" else 8  # of so many cards few come in one game
    kinds = testing.check_leaving(game, seats, options, seed=17, games=games) // seats
    assert kinds >= (FEWER if is_compiled(Session) else KINDS)[game.name]


@pytest.mark.full
@pytest.mark.parametrize(("game", "seats", "options"), [*TABLES, *MORE])
def test_any_seat_may_leave_at_every_kind_of_question_of_many_games(
    game: Game, seats: int, options: dict[str, Value]
) -> None:
    kinds = testing.check_leaving(game, seats, options, seed=18, games=100) // seats
    assert kinds >= (FEWER if is_compiled(Session) else KINDS)[game.name]


@pytest.mark.parametrize(("game", "seats", "options"), every_second([*TABLES, *MORE], 1))
def test_whoever_has_the_journal_has_the_digests_with_losses_in_between(
    game: Game, seats: int, options: dict[str, Value]
) -> None:
    testing.check_sync(game, seats, options, seed=18, leave=0.01)
    testing.check_simulation(game, seats, options, seed=19, leave=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(data=st.data())
def test_games_of_drawn_choices_end_though_players_leave(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    seats = data.draw(st.sampled_from(game.seats))
    draw = lambda n: data.draw(st.integers(0, n - 1))  # noqa: E731
    testing.play_drawn(game, seats, short(game), draw, leave=0.03)


@pytest.mark.parametrize("name", NAMES)
def test_sensible_bots_go_on_without_a_player(name: str) -> None:
    game = GAMES[name]
    for seats in game.seats:
        testing.play_out(game, seats, short(game), 3, sensible(name), leave=0.02)


# -- what people are told ------------------------------------------------------------------------

PEOPLE = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


def told(name: str, seats: int, seed: int) -> list[str]:
    """What is told of one game that somebody leaves; all is shown to all seats meanwhile."""
    game, text, rng = GAMES[name], load_text(name), Random(seed)
    session = Session(game, seats, short(game), notes=True)
    dealer, names, lines = TrustedDealer(rng), PEOPLE[:seats], []
    while (asked := session.pending) is not None:
        for seat in (*range(seats), SPECTATOR):
            view = dealer.view(session.table, seat)
            assert text.table_lines(view, names)
            assert text.describe_question(view, asked, names)
            assert (text.hand_line(view) == "") or seat not in session.table.lost
        if rng.random() < 0.03:
            session.lose(rng.choice(session.table.present()))
        else:
            step(session, dealer, rng)
        lines += [text.describe_note(note, names) for note in session.take_notes()]
    assert text.table_lines(dealer.view(session.table, SPECTATOR), names)
    return lines


@pytest.mark.parametrize("name", NAMES)
def test_people_are_told_who_has_left_and_what_became_of_the_cards(name: str) -> None:
    seats, what = min(4, GAMES[name].seats[-1]), WHAT_BECAME[name]
    lines = [line for seed in range(6) for line in told(name, seats, seed)]
    assert any(" has left the table: they resign" in line for line in lines)
    assert any(what in line for line in lines), what


WHAT_BECAME = {
    "flip-over": " is void, and scores nothing.",
    "flaps": " cards go under the stock, face down: ",
    "flop-a": " folds.",
    "sneak": " goes under the stock, unopened: ",
    "you-fink": " go to the booty: ",
}


# -- leaving is resigning -------------------------------------------------------------------------


def leave_at(game: Game, seats: int, options: dict[str, Value], seed: int) -> Session:
    """A random game that the player who would win now leaves, at a question by chance."""
    rng, session = Random(seed), Session(game, seats, options)
    dealer, at = TrustedDealer(rng), rng.randrange(1, 15 if game is tiny.GAME else 120)
    while not session.over:
        if len(session.journal) == at:
            leader = max(session.table.present(), key=game.returns(session.table).__getitem__)
            session.lose(leader)
        else:
            step(session, dealer, rng)
    return session


@pytest.mark.parametrize(("game", "seats", "options"), [*TABLES, *MORE])
def test_leader_who_leaves_never_wins(game: Game, seats: int, options: dict[str, Value]) -> None:
    """A player who is ahead leaves, or falls silent until voted out, so that the lead decides.

    Answer: leaving is resigning in every game: a lost seat, or its side, never wins.
    """
    left = 0
    for seed in range(4):
        session = leave_at(game, seats, options, seed)
        left += len(session.table.lost)
        won = set(winners_of(session))
        sides = game.sides(seats, session.options) or [(seat,) for seat in range(seats)]
        out = {seat for side in sides if {*side} & {*session.table.lost} for seat in side}
        assert not won & out
    assert left


@pytest.mark.parametrize(("game", "seats", "options"), [*TABLES, *MORE])
def test_last_seat_left_has_won(game: Game, seats: int, options: dict[str, Value]) -> None:
    """Flip Over ends before that: with two left its finished rounds decide."""
    for seed in range(3):
        rng, session = Random(seed), Session(game, seats, options)
        dealer = TrustedDealer(rng)
        while not session.over:
            if rng.random() < 0.2:
                session.lose(rng.choice(session.table.present()))
            else:
                step(session, dealer, rng)
        left = session.table.present()
        assert len(left) > 1 or winners_of(session) == (*left,)


@pytest.mark.parametrize("name", NAMES)
def test_end_of_a_game_names_the_winners(name: str) -> None:
    """The words of the game and those of the result agree, though the leader has left."""
    game = GAMES[name]
    for seed in range(6):
        session = leave_at(game, 4, short(game), seed)
        told = Session(game, 4, short(game), notes=True)
        for answer in session.journal:
            told.answer(answer)
        (*_, note) = told.take_notes()
        assert note[0] == "over"
        assert winners_of(session) == tuple(note[-1])  # type: ignore[arg-type]


# -- many games -----------------------------------------------------------------------------------


def drawn_table(rng: Random) -> tuple[Game, int, dict[str, Value]]:
    """A game, a number of seats and some options by chance."""
    game = GAMES[rng.choice(NAMES)]
    while True:
        seats = rng.choice(game.seats)
        some = [one for one in game.options if rng.random() < 0.3 and one.name not in SHORT]
        options = {**short(game), **{one.name: rng.choice(one.allowed[:4]) for one in some}}
        if game.unfit(seats, {**game.defaults(), **options}) is None:
            return game, seats, options


def play_one(seed: int) -> Session:
    """One game by chance, every card checked at every question; its result checked too."""
    rng = Random(seed)
    game, seats, options = drawn_table(rng)
    leave = rng.choice((0.003, 0.01, 0.05))
    players = seated(game, seats, [random_bot] * seats)
    session = play_game(game, seats, options, seed, players, check=True, leave=leave)
    low, high = game.bounds(seats, session.options)
    assert len(session.returns) == seats
    assert all(low <= result <= high for result in session.returns)
    assert session.table.conserved()
    journal = [entry.seat for entry in session.journal if isinstance(entry, Lost)]
    assert session.table.lost == journal
    again = session.fork(len(session.journal) // 2)
    for entry in session.journal[len(session.journal) // 2 :]:
        again.answer(entry)
    assert again.digest() == session.digest()
    return session


def test_players_leave_at_random_moments_of_random_games() -> None:
    lost = [len(play_one(game_seed(17, number)).table.lost) for number in range(A_FEW)]
    assert sum(map(bool, lost)) > A_FEW // 3


@pytest.mark.full
@pytest.mark.parametrize("share", range(SHARES))
def test_players_leave_at_random_moments_of_20_000_games(share: int) -> None:
    for number in range(GAMES_A_SHARE):
        seed = game_seed(share + 1, number)
        try:
            play_one(seed)
        except Exception as fault:
            raise AssertionError(f"play_one({seed}) fails: {fault!r}") from fault
