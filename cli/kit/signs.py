"""The bell, the title of the window and notifications, as terminals take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from prompt_toolkit.output import Output

from cli.kit.output import ring
from p2p.text.names import cut

PROGRAM: Final = "nodealer"
LONGEST: Final = 120
"""The longest title or notification."""
BELL: Final = "\a"
FOCUS_IN: Final = "\x1b[I"
FOCUS_OUT: Final = "\x1b[O"
_ASK_FOCUS: Final = "\x1b[?1004h"
_NO_FOCUS: Final = "\x1b[?1004l"
_KEEP_TITLE: Final = "\x1b[22;0t"
_OLD_TITLE: Final = "\x1b[23;0t"
_NINE: Final = frozenset({"iTerm.app", "WezTerm", "ghostty"})
"""Values of TERM_PROGRAM whose terminals show OSC 9 as a notification."""
_SEVENS: Final = ("rxvt-unicode", "foot")
"""Beginnings of TERM where OSC 777 is one."""
_UNTITLED: Final = ("linux", "eterm-color")
"""Values of TERM that would print a title instead of setting it."""
_WITHIN: Final = ("screen", "tmux")
"""Beginnings of TERM of a window in another terminal, whose TERM_PROGRAM means nothing here."""


class LineSigns:
    """The bell alone, between lines."""

    def ring(self, said: str) -> None:
        """One bell."""
        ring()

    def entitle(self, said: str) -> None:
        """Lines leave the title to the shell."""


class ScreenSigns:
    """All that this terminal has, and the question whether it is in front.

    `environment` has TERM and TERM_PROGRAM.  Nothing is written before `open` and after `close`.
    """

    def __init__(self, output: Output, environment: Mapping[str, str]) -> None:
        self._output: Final = output
        self._titled: Final = environment.get("TERM", "") not in _UNTITLED
        self._notify: Final = notification(environment)
        self._open = self._kept = False

    def open(self) -> None:
        """Ask the terminal to say when it comes to the front, and when it leaves it."""
        self._open = True
        self._write(_ASK_FOCUS)

    def close(self) -> None:
        """Leave the terminal as it was; the second time does nothing."""
        self.entitle("")
        self._write(_NO_FOCUS)
        self._open = False

    @contextmanager
    def unasked(self) -> Iterator[None]:
        """While somebody else reads what is typed, the terminal says nothing."""
        self._write(_NO_FOCUS)
        try:
            yield
        finally:
            self._write(_ASK_FOCUS)

    def ring(self, said: str) -> None:
        """One bell, and a notification where there are some."""
        self._write(self._notify(cut(f"{PROGRAM}: {said}", LONGEST)) + BELL)

    def entitle(self, said: str) -> None:
        """The title is kept by the terminal as long as there is another one."""
        if not (self._open and self._titled and (said or self._kept)):
            return
        keep = "" if self._kept else _KEEP_TITLE
        title = f"\x1b]0;{cut(f'{said} - {PROGRAM}', LONGEST)}{BELL}"
        # A terminal that keeps no titles is left with an empty one.
        self._write(f"{keep}{title}" if said else f"\x1b]0;{BELL}{_OLD_TITLE}")
        self._kept = bool(said)

    def _write(self, codes: str) -> None:
        if not self._open:
            return
        self._output.write_raw(codes)
        try:
            self._output.flush()
        except OSError:
            self._open = False  # the terminal is gone, and nobody is left to call


def notification(environment: Mapping[str, str]) -> Callable[[str], str]:
    """How a clean text becomes a notification of this terminal, or nothing at all."""
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if term.startswith(_WITHIN):
        return lambda said: ""
    if program in _NINE:
        return lambda said: f"\x1b]9;{said}\x1b\\"
    if term.startswith(_SEVENS):
        return lambda said: f"\x1b]777;notify;{PROGRAM};{said}\x1b\\"
    return lambda said: ""
