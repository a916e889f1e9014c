"""Sound logs that somebody changed afterwards, without the keys of those who signed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from p2p.protocol import wire
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.entry import PURPOSE, SIGNATURE_BYTES, decode_entry
from p2p.protocol.genesis import PURPOSE as HEADER_PURPOSE
from p2p.protocol.logfile import LOG_MAGIC, begin_log, encode_evidence, frame, split_log
from tests.protocol.cheats import sign_again
from tests.protocol.kit import Hub, identities, log_bytes
from tests.vectors.tables import MOST_WIRE, PLANS, log_of, sit_down
from tests.vectors.vector import Level, Vector

SEATS: Final = 3
GONE: Final = 2
"""The seat that leaves before it signs the close."""


def _records() -> list[bytes]:
    return list(split_log(log_of("flip-over")).records)


def _beginning() -> list[bytes]:
    """The records up to the first card that seat 1 lays, and one more."""
    return _records()[: _first("play", 1) + 2]


def with_records(records: Sequence[bytes], header: bytes | None = None) -> bytes:
    """A log of the game that is altered here, with these records."""
    head = begin_log(header or split_log(log_of("flip-over")).header)
    return head + b"".join(frame(record) for record in records)


def _first(kind: str, seat: int) -> int:
    """The place of the first entry of that kind by that seat."""
    entries = [decode_entry(record) for record in _records()]
    found = (at for at, one in enumerate(entries) if (one.kind, one.seat) == (kind, seat))
    return next(found)


def altered_logs() -> Iterator[Vector]:
    """All vectors that need nothing but sound logs."""
    yield from _unfinished()
    yield from _closed_without()
    yield from _broken_chains()
    yield from _bad_signatures()
    yield from _malformed()
    yield from _equivocation()


def _unfinished() -> Iterator[Vector]:
    at = _first("play", 0)
    step = decode_entry(_records()[at]).step
    kept = [record for record in _records() if decode_entry(record).step < step]
    last = decode_entry(_records()[-1]).step
    log, lacking = with_records(kept), with_records(_records()[:-1])
    for name, data, where, about in (
        ("unfinished.ndlog", log, step, "The log ends between two steps."),
        ("unfinished-zeros.ndlog", log + bytes(4096), step, "Zeros behind the last whole record."),
        (
            "unfinished-torn.ndlog",
            log
            + frame(_records()[len(kept)][:-SIGNATURE_BYTES] + bytes(SIGNATURE_BYTES))
            + bytes(9),
            step,
            "A record whose signature was not written, and zeros.",
        ),
        ("unfinished-header.ndlog", with_records([]), 0, "The log ends behind its header."),
        ("unfinished-step.ndlog", lacking, last, "The last step lacks a seat."),
        (
            "unfinished-evidence.evidence",
            encode_evidence(log, kept[-2:]),
            step,
            "What stands beyond the log are entries of it: that shows nothing.",
        ),
    ):
        yield Vector(name, data, "unfinished", Level.PROOF, about, step=where)


@cache
def left() -> Hub:
    """A table whose last seat is gone before the close."""
    hub = sit_down(PLANS["flip-over"])

    def bend(seat: int, record: bytes) -> list[bytes]:
        return [] if seat == GONE and decode_entry(record).kind == "close" else [record]

    hub.bend = bend
    hub.run(MOST_WIRE)
    return hub


def _closed_without() -> Iterator[Vector]:
    honest = left().seats[0]
    unclosed = log_bytes(honest) + b"".join(frame(r) for r in honest.machine.current())
    ballots = [
        frame(sign_ballot(identities(SEATS)[seat], honest.machine.chain, seat, GONE).record)
        for seat in (0, 1)
    ]
    step = honest.machine.chain.step
    yield Vector(
        "closed-without.ndlog", unclosed + b"".join(ballots), "closed-without", Level.PROOF,
        "The close lacks seat 2; both others signed that it was gone.",
    )  # fmt: skip
    for name, tail, about in (
        ("broken-chain-ballots-one.ndlog", ballots[:1], "One of two ballots is missing."),
        ("broken-chain-ballots-order.ndlog", ballots[::-1], "The ballots changed places."),
    ):
        data = unclosed + b"".join(tail)
        yield Vector(name, data, "broken-chain", Level.CHAIN, about, step=step)


def _broken_chains() -> Iterator[Vector]:
    records, other = _beginning(), _other_records()
    at = _first("deal", 0)
    step = decode_entry(records[at]).step
    again = [*records[: at + 1], records[at], *records[at + 1 :]]
    swapped = [*records[:at], records[at + 1], records[at], *records[at + 2 :]]
    last = decode_entry(records[-1]).step
    gap = [record for record in records if decode_entry(record).step != step]
    stray = sign_again(records[at], previous=bytes(32))
    for name, kept, where, about in (
        ("broken-chain-gap.ndlog", gap, step - 1, "A whole step is missing."),
        ("broken-chain-repeat.ndlog", again, step, "A record stands twice."),
        ("broken-chain-order.ndlog", swapped, step, "Two entries of a step changed places."),
        ("broken-chain-link.ndlog", [*records[:at], stray], step, "Signed on another history."),
        ("broken-chain-splice.ndlog", [*records[:at], *other[at:]], step, "Two tables spliced."),
        ("broken-chain-doubled.ndlog", records * 2, last, "All records stand twice."),
    ):
        yield Vector(name, with_records(kept), "broken-chain", Level.CHAIN, about, step=where)
    foreign = with_records(records, split_log(log_bytes(_other().seats[0])).header)
    about = "The header of another table."
    yield Vector("broken-chain-header.ndlog", foreign, "broken-chain", Level.CHAIN, about, step=0)


@cache
def _other() -> Hub:
    """The same game, other keys and cards."""
    plan = PLANS["flip-over"]
    hub = sit_down(plan._replace(seed=2))
    hub.run(MOST_WIRE)
    return hub


def _other_records() -> list[bytes]:
    return split_log(log_bytes(_other().seats[0])).records[: len(_beginning())]


def _bad_signatures() -> Iterator[Vector]:
    records, at = _beginning(), _first("play", 1)
    entry = decode_entry(records[at])
    stolen = entry.body + identities(SEATS)[2].sign(PURPOSE, entry.body)
    changed = wire.pack({**wire.unpack(entry.body), "payload": None}) + records[at][-64:]
    other_purpose = entry.body + identities(SEATS)[1].sign(HEADER_PURPOSE, entry.body)
    for name, record, about in (
        ("bad-signature-seat.ndlog", stolen, "Signed by another seat than the entry names."),
        ("bad-signature-payload.ndlog", changed, "The payload was changed."),
        ("bad-signature-purpose.ndlog", other_purpose, "Signed for another purpose."),
    ):
        data = with_records([*records[:at], record, *records[at + 1 :]])
        yield Vector(name, data, "bad-signature", Level.CHAIN, about, step=entry.step)
    fields = wire.unpack(split_log(log_of("flip-over")).header)
    first, second, third = fields["signatures"]
    header = wire.pack({**fields, "signatures": [first, third, second]})
    about = "The signatures under the header changed places."
    data = with_records(records, header)
    yield Vector("bad-signature-header.ndlog", data, "bad-signature", Level.CHAIN, about)


def _malformed() -> Iterator[Vector]:
    records = _beginning()
    log = with_records(records[:SEATS])
    at = _first("play", 1)
    body = decode_entry(records[at]).body
    value = body.index(b"\xa4step") + len(b"\xa4step")
    # A step below 128 is one byte; this says the same with 16 bits.
    longer = body[:value] + b"\xcd\x00" + body[value:]
    resigned = longer + identities(SEATS)[1].sign(PURPOSE, longer)
    step = decode_entry(records[at]).step
    cases: tuple[tuple[str, bytes, str], ...] = (
        ("malformed-empty.ndlog", b"", "An empty file."),
        ("malformed-version.ndlog", b"nodealer log 2\n" + log[len(LOG_MAGIC) :], "Version 2."),
        ("malformed-headless.ndlog", LOG_MAGIC, "There is no header."),
        ("malformed-cut.ndlog", log[:-1], "The last byte is missing."),
        ("malformed-trailing.ndlog", log + b"\1", "One byte too many."),
        ("malformed-zero.ndlog", log + bytes(4) + b"\1", "A frame of no bytes."),
        ("malformed-length.ndlog", log + b"\xff" * 8, "A frame longer than the file."),
    )
    for name, data, about in cases:
        yield Vector(name, data, "malformed", Level.FRAME, about)
    torn, about = log_of("flip-over") + bytes(4096), "Zeros behind a game that is over."
    yield Vector("malformed-torn.ndlog", torn, "malformed", Level.PROOF, about)
    loose = with_records([*records[:at], resigned, *records[at + 1 :]])
    about = "A signed body whose step is not in its shortest form."
    # What cannot be read names no step: the reader is still in the one before.
    yield Vector("malformed-integer.ndlog", loose, "malformed", Level.FRAME, about, step=step - 1)


def _equivocation() -> Iterator[Vector]:
    records, at = _records(), _first("play", 1)
    entry = decode_entry(records[at])
    second: Any = sign_again(records[at], payload=None)
    evidence = encode_evidence(with_records(records[: at + 1]), [second])
    about = "Seat 1 signed two different entries for one step."
    yield Vector(
        "equivocation.evidence", evidence, "equivocation", Level.CHAIN, about, 1, entry.step
    )
    dealt = _first("deal", 1)
    sound = decode_entry(records[dealt])
    shares = sound.payload["shares"]
    swapped = shares[32:64] + shares[:32] + shares[64:]
    false = sign_again(sound.record, payload={**sound.payload, "shares": swapped})
    both = encode_evidence(with_records(records[:dealt]), [false, sound.record])
    about = "Seat 1 signed two entries for one step, the first with a false share."
    yield Vector(
        "equivocation-false-share.evidence", both, "equivocation", Level.CHAIN, about, 1, sound.step
    )
    forged = second[:-SIGNATURE_BYTES] + records[at][-SIGNATURE_BYTES:]
    accusation = encode_evidence(with_records(records[: at + 1]), [forged])
    about = "A second entry that seat 1 never signed: nobody is convicted."
    yield Vector(
        "bad-signature-accusation.evidence", accusation, "bad-signature", Level.CHAIN, about
    )
