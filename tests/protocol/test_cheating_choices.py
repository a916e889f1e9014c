"""Choices: copied commitments, wrong openings, choices that were not offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.games import load
from p2p.protocol.acts import choosing
from p2p.protocol.acts.secret_choice import seal
from p2p.protocol.cards import Cards
from p2p.protocol.entry import Entry, decode_entry
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
    """A seat chooses what was not offered.

    Answer: an illegal move, with the seat's signature under it.
    """
    hub = game_hub(SCENES["chosen"], 3)
    bend_payload(hub, "choose", lambda _: choice)
    convict(hub, "illegal-move")


def test_true_is_no_choice() -> None:
    """A seat sends "true" where a number is asked for, which a careless program takes for 1.

    Answer: it is malformed: types are compared exactly.
    """
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
@pytest.mark.call("p2p.protocol.acts.choosing:together.settle -> verify")
def test_a_secret_choice_that_was_never_offered_is_a_forfeit(choice: int) -> None:
    """A seat commits to a choice that was never offered, and opens it truthfully.

    Answer: it forfeits its choice, all are told, and the game goes on.
    """
    hub = _together()
    honest = hub.chooser
    hub.chooser = lambda view, asked: choice if view.seat == CHEAT else honest(view, asked)
    _forfeits(hub)


@pytest.mark.parametrize("seed", range(3))
def test_a_copied_commitment_cannot_be_opened(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat repeats the sealed choice of another one, to open it with the other's words.

    Answer: a seal names its seat, so the copy opens to nothing, even with all that the other seat
    kept; it is a forfeit.
    """
    copied: list[Kept] = []

    def copy(cards: Cards, context: bytes, choice: object) -> Kept:
        copied.append(seal(cards, context, choice))
        return copied[0]

    monkeypatch.setattr(choosing, "seal", copy)
    _forfeits(_together(seed))
    assert len(copied) == 2


@pytest.mark.call("p2p.protocol.acts.choosing:together.verify -> verify_choice")
def test_another_choice_than_the_one_committed_to_is_a_forfeit() -> None:
    """A seat sees what the others have opened and then opens a choice that it did not seal.

    Answer: the seal does not fit and the seat forfeits. Remains: the last seat to open may still
    prefer the forfeit, which is why no game makes one worthwhile.
    """
    hub = _together()
    _open_another(hub, lambda kept: kept[:-1] + bytes([(kept[-1] + 1) % 4]))
    _forfeits(hub)


def test_another_nonce_is_a_forfeit() -> None:
    """A seat opens its choice with another random number than the one with which it sealed it.

    Answer: the seal does not fit, and the seat forfeits.
    """
    hub = _together()
    _open_another(hub, lambda kept: bytes(32) + kept[32:])
    _forfeits(hub)


@pytest.mark.slow
def test_what_is_forfeited_is_said_to_the_rules() -> None:
    """A player of Flop-A opens another declaration than the one it sealed.

    Answer: for the rules that is "none", and its hand is folded; the declaration that it would have
    preferred never counts.
    """
    hub = game_hub(load("flop-a"), 3, hands=1)
    hub.chooser = lambda view, asked: 1  # check, call, and declare low
    _open_another(hub, lambda kept: kept[:-1] + bytes([(kept[-1] + 1) % 3]))
    acquit(hub)
    table: Any = hub.seats[0].session.table
    assert ("forfeit", CHEAT) in table.notes
    assert ("declares", CHEAT, "") in table.notes
    assert CHEAT not in [note[1] for note in table.notes if note[0] == "shows"]


def test_a_nonce_of_another_length_is_malformed() -> None:
    """A seat seals with a short random number, which others could guess.

    Answer: the length is fixed; any other is malformed.
    """
    hub = _together()
    bend_fields(hub, "reveal", nonce=b"short")
    convict(hub, "malformed")


def test_an_opening_that_does_not_come_leaves_the_table_waiting() -> None:
    """A seat that does not like what it sees opens nothing.

    Answer: the others know who is missing and wait; nobody is called a cheat for silence. Remains:
    a player who walks away can hold up a table for ever.
    """
    hub = _together()
    bend_entry(hub, "reveal", lambda entry: [])
    hub.run()
    assert not hub.faults
    for honest in (0, 2):
        assert hub.seats[honest].machine.missing() == (CHEAT,)
        assert not hub.seats[honest].machine.ended
    assert {decode_entry(r).kind for step in hub.seats[0].log for r in step} == {"commit"}


def test_the_scenes_are_played_by_honest_seats() -> None:
    """Control: the scenes of these tests are played to the end by honest seats."""
    acquit(_together())
    acquit(game_hub(SCENES["chosen"], 3))
