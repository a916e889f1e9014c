"""A test vector: a file, and what any reader of the protocol has to say about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """What a verifier has to know to come to the verdict; each includes those before it."""

    FRAME = "frame"
    """The framing and the shape of what is in it: the log format, MessagePack."""
    CHAIN = "chain"
    """Identity keys, signatures, hashes, the order of entries."""
    PROOF = "proof"
    """Table keys, shares, shuffles, oaths, transfers: which slots an act is about."""
    RULES = "rules"
    """The rules of the game: who may do what, and the digest of the state."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One file.  `seat` and `step` say where the fault is; None if it is nobody's, or in no step.

    `scene` names the questions beside the file, if the game is one of `tests.vectors.scenes`.
    """

    name: str
    data: bytes
    verdict: str
    level: Level
    about: str
    seat: int | None = None
    step: int | None = None
    scene: str | None = None
