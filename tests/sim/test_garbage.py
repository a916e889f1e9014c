"""Whatever arrives, signed or not, raises PeerError or nothing: never our own errors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.errors import PeerError
from p2p.protocol.entry import SIGNATURE_BYTES, decode_entry
from p2p.protocol.inline import run_inline
from p2p.protocol.logfile import EVIDENCE_MAGIC
from replay.audit import audit_bytes
from tests.protocol.cheats import CHEAT, bend_payload, sign_again
from tests.protocol.kit import Hub, game_hub, log_bytes, seeded
from tests.protocol.scenes import SCENES
from tests.shares import every_second

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 17, 2**63, b"", b"\0" * 31, b"\0" * 32, b"\xff" * 64, "", "deck", [], {},
    [[]], {"deck": b""}, [0, 0], [-1], list(range(300)),
)  # fmt: skip


def bent(value: Any, rng: Random) -> Any:
    """`value` with one thing in it changed, cut, left out, added or put in another's place."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {name: kept for name, kept in value.items() if name != key}
        return {**value, key: bent(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], bent(value[at], rng), *value[at + 1 :]]
    if isinstance(value, bytes) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        changed = bytes([value[at] ^ (1 << rng.randrange(8))])
        return rng.choice([value[:at], value[:at] + changed + value[at + 1 :], value + changed])
    if isinstance(value, int) and rng.random() < 0.5:
        return value + rng.choice([-1, 1, 5, 100])
    return rng.choice(ODD)


def _kinds(scene: str) -> Iterator[str]:
    """The kinds of entry that the cheat signs in a scene."""
    hub = game_hub(SCENES[scene], 3, 1)
    hub.run()
    entries = (decode_entry(record) for records in hub.seats[0].log for record in records)
    yield from dict.fromkeys(entry.kind for entry in entries if entry.seat == CHEAT)


def _fuzz(scene: str, kind: str, seed: int) -> Hub:
    hub, rng = game_hub(SCENES[scene], 3, 1), Random(f"{scene} {kind} {seed}")
    hub.drops_links = True
    bend_payload(hub, kind, lambda payload: bent(payload, rng))
    hub.run()
    for honest in (0, 2):
        fault = hub.faults.get(honest)
        if fault is not None:
            assert fault.error.seat == CHEAT, fault.error
    return hub


NAMES = sorted(name for name in SCENES if not name.startswith("sworn"))


@pytest.mark.parametrize("scene", every_second(NAMES[::2]))
def test_a_bent_payload_names_its_signer_or_does_no_harm(scene: str) -> None:
    """A seat signs an entry in which one thing is changed, cut, left out or added.

    Answer: it is named, or the entry was as good as the right one; no honest machine breaks.
    """
    for kind in _kinds(scene):
        _fuzz(scene, kind, seed=0)


@pytest.mark.full
@pytest.mark.parametrize("scene", NAMES)
def test_many_bent_payloads(scene: str) -> None:
    """The same, very many times.

    Answer: as above.
    """
    for kind in _kinds(scene):
        for seed in range(60):
            _fuzz(scene, kind, seed)


@cache
def sound() -> tuple[bytes, tuple[bytes, ...]]:
    """The log of a short game, and its records."""
    hub = game_hub(SCENES["tossed"], 3, 1)
    hub.run()
    records = tuple(record for records in hub.seats[0].log for record in records)
    return log_bytes(hub.seats[0]), records


def _receive(record: bytes) -> None:
    machine = game_hub(SCENES["tossed"], 3, 1).seats[0].machine
    machine.start()
    try:
        machine.receive(record)
    except PeerError as error:
        assert error.seat is None, "unsigned garbage falls on the link, not on a seat"  # noqa: PT017
    run_inline(machine)


@settings(max_examples=60)
@given(st.binary(max_size=300))
def test_random_records_are_the_link_s_fault(record: bytes) -> None:
    """A neighbour sends random bytes as an entry.

    Answer: the link by which they came is to blame, never a seat.
    """
    _receive(record)


@settings(max_examples=60)
@given(st.integers(0, 5), st.integers(0, 400), st.integers(1, 255))
def test_bent_records_are_the_link_s_fault(which: int, at: int, change: int) -> None:
    """A neighbour changes a byte in somebody's signed entry.

    Answer: the signature fails; the link is to blame, never the seat that signed.
    """
    record = sound()[1][which]
    at %= len(record)
    _receive(record[:at] + bytes([record[at] ^ change]) + record[at + 1 :])


@settings(max_examples=60)
@given(
    st.sampled_from(["step", "seat", "kind", "payload", "previous", "state", "table"]),
    st.sampled_from(ODD),
)
def test_signed_nonsense_names_its_signer_or_nobody(field: str, value: Any) -> None:
    """A seat signs fields that make no sense.

    Answer: it is named, or the entry is dropped.
    """
    seat = value if field == "seat" and type(value) is int and 0 <= value < 8 else CHEAT
    record = sound()[1][CHEAT]
    if field == "seat" and seat == CHEAT:
        return
    _receive(sign_again(record, **{field: value}))


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_random_files_get_a_verdict(data: bytes) -> None:
    """Somebody gives the auditor a file of random bytes, or a genuine game followed by random
    bytes.

    Answer: there is always a verdict, and it is never "verified" for anything but the whole genuine
    game.
    """
    log, _ = sound()
    for file in (data, log[:15] + data, log + data, EVIDENCE_MAGIC + data):
        report = audit_bytes(file, "file", seeded("audit"))
        assert not report.verified or file == log


def test_a_record_of_a_signature_alone_is_the_link_s_fault() -> None:
    """A neighbour sends a signature with nothing under it.

    Answer: dropped; the link is to blame.
    """
    _receive(bytes(SIGNATURE_BYTES))
    _receive(bytes(SIGNATURE_BYTES + 1))
    _receive(b"")
