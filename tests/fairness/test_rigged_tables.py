"""Whole tables where all seats have bad generators: the audit passes, fairness fails."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.games import load
from p2p.checks import Entropy
from p2p.crypto import shuffle_offline
from replay.audit import audit_bytes
from replay.fairness.judging import judge
from replay.fairness.observed import observe
from tests.protocol.kit import game_hub, log_bytes, seeded


def only_cut(count: int, entropy: Entropy) -> list[int]:
    """A permutation that cuts the deck once, anywhere."""
    at = Random(entropy(8)).randrange(1, count)
    return [*range(at, count), *range(at)]


def played(path: Path, seed: int) -> Path:
    hub = game_hub(load("flip-over"), 3, seed, rounds=1)
    hub.run()
    log = log_bytes(hub.seats[0])
    assert audit_bytes(log, "log", seeded("audit")).verdict == "complete"
    written = path / f"{seed}.ndlog"
    written.write_bytes(log)
    return written


def test_a_table_where_everybody_only_cuts_is_flagged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every proof is right: a proven shuffle says nothing about the generators behind it."""
    monkeypatch.setattr(shuffle_offline, "random_permutation", only_cut)
    flagged = judge(observe(played(tmp_path, 1)).shuffles).flagged
    names = {result.name for result in flagged}
    assert names == {"flip-over: neighbours from before", "flip-over: neighbours of one suit"}


def test_one_seat_that_shuffles_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of any three shuffles in a row two only cut: nothing stands out."""
    honest, calls = shuffle_offline.random_permutation, []

    def mostly(count: int, entropy: Entropy) -> list[int]:
        calls.append(count)
        return honest(count, entropy) if len(calls) % 3 == 0 else only_cut(count, entropy)

    monkeypatch.setattr(shuffle_offline, "random_permutation", mostly)
    seen = [one for seed in range(3) for one in observe(played(tmp_path, seed)).shuffles]
    assert judge(seen).flagged == ()
    assert len(calls) >= 9
