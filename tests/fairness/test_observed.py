"""What a log tells of its shuffles: true, and nothing that players chose to show."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.acts import Shuffle
from engine.cards import Card
from engine.session import Session
from p2p.crypto.elgamal import Cipher, card_point, read, unpack_ciphers
from p2p.crypto.keys import TableSecret
from p2p.protocol.entry import decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import begin_log, frame, split_log
from replay.audit import UnreadableError
from replay.fairness.observed import Shuffled, _Watcher, observe
from replay.own import _from_secret
from replay.reader import read_log
from tests.protocol.kit import log_bytes, table_secrets
from tests.vectors.tables import PLANS, Plan, at_random, calling, finished, sit_down

ME = 1


def observed(log: bytes, tmp_path: Path) -> list[Shuffled]:
    path = tmp_path / "game.ndlog"
    path.write_bytes(log)
    return observe(path).shuffles


def truth(log: bytes, secrets: list[TableSecret], deck: tuple[Card, ...], name: str) -> list[int]:
    """The places after the first shuffle, read with everybody's secrets."""
    entries = [decode_entry(record) for record in split_log(log).records]
    last = [entry for entry in entries if entry.kind == "shuffle"][len(secrets) - 1]
    numbers = {card_point(name, number): number for number in range(len(deck))}
    ciphers = unpack_ciphers(last.payload["deck"], len(deck))
    return [numbers[_below(cipher, secrets)] for cipher in ciphers]


def _below(cipher: Cipher, secrets: list[TableSecret]) -> bytes:
    a, b = cipher
    for secret in secrets:
        b = read(secret, (a, b))
    return b


def compare(one: Shuffled, true: list[int]) -> None:
    """Every reported card lies where it says; copies of one face cannot be told apart."""
    assert one.known == sum(origin is not None for origin in one.after)
    for origin, number in zip(one.after, true, strict=True):
        assert origin is None or one.before[origin] is one.before[number]
    found = [origin for origin in one.after if origin is not None]
    assert len(set(found)) == len(found)


def true_of(name: str, one: Shuffled, log: bytes) -> list[int]:
    plan = PLANS[name]
    return truth(log, table_secrets(plan.seats, plan.seed), one.before, one.deck)


@pytest.mark.parametrize("name", ["flip-over", "flip-over-teams"])
def test_flip_over_shows_every_card(name: str, tmp_path: Path) -> None:
    log = log_bytes(finished(name).seats[0])
    (one,) = observed(log, tmp_path)
    assert one.known == len(one.before)
    assert set(one.seats) == set(range(PLANS[name].seats))
    compare(one, true_of(name, one, log))


def test_flip_over_that_was_left_shows_nothing_that_was_chosen(tmp_path: Path) -> None:
    log = log_bytes(finished("flip-over").seats[0])
    frames = split_log(log)
    left = begin_log(frames.header) + b"".join(frame(record) for record in frames.records[:-6])
    assert observed(left, tmp_path) == []


@pytest.mark.parametrize("name", ["flaps-level-1", "flaps-level-2", "flaps-level-7"])
def test_flaps_shows_the_first_card_alone(name: str, tmp_path: Path) -> None:
    log = log_bytes(finished(name).seats[0])
    one = observed(log, tmp_path)[0]
    assert one.known == 1
    compare(one, true_of(name, one, log))


@pytest.mark.parametrize("name", ["flop-a", "sneak"])
def test_games_of_hidden_hands_show_nothing(name: str, tmp_path: Path) -> None:
    """Whether a card is turned at all depends on bets, and bets depend on hands."""
    assert observed(log_bytes(finished(name).seats[0]), tmp_path) == []


@cache
def _fink() -> Any:
    hub = sit_down(Plan("you-fink", 3, 4, {"cardLimit": "100"}, at_random))
    hub.run(10**7)
    return hub


def test_piles_that_nobody_sees_are_used_as_far_as_they_are_turned(tmp_path: Path) -> None:
    log = log_bytes(_fink().seats[0])
    one = observed(log, tmp_path)[0]
    assert 5 <= one.known < len(one.before)
    compare(one, truth(log, table_secrets(3, 4), one.before, one.deck))


@pytest.mark.parametrize("name", ["flaps-level-7", "flop-a", "sneak"])
def test_ones_own_log_adds_the_hand_that_was_dealt(name: str) -> None:
    plan, log = PLANS[name], log_bytes(finished(name).seats[0])
    secrets = table_secrets(plan.seats, plan.seed)
    frames = split_log(log)
    sight = _from_secret(secrets[ME].to_bytes())
    reading = read_log(decode_header(frames.header), frames.records, ME, sight)
    one = _Watcher(reading, ME).watch()[0]
    mine = [place for place, seat in enumerate(one.seats) if seat == ME]
    assert mine
    assert all(one.after[place] is not None for place in mine)
    assert one.known - len(mine) in (0, 1)
    compare(one, true_of(name, one, log))


def test_shuffles_of_cards_that_nobody_had_seen_are_left_out(tmp_path: Path) -> None:
    """Of three deals of Flop-A, none shows anything; their decks are all fresh all the same."""
    hub = sit_down(Plan("flop-a", 2, 1, {"hands": 3}, calling))
    hub.run(10**7)
    session: Session = hub.seats[0].session
    twin = Session(session.game, 2, session.options)
    shuffles = 0
    for answer in session.journal:
        shuffles += isinstance(twin.pending, Shuffle)
        twin.answer(answer)
    assert shuffles == 3
    assert observed(log_bytes(hub.seats[0]), tmp_path) == []


def test_what_is_no_log_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.ndlog"
    path.write_bytes(b"something else")
    with pytest.raises(UnreadableError, match="not a nodealer log"):
        observe(path)
    with pytest.raises(UnreadableError, match="cannot be read"):
        observe(tmp_path / "nothing.ndlog")
