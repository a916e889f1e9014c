"""Cheating before the table began: there is no log yet, but there is evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p.checks import Entropy
from p2p.crypto.group import ORDER, Scalar
from p2p.crypto.sealing import SealingSecret
from p2p.crypto.sharing import Polynomial
from p2p.identity.keys import Identity
from p2p.peer import TablePlan
from p2p.player.events import Stopped
from p2p.protocol.entry import Entry
from p2p.protocol.key_in_shares import Complaint, Opened, Promises, Sealed
from p2p.protocol.own_seat import OwnSeat, fresh_seat
from p2p.protocol.policy import carry_on
from p2p.protocol.terms import Terms
from p2p.seat import table_seat
from tests.attacks.crook import CROOK, Crook, Evening, convict, sit_at, sit_down


def payload(crook: Crook, change: Callable[[Any], Any]) -> Callable[[Entry], list[bytes]]:
    return lambda entry: [crook.sign(entry.record, payload=change(entry.payload))]


def nothing_but_evidence(evening: Evening) -> None:
    """No table has begun, and the crook's name is told."""
    for seat in (0, 2):
        (stopped,) = [e for e in evening.players[seat].events if isinstance(e, Stopped)]
        assert stopped.name == "guest 1"
        assert list((evening.folder / str(seat)).iterdir()) == [stopped.evidence]


CHEATS: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
    "another key": ("reveal", "bad-key", lambda p: {**p, "opening": bytes(32)}),
    "no possession": ("reveal", "bad-key", lambda p: {**p, "proof": p["proof"][::-1]}),
    "a signature of something else": ("sign", "bad-signature", lambda p: p[::-1]),
    "garbage": ("commit", "malformed", lambda p: {"p": p}),
}


@pytest.mark.parametrize("cheat", CHEATS)
async def test_cheats_in_genesis(
    cheat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player cheats before the first card: it shows a key that it did not seal or does not hold,
    a false signature, or garbage.

    Answer: the table does not begin, the player is named, and there is an evidence file although
    there is no game yet.
    """
    kind, verdict, change = CHEATS[cheat]
    crook = Crook()
    crook.starts[kind] = payload(crook, change)
    evening = await sit_down(tmp_path, monkeypatch, crook, "flip-over")
    convict(evening, verdict)
    nothing_but_evidence(evening)


KEYS_IN_SHARES = TablePlan(Terms.of("flip-over", {"rounds": 1}, carry_on(2)), 3)
VICTIM = 2


class Wrong(Polynomial):
    """Promises one share, and gives another to the victim."""

    def share(self, place: int) -> Scalar:
        right = super().share(place)
        return (right + 1) % ORDER if place == VICTIM - CROOK else right


def lies_to_the_victim(crook: Crook, monkeypatch: pytest.MonkeyPatch) -> None:
    def draws(seat: int, who: Identity, *rest: Any) -> OwnSeat:
        own = fresh_seat(seat, who, *rest)
        if who.public != crook.identity.public or own.in_shares is None:
            return own
        bent = Wrong(own.in_shares.polynomial._values)
        return replace(own, in_shares=replace(own.in_shares, polynomial=bent))

    monkeypatch.setattr(table_seat, "fresh_seat", draws)


def complains_for_nothing(crook: Crook, monkeypatch: pytest.MonkeyPatch) -> None:
    complain = Promises.complain

    def complains(
        made: Promises,
        seat: int,
        secret: SealingSecret,
        sent: Sequence[Sealed],
        opened: Opened,
        entropy: Entropy,
    ) -> Complaint | None:
        said: Opened = {0: None} if seat == CROOK else opened
        return complain(made, seat, secret, sent, said, entropy)

    monkeypatch.setattr(Promises, "complain", complains)


@pytest.mark.parametrize("cheats", [lies_to_the_victim, complains_for_nothing])
async def test_a_wrong_share_of_a_key_and_a_false_complaint(
    cheats: Callable[[Crook, pytest.MonkeyPatch], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At a table that can go on without a lost player, somebody sends a wrong share of its key, or
    complains about a right one.

    Answer: whoever complains shows what was sealed for it, with a proof, so that everybody sees who
    lies; that player is named before there is a card, and nobody else.
    """
    crook = Crook()
    cheats(crook, monkeypatch)
    evening = await sit_at(tmp_path, monkeypatch, crook, KEYS_IN_SHARES)
    convict(evening, "bad-key")
    nothing_but_evidence(evening)


async def test_two_commitments_to_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player seals two keys for one seat.

    Answer: two signatures for one step are a proof against it.
    """
    crook = Crook()
    crook.starts["commit"] = lambda entry: [
        entry.record,
        crook.sign(entry.record, payload=entry.payload[::-1]),
    ]
    convict(await sit_down(tmp_path, monkeypatch, crook, "flip-over"), "equivocation")
