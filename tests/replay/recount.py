"""A second count of what a file holds, from its records alone, for the counts of the audit."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import msgpack

from p2p.errors import PeerError
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import (
    Log,
    begin_log,
    encode_evidence,
    encode_genesis_evidence,
    frame,
    is_evidence,
    is_genesis_evidence,
    split_evidence,
    split_genesis_evidence,
    split_log,
)
from p2p.protocol.proposal import decode_proposal
from replay.chain import chained
from tests.replay.logs import judge as judge_anew
from tests.replay.logs import with_records

SOUND = ("complete", "closed-without", "unfinished")
judge = lru_cache(maxsize=8)(judge_anew)
"""The verdict of the audit; most of what is judged here is judged two or three times."""


def recount(data: bytes) -> Counter[str]:
    """How much of everything has to be counted in this file; nothing if it has no header."""
    try:
        return _genesis(data) if is_genesis_evidence(data) else _game(data)
    except PeerError:
        return Counter()


def _genesis(data: bytes) -> Counter[str]:
    proposed, records = split_genesis_evidence(data)
    proposal = decode_proposal(proposed)
    kept = _sound(records, lambda some: encode_genesis_evidence(proposed, some))
    new = _signed(records, (), proposal.identities)
    found = Counter(beyond=new or 0)
    if new is None or _lies(records, ()):
        return found  # nothing was judged
    whole = judge(encode_genesis_evidence(proposed, kept)).step
    assert whole is not None
    known = {(entry.step, entry.seat): entry for entry in map(decode_entry, kept)}
    held = [entry for entry in known.values() if entry.step <= whole]
    found["entries"] = len(held)
    found["steps"] = whole
    found["keys"] = sum(entry.kind == "reveal" for entry in held)
    return found


def _game(data: bytes) -> Counter[str]:
    log, beyond = split_evidence(data) if is_evidence(data) else (split_log(data), [])
    header = decode_header(log.header)
    seats = len(header.keys)
    found = Counter(keys=seats, signatures=seats)
    chain, ballots = chained(header, log), []
    try:
        while True:
            next(chain)
            found["signatures"] += 1
    except StopIteration as end:
        ballots = end.value
    except PeerError:
        return found  # nothing was judged
    if beyond and judge(alone(log)).verdict != "complete":
        new = _signed(beyond, log.records, header.proposal.identities)
        found["beyond"] = new or 0
        if new is None or _lies(beyond, log.records):
            return found  # nothing was judged
    if judge(data).verdict == "closed-without":
        found["ballots"] = len(ballots)
    said = [one for one in log.records if one not in ballots]
    held = _sound(said, lambda some: with_records(alone(log), some))
    more: list[bytes] = []
    if beyond and held == said:
        more = _sound(beyond, lambda some: encode_evidence(alone(log), some))
    entries, whole = _judged(log, held, more)
    found["steps"] = whole
    staying = list(range(seats))
    for number, group in groupby(entries, key=lambda entry: entry.step):
        step = list(group)
        votes = _decided(step, staying)
        if votes:
            found["votes"] += len(votes)
            staying = [vote.seat for vote in votes]
        step = [] if votes else [entry for entry in step if entry.kind != "vote"]
        found["entries"] += len(step)
        if step:
            _count_step(found, step, entries, staying, whole=number < whole)
        if step and step[0].kind == "farewell":
            staying.remove(step[0].seat)
    return found


def _judged(log: Log, held: list[bytes], more: list[bytes]) -> tuple[list[Entry], int]:
    """The entries that could be judged, and how many steps of them are whole."""
    report = judge(encode_evidence(with_records(alone(log), held), more))
    known = {_place(entry): entry for entry in map(decode_entry, [*held, *more])}
    entries = [known[place] for place in sorted(known)]
    whole = entries[-1].step + 1 if report.verdict == "complete" else report.step
    assert whole is not None
    return [entry for entry in entries if entry.step <= whole], whole


def alone(log: Log) -> bytes:
    """The log of an evidence file as a file of its own."""
    return begin_log(log.header) + b"".join(frame(one) for one in log.records)


def _sound(records: Sequence[bytes], made: Callable[[list[bytes]], bytes]) -> list[bytes]:
    """The records before the one at which a fault is found: the longest sound beginning."""
    kept = list(records)
    while judge(made(kept)).verdict not in SOUND:
        kept.pop()
    return kept


def _signed(
    records: Sequence[bytes], known: Sequence[bytes], identities: Sequence[bytes]
) -> int | None:
    """How many records are new; None if nobody signed one of them, or a vote is none."""
    try:
        for entry in map(decode_entry, records):
            entry.check_signature(identities[entry.seat])
            if entry.kind == "vote" and not _is_in_order(entry.payload["absent"]):
                return None
    except (PeerError, IndexError):
        return None
    return len(set(records) - set(known))


def _is_in_order(seats: list[int]) -> bool:
    return seats == sorted(set(seats))


def _lies(records: Sequence[bytes], known: Sequence[bytes]) -> bool:
    """Whether a seat signed two of them for one step."""
    entries = [decode_entry(record) for record in {*records, *known}]
    return len(set(map(_place, entries))) < len(entries)


def _place(entry: Entry) -> tuple[int, int, int]:
    """What a seat signs once: a step, or a round of votes about it."""
    return entry.step, entry.seat, entry.payload["round"] if entry.kind == "vote" else -1


def _decided(step: list[Entry], seats: list[int]) -> list[Entry]:
    """The votes by which all others went on without somebody; none if not all agree."""
    votes = [entry for entry in step if entry.kind == "vote" and entry.payload["absent"]]
    for said in (entry.payload for entry in votes):
        agree = [entry for entry in votes if entry.payload == said]
        if [one.seat for one in agree] == [s for s in seats if s not in said["absent"]]:
            return agree
    return []


def _count_step(
    found: Counter[str], step: list[Entry], entries: list[Entry], seats: list[int], *, whole: bool
) -> None:
    kind = step[0].kind
    for entry in step:
        for name, value in _fields(entry.payload):
            _count_field(found, kind, name, value)
    if kind == "swear":
        found["oaths"] += len(step)
    if kind in ("shuffle", "cut", "mend"):
        # Proven together when that of the last seat is there.
        found["shuffles"] += len(seats) if step[0].seat == seats[-1] else 0
    found["shuffles"] += kind == "reshuffle"
    if kind == "coin":
        # Parts of a coin that was begun are in a list, and are a step after that of those who are
        # left: the coin counts there, and not if the step of the lists is not whole.
        found["coins"] += whole - isinstance(step[0].payload, list)
    found["races"] += whole and any(entry.kind == "race" for entry in step)
    if whole and kind == "reveal":
        committed = {e.seat: e for e in entries if e.step == step[0].step - 1}
        for entry in step:
            found["openings" if _opens(committed[entry.seat], entry) else "forfeits"] += 1


def _fields(payload: Any) -> Iterator[tuple[str, Any]]:
    """All fields of a payload that are not empty, those of inner maps and lists too."""
    if isinstance(payload, list):
        for part in payload:
            yield from _fields(part)
    if isinstance(payload, dict):
        for name, value in payload.items():
            if value:
                yield name, value
            yield from _fields(value)


def _count_field(found: Counter[str], kind: str, name: str, value: Any) -> None:
    match name:
        case "shares" | "share":
            found["shares"] += len(value) // 32
        case "proofs":
            found["transfers"] += len(value) // 96
        case "deck" if kind == "relock":
            found["transfers"] += len(value) // 64
        case "oath":
            found["oaths"] += 1
        case "merge":
            found["shuffles"] += 1
        case "nonce":
            found["openings"] += kind == "set-reveal"


def _opens(commitment: Entry, opening: Entry) -> bool:
    """Protocol section 4, "Secret choice"."""
    context = msgpack.packb(["choice", commitment.table, commitment.step, commitment.seat])
    parts = (context, opening.payload["nonce"], msgpack.packb(opening.payload["choice"]))
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    digest = hashlib.sha512(b"nodealer choice" + framed).digest()
    return bool(digest == commitment.payload)
