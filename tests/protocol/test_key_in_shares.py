"""How a table with the policy carry-on begins: keys in shares, and what is said of wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cli.bench.library import counted_calls
from engine.games import load
from p2p.crypto import sealing, sharing
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.sharing import Images, Polynomial, place
from p2p.errors import LocalError, PeerError
from p2p.protocol import wire
from p2p.protocol.entry import decode_entry
from p2p.protocol.genesis import (
    PURPOSE,
    Header,
    _Own,
    _promises,
    decode_header,
    shares_of,
)
from p2p.protocol.key_in_shares import KeyInShares, Promises, decode_sealed
from p2p.protocol.logfile import encode_genesis_evidence
from p2p.protocol.own_seat import fresh_seat, own_secrets
from p2p.protocol.policy import WAIT, carry_on
from replay.audit import audit_bytes
from tests.protocol.cheats import CHEAT, bend_payload
from tests.protocol.kit import Hub, genesis_hub, identities, make_header, own_seats, seeded

GAME = load("flip-over")
COUNT, LEAST = 4, 3
POLICY = carry_on(LEAST)
PROPOSAL = make_header(GAME, COUNT, policy=POLICY).proposal.data
VICTIM = 2


def begin(cheat: KeyInShares | None = None) -> Hub:
    """A table at its first step; the cheat may have another key in shares."""
    own = own_seats(COUNT, 1, LEAST)[CHEAT]
    changed = {} if cheat is None else {CHEAT: replace(own, in_shares=cheat)}
    return genesis_hub(GAME, COUNT, policy=POLICY, changed=changed)


def played(hub: Hub) -> Header:
    hub.run()
    assert not hub.faults
    header: Header = hub.seats[0].result
    return header


def records(hub: Hub) -> list[bytes]:
    return [record for step in hub.seats[0].machine.records for record in step]


def convict(hub: Hub, verdict: str, seat: int, step: int, liar: int = CHEAT) -> None:
    """All but the liar say so, and an audit of what they write agrees."""
    hub.run()
    for honest in hub.seats:
        if honest.seat == liar:
            continue
        fault = hub.faults[honest.seat]
        said = (fault.error.verdict, fault.error.seat, fault.error.step)
        assert said == (verdict, seat, step), fault.error
        past = [record for row in honest.machine.records[:step] for record in row]
        evidence = encode_genesis_evidence(PROPOSAL, [*past, *fault.evidence])
        report = audit_bytes(evidence, "evidence", seeded("audit"))
        assert (report.verdict, report.seat, report.step) == said, report.reason


def test_everybody_gets_its_shares_and_any_of_them_make_the_key() -> None:
    hub = begin()
    header = played(hub)
    assert len(hub.seats[0].machine.records) == 3
    assert [one.threshold for one in header.promised] == [LEAST] * COUNT
    seats = own_seats(COUNT, 1, LEAST)
    shares = [shares_of(header, own, records(hub)) for own in seats]
    assert [sorted(one) for one in shares] == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    for dealer in range(COUNT):
        others = [seat for seat in range(COUNT) if seat != dealer]
        for seat in others:
            image = header.promised[dealer].image(place(dealer, seat, COUNT))
            assert shares[seat][dealer].public == image
        partials = {place(dealer, seat, COUNT): [shares[seat][dealer].public] for seat in others}
        assert sharing.combine(partials, LEAST) == [header.publics[dealer]]


def test_who_waits_begins_as_before() -> None:
    header = make_header(GAME, 3)
    assert (header.promised, len(header.keys[0].began)) == ((), 64)
    own = own_seats(3, 1)[0]
    assert shares_of(header, own, []) == {}
    keys = wire.unpack(header.body)["keys"]
    assert set(keys[0]) == {"commitment", "opening", "public", "proof"}


@pytest.mark.parametrize(("count", "least"), [(3, 2), (5, 3), (5, 4)])
def test_a_header_is_read_again(count: int, least: int) -> None:
    header = make_header(GAME, count, policy=carry_on(least))
    assert decode_header(header.encode()) == header


def test_secrets_stay_hidden_and_are_read_again() -> None:
    own = fresh_seat(1, identities(4)[1], LEAST, COUNT, seeded("fresh"))
    assert own.in_shares is not None
    assert len(own.secrets()) == 32 * (1 + LEAST)
    secret, kept = own_secrets(own.secrets(), LEAST)
    assert secret.scalar == own.secret.scalar
    assert kept is not None
    assert kept.to_bytes() == own.in_shares.to_bytes()
    assert kept.images.points == own.in_shares.images.points
    shown = repr(replace(own, shares={0: TableSecret(5)}))
    for number in (own.secret.scalar, own.in_shares.sealing.scalar):
        assert str(number) not in shown
    waits = fresh_seat(0, identities(4)[0], 0, COUNT, seeded("fresh"))
    assert (waits.in_shares, len(waits.secrets())) == (None, 32)
    assert own_secrets(waits.secrets(), 0)[1] is None


@pytest.mark.parametrize(("size", "least"), [(32, LEAST), (96, LEAST), (160, LEAST), (64, 0)])
@pytest.mark.call("p2p.protocol.own_seat:own_secrets -> wire.octets")
@pytest.mark.call("p2p.protocol.key_in_shares:KeyInShares.from_bytes -> wire.octets")
def test_secrets_of_another_length_are_damaged(size: int, least: int) -> None:
    with pytest.raises(PeerError) as refusal:
        own_secrets(bytes([1, *bytes(31)]) * (size // 32), least)
    assert refusal.value.verdict == "malformed"


def test_a_seat_without_shares_cannot_begin_such_a_table() -> None:
    own = _Own(bytes(16), own_seats(COUNT, 1)[0], bytes(32), seeded("x"), lambda: ())
    with pytest.raises(LocalError, match="no key in shares"):
        own.open(promises(), [])


def promises() -> Promises:
    """Those of a table as it is begun here."""
    header = make_header(GAME, COUNT, policy=POLICY)
    return _promises(header.proposal, header.keys)


# -- what everybody sees -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "bent",
    [
        lambda data: data[:64],
        lambda data: data[:-1],
        lambda data: data + b"\0",
        pytest.param(
            lambda data: data[:64] + IDENTITY,
            marks=pytest.mark.call(
                "p2p.protocol.key_in_shares:decode_beginning -> group.decode_point"
            ),
        ),
        lambda data: data[:64] + b"\xff" * 32,
        lambda data: [data[:64], data[64:]],
    ],
)
def test_a_seat_that_begins_without_a_sealing_key(bent: Callable[[bytes], Any]) -> None:
    hub = begin()
    bend_payload(hub, "commit", bent)
    convict(hub, "malformed", CHEAT, 0)


BENT_REVEALS: list[tuple[str, str, Callable[[dict[str, Any]], dict[str, Any]]]] = [
    ("another polynomial", "bad-key", lambda said: {"images": said["images"][32:] + GENERATOR}),
    ("a list too long", "malformed", lambda said: {"images": said["images"] + GENERATOR}),
    ("a list too short", "malformed", lambda said: {"images": said["images"][32:]}),
    ("a seat gets zero", "malformed", lambda said: {"images": said["images"][32:] + IDENTITY}),
]
BENT_KEYS: list[tuple[str, str, Callable[[dict[str, Any]], dict[str, Any]]]] = [
    *BENT_REVEALS,
    ("no sealing key", "malformed", lambda said: {"commitment": _sealed_by(said, IDENTITY)}),
    ("half a beginning", "malformed", lambda said: {"commitment": said["commitment"][:64]}),
]
"""What may be wrong in the header: also what was said before the reveals."""


def _sealed_by(said: dict[str, Any], key: bytes) -> bytes:
    began: bytes = said["commitment"]
    return began[:64] + key


@pytest.mark.parametrize(
    ("verdict", "bent"), [one[1:] for one in BENT_REVEALS], ids=[one[0] for one in BENT_REVEALS]
)
@pytest.mark.call("p2p.protocol.genesis:_reveal_step.verify_reveal -> _verify_key")
def test_images_that_were_not_promised(verdict: str, bent: Callable[[Any], dict[str, Any]]) -> None:
    hub = begin()
    bend_payload(hub, "reveal", lambda said: {**said, **bent(said)})
    convict(hub, verdict, CHEAT, 1)


def own_key(seat: int = CHEAT) -> KeyInShares:
    key = own_seats(COUNT, 1, LEAST)[seat].in_shares
    assert key is not None
    return key


def announced(points: bytes) -> Hub:
    """The cheat commits itself to other points than its images, and opens that."""
    key = own_key()
    told = iter([Images.announced(key.images.points[0], points)])

    class Announced(KeyInShares):
        @property
        def images(self) -> Images:
            return next(told, key.images)

    hub = begin(Announced(key.sealing, key.polynomial))
    bend_payload(hub, "reveal", lambda said: {**said, "images": points})
    return hub


def test_the_points_that_were_committed_to_are_opened() -> None:
    """Control: two are as many as agreed. What is sealed does not fit them, that is all."""
    convict(announced(GENERATOR * 2), "bad-key", CHEAT, 2)


@pytest.mark.parametrize("count", [0, 1, 3, 8])
def test_another_number_of_points_that_was_committed_to(count: int) -> None:
    """A longer list would raise the threshold without a word, a shorter one lower it."""
    convict(announced(GENERATOR * count), "malformed", CHEAT, 1)


def test_an_image_that_is_zero() -> None:
    further = own_key().images.further
    convict(announced(further[:32] + IDENTITY), "malformed", CHEAT, 1)


@pytest.mark.parametrize(
    "bent", [lambda data: data[:-1], lambda data: data + bytes(32), list, lambda _: b"\xff" * 96]
)
def test_not_one_share_for_each_other_seat(bent: Callable[[bytes], Any]) -> None:
    hub = begin()
    bend_payload(hub, "reveal", lambda said: {**said, "sealed": bent(said["sealed"])})
    convict(hub, "malformed", CHEAT, 1)


@pytest.mark.parametrize("name", ["images", "sealed"])
def test_a_reveal_without_a_part(name: str) -> None:
    hub = begin()
    bend_payload(hub, "reveal", lambda said: {k: v for k, v in said.items() if k != name})
    convict(hub, "malformed", CHEAT, 1)


# -- what only the receiver sees ---------------------------------------------------------------


class Wrong(Polynomial):
    """Promises one share, and gives another one to the victim."""

    def share(self, place: int) -> Scalar:
        right = super().share(place)
        return (right + 1) % ORDER if place == VICTIM - CHEAT else right


def dealing(polynomial: Polynomial) -> Hub:
    """A table at which the cheat deals this one."""
    return begin(replace(own_key(), polynomial=polynomial))


def wrong_share() -> Hub:
    return dealing(Wrong(own_key().polynomial._values))


@pytest.mark.call("p2p.protocol.genesis:_accept_step -> judge")
@pytest.mark.call("p2p.protocol.genesis:_accept_step.judge -> promises.judge")
def test_a_wrong_share_is_complained_of_and_its_sender_named() -> None:
    """By everybody, the victim and the cheat's own program included."""
    hub = wrong_share()
    convict(hub, "bad-key", CHEAT, 2, liar=-1)
    assert all(not seat.machine.ended for seat in hub.seats)


def test_a_share_that_is_zero_is_complained_of() -> None:
    """f(3) = 0 at the last place, whose image is not announced: seat 0 could prove nothing."""
    secret, first = own_seats(COUNT, 1, LEAST)[CHEAT].secret.scalar, 7
    third = 3  # f(3) = f(0) - 3 f(1) + 3 f(2)
    second = (third * first - secret) * pow(third, -1, ORDER) % ORDER
    bent = Polynomial((secret, first, second))
    assert bent.images.image(3) == IDENTITY
    convict(dealing(bent), "bad-key", CHEAT, 2, liar=-1)


def test_what_was_sealed_for_another_seat() -> None:
    """Whoever gets its neighbour's share complains: it cannot read it, and it would not fit."""
    hub = begin()
    bend_payload(hub, "reveal", lambda said: {**said, "sealed": _swapped(said["sealed"])})
    convict(hub, "bad-key", CHEAT, 2)


def _swapped(sealed: bytes) -> bytes:
    return sealed[32:64] + sealed[:32] + sealed[64:]


def test_a_copy_of_what_another_seat_has_sealed() -> None:
    """Its receiver cannot open it as the cheat's; what it shows opens a table that has ended."""
    before = begin()
    played(before)
    copied = decode_entry(before.seats[0].machine.records[1][0]).payload["sealed"]
    hub = begin()
    bend_payload(hub, "reveal", lambda said: {**said, "sealed": said["sealed"][:32] + copied[32:]})
    convict(hub, "bad-key", CHEAT, 2)


def _complaint(seat: int, sender: int = 0) -> Callable[[Any], Any]:
    """What `seat` says of the right share of `sender`."""
    hub = begin()
    played(hub)
    made = promises()
    payload = decode_entry(hub.seats[0].machine.records[1][sender]).payload
    sealed = decode_sealed(sender, COUNT, payload["sealed"])[seat]
    errand = made.errand(sender, seat)
    shown = sealing.complain(errand, sealed, own_key(seat).sealing, seeded("lie"))
    return lambda _: [sender, shown]


@pytest.mark.call("p2p.protocol.key_in_shares:Promises.judge -> sealing.verify_complaint")
def test_a_complaint_about_a_right_share_is_the_fault_of_who_complains() -> None:
    hub = begin()
    bend_payload(hub, "sign", _complaint(CHEAT))
    convict(hub, "bad-key", CHEAT, 2)


def test_a_complaint_with_a_false_proof() -> None:
    hub = begin()
    bend_payload(hub, "sign", lambda _: [0, _complaint(CHEAT)(None)[1][:32] + bytes(64)])
    convict(hub, "bad-share", CHEAT, 2)


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param([], marks=pytest.mark.check("complaint.shape")),
        [0, bytes(96), 1],
        pytest.param([CHEAT, bytes(96)], marks=pytest.mark.check("complaint.seat")),
        [COUNT, bytes(96)],
        [-1, bytes(96)],
        [True, bytes(96)],
        ["0", bytes(96)],
        [0, bytes(95)],
        [0, bytes(97)],
        [0, None],
    ],
)
def test_a_complaint_that_is_none(payload: Any) -> None:
    hub = begin()
    bend_payload(hub, "sign", lambda _: payload)
    convict(hub, "malformed", CHEAT, 2)


def test_nobody_complains_where_all_wait() -> None:
    hub = genesis_hub(GAME, 3, policy=WAIT)
    bend_payload(hub, "sign", lambda _: [0, bytes(96)])
    hub.run()
    fault = hub.faults[0].error
    assert (fault.verdict, fault.seat) == ("malformed", CHEAT)


@pytest.mark.call("p2p.protocol.genesis:_accept_step.judge -> plain.verify")
def test_a_false_signature_where_keys_are_in_shares() -> None:
    hub = begin()
    bend_payload(hub, "sign", lambda _: bytes(64))
    convict(hub, "bad-signature", CHEAT, 2)


@pytest.mark.check("shares.kept")
def test_shares_that_do_not_fit_the_header_are_damaged() -> None:
    hub = begin()
    header, own = played(hub), own_seats(COUNT, 1, LEAST)[0]
    other = replace(own, in_shares=own_key(1))
    with pytest.raises(PeerError, match="a kept key share is wrong"):
        shares_of(header, other, records(hub))


# -- the header --------------------------------------------------------------------------------


def bent_header(seat: int, **changes: Any) -> bytes:
    """A header that all signed, with other things beside one key."""
    body = wire.unpack(make_header(GAME, COUNT, policy=POLICY).body)
    body["keys"][seat] |= changes
    packed = wire.pack(body)
    signatures = [one.sign(PURPOSE, packed) for one in identities(COUNT)]
    return wire.pack({"body": packed, "signatures": signatures})


def test_a_header_lacks_images() -> None:
    body = wire.unpack(make_header(GAME, COUNT, policy=POLICY).body)
    del body["keys"][1]["images"]
    packed = wire.pack(body)
    signatures = [one.sign(PURPOSE, packed) for one in identities(COUNT)]
    with pytest.raises(PeerError) as refusal:
        decode_header(wire.pack({"body": packed, "signatures": signatures}))
    assert refusal.value.verdict == "malformed"


@pytest.mark.parametrize(
    ("verdict", "bent"), [one[1:] for one in BENT_KEYS], ids=[one[0] for one in BENT_KEYS]
)
@pytest.mark.call("p2p.protocol.genesis:_verify_keys -> _verify_key")
def test_a_header_with_another_promise(verdict: str, bent: Callable[[Any], dict[str, Any]]) -> None:
    known = wire.unpack(make_header(GAME, COUNT, policy=POLICY).body)["keys"][1]
    with pytest.raises(PeerError) as refusal:
        decode_header(bent_header(1, **bent(known)))
    seat = 1 if verdict == "bad-key" else None
    assert (refusal.value.verdict, refusal.value.seat) == (verdict, seat)


def test_a_header_with_another_sealing_key() -> None:
    """Everybody's proof of possession is bound to how all began: the first one is false."""
    known = wire.unpack(make_header(GAME, COUNT, policy=POLICY).body)["keys"][1]
    with pytest.raises(PeerError) as refusal:
        decode_header(bent_header(1, commitment=_sealed_by(known, GENERATOR)))
    assert (refusal.value.verdict, refusal.value.seat) == ("bad-key", 0)


@pytest.mark.parametrize(("count", "least"), [(3, 2), (4, 3), (5, 3), (5, 4)])
def test_a_genesis_with_shares_costs_few_calls_more(count: int, least: int) -> None:
    """A seat more multiplies one point for each other seat, and the generator for each share it
    gets; images that are not announced cost additions.
    """
    calls = {}
    for policy in (WAIT, carry_on(least)):
        hub = genesis_hub(GAME, count, policy=policy)
        with counted_calls() as counted:
            played(hub)
            calls[policy] = counted.copy()
    more = calls[carry_on(least)] - calls[WAIT]
    assert more["multiply"] == count * (count - 1)
    assert more["base"] == count * (count - 1)
    assert more["add"] <= count * (count - least) * 4 * least
