"""The one way to a terminal: everything that is printed goes through here.

Most of what is printed holds words that came from elsewhere: what a peer sent, what is in a file,
the file's own name.  On a terminal they are letters in a line of ours and nothing else: anything
that would act on it (escapes, controls, direction marks, line ends) is replaced by U+FFFD
(`p2p.text.names.printable`).  JSON keeps all of it in plain ASCII, with everything else escaped.  A
test finds code that prints in another way (tests/repo/test_output.py).
"""

from __future__ import annotations

import logging
import re
import shutil
import sys
import threading
import traceback
from typing import IO, Final

import click

from cli.kit.flags import MANNER
from cli.kit.full_screen import printed
from p2p.text.names import cut

LINE_MAX = 4_000
"""No line is longer: a path may have this many letters, and nothing else should."""
NARROWEST: Final = 40
"""What is shorter is not measured."""
INDENT: Final = "  "
"""What a row begins with that continues a line."""
LETTERS: Final = str.maketrans("♣♠♥♦★–…", "CSHDT-~")
"""The ASCII letters in place of our symbols."""
_WORD: Final = re.compile(r"\s*\S+(?:\s+$)?")
_CODES: Final = re.compile(r"\x1b\[[0-9;]*m")


class Whole(str):
    """A line with a command or a path in it, to be copied: it is printed as it is.

    A terminal that breaks it by itself copies it as one line.
    """

    __slots__ = ()


class Styled(str):
    """A printable line with the codes of our own colours in it (`cli.options.settings`)."""

    __slots__ = ()


def clean(line: str) -> str:
    """The line, made safe for a terminal."""
    return line if isinstance(line, Styled) else cut(line, LINE_MAX)


def say(line: str = "", *, err: bool = False, end: str = "\n") -> None:
    """Print one line, to stderr if `err`; in rows of the terminal if it has fewer columns."""
    stream = sys.stderr if err else sys.stdout
    printed()
    shown = "\n".join(_rows(line, stream))
    click.echo(f"{encodable(shown, stream)}{end}", err=err, nl=False)


def _rows(line: str, stream: IO[str]) -> list[str]:
    """The line as rows of the terminal, broken between words; elsewhere it stays one."""
    shown = clean(line)
    if MANNER.ascii and not isinstance(line, Whole):  # a path with another letter is another path
        shown = shown.translate(LETTERS)
    if len(shown) < NARROWEST or isinstance(line, Whole) or not stream.isatty():
        return [shown]
    return _broken(shown, shutil.get_terminal_size().columns)


def _broken(line: str, columns: int) -> list[str]:
    """A word that is too long stays whole: it may be an invite, which is copied."""
    rows, row = [], ""
    for word in _WORD.findall(line):
        if row and _length((row + word).rstrip()) > columns:
            rows.append(row)
            row = INDENT + word.lstrip()
        else:
            row += word
    return [*rows, row]


def _length(text: str) -> int:
    """Without the codes of colours, which take no room."""
    return len(_CODES.sub("", text))


def ring() -> None:
    """The bell of the terminal, which moves nothing on it."""
    click.echo("\a", nl=False)


def encodable(line: str, stream: IO[str]) -> str:
    """The line, with a ? for each letter that the stream cannot write."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return line.encode(encoding, "replace").decode(encoding)


def put(line: str) -> None:
    """Print a line of a file, whatever its length: ASCII, or cleaned already."""
    click.echo(encodable(line, sys.stdout))


def say_json(value: object, *, before: str = "", end: str = "\n") -> None:
    """Print a value as JSON in ASCII; `before` and `end` are other parts of a larger one."""
    import json  # noqa: PLC0415 (few commands print it)

    text = json.dumps(value, sort_keys=True)
    click.echo(f"{before}{text}{end}", nl=False)


def _asks_on_stderr() -> bool:
    """Whether a question on stdout would go where nobody reads it (`nodealer id > file`)."""
    return not sys.stdout.isatty()


def ask_number(what: str, most: int) -> int:
    """Ask for a number from 1 up (Enter alone means 1), until one is typed."""
    wanted: int = click.prompt(
        clean(what), type=click.IntRange(1, most), default=1, err=_asks_on_stderr()
    )
    return wanted


def ask_line(what: str, default: str) -> str:
    """Ask for a line; Enter alone means the default."""
    said: str = click.prompt(
        clean(what), default=default, show_default=bool(default), err=_asks_on_stderr()
    )
    return said.strip()


def wait_for_key(what: str) -> bool:
    """Wait until these lines were read: True for a key, False for Ctrl-C or a closed input."""
    err = _asks_on_stderr()
    try:
        say(what, end=" ", err=err)
        click.getchar()
    except (KeyboardInterrupt, EOFError):
        return False
    finally:
        say(err=err)
    return True


def ask_yes(what: str) -> bool:
    """Ask for yes or no, until one of them is typed."""
    return click.confirm(clean(what), err=_asks_on_stderr())


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
    logging.getLogger("trio.serve_listeners").addFilter(_first_without_files)


_told: list[None] = []
"""One item once it was said that there are too many open files."""


def _first_without_files(record: logging.LogRecord) -> bool:
    """Say once, in a line, what trio says ten times a second with a traceback."""
    record.exc_info = None
    first = not _told
    _told[:] = [None]
    return first


def _tell_fault(kind: type[BaseException], fault: BaseException, trace: object) -> None:
    for part in traceback.format_exception(fault):
        for line in part.rstrip("\n").split("\n"):
            say(line, err=True)


def _tell_fault_of_thread(told: threading.ExceptHookArgs) -> None:
    if told.exc_value is not None and not isinstance(told.exc_value, SystemExit):
        say("A thread has failed:", err=True)
        _tell_fault(told.exc_type, told.exc_value, told.exc_traceback)
