"""Cheating before the table began: there is no log yet, but there is evidence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2p.player.events import Stopped
from p2p.protocol.entry import Entry
from tests.attacks.crook import Crook, convict, sit_down


def payload(crook: Crook, change: Callable[[Any], Any]) -> Callable[[Entry], list[bytes]]:
    return lambda entry: [crook.sign(entry.record, payload=change(entry.payload))]


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
    for seat in (0, 2):
        (stopped,) = [e for e in evening.players[seat].events if isinstance(e, Stopped)]
        assert stopped.name == "guest 1"
        assert list((tmp_path / str(seat)).iterdir()) == [stopped.evidence]


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
