"""Proofs that were accepted once in a world are not verified again by each seat, nor at a restart.

Only what a pure function accepted is remembered, under all that it was given; and what the
transcripts were after it.  In one of ten worlds nothing is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, is_dataclass
from typing import Any, Final
from unittest.mock import patch

from p2p.crypto import dleq, keys, oath, shuffle_verifier, transfer
from p2p.crypto.transcript import Transcript
from p2p.identity import keys as identity_keys

_PURE: Final[tuple[Callable[..., Any], ...]] = (
    shuffle_verifier.verify_chain,
    dleq.verify_shares,
    oath.verify_oath,
    transfer.verify_transfer,
    keys.verify_key,
    identity_keys.verify,
)
_MODULES: Final = ("p2p.", "replay.")


@contextmanager
def remembered(known: dict[Any, Any]) -> Iterator[None]:
    """In this block, what was accepted is kept in `known`."""
    with ExitStack() as patched:
        for function in _PURE:
            name, kept = function.__name__, _kept(function, known)
            for module in _using(name, function):
                patched.enter_context(patch.object(module, name, kept))
        yield


def _using(name: str, function: Callable[..., Any]) -> list[Any]:
    modules = (module for key, module in sorted(sys.modules.items()) if key.startswith(_MODULES))
    return [module for module in modules if getattr(module, name, None) is function]


def _kept(function: Callable[..., Any], known: dict[Any, Any]) -> Callable[..., Any]:
    def verify(*given: Any) -> None:
        transcripts: list[Transcript] = []
        question = function.__name__, _frozen(given, transcripts)
        states = known.get(question)
        if states is None:
            function(*given)
            known[question] = [transcript._state for transcript in transcripts]
        else:
            for transcript, state in zip(transcripts, states, strict=True):
                transcript._state = state

    return verify


def _frozen(value: Any, transcripts: list[Transcript]) -> Any:
    """The value as something that can be looked up; entropy does not count."""
    if isinstance(value, Transcript):
        transcripts.append(value)
        return value._state
    if isinstance(value, list | tuple):
        return tuple(_frozen(one, transcripts) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        return _frozen(astuple(value), transcripts)
    return None if callable(value) else value
