"""How a table with the policy carry-on begins: keys in shares, and what is said of wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.games import load
from p2p.crypto import sealing, sharing
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER
from p2p.crypto.keys import TableSecret
from p2p.crypto.sharing import Polynomial
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
    sign_step,
)
from p2p.protocol.key_in_shares import KeyInShares, Promises
from p2p.protocol.logfile import encode_genesis_evidence
from p2p.protocol.own_seat import fresh_seat, own_secrets
from p2p.protocol.policy import WAIT, carry_on
from replay.audit import audit_bytes
from tests.protocol.cheats import CHEAT, bend_payload, copy_entry
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
    assert sign_step(header.proposal) == 3
    assert len(hub.seats[0].machine.records) == 4
    assert [one.threshold for one in header.promised] == [LEAST] * COUNT
    seats = own_seats(COUNT, 1, LEAST)
    shares = [shares_of(header, own, records(hub)) for own in seats]
    assert [sorted(one) for one in shares] == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    for dealer in range(COUNT):
        others = [seat for seat in range(COUNT) if seat != dealer]
        for seat in others:
            image = header.promised[dealer].image(seat)
            assert shares[seat][dealer].public == image
        partials = {seat: [shares[seat][dealer].public] for seat in others}
        assert sharing.combine(partials, LEAST) == [header.publics[dealer]]


def test_who_waits_begins_as_before() -> None:
    header = make_header(GAME, 3)
    assert (header.promised, sign_step(header.proposal)) == ((), 2)
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
    assert kept.polynomial.commitments.points == own.in_shares.polynomial.commitments.points
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
        own.share(promises())


def promises() -> Promises:
    """Those of a table as it is begun here."""
    header = make_header(GAME, COUNT, policy=POLICY)
    return _promises(header.proposal, header.keys)


# -- what everybody sees -----------------------------------------------------------------------


BENT_REVEALS: list[tuple[str, str, Callable[[dict[str, Any]], dict[str, Any]]]] = [
    ("another sealing key", "bad-key", lambda said: {"sealing": GENERATOR}),
    ("no sealing key", "malformed", lambda said: {"sealing": IDENTITY}),
    ("another polynomial", "bad-key", lambda said: {"further": said["further"][32:] + GENERATOR}),
    ("a list too long", "malformed", lambda said: {"further": said["further"] + GENERATOR}),
    ("a list too short", "malformed", lambda said: {"further": said["further"][32:]}),
    ("a false possession", "bad-key", lambda said: {"possession": bytes(64)}),
    ("half a possession", "malformed", lambda said: {"possession": said["possession"][:32]}),
]


@pytest.mark.parametrize(
    ("verdict", "bent"), [one[1:] for one in BENT_REVEALS], ids=[one[0] for one in BENT_REVEALS]
)
@pytest.mark.call("p2p.protocol.genesis:_verify_key -> promise.verify")
@pytest.mark.call("p2p.protocol.genesis:_reveal_step.verify_reveal -> _verify_key")
def test_a_promise_that_is_none(verdict: str, bent: Callable[[Any], dict[str, Any]]) -> None:
    hub = begin()
    bend_payload(hub, "reveal", lambda said: {**said, **bent(said)})
    convict(hub, verdict, CHEAT, 1)


def own_key(seat: int = CHEAT) -> KeyInShares:
    key = own_seats(COUNT, 1, LEAST)[seat].in_shares
    assert key is not None
    return key


def announced(points: bytes) -> Hub:
    """The cheat commits itself to other points than those of its polynomial, and opens that."""

    class Announced(KeyInShares):
        @property
        def also(self) -> bytes:
            return self.sealing.public + points

    key = own_key()
    hub = begin(Announced(key.sealing, key.polynomial))
    bend_payload(hub, "reveal", lambda said: {**said, "further": points})
    return hub


@pytest.mark.parametrize("count", [0, 1, 3, 8])
def test_another_number_of_points_that_was_committed_to(count: int) -> None:
    """A longer list would raise the threshold without a word, a shorter one lower it."""
    convict(announced(GENERATOR * count), "malformed", CHEAT, 1)


@pytest.mark.call("p2p.protocol.key_in_shares:Promise.verify -> sharing.read_commitments")
def test_a_polynomial_of_a_lower_degree() -> None:
    further = own_key().polynomial.commitments.further
    convict(announced(further[:32] + IDENTITY), "malformed", CHEAT, 1)


def test_a_polynomial_that_gives_a_seat_zero() -> None:
    """Committed to and opened: f(3) = 0, so that seat 2 could prove nothing with its share."""
    secret = own_seats(COUNT, 1, LEAST)[CHEAT].secret
    second = 7
    first = -(secret.scalar + second * 9) * pow(3, -1, ORDER) % ORDER
    bent = Polynomial((secret.scalar, first, second))
    convict(begin(replace(own_key(), polynomial=bent)), "bad-key", CHEAT, 1)


@pytest.mark.call("p2p.protocol.key_in_shares:Promise.verify -> sealing.verify_sealing_key")
def test_a_sealing_key_of_somebody_else() -> None:
    """Committed to and opened, with the proof of another seat: nobody can prove it but that one."""

    class Copied(KeyInShares):
        def promise(self, context: Any, commitments: Any, entropy: Any) -> Any:
            made = super().promise(context, commitments, entropy)
            other = replace(context, seat=0)
            proof = sealing.prove_sealing_key(self.sealing, other, commitments, entropy)
            return replace(made, possession=proof)

    key = own_key(0)
    convict(begin(Copied(key.sealing, own_key().polynomial)), "bad-key", CHEAT, 1)


@pytest.mark.parametrize("bent", [lambda data: data[:-1], lambda data: data + bytes(128), list])
def test_not_one_share_for_each_other_seat(bent: Callable[[bytes], Any]) -> None:
    hub = begin()
    bend_payload(hub, "share", bent)
    convict(hub, "malformed", CHEAT, 2)


@pytest.mark.call("p2p.protocol.genesis:_share_step -> promises.verify")
@pytest.mark.call("p2p.protocol.key_in_shares:Promises.verify -> sealing.verify_sealed")
def test_a_sealed_share_that_is_a_copy_of_anothers() -> None:
    """R and all of it: a complaint would show what seat 0 has sealed for its receiver."""
    hub = begin()
    copy_entry(hub, "share")
    convict(hub, "bad-key", CHEAT, 2)


def test_a_share_sent_to_another_seat() -> None:
    """What was sealed for seat 2 goes to seat 0, and the other way round."""
    hub = begin()
    bend_payload(hub, "share", lambda data: data[128:256] + data[:128] + data[256:])
    convict(hub, "bad-key", CHEAT, 2)


# -- what only the receiver sees ---------------------------------------------------------------


class Wrong(Polynomial):
    """Promises one share, and gives another to the victim."""

    def share(self, seat: int) -> TableSecret:
        right = super().share(seat)
        return TableSecret((right.scalar + 1) % ORDER) if seat == VICTIM else right


def wrong_share() -> Hub:
    key = own_key()
    bent = Wrong(
        (own_seats(COUNT, 1, LEAST)[CHEAT].secret.scalar, *key.polynomial._coefficients[1:])
    )
    return begin(replace(key, polynomial=bent))


@pytest.mark.call("p2p.protocol.genesis:_accept_step -> judge")
@pytest.mark.call("p2p.protocol.genesis:_accept_step.judge -> promises.judge")
def test_a_wrong_share_is_complained_of_and_its_sender_named() -> None:
    """By everybody, the victim and the cheat's own program included."""
    hub = wrong_share()
    convict(hub, "bad-key", CHEAT, 3, liar=-1)
    assert all(not seat.machine.ended for seat in hub.seats)


def _complaint(seat: int, sender: int = 0) -> Callable[[Any], Any]:
    """What `seat` says of the right share of `sender`."""
    hub = begin()
    played(hub)
    made = promises()
    share_step = hub.seats[0].machine.records[2]
    payload = decode_entry(share_step[sender]).payload
    sent = {sender: made.decode(sender, payload)}
    errand = made.errand(sender, seat)
    shown = sealing.complain(errand, sent[sender][seat], own_key(seat).sealing, seeded("lie"))
    return lambda _: [sender, shown]


@pytest.mark.call("p2p.protocol.key_in_shares:Promises.judge -> sealing.verify_complaint")
def test_a_complaint_about_a_right_share_is_the_fault_of_who_complains() -> None:
    hub = begin()
    bend_payload(hub, "sign", _complaint(CHEAT))
    convict(hub, "bad-key", CHEAT, 3)


def test_a_complaint_with_a_false_proof() -> None:
    hub = begin()
    bend_payload(hub, "sign", lambda _: [0, _complaint(CHEAT)(None)[1][:32] + bytes(64)])
    convict(hub, "bad-share", CHEAT, 3)


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
    convict(hub, "malformed", CHEAT, 3)


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
    convict(hub, "bad-signature", CHEAT, 3)


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


@pytest.mark.parametrize("name", ["sealing", "possession", "further"])
def test_a_header_lacks_part_of_a_promise(name: str) -> None:
    body = wire.unpack(make_header(GAME, COUNT, policy=POLICY).body)
    del body["keys"][1][name]
    packed = wire.pack(body)
    signatures = [one.sign(PURPOSE, packed) for one in identities(COUNT)]
    with pytest.raises(PeerError) as refusal:
        decode_header(wire.pack({"body": packed, "signatures": signatures}))
    assert refusal.value.verdict == "malformed"


@pytest.mark.parametrize(
    ("verdict", "bent"), [one[1:] for one in BENT_REVEALS], ids=[one[0] for one in BENT_REVEALS]
)
@pytest.mark.call("p2p.protocol.genesis:_verify_keys -> _verify_key")
def test_a_header_with_another_promise(verdict: str, bent: Callable[[Any], dict[str, Any]]) -> None:
    known = wire.unpack(make_header(GAME, COUNT, policy=POLICY).body)["keys"][1]
    with pytest.raises(PeerError) as refusal:
        decode_header(bent_header(1, **bent(known)))
    seat = 1 if verdict == "bad-key" else None
    assert (refusal.value.verdict, refusal.value.seat) == (verdict, seat)
