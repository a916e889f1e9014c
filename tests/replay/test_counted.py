"""Reports say only what was there: every number on the page is counted a second time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from p2p.protocol.logfile import encode_genesis_evidence, split_genesis_evidence
from replay.audit import Report
from replay.report import page
from tests.protocol.kit import genesis_hub
from tests.replay.logs import match, records, with_records
from tests.replay.recount import judge, recount
from tests.replay.saved import GAMES, log_of, saved
from tests.shares import every_second
from tests.vectors.scenes import known_scenes

VECTORS: Final = Path(__file__).parent.parent / "vectors"
FILES: Final = [one["file"] for one in json.loads((VECTORS / "index.json").read_text())["vectors"]]
LABELS: Final = {
    "keys": "keys",
    "signatures": "signatures",
    "evidence": "beyond",
    "ballots": "ballots",
    "votes": "votes",
    "shuffles": "shuffles",
    "shares": "shares",
    "transfers": "transfers",
    "oaths": "oaths",
    "secrets": "openings",
    "forfeits": "forfeits",
    "chance": "coins",
    "races": "races",
}
"""What stands before a line of the page, and the count that its first number is."""
LINE: Final = re.compile(r"  ([a-z]+) +(\d+)\b")


@pytest.fixture(autouse=True)
def scenes() -> Iterator[None]:
    with known_scenes():
        yield


def told(report: Report) -> dict[str, int]:
    """The numbers on the page, by what they count; what is not told of is none."""
    found = dict(m.groups() for line in page(report) if (m := LINE.match(line)))
    table = bool(report.table)
    steps = found.pop("rules" if table else "steps", 0)
    assert set(found) <= set(LABELS), found
    counts = {LABELS[label]: int(number) for label, number in found.items()}
    return {name: counts.get(name, 0) for name in LABELS.values()} | {"steps": int(steps)}


@cache
def read(file: str) -> bytes:
    return (VECTORS / file).read_bytes()


def agree(data: bytes) -> None:
    report, counted = judge(data), recount(data)
    assert told(report) == {name: counted[name] for name in (*LABELS.values(), "steps")}
    tally = asdict(report.tally)
    assert (tally["entries"], tally["steps"]) == (counted["entries"], counted["steps"])
    assert {name: tally[name] for name in LABELS.values()} == {
        name: counted[name] for name in LABELS.values()
    }
    assert (report.steps, report.shuffles) == (tally["steps"], tally["shuffles"])


@pytest.mark.slow
@pytest.mark.parametrize("file", every_second(FILES))
def test_every_number_on_the_page_of_a_vector_is_that_of_its_records(file: str) -> None:
    agree(read(file))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.full if name in ("sneak", "you-fink") else ())
        for name in GAMES
    ],
)
def test_and_on_that_of_every_game(name: str) -> None:
    agree(log_of(name))
    races = [step.race for step in saved(name).steps if step.race is not None]
    assert judge(log_of(name)).tally.contested == len(races)


@pytest.mark.parametrize("kept", every_second(range(16)))
def test_and_wherever_a_log_ends_at_its_beginning(kept: int) -> None:
    """Coins of four seats, three of four shuffles, half a deal: nothing is proven too early."""
    agree(with_records(match(), records(match())[:kept]))


def genesis(kept: int, *more: bytes) -> bytes:
    """Evidence of a table that never began, with so many of its records."""
    hub = genesis_hub(log_game(), 3)
    hub.run()
    said = [record for step in hub.seats[0].machine.records for record in step]
    return encode_genesis_evidence(proposal(), [*said[:kept], *more])


def log_game() -> Any:
    from engine.games import load  # noqa: PLC0415

    return load("flip-over")


def proposal() -> bytes:
    return split_genesis_evidence(read("logs/equivocation-genesis.evidence"))[0]


@pytest.mark.parametrize("kept", every_second(range(10)))
def test_and_wherever_a_genesis_ends(kept: int) -> None:
    agree(genesis(kept))


def test_no_key_is_told_of_where_none_was_sent() -> None:
    """Two commitments of one seat convict it; no key was revealed, no card shuffled."""
    report = judge(read("logs/equivocation-genesis.evidence"))
    text = "\n".join(page(report))
    assert report.verdict == "equivocation"
    assert "key" not in text.split("What no audit can show")[0]
    assert "no table began" in text
    assert "rules " not in text


def test_a_false_shuffle_is_not_told_of_as_proven() -> None:
    """It was in the log, and so were the shuffles behind it that nobody looked at any more."""
    report = judge(read("logs/bad-shuffle-order.ndlog"))
    assert (report.verdict, report.tally.shuffles) == ("bad-shuffle", 0)
    assert "shuffles" not in "\n".join(page(report))


def test_a_forfeit_is_no_opening() -> None:
    lines = [line for line in page(judge(read("logs/good-forfeit.ndlog"))) if "forfeits" in line]
    assert lines == ["  forfeits     1: not opened as committed to, so lost by the rules"]
