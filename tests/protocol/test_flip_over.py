"""Whole matches of Flip Over between peers in memory, compared with what they should be."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.acts import Fresh
from engine.dealer import TrustedDealer
from engine.games import load
from engine.question import Play, Question, Together
from engine.session import Session
from p2p.crypto import dleq
from p2p.protocol import wire
from p2p.protocol.acts import swearing
from p2p.protocol.entry import decode_entry
from p2p.protocol.inline import run_inline
from p2p.protocol.table import open_table
from tests.protocol.kit import Hub, game_hub, log_bytes, seeded
from tests.replay.logs import judge

GAME = load("flip-over")
MATCHES: dict[str, tuple[int, dict[str, Any]]] = {
    "three": (3, {}),
    "four": (4, {"rounds": 3}),
    "five": (5, {"rounds": 1}),
    "no trumps": (3, {"trumps": False}),
    "alternating": (5, {"discs": "alternating"}),
    "teams": (4, {"teams": True}),
}


@cache
def played(match: str, seed: int = 1) -> Hub:
    seats, options = MATCHES[match]
    hub = game_hub(GAME, seats, seed, **options)
    hub.run()
    return hub


every_match = pytest.mark.parametrize("match", MATCHES)


@pytest.mark.slow
@every_match
def test_all_seats_end_with_the_same_log_and_result(match: str) -> None:
    hub = played(match)
    assert not hub.faults
    first = hub.seats[0]
    for seat in hub.seats:
        assert log_bytes(seat) == log_bytes(first)
        assert seat.session.digest() == first.session.digest()
        assert seat.result == first.result
    report = judge(log_bytes(first))
    assert (report.verdict, report.returns) == ("complete", first.result.returns)


@pytest.mark.slow
@every_match
def test_the_answers_alone_give_the_same_game(match: str) -> None:
    session = played(match).seats[0].session
    twin = Session(GAME, session.table.seats, session.options, check=True)
    for answer in session.journal:
        twin.answer(answer)
    assert twin.over
    assert twin.digest() == session.digest()
    assert twin.returns == session.returns


def _questions(session: Session) -> list[tuple[Question[Any], Any]]:
    """Every question of a finished game with its answer."""
    twin, found = Session(GAME, session.table.seats, session.options), []
    for answer in session.journal:
        assert twin.pending is not None
        found.append((twin.pending, answer))
        twin.answer(answer)
    return found


def _cards_to_come(asked: list[tuple[Question[Any], Any]], at: int) -> list[Any]:
    """The cards that the seat asked at `at` lays from now on, from the hand that it holds."""
    question = asked[at][0]
    assert isinstance(question, Play)
    plays = [a for q, a in asked[at:] if isinstance(q, Play) and q.seat == question.seat]
    return [card for _, card in plays]


@pytest.mark.slow
@every_match
def test_a_trusted_dealer_agrees_with_every_answer(match: str) -> None:
    """Dealt the same cards, it gives the same answers, and finds every oath to be true."""
    session = played(match).seats[0].session
    asked = _questions(session)
    twin = Session(GAME, session.table.seats, session.options, check=True)
    trusted = TrustedDealer(Random(0))
    for at, (_, answer) in enumerate(asked):
        question = twin.pending
        assert question is not None
        if isinstance(question, Fresh):
            trusted.act(twin.table, question)
        elif isinstance(question, Play):
            hand, (slot, _) = list(question.zone), answer
            hand.remove(slot)
            for held, card in zip([slot, *hand], _cards_to_come(asked, at), strict=False):
                trusted.truth.cards[held] = card
            said = trusted.answer(twin.table, question, {question.seat: slot})
            assert said == answer
        elif isinstance(question, Together):
            decisions = dict(zip(question.seats, answer, strict=True))
            assert trusted.answer(twin.table, question, decisions) == answer
        twin.answer(answer)
    assert twin.returns == session.returns


def _audited_shares(
    match: str, monkeypatch: pytest.MonkeyPatch
) -> dict[bytes, dict[int, tuple[str, int]]]:
    """For each point a: the seats that published x a, with the kind and number of the step."""
    hub = played(match)
    table = hub.seats[0].table
    assert table is not None
    auditor = open_table(table.header, seeded("audit"))
    machine, publics = auditor.machine, list(table.header.publics)
    shares: defaultdict[bytes, dict[int, tuple[str, int]]] = defaultdict(dict)
    real = dleq.verify_shares

    def watch(public: Any, pairs: Any, proof: Any, transcript: Any) -> None:
        real(public, pairs, proof, transcript)
        assert machine.step is not None
        for point, _ in pairs:
            place = (machine.step.kind, machine.chain.step)
            shares[point][publics.index(public)] = place

    monkeypatch.setattr(dleq, "verify_shares", watch)
    machine.start()
    for records in hub.seats[0].log:
        for record in records:
            machine.receive(record)
            run_inline(machine)
    assert machine.ended
    return shares


@pytest.mark.slow
@every_match
def test_shares_of_a_point_are_none_all_but_one_or_all(
    match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first share released for a slot fixes its lock for ever (protocol section 4)."""
    everybody = set(range(MATCHES[match][0]))
    dealt = 0
    for by in _audited_shares(match, monkeypatch).values():
        for_somebody = {seat for seat, (kind, _) in by.items() if kind == "deal"}
        if for_somebody:
            dealt += 1
            assert len({step for kind, step in by.values() if kind == "deal"}) == 1
            (lock,) = everybody - for_somebody
            rest = {seat: kind for seat, (kind, _) in by.items() if kind != "deal"}
            assert rest in ({}, {lock: "play"}, {lock: "open"})
        elif by.keys() != everybody:
            (holder,) = by  # re-encrypted under the holder's key alone
            assert by[holder][0] in ("play", "open")
        else:
            assert len(set(by.values())) == 1
    assert dealt


def _payload_sizes(match: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """For each entry: what everybody may know about it, and the size of its payload."""
    hub = played(match, seed)
    table = hub.seats[0].table
    assert table is not None
    auditor = open_table(table.header, seeded("audit"))
    machine, found, sworn = auditor.machine, [], []
    real = swearing.owed

    def watch(*what: Any) -> Any:
        owed = real(*what)
        sworn[:] = [owed and (len(owed.slots), len(owed.allowed), len(owed.forbidden))]
        return owed

    monkeypatch.setattr(swearing, "owed", watch)
    machine.start()
    for record in (record for records in hub.seats[0].log for record in records):
        entry = decode_entry(record)
        run_inline(machine)
        step = machine.step
        assert step is not None
        sworn.clear()
        machine.receive(record)
        merged = entry.kind == "play" and entry.payload["merge"] is not None
        zone = len(step.question.zone) if entry.kind == "play" and merged else 0
        public = entry.kind == "play" and entry.payload["share"] is None
        chosen = len(wire.pack(entry.payload["choice"])) if entry.kind == "reveal" else 0
        known = (entry.kind, len(step.owed), public, zone, chosen, *sworn)
        found.append((entry.seat, known, len(wire.pack(entry.payload))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("match", ["three", "teams"])
def test_the_size_of_an_entry_tells_nothing_but_what_all_know(
    match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over several deals: kind, who is asked, and public sizes fix the size of the payload."""
    sizes: defaultdict[Any, set[int]] = defaultdict(set)
    for seed in (1, 2):
        for _, known, size in _payload_sizes(match, seed, monkeypatch):
            kind, owed, *_ = known
            sizes[known if kind != "deal" else (kind, owed)].add(size)
    told = {known: found for known, found in sizes.items() if len(found) > 1}
    assert not told


@pytest.mark.slow
def test_until_the_first_card_all_deals_look_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can tell from kinds, owers and sizes what anybody was dealt."""
    openings = []
    for seed in (1, 2):
        entries = _payload_sizes("three", seed, monkeypatch)
        first = next(at for at, (_, known, _) in enumerate(entries) if known[0] == "play")
        openings.append(entries[:first])
    assert openings[0] == openings[1]
