"""What a bug report says: versions, settings, a saved game in outline, the end of a log file.

It is meant for strangers, so it has names of players only if asked for, and never keys, addresses,
cards or paths.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from textwrap import wrap
from typing import Final

from cli.failures import UserMistakeError, why_no_file
from cli.home.folders import home, logs_in, regular_files, unfinished
from cli.kit.versions import version
from cli.options.settings import Settings
from engine.game import spell
from p2p.disk.outside import MEGABYTE, open_outside
from p2p.errors import PeerError
from p2p.logs import without_addresses
from p2p.protocol.proposal import Proposal
from p2p.text.names import called, printable
from p2p.version import PROTOCOL_VERSION
from replay.audit import Progress, Report, audit_bytes, read_any
from replay.outline import Outline, outline, runs

WIDTH: Final = 80
LINES: Final = 200
"""How many of the last lines of a log file are told."""
TAIL: Final = 64 * 1024
LOG_FILE_MAX: Final = 1024 * MEGABYTE
RUNS: Final = 60
"""How many runs of steps are told at the beginning and at the end; those between are left out."""
_OURS: Final = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (?:DEBUG|INFO|WARNING|ERROR) +(?:p2p|replay|cli) "
)
_SEEN: Final = ("TERM", "COLORTERM", "LANG", "LC_ALL")
"""Variables whose value is told; of the others only whether they are set."""
_SET: Final = ("NODEALER_HOME", "NO_COLOR", "NO_MOTION", "PROMPT_TOOLKIT_COLOR_DEPTH")
_SECRET: Final = re.compile(r"[0-9a-fA-F]{32,}|\bND\d:\S+")
Hide = Callable[[str], str]


def bug_report(
    game: Path | None, log_file: Path | None, settings: Settings, *, names: bool, progress: Progress
) -> list[str]:
    """The lines of the report; `names` tells those of the players.

    UserMistakeError or UnreadableError if a file cannot be read.
    """
    tail = [] if log_file is None else _tail(log_file)
    data = None if game is None else read_any(game)
    lines = ["A report of nodealer", "", *_versions(), "", *_settings(settings)]
    hide: Hide = _without_secrets
    if data is None:
        lines += ["", "Saved game", "  none"]
    else:
        found, trouble = _outline(data)
        report = audit_bytes(data, progress=progress)
        if found is not None and not names:
            hide = _hider(found.proposal.names)
        lines += ["", *_game(found, trouble, names=names), *_verdict(report, hide)]
    if log_file is not None:
        lines += ["", *_log_lines(tail, hide)]
    return [printable(line) for line in lines]


# -- the program ---------------------------------------------------------------------------------


def _versions() -> Iterator[str]:
    yield "Versions"
    yield _row("nodealer", f"{version('nodealer')}, protocol {PROTOCOL_VERSION}")
    yield _row("Python", f"{platform.python_implementation()} {platform.python_version()}")
    yield _row("system", f"{platform.system()} {platform.release()}, {platform.machine()}")
    for library in _libraries():
        yield _row(library, version(library))


def _libraries() -> list[str]:
    """What nodealer needs, and what it can use."""
    try:
        needs = metadata.requires("nodealer") or []
    except metadata.PackageNotFoundError:
        needs = ["click", "cryptography", "prompt-toolkit", "trio"]
    names = {re.split(r"[^\w-]", need)[0] for need in needs if "test" not in need}
    return sorted(names - {"mypy", "ruff"})


def _settings(settings: Settings) -> Iterator[str]:
    yield "Settings"
    size = shutil.get_terminal_size()
    kind = "terminal" if sys.stdout.isatty() else "no terminal"
    yield _row("output", f"{kind}, {size.columns} x {size.lines}, {sys.stdout.encoding}")
    flags = [name for name in ("plain", "ascii", "colour") if getattr(settings, name)]
    yield _row("in use", ", ".join(flags) or "neither plain, nor ascii, nor colour")
    for name in _SEEN:
        yield _row(name, _without_secrets(printable(os.environ.get(name, "not set"))))
    for name in _SET:
        yield _row(name, "set" if os.environ.get(name) else "not set")
    games = home() / "games"
    saved, begun = len(logs_in(games)), len(unfinished(games))
    evidence = len(regular_files(games, "*.evidence"))
    yield _row("data folder", f"{saved} logs, {begun} unfinished, {evidence} evidence files")


def _row(label: str, text: str) -> str:
    return f"  {label:16} {text}"


# -- a saved game --------------------------------------------------------------------------------


def _outline(data: bytes) -> tuple[Outline | None, str]:
    try:
        return outline(data), ""
    except PeerError as error:
        return None, str(error)


def _game(found: Outline | None, trouble: str, *, names: bool) -> Iterator[str]:
    yield "Saved game"
    if found is None:
        yield _row("header", f"cannot be read: {trouble}")
        return
    proposal, header = found.proposal, found.header
    yield _row("game", f"{proposal.game.name}, {len(proposal.seats)} seats")
    yield from _long("options", _options(proposal))
    yield _row(
        "races", f"cap {proposal.terms.race.cap_us} us, hold {proposal.terms.race.hold_us} us"
    )
    if names:
        yield from _long("names", ", ".join(map(called, proposal.names)))
    if header is None:
        yield _row("table", "it never began")
    else:
        yield _row("unlinked seats", str(len(header.unlinked)) + " pairs")
    yield _row("beyond the log", f"{found.beyond} records")
    yield from _long("steps", _steps(found.kinds))


def _options(proposal: Proposal) -> str:
    pairs = [f"{name}={spell(value)}" for name, value in proposal.terms.options.items()]
    return ", ".join([*pairs, f"policy={proposal.terms.policy}", f"clock={proposal.terms.clock}"])


def _steps(kinds: Sequence[str]) -> str:
    told = list(runs(kinds))
    if len(told) > 2 * RUNS:
        told = [*told[:RUNS], f"({len(told) - 2 * RUNS} more)", *told[-RUNS:]]
    return ", ".join(told) or "none"


def _verdict(report: Report, hide: Hide) -> Iterator[str]:
    where = [] if report.step is None else [f"step {report.step}"]
    where += [] if report.seat is None else [f"seat {report.seat}"]
    yield _row("audit", ", ".join([report.verdict, *where]))
    yield from _long("", hide(report.reason))
    yield _row("", f"{report.steps} steps, {report.shuffles} shuffles checked")


def _long(label: str, text: str) -> Iterator[str]:
    first, *rest = wrap(text, WIDTH - 19) or [""]
    yield _row(label, first)
    yield from (_row("", line) for line in rest)


# -- the log file --------------------------------------------------------------------------------


def _tail(path: Path) -> list[str]:
    """The last lines of a text file; UserMistakeError if there is none."""
    try:
        with open_outside(path, LOG_FILE_MAX) as opened:
            size = opened.seek(0, os.SEEK_END)
            opened.seek(max(0, size - TAIL))
            data = opened.read(TAIL)
    except (OSError, ValueError) as error:
        reason = why_no_file(error)
        raise UserMistakeError(
            f"The log file {path} cannot be read: {reason}; name another one, or leave out --log."
        ) from error
    lines = data.decode("utf-8", "replace").split("\n")
    return [line for line in lines[size > TAIL :] if line]


def _log_lines(lines: Iterable[str], hide: Hide) -> Iterator[str]:
    """Only lines that this program wrote: the file may be any other."""
    ours, others = deque[str](maxlen=LINES), 0
    for line in lines:
        if _OURS.match(line):
            ours.append(line)
        else:
            others += 1
    yield f"The last {len(ours)} lines of the log file"
    if others:
        yield f"  ({others} lines in it are none of this program's)"
    yield from (f"  {hide(printable(line))}" for line in ours)


def _without_secrets(text: str) -> str:
    return without_addresses(_SECRET.sub("<hidden>", text))


def _hider(names: Sequence[str]) -> Hide:
    """A filter that also takes out names of players."""
    seats = {name: f"seat {seat}" for seat, name in enumerate(names)}
    longest = sorted(seats, key=len, reverse=True)
    either = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    def hide(text: str) -> str:
        return _without_secrets(either.sub(lambda found: seats[found[0]], text))

    return hide
