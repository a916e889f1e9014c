"""A seat's own entries: seen by nobody before they are on disk, and never signed twice."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.errors import LocalError
from p2p.protocol.context import Keys
from p2p.protocol.effects import Cast, Decide, Fault, Forward, Send, Write
from p2p.protocol.entry import Chain, Entry, sign_entry
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnPast, OwnSeat, own_past
from p2p.protocol.step import Kept, Program, Step
from tests.protocol.kit import TABLE, identities, seeded, table_secrets

PEOPLE = identities(2)
ME, OTHER = 0, 1


def program(kept: bool = False) -> Program[Any]:
    """Two steps: both seats say something, then we do."""
    payload: object = Kept(b"said", b"a secret") if kept else b"said"
    yield Step("first", (ME, OTHER), lambda _, said: said, make=lambda _: payload)
    return (yield Step("second", (ME,), lambda _, said: said, make=lambda _: b"again"))


def machine(*, kept: bool = False, past: OwnPast | None = None) -> Machine:
    own = OwnSeat(ME, PEOPLE[ME], table_secrets(2, 1)[ME], past)
    made = Machine(Chain(TABLE), program(kept), [one.public for one in PEOPLE], own)
    made.start()
    return made


def entry(seat: int, payload: bytes, chain: Chain | None = None) -> Entry:
    return sign_entry(PEOPLE[seat], chain or Chain(TABLE), seat, "first", payload, bytes(16))


def effects(one: Machine) -> list[Any]:
    """What it asks of the world; the disk is slow."""
    return run_inline(one, disk=True)


def all_of(one: Machine) -> list[bytes]:
    """Everything this machine can be asked for."""
    return [record for step in one.records for record in step] + one.current() + one.beyond()


def test_nothing_is_there_before_it_is_written() -> None:
    """Even if everybody else is done: the step waits for our disk."""
    mine = machine(kept=True)
    (write,) = effects(mine)
    assert (write.kind, write.secret) == ("own", b"a secret")
    theirs = entry(OTHER, b"theirs")
    mine.receive(theirs.record)
    assert not any(isinstance(effect, Send | Write) for effect in effects(mine))
    assert set(all_of(mine)) == {theirs.record}
    assert (mine.chain.step, mine.missing()) == (0, (ME,))
    mine.wrote(write.number)
    sent, *_, next_write = effects(mine)
    assert sent == Send(write.record, 0)
    assert mine.records == [(write.record, theirs.record)]
    assert isinstance(next_write, Write)
    assert next_write.record not in all_of(mine)


def test_what_comes_back_while_ours_is_written_counts() -> None:
    """It is from a restored seat; ours was never sent, and the secret behind it is void."""
    mine = machine(kept=True)
    (ours,) = effects(mine)
    before = entry(ME, b"signed before")
    mine.receive(before.record)
    again = next(effect for effect in effects(mine) if isinstance(effect, Write))
    assert (again.record, again.secret) == (before.record, None)
    mine.receive(entry(OTHER, b"theirs").record)
    mine.wrote(ours.number)
    assert not any(isinstance(effect, Send) for effect in effects(mine))
    assert (mine.chain.step, mine.kept) == (0, {})
    mine.wrote(again.number)
    assert mine.records[0][0] == before.record
    assert ours.record not in all_of(mine)
    past = own_past(Chain(TABLE), [ours.record, before.record])
    assert past.written[0].record == before.record, "of two on the disk the last one"


def test_what_was_signed_before_is_sent_again() -> None:
    """After a restart, and not before the others have told."""
    before = entry(ME, b"signed before")
    mine = machine(past=own_past(Chain(TABLE), [before.record]))
    assert effects(mine) == []
    assert all_of(mine) == []
    mine.allow_signing()
    assert effects(mine) == [Send(before.record, before.step)]
    assert mine.current() == [before.record]


def test_the_step_at_which_signing_is_allowed_is_asked_once_and_seen_too_late() -> None:
    """Others may tell twice that we have everything; what we saw before is no evidence."""
    mine = machine(past=OwnPast())
    for _ in range(2):
        mine.allow_signing()
        assert mine.timing.live_from == mine.chain.step + 1
    (write,) = effects(mine)
    assert write.kind == "own"
    mine.wrote(write.number)
    mine.receive(entry(OTHER, b"theirs").record)
    effects(mine)
    mine.allow_signing()
    assert (mine.timing.live_from, mine.chain.step) == (1, 1), "the second step it saw in time"


def test_whoever_sees_a_second_entry_of_a_seat_passes_it_on() -> None:
    """The others may have seen that one alone, and could convict nobody."""
    mine, one, other = machine(), entry(OTHER, b"one"), entry(OTHER, b"other")
    mine.receive(one.record)
    effects(mine)
    mine.receive(other.record)
    passed_on, fault = effects(mine)
    assert passed_on == Forward(other)
    assert isinstance(fault, Fault)
    assert (fault.error.seat, set(fault.evidence)) == (OTHER, {one.record, other.record})


def test_a_machine_without_a_seat_signs_nothing() -> None:
    watching = Machine(Chain(TABLE), program(), [one.public for one in PEOPLE])
    watching.start()
    assert effects(watching) == []
    watching.decide(None)
    with pytest.raises(LocalError, match="without a seat"):
        effects(watching)


@pytest.mark.parametrize("comes", [True, False])
def test_a_step_that_was_signed_is_not_signed_anew(comes: bool) -> None:
    """The record is not here; who has it sends it, or this seat signs nothing."""
    mine = machine(past=OwnPast({}, until=0))
    mine.allow_signing()
    assert effects(mine) == []
    assert mine.lacks_own
    if comes:
        mine.receive(entry(ME, b"signed before").record)
        (write,) = [effect for effect in effects(mine) if isinstance(effect, Write)]
        mine.wrote(write.number)
        mine.receive(entry(OTHER, b"theirs").record)
        assert [e for e in effects(mine) if isinstance(e, Write)]  # the next step is new
        assert not mine.lacks_own


@pytest.mark.parametrize("comes_back", [True, False], ids=["from a peer", "from the disk"])
def test_what_was_signed_on_another_history_is_not_signed_again(comes_back: bool) -> None:
    """Somebody told two things; our log is of the other one.  Two entries would convict us."""
    elsewhere = Chain(TABLE)
    elsewhere.head = bytes(32)
    stray = entry(ME, b"on another history", elsewhere)
    past = OwnPast() if comes_back else own_past(elsewhere, [stray.record])
    mine = machine(past=past)
    if comes_back:
        mine.receive(stray.record)
    mine.allow_signing()
    assert not any(isinstance(effect, Write | Send | Decide) for effect in effects(mine))
    assert mine.lacks_own
    assert mine.fault is None


def test_a_ballot_is_written_before_it_is_cast() -> None:
    mine = machine(past=OwnPast())
    mine.ballots.sign(OTHER)
    (write,) = effects(mine)
    assert write.kind == "ballot"
    assert mine.ballots.all() == []
    mine.wrote(write.number)
    assert effects(mine) == [Cast(write.record)]
    assert mine.ballots.all() == [write.record]
    mine.ballots.sign(OTHER)
    assert effects(mine) == []


def test_what_is_to_be_written_is_not_shown() -> None:
    (write,) = effects(machine(kept=True))
    assert repr(write) == "Write(number=1, kind='own', content hidden)"


def test_who_plays_no_seat_has_no_secret_and_signs_nothing() -> None:
    keys = Keys([secret.public for secret in table_secrets(2, 1)], seeded("audit"))
    with pytest.raises(LookupError, match="holds no table secret"):
        keys.own  # noqa: B018
    with pytest.raises(LookupError, match="has no seat"):
        keys.own_seat  # noqa: B018
