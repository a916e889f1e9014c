"""What `make quick` runs: a plugin for pytest, given with `-p tests.quick`.

Of each test with parameters one case, by chance which, but the same at each run, and the same for
all tests of a file that have the same cases: what is played for one of them serves the others.  A
quarter of the usual examples of a property, where a test does not say how many; of the tests and
cases that are marked `slow` or `full`, none.  A test that takes the processor more than SECONDS is
told at the end: it should be marked.  So there is no list of quick tests to keep.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from typing import Final
from zlib import crc32

import pytest
from hypothesis import settings

EXAMPLES: Final = 25
SECONDS: Final = 1.0
"""Twice what a test may take that is not marked: a machine may be busy."""
SLOW: Final = frozenset({"slow", "full"})
_TOOK: Final = "processor"


def pytest_configure() -> None:
    """Few examples of what holds for everything: most faults are found by the first of them."""
    settings.register_profile("quick", max_examples=EXAMPLES)
    settings.load_profile("quick")


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Leave all cases of a test but one out, before pytest makes four times too many."""
    yield
    cases = metafunc._calls  # there is no other way to them so early
    quick = [case for case in cases if not any(mark.name in SLOW for mark in case.marks)]
    if quick:
        file, among = metafunc.definition.path.name, [case.id for case in quick]
        cases[:] = [quick[crc32(f"{file} {among}".encode()) % len(quick)]]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Note how long the test takes the processor."""
    start = time.process_time()
    try:
        return (yield)
    finally:
        item.user_properties.append((_TOOK, time.process_time() - start))


def pytest_sessionfinish() -> None:
    """What is held now goes with the process: pytest need not look for garbage in all of it."""
    gc.collect(1)
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell of the tests that are too slow for this."""
    for report in terminalreporter.getreports("passed"):
        seconds = dict(report.user_properties).get(_TOOK, 0.0)
        if report.when == "call" and float(str(seconds)) > SECONDS:
            terminalreporter.write_line(f"{seconds:.1f} s: mark it slow: {report.nodeid}")
