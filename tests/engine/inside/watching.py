"""What functions are given and what they return, while something is played."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from itertools import chain
from types import CodeType, FrameType
from typing import Any, Final

from engine import table_state
from tests.engine.inside.telling import tell

FIRST: Final = 20
"""So many calls of each function are told whole; of the others only how many they are."""
IN_PARTS: Final = CO_ASYNC_GENERATOR | CO_COROUTINE | CO_GENERATOR
"""Python enters and leaves these several times, and not in every version at the same moments."""
WITHIN: Final = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
"""Functions of their own in some versions of Python."""
Trace = Callable[[FrameType, str, Any], object]
OURS: Final = ("engine.", "p2p.", "tests.")


class Watch:
    """Notes the calls of all functions of some modules.

    What a function remembers, and what is imported, is run once only: whoever came before decides
    whether that is now.  So it is not noted.
    """

    def __init__(self, modules: Collection[str]) -> None:
        self.calls: Final[Counter[str]] = Counter()
        self._digest: Final = hashlib.sha256()
        self._homes: Final = {str(sys.modules[name].__file__): name for name in modules}
        self._once: Final = frozenset(_remembering())
        self._muted = 0
        self._name_of: Final[Callable[[CodeType], str]] = cache(self._name)

    def __str__(self) -> str:
        return f"{self.calls.total()} calls, {self._digest.hexdigest()[:12]}"

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Inside of this block."""
        before = sys.gettrace()
        sys.settrace(self._entered)
        try:
            yield
        finally:
            sys.settrace(before)

    def _entered(self, frame: FrameType, event: str, value: Any) -> Trace | None:
        """Who is entered and is not watched is left without anybody noticing: that is quick."""
        code = frame.f_code
        if code in self._once or code.co_name == "<module>":
            self._muted += 1
            frame.f_trace_lines = False
            return self._left_unheard
        name = "" if self._muted else self._name_of(code)
        if not name:
            return None
        if not code.co_flags & IN_PARTS and self.calls[name] < FIRST:
            self._digest.update(f"{name} is given {_given(frame)}\n".encode())
        frame.f_trace_lines = False
        return partial(self._left, name)

    def _left(self, name: str, frame: FrameType, event: str, value: Any) -> None:
        in_parts = frame.f_code.co_flags & IN_PARTS
        if event != "return" or (in_parts and value is None):
            return
        self.calls[name] += 1
        if self.calls[name] <= FIRST:
            said = f"{tell(value)} {_left_behind(frame)}"
            self._digest.update(f"{name} returns {said}\n".encode())

    def _left_unheard(self, frame: FrameType, event: str, value: Any) -> None:
        self._muted -= event == "return"

    def _name(self, code: CodeType) -> str:
        """The name of a function that is watched, else ""."""
        home = self._homes.get(code.co_filename)
        return "" if home is None or code.co_name in WITHIN else f"{home}:{code.co_qualname}"


def _remembering() -> Iterator[CodeType]:
    """The functions of ours that run once for each value, or each object."""
    yield table_state._generated.__code__
    ours = [module for name, module in sys.modules.items() if name.startswith(OURS)]
    for one in chain.from_iterable([*vars(module).values()] for module in ours):
        if hasattr(one, "cache_info"):
            yield one.__wrapped__.__code__
        elif isinstance(one, type):
            parts = vars(one).values()
            yield from (part.func.__code__ for part in parts if isinstance(part, cached_property))


def _given(frame: FrameType) -> str:
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    return " ".join(tell(frame.f_locals.get(name)) for name in code.co_varnames[:count])


def _left_behind(frame: FrameType) -> str:
    """What a method has made of its object."""
    return tell(frame.f_locals["self"]) if "self" in frame.f_locals else ""
