"""Choices: copied commitments, wrong openings, choices that were not offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.games import load
from p2p.protocol import choosing
from p2p.protocol.cards import Cards
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.secret_choice import seal
from p2p.protocol.step import Kept
from replay.audit import audit_bytes
from tests.protocol.cheats import (
    CHEAT,
    acquit,
    bend_entry,
    bend_fields,
    bend_payload,
    convict,
)
from tests.protocol.kit import Hub, game_hub, log_bytes, seeded
from tests.protocol.scenes import SCENES


def _together(seed: int = 1) -> Hub:
    return game_hub(SCENES["chosen-together"], 3, seed)


@pytest.mark.check("choose.legal")
@pytest.mark.parametrize("choice", [-1, 2])
def test_an_open_choice_is_one_that_was_offered(choice: int) -> None:
    hub = game_hub(SCENES["chosen"], 3)
    bend_payload(hub, "choose", lambda _: choice)
    convict(hub, "illegal-move")


def test_true_is_no_choice() -> None:
    hub = game_hub(SCENES["chosen"], 3)
    bend_payload(hub, "choose", lambda _: {"choice": True})
    convict(hub, "malformed")


def _forfeits(hub: Hub) -> None:
    """Play to the end: all note that the cheat, and nobody else, forfeits; the log is sound."""
    acquit(hub)
    for seat in hub.seats:
        table: Any = seat.session.table
        assert [note for note in table.notes if note[0] == "forfeit"] == [("forfeit", CHEAT)]
        assert len(table.seen) == 1
    report = audit_bytes(log_bytes(hub.seats[0]), "log", seeded("audit"))
    assert report.verdict == "complete", report.reason


def _open_another(hub: Hub, change: Callable[[bytes], bytes]) -> None:
    """What opens the cheat's commitment changes after the commitment has left.

    Its own machine judges the opening as all others do, and plays on.
    """

    def forget(entry: Entry) -> list[bytes]:
        kept = hub.seats[CHEAT].cards.kept
        kept[entry.step] = change(kept[entry.step])
        return [entry.record]

    bend_entry(hub, "commit", forget)


@pytest.mark.check("choice.legal")
@pytest.mark.parametrize("choice", [-1, 4])
def test_a_secret_choice_that_was_never_offered_is_a_forfeit(choice: int) -> None:
    """Commitment and opening are right; what they hold was never offered."""
    hub = _together()
    honest = hub.chooser
    hub.chooser = lambda view, asked: choice if view.seat == CHEAT else honest(view, asked)
    _forfeits(hub)


@pytest.mark.parametrize("seed", range(3))
def test_a_copied_commitment_cannot_be_opened(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bound to its seat, the copy opens to nothing, also with all that the other seat kept."""
    copied: list[Kept] = []

    def copy(cards: Cards, context: bytes, choice: object) -> Kept:
        copied.append(seal(cards, context, choice))
        return copied[0]

    monkeypatch.setattr(choosing, "seal", copy)
    _forfeits(_together(seed))
    assert len(copied) == 2


def test_another_choice_than_the_one_committed_to_is_a_forfeit() -> None:
    hub = _together()
    _open_another(hub, lambda kept: kept[:-1] + bytes([(kept[-1] + 1) % 4]))
    _forfeits(hub)


def test_another_nonce_is_a_forfeit() -> None:
    hub = _together()
    _open_another(hub, lambda kept: bytes(32) + kept[32:])
    _forfeits(hub)


def test_what_is_forfeited_is_said_to_the_rules() -> None:
    """Flop-A: who does not open his declaration has folded."""
    hub = game_hub(load("flop-a"), 3, hands=1)
    hub.chooser = lambda view, asked: 1  # check, call, and declare low
    _open_another(hub, lambda kept: kept[:-1] + bytes([(kept[-1] + 1) % 3]))
    acquit(hub)
    table: Any = hub.seats[0].session.table
    assert ("forfeit", CHEAT) in table.notes
    assert ("declares", CHEAT, "") in table.notes
    assert CHEAT not in [note[1] for note in table.notes if note[0] == "shows"]


def test_a_nonce_of_another_length_is_malformed() -> None:
    hub = _together()
    bend_fields(hub, "reveal", nonce=b"short")
    convict(hub, "malformed")


def test_an_opening_that_does_not_come_leaves_the_table_waiting() -> None:
    """Nobody is called a cheat for silence: the others know who is missing, and wait."""
    hub = _together()
    bend_entry(hub, "reveal", lambda entry: [])
    hub.run()
    assert not hub.faults
    for honest in (0, 2):
        assert hub.seats[honest].machine.missing() == (CHEAT,)
        assert not hub.seats[honest].machine.ended
    assert {decode_entry(r).kind for step in hub.seats[0].log for r in step} == {"commit"}


def test_the_scenes_are_played_by_honest_seats() -> None:
    acquit(_together())
    acquit(game_hub(SCENES["chosen"], 3))
