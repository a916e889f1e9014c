"""No call of a verifier can be deleted without a test that fails."""

from __future__ import annotations

from collections import Counter

import pytest

from p2p.errors import PeerError
from p2p.protocol.entry import STATE_BYTES, Chain, decode_entry, sign_entry
from tests.mutation import run
from tests.mutation.calls import (
    AWAITED,
    USED,
    Call,
    calls_in,
    calls_in_source,
    deletable,
)
from tests.mutation.deletion import deleted
from tests.mutation.judges import Judges, read_module
from tests.mutation.outcomes import removed_each
from tests.protocol.kit import identities

JUDGES = """
from p2p import checks

def refuse(ok):
    checks.require("area.one", ok, "malformed", "reason")

def decode(data) -> bytes:
    refuse(bool(data))
    return data

def look(data) -> None:
    try:
        refuse(bool(data))
    except PeerError:
        note(data)

def _named(check, ok):
    checks.require(check, ok, "malformed", "reason")

class Proof:
    def verify(self) -> None:
        refuse(self.ok)

    def apply(self) -> None:
        self.verify()
"""
USES = """
from m import judges
from m.judges import Proof, decode, look, refuse, _named

def used(data: bytes, proof: Proof, told: set[bytes]):
    decode(data)
    judges.decode(data)
    value = decode(data)
    look(data)
    proof.apply()
    told.apply()
    library.key.verify(data)
    work(proof.verify, decode)
    proof.verify()
    proof.verify()
    return lambda: proof.verify()

def steps(data) -> None:
    refuse(True)
    yield

async def talk(proof: Proof):
    await steps(b"")
    refuse(True)
"""


def _found() -> list[Call]:
    modules = [read_module("m.judges", JUDGES), read_module("m.uses", USES)]
    return list(calls_in(Judges(modules), modules[1]))


def test_the_scanner_finds_what_is_called_for_its_judgement_alone() -> None:
    assert [call.name.removeprefix("m.uses:") for call in _found() if not call.kept] == [
        "used -> decode",
        "used -> judges.decode",
        "used -> proof.apply",
        "used -> library.key.verify",
        "used -> proof.verify",
        "used -> proof.verify #2",
        "used -> proof.verify #3",
        "used -> proof.verify #4",
        "steps -> refuse",
        "talk -> refuse",
    ]
    assert [call.kept for call in _found() if call.kept] == [USED, AWAITED]


def test_every_call_has_a_name_of_its_own() -> None:
    names = Counter(call.name for call in calls_in_source() if not call.kept)
    assert [name for name, times in names.items() if times > 1] == []


def test_every_call_can_be_deleted() -> None:
    for call in deletable():
        with deleted(call):
            pass


def test_what_is_deleted_is_not_called_and_comes_back() -> None:
    name = "p2p.protocol.entry:decode_entry -> wire.octets"
    (call,) = [call for call in deletable() if call.name == name]
    entry = sign_entry(identities(1)[0], Chain(b"short"), 0, "choose", 1, bytes(STATE_BYTES))
    with pytest.raises(PeerError, match="table id"):
        decode_entry(entry.record)
    with deleted(call), pytest.raises(PeerError, match="previous hash"):
        decode_entry(entry.record)
    with pytest.raises(PeerError, match="table id"):
        decode_entry(entry.record)


@pytest.mark.parametrize(
    "arguments", [[run.SAMPLE], pytest.param([run.AS_THEY_ARE], marks=pytest.mark.full)]
)
def test_every_call_has_a_test_that_fails_without_it(arguments: list[str]) -> None:
    outcomes, unnoticed = removed_each("call", arguments)
    assert {call.name for call in deletable()} <= set(outcomes)
    assert unnoticed == {}
