"""Oaths that no card of a hand is of a kind: by shuffle and by pairs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cli.bench.library import call_times, call_works
from cli.bench.row import Row, Target
from cli.bench.shuffles import bound
from cli.bench.timing import Work, medians
from p2p.crypto import elgamal, group, oath
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import OfflinePart

REPEATS: Final = 15


@dataclass(frozen=True, slots=True)
class Case:
    """Numbers of slots sworn about, of forbidden and allowed cards, and the targets (ms, bytes)."""

    slots: int
    forbidden: int
    allowed: int
    prove: tuple[Target, ...] = ()
    online: tuple[Target, ...] = ()
    verify: tuple[Target, ...] = ()
    size: tuple[Target, ...] = ()

    @property
    def by_pairs(self) -> bool:
        """Whether one proof for each pair is cheaper than a shuffle of the allowed list."""
        return oath.uses_pairs(self.slots, self.allowed, self.forbidden)


CASES: Final = (
    Case(
        *(13, 13, 39),
        prove=(Target(20.0),),
        online=(Target(9.0),),
        verify=(Target(11.0),),
        size=(Target(7168.0),),
    ),
    Case(10, 10, 30),
    Case(3, 3, 45, prove=(Target(3.0),), verify=(Target(3.0),)),
)


def rows(repeats: int = REPEATS) -> list[Row]:
    """For each case: the whole prover, the work left for its turn, the verifier, the size."""
    return [row for case in CASES for row in _case_rows(case, repeats)]


def _case_rows(case: Case, repeats: int) -> list[Row]:
    works, size = _works(case)
    taken = medians({**call_works(), **works}, repeats)
    calls = call_times(taken)
    term = calls.multiply + calls.add
    name = f"oath, {case.slots} slots, {case.forbidden} forbidden, {case.allowed} allowed"
    if case.by_pairs:
        pairs = case.slots * case.forbidden
        prove_floor, verify_floor = 3 * pairs * term, (3 * pairs + 2 * case.slots) * term
    else:
        prove_floor = case.allowed * (8 * calls.multiply + 9 * calls.add + calls.base)
        verify_floor = 5 * case.allowed * term
    prove = taken["offline"] + taken["online"]
    found = [Row(f"{name}: prove", prove, "ms", prove_floor, case.prove)]
    if not case.by_pairs:
        found.append(Row(f"{name}: online part of it", taken["online"], "ms", None, case.online))
    found.append(Row(f"{name}: verify", taken["verify"], "ms", verify_floor, case.verify))
    found.append(Row(f"{name}: size", float(size), "bytes", None, case.size))
    return found


def _works(case: Case) -> tuple[dict[str, Work], int]:
    holder = TableSecret.generate(os.urandom)
    allowed = [elgamal.card_point("allowed", index) for index in range(case.allowed)]
    banned = [elgamal.card_point("forbidden", index) for index in range(case.forbidden)]
    held = allowed[: case.slots]
    hand = [
        (group.base(factor), group.add(card, group.mul(holder.public, factor)))
        for card, factor in zip(held, group.random_scalars(os.urandom, case.slots), strict=True)
    ]
    parts: list[OfflinePart] = []

    def prepare() -> None:
        if not case.by_pairs:
            parts.append(OfflinePart.prepare(case.allowed, holder.public, os.urandom))

    def swear() -> bytes:
        part = parts.pop() if parts else None
        opened = list(zip(hand, held, strict=True))
        return oath.swear(holder, opened, allowed, banned, bound(), os.urandom, part)

    sworn = swear()
    verify: Callable[[], object] = lambda: oath.verify_oath(  # noqa: E731
        holder.public, hand, allowed, banned, sworn, bound(), os.urandom
    )
    return {"offline": prepare, "online": swear, "verify": verify}, len(sworn)
