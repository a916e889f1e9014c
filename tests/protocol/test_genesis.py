"""How a table begins: proposals, table keys by commit and reveal, headers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import load
from p2p.crypto.group import GENERATOR
from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.genesis import PURPOSE, decode_header
from p2p.protocol.proposal import decode_proposal, propose
from p2p.protocol.terms import Terms
from p2p.version import PROTOCOL_VERSION
from tests.protocol.cheats import CHEAT, bend_payload, copy_entry
from tests.protocol.kit import TOKEN, Hub, genesis_hub, identities, make_header, pings_of

GAME = load("flip-over")
SEATS = [[one.public, one.name, False] for one in identities(3)]
SMALL_ORDER = bytes([1]) + bytes(31)
"""The Ed25519 identity point: a signature under it fits several messages."""


def proposal_bytes(**changes: Any) -> bytes:
    """A sound proposal of ours, with other fields."""
    sound = propose(
        TOKEN, Terms.of(GAME.name), [(one.public, one.name, False) for one in identities(3)]
    )
    return wire.pack({**wire.unpack(sound.data), **changes})


def refuse_proposal(verdict: str = "malformed", **changes: Any) -> None:
    decode_proposal(proposal_bytes())
    with pytest.raises(PeerError) as refusal:
        decode_proposal(proposal_bytes(**changes))
    assert refusal.value.verdict == verdict


@pytest.mark.check("genesis.version")
def test_another_protocol_version_is_refused() -> None:
    refuse_proposal(version=PROTOCOL_VERSION + 1)
    refuse_proposal(version=PROTOCOL_VERSION - 1)


@pytest.mark.check("genesis.game")
def test_an_unknown_policy_is_refused() -> None:
    refuse_proposal(policy="shrug")


@pytest.mark.check("genesis.rules")
def test_another_version_of_the_rules_is_refused() -> None:
    refuse_proposal(rules=GAME.rules_version + 1)


@pytest.mark.check("genesis.game")
@pytest.mark.parametrize(
    "changes",
    [
        {"game": "poker"},
        {"options": {"trumps": 1}},
        {"options": {"stakes": 5}},
        {"seats": SEATS[:2]},
    ],
)
@pytest.mark.call("p2p.protocol.terms:check_playable -> rules.check")
def test_a_game_that_does_not_go_together_is_refused(changes: dict[str, Any]) -> None:
    refuse_proposal(**changes)


@pytest.mark.check("genesis.distinct")
def test_nobody_holds_two_seats() -> None:
    refuse_proposal("bad-key", seats=[*SEATS[:2], [SEATS[0][0], "again", False]])


@pytest.mark.check("genesis.seat")
@pytest.mark.parametrize("seat", [SEATS[0][:2], [*SEATS[0], "more"], "seat0"])
def test_a_seat_is_an_identity_a_name_and_whether_it_is_a_bot(seat: Any) -> None:
    refuse_proposal(seats=[seat, *SEATS[1:]])


@pytest.mark.parametrize("bot", [1, None, "yes", b""])
def test_a_seat_is_a_bot_or_is_none(bot: Any) -> None:
    decode_proposal(proposal_bytes(seats=[[*SEATS[0][:2], True], *SEATS[1:]]))
    refuse_proposal(seats=[[*SEATS[0][:2], bot], *SEATS[1:]])


@pytest.mark.check("genesis.name")
@pytest.mark.parametrize(
    "name", ["", "x" * 25, "bell\a", "line\nbreak", "\x1b[2J", "\u202e", "Bo (you)", " a", "\u3164"]
)
def test_a_name_is_short_and_printable(name: str) -> None:
    refuse_proposal(seats=[[SEATS[0][0], name, False], *SEATS[1:]])


@pytest.mark.parametrize("letter", ["\u0378", "\U0003134b", "\U0001fae8"])
@pytest.mark.check("genesis.name")
def test_which_names_there_are_does_not_depend_on_the_version_of_unicode(letter: str) -> None:
    """A code point assigned after 14.0, or not yet, is no letter, whatever this Python knows."""
    refuse_proposal(seats=[[SEATS[0][0], f"a{letter}", False], *SEATS[1:]])


@pytest.mark.check("genesis.names")
@pytest.mark.parametrize("name", ["Seat1", "SEAT1", "ｓｅａｔ1", "seat\u00b9"])
def test_two_seats_do_not_go_by_one_name(name: str) -> None:
    """Compared as people see them: in any case, and in any form of the same letters."""
    refuse_proposal(seats=[[SEATS[0][0], name, False], *SEATS[1:]])


@pytest.mark.parametrize("key", [SMALL_ORDER, bytes(32), b"\xff" * 32, bytes(31)])
def test_an_unsound_identity_gets_no_seat(key: bytes) -> None:
    refuse_proposal("bad-key", seats=[[key, "small", False], *SEATS[1:]])


def test_a_token_has_its_length() -> None:
    refuse_proposal(token=TOKEN[1:])


def _header_fields() -> tuple[dict[str, Any], dict[str, Any]]:
    outer = wire.unpack(make_header(GAME, 3).encode())
    return outer, wire.unpack(outer["body"])


def _signed_again(body: dict[str, Any]) -> bytes:
    """A header with this body that all seats signed: only what the body says may be wrong."""
    data = wire.pack(body)
    return wire.pack(
        {"body": data, "signatures": [one.sign(PURPOSE, data) for one in identities(3)]}
    )


@pytest.mark.check("header.count")
@pytest.mark.parametrize("more", [True, False])
def test_a_header_has_one_signature_a_seat(more: bool) -> None:
    outer, _ = _header_fields()
    signatures = outer["signatures"]
    wrong = [*signatures, signatures[0]] if more else signatures[:2]
    with pytest.raises(PeerError) as refusal:
        decode_header(wire.pack({**outer, "signatures": wrong}))
    assert refusal.value.verdict == "malformed"


def test_a_header_has_one_key_a_seat() -> None:
    """All seats signed it; yet without all keys it is no header."""
    _, body = _header_fields()
    with pytest.raises(PeerError, match="one key"):
        decode_header(_signed_again({**body, "keys": body["keys"][:2]}))


@pytest.mark.call(
    "p2p.protocol.genesis:decode_header -> _verify_signatures",
    "p2p.protocol.genesis:_verify_signatures -> verify",
)
def test_a_false_signature_is_nobodys_fault() -> None:
    """Whoever holds a header can spoil a signature in it."""
    outer, _ = _header_fields()
    first, second, third = outer["signatures"]
    with pytest.raises(PeerError) as refusal:
        decode_header(wire.pack({**outer, "signatures": [first, third, second]}))
    assert (refusal.value.verdict, refusal.value.seat) == ("bad-signature", None)


@pytest.mark.parametrize("field", ["opening", "proof", "commitment"])
@pytest.mark.call(
    "p2p.protocol.genesis:_verify_key -> verify_key",
    "p2p.protocol.genesis:decode_header -> _verify_keys",
)
def test_the_keys_of_a_header_are_proven(field: str) -> None:
    _, body = _header_fields()
    keys = [dict(key) for key in body["keys"]]
    keys[1][field] = bytes(len(keys[1][field]))
    with pytest.raises(PeerError) as refusal:
        decode_header(_signed_again({**body, "keys": keys}))
    assert refusal.value.seat is not None


def test_two_seats_with_one_table_key_are_refused() -> None:
    _, body = _header_fields()
    keys = [body["keys"][0], body["keys"][0], body["keys"][2]]
    with pytest.raises(PeerError):
        decode_header(_signed_again({**body, "keys": keys}))


def test_genesis_gives_all_the_same_header() -> None:
    hub = genesis_hub(GAME, 4)
    hub.run()
    assert not hub.faults
    headers = {seat.result.encode() for seat in hub.seats}
    assert len(headers) == 1
    header = decode_header(headers.pop())
    assert header.table == hub.seats[0].result.table


def _caught(hub: Hub, verdict: str) -> None:
    hub.run()
    for honest in (0, 2):
        error = hub.faults[honest].error
        assert (error.verdict, error.seat) == (verdict, CHEAT), error


@pytest.mark.parametrize("field", ["opening", "public", "proof"])
def test_a_key_is_the_one_committed_to(field: str) -> None:
    hub = genesis_hub(GAME, 3)
    other = GENERATOR if field == "public" else None
    bend_payload(hub, "reveal", lambda p: {**p, field: other or bytes(len(p[field]))})
    hub.run()
    assert {(f.error.seat, f.error.step) for s, f in hub.faults.items() if s != CHEAT} == {
        (CHEAT, 1)
    }


def test_a_copied_key_commitment_cannot_be_opened() -> None:
    hub = genesis_hub(GAME, 3)
    copy_entry(hub, "commit")
    copy_entry(hub, "reveal", change=lambda p: {**p, "pings": pings_of(CHEAT, 3)})
    hub.run()
    for honest in (0, 2):
        assert hub.faults[honest].error.seat == CHEAT


@pytest.mark.call("p2p.protocol.genesis:_sign_step -> verify")
def test_a_signature_over_another_header_is_refused() -> None:
    hub = genesis_hub(GAME, 3)
    bend_payload(hub, "sign", lambda _: identities(3)[CHEAT].sign(PURPOSE, b"another header"))
    _caught(hub, "bad-signature")
