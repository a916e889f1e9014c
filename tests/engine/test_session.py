"""The driver: one loop, forks, marks, refusals, limits."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import acts
from engine import question as ask
from engine.compiling import is_compiled
from engine.dealer import TrustedDealer
from engine.errors import EngineError, IllegalAnswer, UsageError
from engine.session import Session
from engine.table import Table
from tests.engine.play import finish, step
from tests.engine.tiny import DECK, FACES, GAME, RED, TinyTable

BUILT_IN = "a compiled module has its limits built in, so that no test can lower them"


def start(seed: int = 1, **how: bool | int) -> tuple[Session, TrustedDealer, Random]:
    rng = Random(seed)
    return Session(GAME, 2, {"rounds": 3}, **how), TrustedDealer(rng), rng


def until(kind: str, seed: int = 1) -> tuple[Session, TrustedDealer, Random]:
    """A session that has just asked for this kind of answer."""
    session, dealer, rng = start(seed, check=True)
    while session.pending is not None and session.pending.kind != kind:
        step(session, dealer, rng)
    return session, dealer, rng


@pytest.mark.parametrize("seed", range(20))
def test_a_whole_game_asks_everything_and_keeps_every_card(seed: int) -> None:
    session, dealer, rng = start(seed, check=True)
    kinds = set()
    while not session.over:
        kinds.add(step(session, dealer, rng).kind)
    assert kinds >= {
        "fresh", "shuffle", "deal", "play", "open", "put-back", "cut", "lay-down", "hand-over",
        "reshuffle", "together", "choose", "flip",
    }  # fmt: skip
    assert len(session.returns) == 2
    assert session.pending is None


@pytest.mark.parametrize("every", [0, 1, 2])
def test_a_fork_at_any_question_goes_on_like_the_original(every: int) -> None:
    session, dealer, rng = start(every=every)
    while not session.over:
        fork, other, luck = session.fork(), dealer.copy(Random(5)), Random(5)
        assert fork.digest() == session.digest()
        assert fork.journal == session.journal
        before = session.digest()
        finish(fork, other, luck)
        assert session.digest() == before
        step(session, dealer, rng)
    assert session.fork().returns == session.returns


@pytest.mark.parametrize("every", [0, 1, 2])
def test_a_fork_can_start_at_any_earlier_answer(every: int) -> None:
    session, dealer, rng = start(every=every)
    digests = []
    while not session.over:
        digests.append(session.digest())
        step(session, dealer, rng)
    for at, digest in enumerate(digests):
        fork = session.fork(at)
        assert fork.digest() == digest
        for answer in session.journal[at:]:
            fork.answer(answer)
        assert fork.returns == session.returns


def test_an_illegal_answer_changes_nothing() -> None:
    session, dealer, rng = until("play")
    before, asked = session.digest(), session.pending
    hand = session.table.zones[1]
    for wrong in (None, (99, FACES[0]), (hand[0], FACES[6])):
        if wrong == (hand[0], FACES[6]):
            session.table.faces[hand[0]] = FACES[0]
        with pytest.raises(IllegalAnswer):
            session.answer(wrong)
        assert session.pending is asked
    session.table.faces[hand[0]] = None
    assert session.digest() == before
    finish(session, dealer, rng)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("choose", 2),
        ("choose", -1),
        ("choose", "1"),
        ("choose", True),
        ("together", (0, "1")),
        ("together", (0,)),
        ("together", (0, 3)),
        ("lay-down", (0, 1)),
        ("lay-down", (99,)),
        ("open", ()),
        ("cut", ()),
        ("flip", (0, 6)),
        ("flip", (0,)),
        ("deal", 1),
    ],
)
def test_each_kind_of_question_refuses_what_it_did_not_ask_for(kind: str, wrong: object) -> None:
    session, _, _ = until(kind)
    with pytest.raises(IllegalAnswer):
        session.answer(wrong)
    assert session.pending is not None
    assert session.pending.kind == kind


def test_a_face_that_is_public_cannot_be_opened_as_another() -> None:
    session, _, _ = until("open")
    (slot,) = session.pending.slots  # type: ignore[union-attr]
    session.table.faces[slot] = FACES[3]
    with pytest.raises(IllegalAnswer, match="not the face"):
        session.answer((FACES[4],))


def test_a_public_fitting_card_forbids_another() -> None:
    session, _, _ = until("play")
    table = session.table
    first, second = table.zones[1][:2]
    table.faces[first] = FACES[0]
    with pytest.raises(IllegalAnswer, match="red card"):
        session.answer((second, FACES[8]))


def test_the_dealer_refuses_a_false_oath() -> None:
    for seed in range(50):
        session, dealer, _ = until("play", seed)
        asked, view = session.pending, dealer.view(session.table, 0)
        assert isinstance(asked, ask.Play)
        red = [RED(view.face(slot)) for slot in asked.zone]
        if any(red) and not all(red):
            black = asked.zone[red.index(False)]
            with pytest.raises(IllegalAnswer, match="red card"):
                dealer.answer(session.table, asked, {0: black})
            return
    pytest.fail("no mixed hand among 50 seeds")


def test_the_dealer_verifies_what_is_sworn() -> None:
    session, dealer, _ = until("play")
    hand = tuple(session.table.zones[1])
    with pytest.raises(IllegalAnswer, match="oath"):
        dealer.act(session.table, acts.Swear(0, hand, lambda card: True))
    assert dealer.act(session.table, acts.Swear(0, hand, lambda card: False)) is None


def test_a_forfeited_secret_choice_is_none() -> None:
    session, dealer, _ = until("together")
    assert session.pending is not None
    answer = dealer.answer(session.table, session.pending, {0: 1})
    assert answer == (1, None)
    session.answer(answer)


def test_the_dealer_refuses_a_card_that_is_not_in_the_hand() -> None:
    session, dealer, _ = until("play")
    assert session.pending is not None
    for wrong in (99, "3R", True, session.table.zones[2][0]):
        with pytest.raises(IllegalAnswer):
            dealer.answer(session.table, session.pending, {0: wrong})


def test_a_view_knows_its_own_cards_and_the_public_ones() -> None:
    session, dealer, _ = until("open")
    table = session.table
    view = dealer.view(table, 1)
    assert [view.knows(slot) for slot in table.zones[2]] == [True] * 2
    assert not any(view.knows(slot) for slot in table.zones[1])
    assert view.face(table.zones[3][0]) is table.face(table.zones[3][0])
    with pytest.raises(KeyError):
        view.face(table.zones[1][0])
    with pytest.raises(KeyError):
        view.cards(table.zones[1])
    with pytest.raises(KeyError):
        view.fitting(table.zones[1], lambda card: True)
    assert view.cards(table.zones[2]) == [view.face(slot) for slot in table.zones[2]]


def test_where_names_the_open_functions() -> None:
    session, _, _ = until("play")
    assert session.where() == ["turn", "lay"] + ["play"] * (not is_compiled(Table))


def test_notes_are_kept_only_when_somebody_looks() -> None:
    session, dealer, rng = start(notes=True)
    finish(session, dealer, rng)
    assert session.table.notes
    assert session.table.notes[0] == ("dealt",)
    assert session.fork().table.notes is None


def test_after_the_end_nothing_is_answered() -> None:
    session, dealer, rng = start()
    with pytest.raises(EngineError):
        _ = session.returns
    finish(session, dealer, rng)
    with pytest.raises(IllegalAnswer, match="nothing is asked"):
        session.answer(None)


async def _awaits_nonsense(t: Table) -> None:
    class Sleep:
        def __await__(self):  # type: ignore[no-untyped-def]
            yield "a nap"

    await Sleep()


async def _fails(t: Table) -> None:
    await t.flip(2)
    raise KeyError("oops")


async def _deep(t: Table, depth: int = 0) -> None:
    await t.flip(2)
    await _deep(t, depth + 1)


async def _endless(t: Table) -> None:
    while True:
        await t.flip(2)


async def _never_over(t: Table) -> None:
    return


async def _loses_a_card(t: TinyTable) -> None:
    await t.fresh(DECK, t.stock)
    t.stock.pop()
    await t.flip(2)


@pytest.mark.parametrize(
    ("rules", "text", "place"),
    [
        (_awaits_nonsense, "no question", "_awaits_nonsense"),
        (_fails, "oops", "their end"),
        (_deep, "nested more than", "_deep > flip"),
        (_endless, "answers in one turn", "_endless > flip"),
        (_never_over, "turns", "their end"),
        (_loses_a_card, "lost a card", "_loses_a_card > flip"),
    ],
)
def test_wrong_rules_end_with_a_clear_error(
    rules: object, text: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.session.MAX_TURNS", 1000)  # two millions take a second
    broken = replace(GAME, turn=rules)  # type: ignore[arg-type]

    def run() -> None:
        session = Session(broken, 2, {}, check=True)
        for _ in range(20_000):
            asked = session.pending
            session.answer((0,) if isinstance(asked, acts.Flip) else None)

    with pytest.raises(EngineError, match=text) as caught:
        run()
    assert "tiny" in str(caught.value)
    assert str(caught.value).removesuffix(")").endswith(place) or is_compiled(Table)


@pytest.mark.skipif(is_compiled(Session), reason=BUILT_IN)
@pytest.mark.parametrize("turns", [1, 7])
def test_a_game_may_have_as_many_turns_as_the_limit_says(
    turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of them need not end it; what comes after it is too much."""
    monkeypatch.setattr("engine.session.MAX_TURNS", turns)
    began = []

    async def counted(t: TinyTable) -> None:
        began.append(len(began))

    with pytest.raises(EngineError, match=f"took more than {turns} turns"):
        Session(replace(GAME, turn=counted), 2, {})
    assert len(began) == turns + 1


async def _endless_second(t: TinyTable) -> None:
    if not t.stock:
        await t.fresh(DECK, t.stock)
    else:
        await _endless(t)


def flips_left(session: Session) -> int:
    """How many more answers the rules may ask for in this turn."""
    for count in range(1_000):
        try:
            session.answer((0,))
        except EngineError:
            return count
    raise AssertionError("there is no limit")


@pytest.mark.skipif(is_compiled(Session), reason=BUILT_IN)
def test_a_fork_in_a_turn_has_as_many_answers_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays the turns before again, and counts none of their answers."""
    monkeypatch.setattr("engine.session.MAX_ANSWERS_A_TURN", 300)
    session = Session(replace(GAME, turn=_endless_second), 2, {})
    session.answer(None)
    for _ in range(200):
        session.answer((0,))
    fork = session.fork()
    assert flips_left(fork) == flips_left(session) == 100


def test_a_broken_session_refuses_to_go_on() -> None:
    session = Session(replace(GAME, turn=_fails), 2, {})
    with pytest.raises(EngineError):
        session.answer((0,))
    assert session.pending is None
    assert not session.over


def test_what_the_rules_may_ask_after_a_loss_is_counted_from_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.session.MAX_ANSWERS_A_TURN", 8)
    monkeypatch.setattr("engine.session.MAX_NESTING", 5)  # the limits are looked at after as many

    async def six(t: TinyTable) -> None:
        for _ in range(6):
            await t.flip(2)
        t.over = True

    async def lost(t: TinyTable, seat: int, asked: ask.Question[Any]) -> None:
        await six(t)

    session = Session(replace(GAME, turn=six, lose=lost), 3, {}, check=True)
    for _ in range(5):
        session.answer((0,))
    session.lose(1)
    for _ in range(6):
        session.answer((0,))
    assert session.over


def test_closing_ends_the_rules() -> None:
    session, _, _ = until("play")
    session.close()
    assert session.pending is None
    assert session.where() == []


def test_a_session_refuses_a_table_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="2 to 3 players"):
        Session(GAME, 5, {})


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        ({"rounds": "9"}, "1 to 3"),
        ({"rounds": "x"}, "1 to 3"),
        ({"mood": "sad"}, "calm, wild"),
        ({"loud": "maybe"}, "on, off"),
        ({"colour": "red"}, "rounds, mood, loud"),
    ],
)
def test_a_wrong_option_is_answered_with_what_is_allowed(pairs: dict[str, str], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        GAME.parse_options(pairs)


def test_options_are_parsed_to_their_types() -> None:
    assert GAME.parse_options({"loud": "On", "rounds": "2"}) == {
        "rounds": 2,
        "mood": "calm",
        "loud": True,
    }


@pytest.mark.parametrize("options", [{"rounds": True}, {"loud": 1}, {"mood": "x"}, {"no": 1}])
def test_options_of_another_type_are_refused(options: dict[str, bool | int | str]) -> None:
    with pytest.raises(UsageError):
        GAME.check(2, options)
