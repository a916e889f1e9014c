"""The supervisor of everything that runs beside a table and must never end it.

A port mapping, an announcement, the gallery or a hint may fail in any way: the failure is a line in
the log, a sentence for the person if they would care, and another attempt where that makes sense.
`Cancelled`, `KeyboardInterrupt` and all others that are no `Exception` pass.
"""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain, repeat
from typing import Final, ParamSpec

from p2p.logs import LOG

P = ParamSpec("P")
PAUSES: Final = (5.0, 30.0, 120.0, 600.0)
"""Seconds before the next attempts; the last one repeats."""
FRAMES_SHOWN: Final = 3
"""The innermost places of an error that a line in the log names."""


class Strictness:
    """Whether an error that only a bug can cause is raised after it was logged, as in tests."""

    raises = False


@dataclass(frozen=True, slots=True)
class Supervisor:
    """Contains what fails in `what`, which has a name for logs and people.

    `tell` gets a sentence for the person.  Errors of the `expected` kinds are sentences themselves
    and no bug; those of the kinds in `passes` are somebody else's business.
    """

    what: str
    tell: Callable[[str], None] = lambda sentence: None
    expected: tuple[type[Exception], ...] = ()
    passes: tuple[type[Exception], ...] = ()

    @contextmanager
    def contained(self) -> Iterator[None]:
        """Let no `Exception` out of this block, except of the kinds that pass."""
        try:
            yield
        except self.passes:
            raise
        except Exception as error:
            if self._is_loud(error):
                raise
        except BaseExceptionGroup as group:
            failed, passing = group.split(Exception)
            if failed is not None and self._is_loud(_single(failed)):
                raise
            if passing is not None:
                raise passing from None

    def guard(self, act: Callable[P, None]) -> Callable[P, None]:
        """Return the same act, contained."""

        @wraps(act)
        def contains(*args: P.args, **kwargs: P.kwargs) -> None:
            with self.contained():
                act(*args, **kwargs)

        return contains

    async def keep(
        self, act: Callable[[], Awaitable[object]], sleep: Callable[[float], Awaitable[object]]
    ) -> None:
        """Run `act` until it returns, again after a pause each time that it fails.

        A person who was told of a failure is not told of the same one again.
        """
        contained = replace(self, tell=_news(self.tell)).contained
        for pause in chain(PAUSES, repeat(PAUSES[-1])):
            with contained():
                await act()
                return
            await sleep(pause)

    def _is_loud(self, error: BaseException) -> bool:
        """Report a failure; whether it has to be raised as well."""
        if isinstance(error, self.expected):
            LOG.warning("%s: %s", self.what, error)
            self.tell(str(error))
            return False
        kind = type(error).__name__
        LOG.error("%s failed: %s: %s, at %s", self.what, kind, error, _places(error))
        self.tell(f"The {self.what} failed ({kind}). The table is not affected.")
        return Strictness.raises


def _news(tell: Callable[[str], None]) -> Callable[[str], None]:
    """Tell a sentence only if it differs from the one before."""
    last = ""

    def tells(sentence: str) -> None:
        nonlocal last
        if sentence != last:
            last = sentence
            tell(sentence)

    return tells


def _single(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _places(error: BaseException) -> str:
    """The innermost places, without a path of this machine."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES_SHOWN:]
    return " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames)) or "no place"
