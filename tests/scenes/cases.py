"""Files made from random games, each with one bent entry, and the verdicts of both verifiers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import encode_evidence, is_evidence
from replay.audit import Report, audit_bytes
from tests.page.second import goes_on, is_untold, where
from tests.protocol.cheats import sign_again
from tests.protocol.kit import Hub, log_bytes, seeded
from tests.replay.logs import entries, with_records
from tests.scenes.bends import Bent, bend, bent_file
from tests.scenes.odd import Cheats
from tests.scenes.playing import sit_down

EACH: Final = 15
"""Bent entries of one table."""
OFTEN: Final = 0.3
"""How often a seat is asked what it would sign as a cheat."""
LIVING: Final = 4
"""At one in this many tables one seat really is a cheat, once."""


class Case(NamedTuple):
    """One file, which the assertion message names by its seed and its number."""

    seed: int
    number: int
    bent: Bent

    def __str__(self) -> str:
        return f"table {self.seed}, case {self.number}: {self.bent.what}"


def table_cases(seed: int) -> list[Case]:
    """The files of one table."""
    made = list(_lived(seed) if seed // 2 % LIVING == 0 else _bent(seed))
    return [Case(seed, number, one) for number, one in enumerate(made)]


def _bent(seed: int) -> Iterator[Bent]:
    """The log of an honest table, and one bent entry at a time."""
    hub, rng = sit_down(seed), Random(f"bends {seed}")
    cheats = Cheats(hub, Random(f"cheats {seed}"), OFTEN)
    hub.run()
    log = _whole(hub)
    said = entries(log)
    yield Bent("as it was played", "close", log)
    by_place = {(entry.step, entry.seat): number for number, entry in enumerate(said)}
    found = rng.sample(cheats.made, min(len(cheats.made), EACH // 2))
    for odd in found:
        number = by_place[odd.step, odd.seat]
        record = sign_again(said[number].record, payload=odd.payload)
        yield bent_file(log, said, number, record, odd.what, rng)
    for _ in range(EACH - len(found)):
        yield bend(log, said, rng.randrange(len(said)), rng)


def _whole(hub: Hub) -> bytes:
    assert not hub.faults, hub.faults
    assert all(seat.machine.ended for seat in hub.seats)
    return log_bytes(hub.seats[0])


def _lived(seed: int) -> Iterator[Bent]:
    """The log of a table where one seat signed something odd, and went on."""
    hub, rng = sit_down(seed, None), Random(f"cheats {seed}")
    cheat = rng.randrange(len(hub.seats))
    cheats = Cheats(hub, rng, OFTEN, [cheat])
    hub.run()
    what = "".join(f"{made.what} at step {made.step}" for made in cheats.lived) or "honest"
    honest = hub.seats[cheat - 1]
    log = log_bytes(honest)
    fault = hub.faults.get(honest.seat)
    going = () if honest.machine.ended else tuple(honest.machine.current())
    beyond = going if fault is None else fault.evidence
    yield Bent(f"lived with: {what}, as evidence", "", encode_evidence(log, beyond))
    records = [entry.record for entry in entries(log)]
    behind = sorted(map(decode_entry, beyond), key=lambda entry: (entry.step, entry.seat))
    records += [entry.record for entry in behind]
    yield Bent(f"lived with: {what}", "", with_records(log, records))


# -- what both say --------------------------------------------------------------------------------


def audited(data: bytes) -> Report:
    return audit_bytes(data, "case", seeded("case"))


def agree(case: Case, report: Report, said: dict[str, Any]) -> bool:
    """Whether both give the same verdict on the same seat and step.

    What the second cannot know without the rules: the right state and result (then it names no
    seat, or finds nothing wrong), what the terms of a set allow, and what is asked beyond the log
    that evidence comes with.
    """
    first = (report.verdict, report.seat, report.step)
    second = where(said)
    silent = goes_on(report, said)
    if report.verdict == "state-mismatch":
        return second in (first, ("state-mismatch", None, report.step)) or silent
    if report.verdict == "illegal-move" and case.bent.kind in ("lay-set", "set-reveal"):
        return second == first or silent
    beyond = is_untold(said) and is_evidence(case.bent.data)
    return second == first or (report.verdict == "unfinished" and beyond)
