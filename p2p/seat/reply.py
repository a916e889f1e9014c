"""What comes back once, later; and scripts, which wait for nothing else.

A script is a coroutine that awaits replies.  Whoever gives a reply thereby runs the script on to
the next one: there is no loop, no clock and no other task, so that the same answers in the same
order make the same script do the same (as the rules' own coroutines, `engine.session`).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final, Generic, TypeVar

from p2p.errors import LobbyError, OutdatedError, PeerError
from p2p.protocol.outcome import Outcome, raising, returning

T = TypeVar("T")
OVER: Final = (LobbyError, OutdatedError, PeerError)
"""Why a table is over that was not played to its end."""


class Reply(Generic[T]):
    """A value that will be given once; only the first counts."""

    def __init__(self) -> None:
        self._outcome: Outcome[T] | None = None
        self._listeners: list[Callable[[], object]] = []

    @property
    def is_given(self) -> bool:
        """Whether it has come."""
        return self._outcome is not None

    def give(self, value: T) -> None:
        """This is the value."""
        self.settle(returning(value))

    def fail(self, error: BaseException) -> None:
        """There is no value, and this is why."""
        self.settle(raising(error))

    def settle(self, outcome: Outcome[T]) -> None:
        """It came out so; all who wait for it go on."""
        if self._outcome is None:
            self._outcome = outcome
            listeners, self._listeners = self._listeners, []
            for listen in listeners:
                listen()

    def then(self, act: Callable[[T], object]) -> None:
        """Do this with the value as soon as it is there; a reply that failed raises here."""
        self.listen(lambda: act(self.result()))

    def then_with(self, act: Callable[[Outcome[T]], object]) -> None:
        """Do this with how it came out, as soon as it has."""
        self.listen(lambda: act(self.result))

    def listen(self, act: Callable[[], object]) -> None:
        """Do this as soon as it has come out, whichever way."""
        if self._outcome is None:
            self._listeners.append(act)
        else:
            act()

    def result(self) -> T:
        """The value, or the error; LookupError before it is given."""
        if self._outcome is None:
            raise LookupError("a reply that has not come yet")
        return self._outcome()

    def __await__(self) -> Generator[Reply[Any], None, T]:
        if self._outcome is None:
            yield self
        return self.result()


class Script(Generic[T]):
    """A running coroutine; `outcome` is given what it returns, or why its table is over.

    Whatever else it raises is a fault of ours, and goes on to whoever gave it the last reply.
    """

    def __init__(self, coroutine: Coroutine[Reply[Any], None, T]) -> None:
        self.outcome: Final[Reply[T]] = Reply()
        self._coroutine: Final = coroutine
        self._awaits: Reply[Any] | None = None
        self._go_on()

    def close(self) -> None:
        """Stop it where it is; its `outcome` is never given."""
        self._awaits = None
        self._coroutine.close()

    def _go_on(self) -> None:
        try:
            awaited = self._coroutine.send(None)
        except StopIteration as end:
            self.outcome.give(end.value)
        except OVER as error:
            self.outcome.fail(error)
        else:
            self._awaits = awaited
            awaited.listen(lambda: self._resume(awaited))

    def _resume(self, awaited: Reply[Any]) -> None:
        if self._awaits is awaited:  # else it was closed meanwhile
            self._awaits = None
            self._go_on()
