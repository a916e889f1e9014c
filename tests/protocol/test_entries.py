"""Entries: whose they are, where they belong, and when two of them are one seat's guilt."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from p2p.errors import PeerError
from p2p.identity.ed25519 import FIELD_PRIME, GROUP_ORDER, decompress, multiply
from p2p.identity.keys import Identity
from p2p.protocol import wire
from p2p.protocol.effects import Behind
from p2p.protocol.entry import (
    HASH_BYTES,
    PURPOSE,
    SIGNATURE_BYTES,
    STATE_BYTES,
    Chain,
    Entry,
    Unread,
    decode_entry,
    sign_entry,
    unread,
)
from p2p.protocol.held import AHEAD
from p2p.protocol.inline import run_inline
from tests.protocol.cheats import (
    CHEAT,
    acquit,
    bend_entry,
    convict,
    intrude,
    sign_again,
    signed,
)
from tests.protocol.kit import Hub, game_hub, identities
from tests.protocol.scenes import SCENES


def _hub(name: str = "dealt", seed: int = 1, seats: int = 3) -> Hub:
    return game_hub(SCENES[name], seats, seed)


def _record(hub: Hub, payload: object = None, kind: str = "shuffle", seat: int = CHEAT) -> bytes:
    chain = hub.seats[0].machine.chain
    return sign_entry(identities(3)[seat], chain, seat, kind, payload, bytes(STATE_BYTES)).record


@pytest.mark.check("entry.length")
@pytest.mark.call(
    "p2p.protocol.entry:decode_entry -> _check_length",
    "p2p.protocol.entry:unread -> _check_length",
)
@pytest.mark.parametrize("read", [decode_entry, unread])
def test_a_record_is_no_longer_than_a_frame_holds(read: Callable[[bytes], object]) -> None:
    """The body alone is within the limit; with its signature it is not."""
    hub = _hub()
    spare = wire.RECORD_MAX - len(_record(hub, b"")) + SIGNATURE_BYTES - 3
    assert len(_record(hub, bytes(spare))) == wire.RECORD_MAX + SIGNATURE_BYTES
    with pytest.raises(PeerError, match="length"):
        read(_record(hub, bytes(spare)))


@pytest.mark.parametrize("read", [decode_entry, unread])
def test_a_record_may_be_as_long_as_a_frame_holds(read: Callable[[bytes], Entry | Unread]) -> None:
    hub = _hub()
    spare = wire.RECORD_MAX - len(_record(hub, b"")) - 3
    record = _record(hub, bytes(spare))
    assert len(record) == wire.RECORD_MAX
    assert read(record).record == record


@pytest.mark.parametrize("read", [decode_entry, unread])
def test_a_record_is_longer_than_a_signature(read: Callable[[bytes], object]) -> None:
    with pytest.raises(PeerError, match="length"):
        read(bytes(SIGNATURE_BYTES))


@pytest.mark.call("p2p.protocol.entry:unread -> wire.octets")
def test_the_table_of_a_record_has_the_length_of_a_hash() -> None:
    short = sign_again(_record(_hub()), table=bytes(HASH_BYTES - 1))
    with pytest.raises(PeerError, match="table id"):
        unread(short)


@pytest.mark.check("entry.table")
@pytest.mark.call("p2p.protocol.machine:Machine.take -> check_place")
def test_an_entry_of_another_table_is_the_link_s_fault() -> None:
    hub = _hub()
    hub.seats[0].machine.start()
    entry = sign_entry(
        identities(3)[CHEAT], Chain(bytes(HASH_BYTES)), CHEAT, "shuffle", None, bytes(STATE_BYTES)
    )
    with pytest.raises(PeerError) as refusal:
        hub.seats[0].machine.receive(entry.record)
    assert refusal.value.verdict == "malformed"
    assert hub.seats[0].machine.fault is None


@pytest.mark.parametrize("seat", [-1, 3])
def test_an_entry_of_a_seat_that_does_not_exist_is_the_link_s_fault(seat: int) -> None:
    hub = _hub()
    record = sign_again(_record(hub), seat=7)
    body = wire.pack({**wire.unpack(record[:-SIGNATURE_BYTES]), "seat": seat})
    with pytest.raises(PeerError, match="another table or seat"):
        hub.seats[0].machine.receive(body + record[-SIGNATURE_BYTES:])


@pytest.mark.call(
    "p2p.protocol.entry:Unread.check_signature -> verify",
    "p2p.protocol.machine:Machine.take -> entry.check_signature",
    "p2p.protocol.machine:Machine.receive -> self.take",
)
def test_a_false_signature_is_the_link_s_fault() -> None:
    """A neighbour signs an entry in the name of another seat.

    Answer: the signature fails; the link is to blame, never the seat that is named.
    """
    hub = _hub()
    record = _record(hub)
    with pytest.raises(PeerError) as refusal:
        hub.seats[0].machine.receive(record[:-1] + bytes([record[-1] ^ 1]))
    assert refusal.value.verdict == "bad-signature"
    assert hub.seats[0].machine.fault is None


@pytest.mark.check("entry.owed")
@pytest.mark.parametrize("kind", ["open", "close", ""])
def test_an_entry_of_another_kind_is_refused(kind: str) -> None:
    hub = _hub()
    bend_entry(hub, "deal", lambda entry: [sign_again(entry.record, kind=kind)])
    convict(hub, "illegal-move")


def test_an_entry_out_of_turn_is_refused() -> None:
    """Seat 0 shuffles first; so that all still wait for it, its own shuffle is held back."""
    hub = _hub()
    bend_entry(hub, "shuffle", lambda entry: [], 0)
    for seat in hub.seats:
        seat.machine.start()
    intrude(hub, "shuffle", None, at=2)
    hub.run_on()
    assert hub.faults[2].error.verdict == "illegal-move"
    assert hub.faults[2].error.seat == CHEAT


@pytest.mark.check("entry.state")
@pytest.mark.call("p2p.protocol.machine:Machine.accept -> self._admit")
def test_another_state_of_the_table_is_refused() -> None:
    hub = _hub()
    bend_entry(hub, "deal", lambda entry: [sign_again(entry.record, state=bytes(STATE_BYTES))])
    convict(hub, "state-mismatch")


@pytest.mark.call("p2p.protocol.dealer:_close -> parse")
@pytest.mark.check("close.result")
@pytest.mark.parametrize(
    ("field", "value"),
    [("result", [9, 9, 9]), ("head", bytes(HASH_BYTES)), ("steps", 0), ("result", [False, 1, 2])],
)
def test_another_result_at_the_close_is_refused(field: str, value: object) -> None:
    """A seat signs a result that is not that of the game.

    Answer: every machine counts for itself; the seat is named.
    """
    hub = _hub()
    bend_entry(
        hub,
        "close",
        lambda entry: [sign_again(entry.record, payload={**entry.payload, field: value})],
    )
    convict(hub, "state-mismatch")


def _two(entry: Entry, **changes: object) -> list[bytes]:
    return [entry.record, sign_again(entry.record, **changes)]


@pytest.mark.parametrize("seed", range(4))
def test_two_bodies_for_one_step_are_guilt(seed: int) -> None:
    """A seat signs two entries for one step, each of which alone would be legal.

    Answer: whoever sees both holds the proof, and the table stops.
    """
    hub = _hub("chosen", seed)
    bend_entry(hub, "choose", lambda entry: _two(entry, payload=1 - entry.payload))
    convict(hub, "equivocation")


@pytest.mark.parametrize("seed", range(4))
def test_a_second_body_with_another_history_is_guilt(seed: int) -> None:
    """A seat signs two entries for one step over two different histories.

    Answer: that convicts it, whichever of the two comes first.
    """
    hub = _hub("followed", seed)
    bend_entry(hub, "deal", lambda entry: _two(entry, previous=bytes(HASH_BYTES)))
    convict(hub, "equivocation")


@pytest.mark.parametrize("seed", range(4))
def test_a_second_body_with_another_state_names_its_seat(seed: int) -> None:
    """Whoever sees the false state first says so; two bodies or a false state, it is one seat."""
    hub = _hub("followed", seed)
    bend_entry(hub, "deal", lambda entry: _two(entry, state=bytes(STATE_BYTES)))
    hub.run()
    for honest in (0, 2):
        error = hub.faults[honest].error
        assert (error.seat, error.step) == (CHEAT, 4)
        assert error.verdict in ("equivocation", "state-mismatch")


def test_a_second_body_long_after_its_step_is_guilt() -> None:
    """A seat signs another entry for a step that is long over.

    Answer: it is compared with the one that was kept, and convicts the seat.
    """
    hub = _hub("followed")

    def repeat(entry: Entry) -> list[bytes]:
        old = next(e for e in signed(hub, CHEAT) if (e.seat, e.kind) == (CHEAT, "shuffle"))
        return [sign_again(old.record, payload=None), entry.record]

    bend_entry(hub, "play", repeat)
    convict(hub, "equivocation")


def test_two_bodies_for_a_step_to_come_are_guilt() -> None:
    hub = _hub()
    for seat in hub.seats:
        seat.machine.start()
    first = sign_again(_record(hub), step=AHEAD - 1)
    for seat in hub.seats:
        seat.machine.receive(first)
    hub.spread(CHEAT, sign_again(first, payload=1))
    convict(hub, "equivocation")


def _sign_otherwise(signer: Identity, body: bytes) -> bytes:
    """A second valid signature over the same body: RFC 8032 with a chosen nonce."""
    base = decompress(bytes.fromhex("58" + "66" * 31))
    assert base is not None
    digest = hashlib.sha512(signer.expose_secret()).digest()
    scalar = int.from_bytes(digest[:32], "little") & ~7 & (2**254 - 1) | 2**254
    nonce = int.from_bytes(hashlib.sha512(b"a nonce" + body).digest(), "little") % GROUP_ORDER
    x, y, z, _ = multiply(nonce, base)
    inverse = pow(z, -1, FIELD_PRIME)
    odd = (x * inverse % FIELD_PRIME & 1) << 255
    first = (y * inverse % FIELD_PRIME | odd).to_bytes(32, "little")
    challenge = hashlib.sha512(first + signer.public + PURPOSE + body).digest()
    answer = (nonce + int.from_bytes(challenge, "little") * scalar) % GROUP_ORDER
    return body + first + answer.to_bytes(32, "little")


@pytest.mark.parametrize("seed", range(3))
def test_one_body_signed_in_two_ways_is_guilt(seed: int) -> None:
    """A seat signs one and the same entry in two ways, so that the saved games of two honest seats
    differ.

    Answer: two signatures over one entry convict as two entries do; only its owner can make the
    second one.
    """
    hub = _hub("chosen", seed)
    signer = identities(3)[CHEAT]
    bend_entry(hub, "choose", lambda e: [e.record, _sign_otherwise(signer, e.body)])
    convict(hub, "equivocation")


def test_each_of_two_bodies_to_another_peer_is_found_out() -> None:
    """Seats 0 and 2 are told different things and compare when their chains differ."""
    hub = _hub("chosen")

    def split(entry: Entry) -> list[bytes]:
        hub.wire.append((0, entry.record))
        hub.wire.append((2, sign_again(entry.record, payload=1 - entry.payload)))
        return []

    bend_entry(hub, "choose", split)
    convict(hub, "equivocation")


@pytest.mark.parametrize("seed", range(3))
def test_replayed_entries_change_nothing(seed: int) -> None:
    """Every entry is sent three times, old ones again and again.

    Answer: nothing changes, and nobody is accused of having signed twice.
    """
    hub = _hub("followed", seed)
    sent: list[bytes] = []

    def replay(seat: int, record: bytes) -> list[bytes]:
        sent.append(record)
        return [record, record, *sent[-12:]]

    hub.bend = replay
    acquit(hub)


@pytest.mark.slow
def test_an_entry_of_the_table_before_changes_nothing() -> None:
    """Somebody repeats at a new table what the same people signed at the one before.

    Answer: each entry names its table; it is worth nothing elsewhere.
    """
    before = _hub(seed=2)
    before.run()
    hub = _hub(seed=1)
    hub.seats[0].machine.start()
    for record in (record for step in before.seats[0].log for record in step):
        with pytest.raises(PeerError, match="another table"):
            hub.seats[0].machine.receive(record)
    acquit(hub)


def test_nobody_is_guilty_of_another_history() -> None:
    """An honest seat seems to have signed on a history that others do not have.

    Answer: that alone accuses nobody: a machine asks what the others have, and nothing else.
    """
    hub = _hub("tossed")
    for seat in hub.seats:
        seat.machine.start()
    foreign = sign_again(_record(hub, kind="coin"), previous=bytes(HASH_BYTES))
    machine = hub.seats[0].machine
    run_inline(machine)
    machine.receive(foreign)
    assert [effect for effect in run_inline(machine) if isinstance(effect, Behind)] == [Behind(0)]
    assert machine.fault is None
    assert CHEAT in machine.missing()


def test_after_another_history_the_step_before_is_asked_for() -> None:
    hub = _hub("chosen")
    bend_entry(hub, "coin", lambda entry: [sign_again(entry.record, previous=bytes(HASH_BYTES))])
    bend_entry(hub, "coin", lambda entry: [], 2)
    hub.run()
    machine = hub.seats[0].machine
    assert machine.chain.step == 1
    assert machine.wanted == 0
    assert hub.seats[CHEAT].machine.wanted == hub.seats[CHEAT].machine.chain.step


def test_whoever_hears_of_another_history_asks_for_the_step_before() -> None:
    """There the two histories may differ, and whoever signed on both is found by both records."""
    hub = _hub("chosen")
    bend_entry(hub, "coin", lambda entry: [])
    hub.run()
    machine = hub.seats[0].machine
    machine.receive(sign_again(_record(hub, kind="coin"), previous=bytes(HASH_BYTES)))
    asked = [effect for effect in run_inline(machine) if isinstance(effect, Behind)]
    assert (machine.chain.step, asked) == (1, [Behind(0)])


def test_nothing_leaves_a_machine_that_has_found_a_cheat() -> None:
    hub = _hub()
    bend_entry(hub, "shuffle", lambda entry: _two(entry, payload=None))
    hub.run()
    for honest in (0, 2):
        machine = hub.seats[honest].machine
        assert machine.fault is not None
        before = machine.chain.step
        for record in (r for seat in hub.seats for r in seat.machine.beyond()):
            machine.receive(record)
        assert machine.chain.step == before
        assert not run_inline(machine)
