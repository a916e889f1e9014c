"""A seat leaves for good: what the session does, whatever the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from engine import question as ask
from engine import testing
from engine.dealer import TrustedDealer
from engine.errors import AsksLostError, EngineError
from engine.game import Game
from engine.lost import Lost
from engine.question import Otherwise, Question
from engine.session import Session
from engine.table import Table
from engine.table_state import JOINT, OPEN
from engine.traps import whole
from engine.view import View
from tests.engine.play import finish, step
from tests.engine.tiny import DECK, GAME, TinyTable, lose


def start(
    seed: int = 1, game: Game = GAME, **how: bool | int
) -> tuple[Session, TrustedDealer, Random]:
    rng = Random(seed)
    return Session(game, 3, {"rounds": 2}, check=True, **how), TrustedDealer(rng), rng


def until(kind: str, game: Game = GAME, **how: bool | int) -> tuple[Session, TrustedDealer, Random]:
    """A session that has just asked for this kind of answer."""
    session, dealer, rng = start(game=game, **how)
    while session.pending is not None and session.pending.kind != kind:
        step(session, dealer, rng)
    return session, dealer, rng


KINDS = (
    "fresh", "shuffle", "deal", "play", "open", "put-back", "cut", "lay-down", "hand-over",
    "reshuffle", "together", "choose", "flip",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seat", range(3))
def test_a_seat_can_leave_at_any_question_and_the_others_finish(kind: str, seat: int) -> None:
    session, dealer, rng = until(kind)
    session.lose(seat)
    assert session.journal[-1] == Lost(seat)
    assert session.table.lost == [seat]
    assert session.pending is not None
    assert session.pending.kind == "flip", "the rules of the game say how it goes on"
    finish(session, dealer, rng)
    assert len(session.returns) == 3
    assert session.table.conserved()


def test_nobody_can_read_what_only_the_lost_seat_could_read() -> None:
    session, dealer, _ = until("play")
    table = session.table
    hand = list(table.zones[1])
    assert [table.locks[slot] for slot in hand] == [0, 0, 0]
    others = {slot: lock for slot, lock in enumerate(table.locks) if slot not in hand}
    session.lose(0)
    assert [table.locks[slot] for slot in hand] == [JOINT] * 3
    assert others == {slot: lock for slot, lock in enumerate(table.locks) if slot not in hand}
    for seat in range(3):
        assert not any(dealer.view(table, seat).knows(slot) for slot in hand)


def test_when_the_last_but_one_leaves_the_game_is_over_with_a_result_for_all() -> None:
    session, dealer, rng = until("play")
    session.lose(2)
    step(session, dealer, rng)
    session.lose(0)
    assert session.over
    assert len(session.returns) == 3
    assert session.table.lost == [2, 0]


def test_a_seat_may_leave_while_the_rules_go_on_without_another() -> None:
    session, dealer, rng = until("play")
    session.lose(2)
    assert session.where()[:1] == ["lose"]
    session.lose(1)
    assert session.over
    four = replace(GAME, seats=range(2, 5))
    session = Session(four, 4, {"rounds": 1}, check=True)
    session.lose(3)
    session.lose(2)
    finish(session, dealer, rng)
    assert session.table.lost == [3, 2]


# -- who may leave, and when ----------------------------------------------------------------------


def test_a_seat_is_lost_once() -> None:
    session, _, _ = until("play")
    session.lose(1)
    before, digest = list(session.journal), session.digest()
    for seat in (1, 3, -1):
        with pytest.raises(EngineError, match=f"seat {seat} cannot leave Tiny: it is none of"):
            session.lose(seat)
    assert (session.journal, session.digest()) == (before, digest)


def test_nobody_leaves_a_game_that_is_over() -> None:
    session, dealer, rng = start()
    finish(session, dealer, rng)
    with pytest.raises(EngineError, match="nothing is asked any more"):
        session.lose(0)


def test_a_game_without_lose_goes_on_with_everybody_or_not_at_all() -> None:
    session, dealer, rng = until("play", replace(GAME, lose=None))
    before = session.digest()
    with pytest.raises(EngineError, match="Tiny cannot go on without a player"):
        session.lose(1)
    assert session.digest() == before
    assert finish(session, dealer, rng).over


# -- a mistake in the rules is loud ---------------------------------------------------------------


@dataclass(slots=True, eq=False)
class BadTable(Table):
    pass


Rule = Callable[[Table], Any]


def forgetful(rule: Rule, seats: int = 3) -> Game:
    """A game whose turns ask for the same whoever has left."""

    async def turn(t: Table) -> None:
        await rule(t)

    async def nothing(t: Table, seat: int, asked: Question[Any]) -> None:
        return None

    def table(seats: int, options: Any) -> BadTable:
        made = BadTable(seats, DECK, list(DECK.cards), [OPEN] * len(DECK))
        made.zone("hand", 1).extend(range(len(DECK)))
        return made

    return Game(
        "forgetful", "Forgetful", 1, range(2, 5), (), table, turn, lambda t: (0,) * t.seats,
        lambda seats, options: (0, 0), lose=nothing,
    )  # fmt: skip


def every_way() -> list[Any]:
    """Each way to name a seat in a question."""

    def lay(t: Table) -> ask.Play:
        return ask.Play(1, t.zones[0], lambda card: True, Otherwise.PASS)

    ways: dict[str, Rule] = {
        "decider": lambda t: t.choose(1, ("yes", "no"), "well?"),
        "one of several": lambda t: t.together((0, 1), (("a", "b"),) * 2, "well?"),
        "claim": lambda t: t.race([lay(t), ask.Choose(0, ("a",), "b")], "who?", t.zones[0]),
        "awaited": lambda t: t.race([ask.Choose(0, ("a",), "b")], "who?", awaited=1),
        "receiver": lambda t: t.deal(t.zones[0], [t.zones[0]], 1),
        "looker": looked,
        "shuffler": lambda t: t.reshuffle(t.zones[0], by=1),
        "under oath": lambda t: t.swear(1, t.zones[0], lambda card: False),
        "holder": lambda t: t.lay_all([t.zones[0]], lambda card: False, t.zones[0]),
    }
    return [pytest.param(rule, id=name) for name, rule in ways.items()]


async def looked(t: Table) -> None:
    t.locks[0], t.faces[0] = 0, None
    await t.show(0, to=1)


@pytest.mark.parametrize("rule", every_way())
def test_no_question_names_a_seat_that_has_left(rule: Rule) -> None:
    session = Session(forgetful(rule), 3, {})
    assert session.pending is not None
    kind = session.pending.kind
    with pytest.raises(
        AsksLostError, match=f"^the rules of forgetful asked for {kind}.* of seat 1, who has left"
    ):
        session.lose(1)
    assert session.pending is None


@pytest.mark.parametrize("rule", every_way())
def test_the_kit_says_what_to_write_instead(rule: Rule) -> None:
    session = Session(forgetful(rule), 3, {})
    sentence = r"forgetful, question .*, seat 1: this player has left.*t\.present\(\)"
    with (
        pytest.raises(AssertionError, match=sentence),
        whole(session.game, session.pending, lambda: session.table),
    ):
        session.lose(1)


def test_one_player_who_is_left_is_asked_nothing() -> None:
    session = Session(forgetful(lambda t: t.flip(2)), 3, {})
    session.lose(1)
    with pytest.raises(EngineError, match="asked for flip with one player left"):
        session.lose(0)


def test_no_card_stays_with_a_seat_that_has_left() -> None:
    async def hand_back(t: TinyTable, seat: int, asked: Question[Any]) -> None:
        t.locks[0] = seat
        await t.flip(2)

    session, _, _ = until("play", replace(GAME, lose=hand_back))
    with pytest.raises(EngineError, match="let a seat read a card that has left"):
        session.lose(1)


def test_the_kit_finds_rules_that_show_a_card_to_others() -> None:
    async def give(t: TinyTable, seat: int, asked: Question[Any]) -> None:
        for slot, lock in enumerate(t.locks):
            t.locks[slot] = t.present()[0] if lock == JOINT else lock
        await lose(t, seat, asked)

    with pytest.raises(AssertionError, match=r"knows the cards in .* since seat 0 has left"):
        testing.check_leaving(replace(GAME, lose=give), 3, {}, seed=1)


def test_kit_finds_a_lost_seat_that_is_asked() -> None:
    async def ask_again(t: TinyTable, seat: int, asked: Question[Any]) -> None:
        await t.choose(seat, ("yes", "no"), "do you really leave?")

    with pytest.raises(AssertionError, match="has left"):
        testing.check_leaving(replace(GAME, lose=ask_again), 3, {}, seed=1)


@pytest.mark.parametrize("sides", [((0, 1),), ((0, 1), (1, 2)), ((0, 1), (2, 3))])
def test_kit_finds_seats_that_are_not_on_one_side(sides: Any) -> None:
    with pytest.raises(AssertionError, match="not every seat is on one side"):
        testing.play_out(replace(GAME, sides=lambda seats, options: sides), 3, {}, seed=1)


def test_kit_finds_members_of_a_side_that_differ() -> None:
    teams = replace(GAME, sides=lambda seats, options: ((0, 1), (2,)))
    found = 0
    for seed in range(9):
        try:
            testing.play_out(teams, 3, {}, seed=seed)
        except AssertionError as fault:
            found += "of a side differ" in str(fault)
    assert found


def test_the_kit_finds_rules_that_lose_the_cards() -> None:
    async def drop(t: TinyTable, seat: int, asked: Question[Any]) -> None:
        t.hands[seat].clear()
        await lose(t, seat, asked)

    with pytest.raises(EngineError, match="lost a card, or have one twice"):
        testing.check_leaving(replace(GAME, lose=drop), 3, {}, seed=1)


def test_no_table_has_another_field_of_that_name() -> None:
    with pytest.raises(EngineError, match=r"Points\.lost has to have another name"):

        class Points(Table):
            lost: list[int]


# -- journal, forks, digests ----------------------------------------------------------------------


@pytest.mark.parametrize("every", [0, 1, 2])
def test_a_fork_at_any_point_has_the_loss(every: int) -> None:
    session, dealer, rng = start(every=every)
    digests = []
    while not session.over:
        digests.append(session.digest())
        if len(session.journal) in (6, 30):
            session.lose(2 if len(session.journal) == 6 else 0)
        else:
            step(session, dealer, rng)
    assert session.table.lost == [2, 0]
    for at, digest in enumerate(digests):
        fork = session.fork(at)
        assert fork.digest() == digest
        for entry in session.journal[at:]:
            fork.answer(entry)
        assert fork.digest() == session.digest()
        assert fork.returns == session.returns
        assert fork.journal == session.journal


def test_a_fork_after_the_loss_refuses_a_question_to_the_lost_seat_too() -> None:
    session = Session(forgetful(lambda t: t.flip(t.seats)), 3, {}, every=1)
    session.lose(1)
    session.answer((0,))
    twin = session.fork()
    with pytest.raises(EngineError, match="one player left"):
        twin.lose(2)


def test_who_has_left_is_in_the_digest_and_nothing_of_it_before() -> None:
    """A table that nobody has left has the digest that it had before seats could leave."""
    session, _, _ = until("play")
    table = session.table
    assert isinstance(table, TinyTable)
    assert table.digest().hex() == "c667fd33fff3f45e8ac5ec7e5eb78fa4"
    digests = set()
    for lost in ([], [0], [1], [0, 1], [1, 0]):
        table.lost[:] = lost
        digests.add(table.digest())
    assert len(digests) == 5


def test_a_golden_playthrough_can_have_a_loss(tmp_path: Any) -> None:
    session, dealer, rng = until("open")
    session.lose(1)
    finish(session, dealer, rng)
    testing.write_golden(tmp_path / "one.txt", session)
    assert '{"lost": [1]}' in (tmp_path / "one.txt").read_text(encoding="utf-8")
    again = testing.check_golden(tmp_path / "one.txt", lambda name: GAME)
    assert again.journal == session.journal


# -- cards that rivals had shown ------------------------------------------------------------------


def test_a_seat_lost_after_the_last_answer_has_resigned() -> None:
    """The others vote it out in the step that ends the game: the result stays, and the loss."""
    session, dealer, rng = start()
    finish(session, dealer, rng)
    returns = session.returns
    session.lose(1, gone=True)
    assert (session.over, session.returns) == (True, returns)
    assert (session.table.lost, session.table.voted_out) == ([1], [1])
    assert session.fork().digest() == session.digest()


# -- what the kit plays ---------------------------------------------------------------------------


def test_the_kit_plays_games_that_seats_leave() -> None:
    assert testing.check_leaving(GAME, 3, {}, seed=2) >= 3 * len(KINDS)
    lost = [len(testing.play_out(GAME, 3, {}, seed, leave=0.05).table.lost) for seed in range(40)]
    assert {0, 1, 2} == set(lost)
    testing.check_sync(GAME, 3, {"rounds": 3}, seed=3, leave=0.03)
    testing.check_simulation(GAME, 3, {"rounds": 3}, seed=4, leave=0.03)


def test_a_view_of_a_seat_that_has_left_has_what_everybody_knows() -> None:
    session, dealer, _ = until("cut")
    session.lose(1)
    table, truth = session.table, dealer.truth.cards
    view = View(table, 1, truth.__getitem__, truth.__getitem__)
    public = [slot for slot in range(len(DECK)) if table.faces[slot] is not None]
    assert [slot for slot in range(len(DECK)) if view.recall(slot) is not None] == public
