"""The log on stderr and in a file, set up only when it is asked for."""

from __future__ import annotations

import errno
import logging
import os
import platform
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final

import click
from click.core import ParameterSource

from cli.kit.full_screen import is_covered
from cli.kit.output import CleanFormatter, say
from cli.kit.versions import version
from p2p.logs import logger

LOG: Final = logger("cli")
_HARMLESS: Final = frozenset({"game", "level", "pairs", "policy"})
"""Options whose values are words that a line may quote."""
FILE_MAX: Final = 32 * 1024 * 1024
"""How many bytes are added to a log file in one run; strangers may cause lines."""
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _AT_ONCE


class SeatFormatter(CleanFormatter):
    """A record in one line: when, how serious, of which package and seat, and what."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(package)-6s %(place)-7s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line, all of it made safe for a terminal."""
        seat = getattr(record, "seat", None)
        record.package = record.name.rpartition(".")[2]
        record.place = "-" if seat is None else f"seat {seat}"
        return super().format(record)


class OnTerminal(logging.Handler):
    """Lines on stderr; none while a full screen is open, which they would tear."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the record."""
        if not is_covered():
            say(self.format(record), err=True)


class InFile(logging.Handler):
    """Lines in a file, as far as the disk takes them: a game goes on without its log."""

    def __init__(self, opened: IO[bytes]) -> None:
        super().__init__()
        self._file: IO[bytes] | None = opened
        self._left = FILE_MAX

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record at once: after a crash the last lines matter most."""
        if self._file is None:
            return
        line = f"{self.format(record)}\n".encode("utf-8", "replace")
        self._left -= len(line)
        full = self._left < 0
        try:
            self._file.write(b"the log ends here: it is full\n" if full else line)
        except OSError as error:
            self._stop()
            if not is_covered():
                say(f"nodealer: the log file cannot be written: {error.strerror}.", err=True)
        else:
            if full:
                self._stop()

    def close(self) -> None:
        """Close the file."""
        self._stop()
        super().close()

    def _stop(self) -> None:
        opened, self._file = self._file, None
        if opened is not None:
            opened.close()


def open_log(path: Path) -> IO[bytes]:
    """Open the file for appending, for its owner only; OSError if that fails."""
    descriptor = os.open(path, _FLAGS, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file")
    return os.fdopen(descriptor, "ab", buffering=0)


@contextmanager
def logged(verbose: int, opened: IO[bytes] | None) -> Iterator[None]:
    """In this block, log to stderr as far as that is asked for, and log everything to the file."""
    log = logging.getLogger("nodealer")
    handlers = list(_handlers(verbose, opened))
    with ExitStack() as ending:
        ending.callback(log.setLevel, log.level)
        for handler, least in handlers:
            handler.setLevel(least)
            handler.setFormatter(SeatFormatter())
            log.addHandler(handler)
            ending.callback(handler.close)
            ending.callback(log.removeHandler, handler)
        log.setLevel(min(least for _, least in handlers))
        _tell_command(click.get_current_context())
        yield


def _handlers(verbose: int, opened: IO[bytes] | None) -> Iterator[tuple[logging.Handler, int]]:
    if verbose:
        yield OnTerminal(), logging.INFO if verbose == 1 else logging.DEBUG
    if opened is not None:
        yield InFile(opened), logging.DEBUG


def _tell_command(asked: click.Context) -> None:
    """What runs, and with which options; what else was typed may be a name, an invite, a path."""
    typed = [
        f"{name}={value}" if name in _HARMLESS or isinstance(value, int | float) else name
        for name, value in asked.params.items()
        if asked.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]
    system = f"Python {platform.python_version()}, {platform.system()}"
    options = " ".join(typed) or "no options"
    ours = version(otherwise="from sources")
    LOG.info("nodealer %s, %s: %s: %s", ours, system, asked.info_name, options)
