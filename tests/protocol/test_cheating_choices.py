"""Choices: copied commitments, wrong openings, choices that were not offered."""

from __future__ import annotations

from typing import Any

import pytest

from engine.session import Session
from p2p.protocol.entry import decode_entry
from tests.protocol.cheats import (
    CHEAT,
    acquit,
    bend_entry,
    bend_fields,
    bend_payload,
    convict,
    copy_entry,
)
from tests.protocol.kit import Hub, game_hub
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


@pytest.mark.check("choice.legal")
@pytest.mark.parametrize("choice", [-1, 4])
def test_a_secret_choice_is_one_that_was_offered(
    choice: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commitment and opening are right; what they hold was never offered."""
    hub = _together()
    cheat, answer = hub.seats[CHEAT].session, Session.answer

    def swallow(session: Session, value: Any) -> None:
        if session is not cheat:
            answer(session, value)

    monkeypatch.setattr(Session, "answer", swallow)
    honest = hub.chooser
    hub.chooser = lambda view, asked: choice if view.seat == CHEAT else honest(view, asked)
    convict(hub, "illegal-move")


@pytest.mark.parametrize("seed", range(3))
def test_a_copied_commitment_cannot_be_opened(seed: int) -> None:
    """The copier is named at the opening: bound to its seat, the copy opens to nothing.

    It waits for the opening of the seat that it copied, and repeats that as well.
    """
    hub = _together(seed)
    for kind in ("commit", "reveal"):
        copy_entry(hub, kind)
    convict(hub, "bad-opening")


def test_another_choice_than_the_one_committed_to_is_refused() -> None:
    hub = _together()
    bend_payload(hub, "reveal", lambda p: {**p, "choice": (p["choice"] + 1) % 4})
    convict(hub, "bad-opening")


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
