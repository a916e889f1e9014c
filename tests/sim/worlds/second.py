"""The logs of worlds, given to the page's verifier too: another program, in another language.

Many worlds share one process of Node.  It is not told where the rules stopped the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from replay.audit import Report
from tests.page.second import NODE, alone, case, differ, judge_at_once

BATCH: Final = 40
"""How many worlds share a process."""
DISAGREE: Final = "both verifiers"


class Log(NamedTuple):
    """A log or evidence that a world has left, and what the audit says of it."""

    told: dict[str, Any]
    report: Report


def is_here() -> bool:
    """Whether there is a second verifier on this machine."""
    return NODE is not None


def log_of(data: bytes, report: Report) -> Log:
    """The same bytes for the second verifier; in a world, since its games have to be known."""
    return Log(alone(case(data, report=report)), report)


def disagreements(worlds: Sequence[Sequence[Log]]) -> Iterator[str]:
    """For each world in what the two verifiers disagree; nothing if in nothing."""
    asked = [log.told for logs in worlds for log in logs]
    judged = iter(judge_at_once(asked) if asked else [])
    for logs in worlds:
        yield "; ".join(filter(None, [differ(log.report, next(judged)) for log in logs]))
