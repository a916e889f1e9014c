"""Four programs, one of which dies for good: the others finish, and play on without it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.proposal import Proposal
from replay.audit import Report, audit
from tests.cli.terminal import Terminal
from tests.patience import PATIENCE

EACH: Final = ("--plain", "--pace", "off", "--give-up", "15")
TABLE: Final = (
    *("host", "sneak", "--seats", "4", "--carry-on", "3", "--option", "target=25"),
    *("--bind", "127.0.0.1", "--no-announce", *EACH),
)
GOES_ON: Final = "y go on  n wait > "
AGAIN: Final = "play again with the same people"
AGREES: Final = "Enter: agree   s: story   n: leave > "
"""Asked of whoever wanted to play again only after the host had proposed it."""


def says(terminal: Terminal, end: str) -> bool:
    """Whether this is the last that a terminal shows, after looking for a moment."""
    terminal._more(0.05)
    return terminal.shown.endswith(end)


def play_on(people: Sequence[Terminal], over: Callable[[Terminal], bool]) -> None:
    """Whoever is asked for a decision lets a bot play on, until it is `over` for all of them."""
    deadline = time.monotonic() + PATIENCE
    while not all(map(over, people)):
        for one in people:
            assert time.monotonic() < deadline, one.shown
            if says(one, "\n> "):
                one.type("q")
                one.until("b a bot plays for you")
                one.type("b")
            elif one.shown.endswith(AGREES):
                one.type("")


def played(home: Path) -> list[tuple[Proposal, Report]]:
    """What each log of one person says, the oldest first, and an audit of it."""
    logs = sorted((home / "games").glob("*.ndlog"), key=lambda log: log.stat().st_mtime)
    headers = [decode_header(split_log(log.read_bytes()).header) for log in logs]
    return [(one.proposal, audit(log)) for one, log in zip(headers, logs, strict=True)]


@pytest.mark.full
def test_the_others_finish_and_play_again(tmp_path: Path) -> None:
    names = ("host", "ada", "bo", "cleo")
    with ExitStack() as stack:
        host = stack.enter_context(Terminal(TABLE, tmp_path / "host"))
        host.until("Enter: I'm ready")
        invite = host.shown[host.shown.index("ND1:") :].split()[0]
        guests = [
            stack.enter_context(Terminal(["join", invite, "--yes", *EACH], tmp_path / name))
            for name in names[1:]
        ]
        host.until("Seated 4 of 4")
        host.type("")
        *others, dies = [host, *guests]
        play_on(others, lambda _: says(dies, "\n> "))
        dies.process.kill()
        play_on(others, lambda one: says(one, GOES_ON))
        for one in others:
            one.type("y")
        play_on(others, lambda one: AGAIN in one.shown)
        for one in others:
            one.type("r")
        play_on(others, lambda one: one.shown.count(AGAIN) > 1)
        for one in others:
            one.type("q")
        assert [one.end() for one in others] == [0, 0, 0]
    for name in names[:-1]:
        (four, first), (three, second) = played(tmp_path / name)
        gone = set(four.identities) - set(three.identities)
        assert (len(four.identities), len(three.identities)) == (4, 3)
        assert {four.identities[one.seat] for one in first.lost} == gone
        assert (first.verdict, second.verdict, second.lost) == ("complete", "complete", ())
