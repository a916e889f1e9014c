"""No secret is in a repr, of whichever value holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import isclass
from pkgutil import walk_packages
from typing import Any

import pytest

import p2p
from p2p.protocol.effects import Write
from p2p.protocol.step import Kept

NAMES = re.compile(
    r"secret|seed|nonce|permutation|token|password|private|polynomial|kept|factors?$|opening|masks?$"
)
TYPES = re.compile(r"\b(Scalar|Entropy|Random|Hedged|TableSecret|SealingSecret|Polynomial)\b")
HIDE_THEMSELVES = re.compile(r"\b(TableSecret|SealingSecret|Polynomial)\b")
"""Types whose own repr says nothing secret: tests of their modules hold that."""
PUBLISHED = {
    # What a proof tells everybody, and what its verifier computes from that.
    ("ShuffleProof", "masked_factor"),
    ("ShuffleProof", "masked_weights"),
    ("ShuffleProof", "permutation_commitment"),
    ("ShuffleProof", "content_opening"),
    ("ShuffleProof", "content_answers"),
    ("ShuffleProof", "product_opening"),
    ("ShuffleProof", "product_answers"),
    ("_Combination", "scalars"),
    ("_Combination", "generator_scalars"),
    ("_Combination", "key_scalar"),
    ("_Combination", "base_scalar"),
}


def values() -> Iterator[type]:
    """Every dataclass and named tuple of the peers."""
    for found in walk_packages(p2p.__path__, "p2p."):
        module = import_module(found.name)
        for one in vars(module).values():
            ours = isclass(one) and one.__module__ == module.__name__
            if ours and (is_dataclass(one) or hasattr(one, "_fields")):
                yield one


def shown(one: Any) -> dict[str, str]:
    """The fields in its repr, with their types."""
    if is_dataclass(one):
        if not one.__dataclass_params__.repr:
            return {}
        return {field.name: str(field.type) for field in fields(one) if field.repr}
    return {name: str(kind) for name, kind in one.__annotations__.items()}


def written_by_hand(one: type) -> bool:
    """Whether the repr is of the class itself, and not what dataclass or NamedTuple makes."""
    code = getattr(one.__repr__, "__code__", None)
    return code is not None and code.co_filename == import_module(one.__module__).__file__


def test_secret_fields_are_left_out_of_every_repr() -> None:
    found = [
        (one.__name__, name)
        for one in values()
        if not written_by_hand(one)
        for name, kind in shown(one).items()
        if (NAMES.search(name) or TYPES.search(kind)) and not HIDE_THEMSELVES.search(kind)
    ]
    assert set(found) - PUBLISHED == set()


@pytest.mark.parametrize(
    "value", [Write(1, "own", b"a record", b"a secret"), Kept(b"a payload", b"a secret")]
)
def test_repr_of_written_secret_hides_it(value: object) -> None:
    assert "secret" not in f"{value!r} {value} {[value]}"
