"""A seat that cheats under its own valid signature, and what all the others say about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.zone import Slot
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import GENERATOR, POINT_BYTES, add, decode_point
from p2p.protocol import wire
from p2p.protocol.entry import PURPOSE, VOTE_PURPOSE, Entry, decode_entry, sign_entry
from p2p.protocol.logfile import encode_evidence
from p2p.protocol.slots import Slots
from replay.audit import audit_bytes
from tests.protocol.kit import Hub, Seat, identities, log_bytes, seeded

CHEAT = 1
"""The seat that cheats, unless a test says otherwise."""
FIELDS = ("table", "step", "seat", "kind", "payload", "previous", "state")


def sign_again(record: bytes, **changes: Any) -> bytes:
    """The entry of a record with other fields, signed by the seat that it (now) names."""
    entry = decode_entry(record)
    fields = {**{name: getattr(entry, name) for name in FIELDS}, **changes}
    body = wire.pack(fields)
    signer = identities(max(8, fields["seat"] + 1))[fields["seat"]]
    purpose = VOTE_PURPOSE if fields["kind"] == "vote" else PURPOSE
    return body + signer.sign(purpose, body)


def moved(data: bytes, at: int) -> bytes:
    """The point at this place, moved by the generator."""
    point = add(decode_point(data[at : at + POINT_BYTES]), GENERATOR)
    return data[:at] + point + data[at + POINT_BYTES :]


def first(change: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    """The first of the parts of a payload, changed."""
    return lambda parts: [change(parts[0]), *parts[1:]]


def bend_entry(
    hub: Hub, kind: str, bent: Callable[[Entry], list[bytes]], seat: int = CHEAT
) -> None:
    """Bend the first entry of this kind by `seat` as `bent` says before it is sent."""
    bend_before, met = hub.bend, []

    def bend(source: int, record: bytes) -> list[bytes]:
        entry = decode_entry(record)
        if source != seat or entry.kind != kind or met:
            return bend_before(source, record)
        met.append(entry)
        return bent(entry)

    hub.bend = bend


def bend_payload(hub: Hub, kind: str, change: Callable[[Any], Any], seat: int = CHEAT) -> None:
    """Let the first entry of this kind by `seat` say what `change` makes of its payload."""
    bend_entry(
        hub,
        kind,
        lambda entry: [sign_again(entry.record, payload=change(entry.payload))],
        seat,
    )


def bend_fields(hub: Hub, kind: str, **fields: Any) -> None:
    """Replace some fields of the first entry of this kind by the cheat."""
    bend_payload(hub, kind, lambda payload: {**payload, **fields})


def bend_decision(hub: Hub, craft: Callable[[Seat, Any], Any], seat: int = CHEAT) -> None:
    """At its first decision the cheat sends the payload that `craft(seat, question)` makes.

    Its own machine goes on with an honest decision: it would refuse the other one.
    """
    choose, crafted = hub.chooser, []

    def chooser(view: Any, question: Any) -> object:
        if view.seat == seat and not crafted:
            cheat = hub.seats[seat]
            crafted.append(craft(cheat, question))
            step = cheat.machine.step
            assert step is not None
            bend_payload(hub, step.kind, lambda _: crafted[0], seat)
        return choose(view, question)

    hub.chooser = chooser


def copy_entry(
    hub: Hub, kind: str, copied: int = 0, change: Callable[[Any], Any] = lambda payload: payload
) -> None:
    """The cheat withholds its own entry and repeats that of another seat under its name.

    `change` may make the copied payload fit the cheat's own seat.
    """

    def repeat(entry: Entry) -> list[bytes]:
        copy = sign_again(entry.record, seat=CHEAT, payload=change(entry.payload))
        return [entry.record, copy]

    bend_entry(hub, kind, lambda entry: [])
    bend_entry(hub, kind, repeat, copied)


def unite_oaths(slots: Slots) -> None:
    """Let a seat hold, after a merge, each of its cards to be under the oaths of all of them."""
    honest = slots.permute

    def permute(merged: Sequence[Slot], ciphers: Sequence[Cipher], history: int) -> None:
        united = frozenset[int]().union(*(slots._sworn[slot] for slot in merged))
        honest(merged, ciphers, history)
        slots.swear(merged, united)

    slots.permute = permute  # type: ignore[method-assign]


def signed(hub: Hub, seat: int) -> list[Entry]:
    """All entries that the machine of `seat` holds, from anybody, in order."""
    machine = hub.seats[seat].machine
    records = [record for step in machine.records for record in step] + machine.beyond()
    return [decode_entry(record) for record in records]


def intrude(hub: Hub, kind: str, payload: object, seat: int = CHEAT, at: int = 0) -> None:
    """The cheat sends everybody an entry for the step at which the machine of seat `at` is."""
    machine = hub.seats[at].machine
    signer = identities(8)[seat]
    entry = sign_entry(signer, machine.chain, seat, kind, payload, hub.seats[at].session.digest())
    hub.spread(seat, entry.record)


def convict(hub: Hub, verdict: str, seat: int = CHEAT) -> None:
    """Play; every honest machine gives `verdict` on `seat`, and its evidence convinces anybody."""
    hub.run()
    for honest in hub.seats:
        if honest.seat == seat:
            continue
        assert honest.seat in hub.faults, f"seat {honest.seat} noticed nothing"
        fault = hub.faults[honest.seat]
        assert (fault.error.verdict, fault.error.seat) == (verdict, seat), fault.error
        evidence = encode_evidence(log_bytes(honest), fault.evidence)
        report = audit_bytes(evidence, "evidence", seeded("audit"))
        said = (report.verdict, report.seat, report.step)
        assert said == (verdict, seat, fault.error.step), report.reason
        assert not report.verified


def acquit(hub: Hub) -> None:
    """Play; the game ends as if nothing had happened."""
    hub.run()
    assert not hub.faults
    first = hub.seats[0]
    assert first.machine.ended
    for seat in hub.seats:
        assert seat.machine.ended
        assert seat.log == first.log
