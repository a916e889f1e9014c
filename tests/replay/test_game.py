"""Saved games: every step of every game can be looked at, and shows what players saw."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from engine.memory import Among
from engine.view import SPECTATOR
from p2p.protocol.entry import Chain, decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import LOG_MAGIC, encode_evidence, frame, split_log
from replay.audit import UnreadableError
from replay.faces import Faces
from replay.game import START, SavedGame, open_game
from replay.narration import decisions, table_text, told, unknown_cards
from tests.peer.seat_files import begun
from tests.protocol.kit import table_secrets
from tests.protocol.verbs import DECK
from tests.replay.logs import with_records
from tests.replay.saved import GAMES, log_of, played, saved, write_log


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_the_table_that_the_seats_signed(name: str) -> None:
    """Each entry carries a digest of the public state before its step."""
    game = saved(name)
    assert game.trouble == ""
    assert [step.number for step in game.steps] == list(range(len(game.steps)))
    for step in game.steps:
        digests = {decode_entry(record).state for record in step.records}
        assert digests == {game.before(step.number).table.digest()}
    assert game.result == played(name)[0].seats[0].result.returns
    assert game.ending == "all seats signed the result"


@pytest.mark.parametrize("name", GAMES)
def test_one_s_own_log_shows_one_s_own_cards(name: str, tmp_path: Path) -> None:
    """Exactly what the seat saw at every decision."""
    game = open_game(write_log(name, tmp_path, seat=1))
    assert game.own == 1
    looked = 0
    for step, seat, faces, *_ in played(name)[1]:
        view = game.view(game.before(step), seat)
        if seat == 1:
            assert {slot: view.face(slot) for slot in faces} == faces
            assert unknown_cards(view) == 0
            looked += len(faces)
    assert looked > 0 or name == "you-fink"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_stranger_sees_only_what_was_shown(name: str) -> None:
    """What is known of others' cards is right, and some of it is not known."""
    game, hidden = saved(name), 0
    for step, seat, faces, *_ in played(name)[1]:
        view = game.view(game.before(step), seat)
        known = {slot: view.face(slot) for slot in faces if view.knows(slot)}
        assert known == {slot: faces[slot] for slot in known}
        hidden += len(faces) - len(known)
        onlooker = game.view(game.before(step), SPECTATOR)
        assert not any(onlooker.knows(slot) for slot in faces)
    assert hidden > 0 or name in ("you-fink", "flip-over"), "every card was shown in the end"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_told(name: str) -> None:
    game = saved(name)
    for step in game.steps:
        lines = told(game, step)
        assert lines, step
        assert all(lines), step
        assert not any("A step:" in line for line in lines), step.kind
        for line in [*lines, *decisions(game, step)]:
            assert "None" not in line
        seat = step.number % 3
        shown = table_text(game, game.after(step.number), seat).lines()
        assert all(len(line) <= 80 for line in shown)


def test_hidden_cards_are_counted_and_not_guessed() -> None:
    game = saved("flop-a")
    (step,) = [step for step in game.steps if step.kind == "deal"][:1]
    lines = table_text(game, game.after(step.number), 0).lines()
    assert lines[-1] == "Your hand: 3 cards that the log does not show"


@pytest.mark.slow
def test_a_position_before_the_first_step_is_the_empty_table() -> None:
    game = saved("sneak")
    table = game.after(START).table
    assert table.digest() == game.before(0).table.digest()
    with pytest.raises(IndexError):
        game.after(len(game.steps))
    with pytest.raises(IndexError):
        game.after(-2)


@pytest.mark.slow
def test_a_cut_log_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    log = log_of("flip-over")
    records = split_log(log).records[:30]
    path = tmp_path / "cut.ndlog"
    path.write_bytes(with_records(log, records))
    game = open_game(path)
    assert game.ending == f"unfinished: the log ends before step {len(game.steps)}"
    assert game.result is None
    assert [record for step in game.steps for record in step.records] == records


def test_a_step_that_was_never_complete_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "cut.ndlog"
    path.write_bytes(with_records(log_of("flip-over"), split_log(log_of("flip-over")).records[:2]))
    game = open_game(path)
    assert (game.steps, game.trouble) == ([], "")


@pytest.mark.slow
def test_an_altered_log_is_shown_as_far_as_it_makes_sense(tmp_path: Path) -> None:
    """Nothing is verified while a log is read, and nothing it holds may break the viewer."""
    log = bytearray(log_of("flip-over"))
    honest = len(saved("flip-over").steps)
    shorter = 0
    for at in range(2_000, len(log), 997):
        log[at] ^= 0x04
        path = tmp_path / "altered.ndlog"
        path.write_bytes(bytes(log))
        log[at] ^= 0x04
        try:
            game = open_game(path)
        except UnreadableError:
            continue
        assert len(game.steps) <= honest
        shorter += bool(game.trouble)
        if game.trouble:
            assert game.ending.startswith("nothing can be shown")
    assert shorter > 0


def test_an_evidence_file_shows_the_game_before_the_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.evidence"
    path.write_bytes(encode_evidence(log_of("flip-over"), [b"x"]))
    assert len(open_game(path).steps) == len(saved("flip-over").steps)


@pytest.mark.parametrize("data", [b"", LOG_MAGIC, LOG_MAGIC + frame(b"x")])
def test_what_is_no_log_is_refused_in_a_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.ndlog"
    with pytest.raises(UnreadableError, match="cannot be read"):
        open_game(path)
    path.write_bytes(data)
    with pytest.raises(UnreadableError, match="cannot be replayed"):
        open_game(path)


def test_the_seat_file_of_an_unfinished_table_shows_own_cards(tmp_path: Path) -> None:
    log = log_of("flop-a")
    header = split_log(log).header
    secret = table_secrets(3, 3)[2].to_bytes()
    files = begun(tmp_path, decode_header(header), 2, secret)
    files.close(erase_secrets=False)
    files.log.write_bytes(with_records(log, split_log(log).records[:20]))
    game = open_game(files.log)
    assert game.own == 2
    for step, seat, faces, *_ in played("flop-a")[1]:
        if seat == 2 and step < len(game.steps):
            view = game.view(game.before(step), seat)
            assert {slot: view.face(slot) for slot in faces} == faces


@pytest.mark.parametrize("text", ["", "nodealer hand 1\ntable 00\nseat 0\n", "\xff"])
def test_a_hand_file_of_another_table_tells_nothing(text: str, tmp_path: Path) -> None:
    path = write_log("flop-a", tmp_path)
    path.with_suffix(".ndhand").write_bytes(text.encode("latin-1"))
    assert open_game(path).own is None


def test_times_are_read_where_they_are(tmp_path: Path) -> None:
    path = write_log("flip-over", tmp_path)
    assert open_game(path).times == {}
    path.with_suffix(".ndtime").write_text("0 12\n1 40\nx y\n2 50\n", "ascii")
    assert open_game(path).times == {0: 12, 1: 40}


def test_to_read_a_log_takes_no_proof() -> None:
    """Not a measurement, only a bound that no verification would keep (bench: replay)."""
    log = split_log(log_of("sneak"))
    began = time.process_time()
    game = SavedGame(decode_header(log.header), log)
    assert (time.process_time() - began) / len(game.steps) < 0.005


@pytest.mark.slow
@pytest.mark.parametrize("seed", [20, 21, 34, 52])
def test_a_player_s_own_log_recalls_what_the_seat_recalled_then_and_nothing_else(
    seed: int, tmp_path: Path
) -> None:
    """Of a card in a hand that was hidden anew, a review knew what the log showed later."""
    recalled = among = 0
    for own in range(3):
        game = open_game(write_log("flaps", tmp_path, own, seed, level=7))
        for step, seat, faces, known, elsewhere in played("flaps", seed, 7)[1]:
            if seat == own:
                view = game.view(game.before(step), seat)
                slots = {*range(len(view.table.locks))} - faces.keys()
                told = {slot: card for slot in slots if (card := view.recall(slot)) is not None}
                assert told == known
                assert view.among() == elsewhere
                recalled += sum(view.table.faces[slot] is None for slot in told)
                among += sum(len(one.slots) > 1 for one in elsewhere)
    assert (recalled > 0 and among > 0) or seed != 20


def test_a_card_is_recalled_when_it_changes_hands_and_not_once_it_is_shuffled() -> None:
    chain = SimpleNamespace(step=0)
    faces = Faces(cast(Chain, chain))
    faces.lay_fresh(DECK)
    cipher = faces.ciphers[0]
    for step, slots in enumerate(([0, 1], [0], [0], [0, 1]), 1):
        chain.step = step
        faces.hide(slots, [cipher] * len(slots), step, same=len(slots) == 1)
        if step == 1:
            faces.remember(0, 5)
            faces.see(0, 2)
    told = [faces.remembered(2, step) for step in range(5)]
    card = DECK.cards[5]
    assert [memory.at(0) for memory in told] == [None, card, card, card, None]
    assert told[4].among() == [Among(card, frozenset({0, 1}))]
    assert not any(faces.remembered(1, step).among() for step in range(5))
    assert [faces.face(0, step) for step in (1, 2)] == [card, None]


def test_what_a_log_shows_later_tells_where_a_card_was_that_a_seat_saw() -> None:
    """A stranger reads the log: seat 2 gave a card away, and the one who got it laid it open."""
    chain = SimpleNamespace(step=0)
    faces = Faces(cast(Chain, chain))
    faces.lay_fresh(DECK)
    cipher = faces.ciphers[0]
    faces.hide([0, 1], [cipher] * 2, 0)
    for step, seat in enumerate((2, 1), 1):
        chain.step = step
        faces.hide([0], [cipher], step, same=True)
        faces.see(0, seat)
    chain.step = 3
    faces.show(0, 5)
    assert [faces.remembered(2, step).at(0) for step in range(4)] == [
        *(None, DECK.cards[5], DECK.cards[5], DECK.cards[5])
    ]
    assert faces.remembered(1, 1).at(0) is None
