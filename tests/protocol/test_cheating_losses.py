"""Seats that cheat while the key of a lost seat is taken out: all others convict them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2p.crypto.group import POINT_BYTES
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.logfile import encode_evidence
from replay.audit import audit_bytes
from tests.protocol.cheats import bend_entry, bend_payload, first, moved, sign_again
from tests.protocol.kit import Hub, log_bytes, seeded
from tests.protocol.losing import LOSING, Losing, go_on, sit_down

CHEAT = 2
"""Seat 1 is lost in "one", and 3 in "mend"."""


def convicted(hub: Hub, verdict: str) -> None:
    """All others who are left say so, and an audit of what they keep says the same."""
    go_on(hub)
    honest = {seat.seat for seat in hub.seats} - hub.dead - {CHEAT}
    assert honest <= set(hub.faults)
    for seat in honest:
        fault = hub.faults[seat]
        assert (fault.error.verdict, fault.error.seat) == (verdict, CHEAT)
        evidence = encode_evidence(log_bytes(hub.seats[seat]), fault.evidence)
        report = audit_bytes(evidence, "", seeded("audit"))
        assert (report.verdict, report.seat) == (verdict, CHEAT)


def test_a_coin_that_was_begun_is_the_one_that_is_ended() -> None:
    """A seat that knows what the coin will be vanishes, so that it is tossed again.

    Answer: the others give the same shares as before, and make those of the lost seat.
    """
    hub, given = sit_down(LOSING["coin"]), list[Entry]()
    sends = hub.bend

    def note(seat: int, record: bytes) -> list[bytes]:
        entry = decode_entry(record)
        if (seat, entry.kind) == (0, "coin"):
            given.append(entry)
        return sends(seat, record)

    hub.bend = note
    go_on(hub)
    begun, ended = given[:2]
    shares = ended.payload[0] if isinstance(ended.payload, list) else ended.payload
    assert begun.step < ended.step
    assert shares["shares"] == begun.payload["shares"]


@pytest.mark.call(
    "p2p.protocol.acts.loss:Loss._relock -> verify_each",
    "p2p.protocol.acts.loss:_Relock.verify -> relock.verify_relock",
)
def test_a_relock_puts_no_other_card_in_its_place() -> None:
    """While a lost hand is locked anew, a seat puts another card in its place.

    Answer: one proof covers all these cards; the seat is named.
    """
    hub = sit_down(LOSING["one"])
    change = first(lambda part: {**part, "deck": moved(part["deck"], POINT_BYTES)})
    bend_payload(hub, "relock", change, CHEAT)
    convicted(hub, "bad-transfer")


def test_a_relock_makes_its_slots_anew() -> None:
    """A seat locks two cards of a lost hand with the same randomness, to open one by the other.

    Answer: a point may not be used twice, and the proof fails; the seat is named.
    """
    hub = sit_down(LOSING["one"])
    change = first(lambda part: {**part, "deck": part["deck"][: 2 * POINT_BYTES] * 2})
    bend_payload(hub, "relock", change, CHEAT)
    go_on(hub)
    assert {fault.error.seat for seat, fault in hub.faults.items() if seat != CHEAT} == {CHEAT}


@pytest.mark.call(
    "p2p.protocol.acts.sharing:shares_of_lost -> verify_each",
    "p2p.protocol.acts.sharing:verify_each -> act.verify",
)
def test_a_partial_share_fits_what_was_promised() -> None:
    """A seat gives a wrong share of the lost key, so that nobody can read the cards any more.

    Answer: each comes with a proof against what was promised in the header; the seat is named.
    """
    hub = sit_down(LOSING["one"])
    change = first(lambda part: {**part, "shares": moved(part["shares"], 0)})
    bend_payload(hub, "strip", change, CHEAT)
    convicted(hub, "bad-share")


@pytest.mark.check("share.parts")
@pytest.mark.parametrize("change", [lambda parts: parts[1:], lambda parts: parts * 2])
def test_there_is_one_part_for_each_lost_seat(change: Callable[[list[Any]], list[Any]]) -> None:
    """A seat gives too few shares of lost keys, or too many.

    Answer: that is malformed; the seat is named.
    """
    hub = sit_down(LOSING["one"])
    bend_payload(hub, "strip", change, CHEAT)
    convicted(hub, "malformed")


def test_a_strip_before_its_time_is_not_owed() -> None:
    """A seat takes the lost seat's lock off the cards before they were shuffled once more.

    Answer: nobody owes that step yet; the seat is named.
    """
    hub = sit_down(LOSING["mend"])
    bend_entry(hub, "mend", lambda entry: [sign_again(entry.record, kind="strip")], CHEAT)
    convicted(hub, "illegal-move")


def test_two_votes_in_a_round_are_equivocation() -> None:
    """A seat votes a player out, and signs a different vote in the same round.

    Answer: two votes in one round are equivocation; the seat is named.
    """
    hub = sit_down(LOSING["one"])

    def twice(entry: Entry) -> list[bytes]:
        other = sign_again(entry.record, payload={**entry.payload, "absent": []})
        return [entry.record, other]

    bend_entry(hub, "vote", twice, CHEAT)
    convicted(hub, "equivocation")


def test_a_vote_about_a_step_to_come_is_judged_when_it_has_come_and_falls_on_its_seat() -> None:
    """A seat votes itself out at a later step, so that the seat that owes that step is blamed.

    Answer: a vote is judged when its step is reached, and only its signer is blamed.
    """
    hub = sit_down(Losing("flip-over", 4, 3, {"rounds": 1}, ()))
    met = []

    def early(entry: Entry) -> list[bytes]:
        met.append(entry)
        said = {"round": 0, "absent": [CHEAT]}
        fields = {"step": entry.step + 1, "kind": "vote", "payload": said, "state": bytes(16)}
        return [entry.record, sign_again(entry.record, **fields)]

    bend_entry(hub, "shuffle", early, CHEAT)
    go_on(hub)
    assert met
    assert all(fault.error.seat == CHEAT for fault in hub.faults.values())
