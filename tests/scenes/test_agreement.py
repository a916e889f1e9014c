"""Two verifiers, written separately, agree on every file: random games, one bent entry each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final

import pytest

from p2p.errors import VERDICTS
from replay.audit import COMPLETE, Report
from tests.page.second import alone, case, judge, needs_node
from tests.scenes.cases import Case, agree, audited, table_cases
from tests.scenes.playing import known_games

FEW: Final = 150
SHARE: Final = 1000
SHARES: Final = 20
FAR: Final = 1_000_000
"""Between the first tables of two shares: none has a table of another one."""
pytestmark = needs_node


def _cases(first: int, step: int, many: int) -> Iterator[Case]:
    tables = (table_cases(seed) for seed in count(first, step))
    return islice((case for cases in tables for case in cases), many)


def _both(cases: list[Case]) -> list[tuple[Report, dict[str, Any]]]:
    """The report of each verifier on each case; whatever is thrown fails the test by its case."""
    reports, told = [], []
    for one in cases:
        try:
            report = audited(one.bent.data)
            told.append(alone(case(one.bent.data, report=report)))
        except Exception as crash:
            raise AssertionError(f"{one}: {crash!r}") from crash
        reports.append(report)
    return list(zip(reports, judge(told), strict=True))


def _agree(first: int, step: int, many: int) -> Counter[str]:
    """How often each verdict came, if both agreed on all."""
    with known_games():
        cases = list(_cases(first, step, many))
        both = _both(cases)
    differ = [
        f"{one}\n  {report.verdict}, seat {report.seat}, step {report.step}: {report.reason}"
        f"\n  {said['verdict']}, seat {said['seat']}, step {said['step']}: {said['reason']}"
        for one, (report, said) in zip(cases, both, strict=True)
        if not agree(one, report, said)
    ]
    assert not differ, "\n".join(differ[:10])
    return Counter(report.verdict for report, _ in both)


@pytest.mark.slow
def test_they_agree_about_a_few_short_games() -> None:
    verdicts = _agree(1, 2, FEW)
    assert verdicts[COMPLETE] > 10
    assert len(verdicts) > 6


@pytest.mark.full
@pytest.mark.parametrize("share", range(SHARES))
def test_they_agree_about_many_games(share: int) -> None:
    """20,000 files in all; the shares can be spread over processes."""
    verdicts = _agree(FAR * (share + 1), 1, SHARE)
    assert set(verdicts) <= VERDICTS | {COMPLETE}
    assert len(verdicts) > 8
