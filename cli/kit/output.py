"""The one way to a terminal: everything that is printed goes through here.

Most of what is printed holds words that came from elsewhere: what a peer sent, what is in a file,
the file's own name.  On a terminal they are letters in a line of ours and nothing else: anything
that would act on it (escapes, controls, direction marks, line ends) is replaced by U+FFFD
(`p2p.text.names.printable`).  JSON keeps all of it in plain ASCII, with everything else escaped.  A
test finds code that prints in another way (tests/repo/test_output.py).
"""

from __future__ import annotations

import logging
import shutil
import sys
import threading
import traceback
from typing import IO, Final

import click

from cli.kit.full_screen import printed
from p2p.text.names import cut

LINE_MAX = 4_000
"""No line is longer: a path may have this many letters, and nothing else should."""
USUAL: Final = 80
"""The columns that lines are made for."""
NARROWEST: Final = 40
"""What is shorter is not measured."""


class Styled(str):
    """A printable line with the codes of our own colours in it (`cli.options.settings`)."""

    __slots__ = ()


def clean(line: str) -> str:
    """The line, made safe for a terminal."""
    return line if isinstance(line, Styled) else cut(line, LINE_MAX)


def say(line: str = "", *, err: bool = False, end: str = "\n") -> None:
    """Print one line, to stderr if `err`; on a narrow terminal in several, broken between words."""
    stream = sys.stderr if err else sys.stdout
    printed()
    for part in _narrow(clean(line), stream):
        click.echo(f"{encodable(part, stream)}{end}", err=err, nl=False)


def _narrow(line: str, stream: IO[str]) -> list[str]:
    """The line as rows of the terminal, if that has fewer columns than lines are made for.

    A word that is too long stays whole: it may be an invite, which is copied.
    """
    if len(line) < NARROWEST or isinstance(line, Styled) or not stream.isatty():
        return [line]
    columns = shutil.get_terminal_size().columns
    if columns >= USUAL or len(line) <= columns:
        return [line]
    from textwrap import wrap  # noqa: PLC0415 (seldom)

    return wrap(
        line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def ring() -> None:
    """The bell of the terminal, which moves nothing on it."""
    click.echo("\a", nl=False)


def encodable(line: str, stream: IO[str]) -> str:
    """The line, with a ? for each letter that the stream cannot write."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return line.encode(encoding, "replace").decode(encoding)


def say_json(value: object, *, before: str = "", end: str = "\n") -> None:
    """Print a value as JSON in ASCII; `before` and `end` are other parts of a larger one."""
    import json  # noqa: PLC0415 (few commands print it)

    text = json.dumps(value, sort_keys=True)
    click.echo(f"{before}{text}{end}", nl=False)


def ask_number(what: str, most: int) -> int:
    """Ask for a number from 1 up (Enter alone means 1), until one is typed."""
    wanted: int = click.prompt(clean(what), type=click.IntRange(1, most), default=1)
    return wanted


def ask_line(what: str, default: str) -> str:
    """Ask for a line; Enter alone means the default."""
    said: str = click.prompt(clean(what), default=default)
    return said.strip()


def wait_for_key(what: str) -> bool:
    """Wait until these lines were read: True for a key, False for Ctrl-C or a closed input."""
    try:
        say(what, end=" ")
        click.getchar()
    except (KeyboardInterrupt, EOFError):
        return False
    finally:
        say()
    return True


def ask_yes(what: str) -> bool:
    """Ask for yes or no, until one of them is typed."""
    return click.confirm(clean(what))


class CleanFormatter(logging.Formatter):
    """Records of a log as lines of a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """The record, which may be several lines with its traceback."""
        return "\n".join(map(clean, super().format(record).split("\n")))


def guard() -> None:
    """Print tracebacks, and what libraries log, in the same way.

    A fault of ours is loud, and its message may quote what a peer sent.
    """
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _tell_fault
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = _tell_fault_of_thread
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(CleanFormatter())


def _tell_fault(kind: type[BaseException], fault: BaseException, trace: object) -> None:
    for part in traceback.format_exception(fault):
        for line in part.rstrip("\n").split("\n"):
            say(line, err=True)


def _tell_fault_of_thread(told: threading.ExceptHookArgs) -> None:
    if told.exc_value is not None and not isinstance(told.exc_value, SystemExit):
        say("A thread has failed:", err=True)
        _tell_fault(told.exc_type, told.exc_value, told.exc_traceback)
