"""Going on without a seat: a lost layer comes off all cards, at the worst a table can ask for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from cli.bench.library import CallTimes, call_times, call_works
from cli.bench.row import Row, Target
from cli.bench.shuffles import bound, hidden_deck
from cli.bench.timing import Work, medians
from p2p.crypto import dleq, elgamal, group, relock, sharing
from p2p.crypto.keys import TableSecret
from p2p.crypto.sharing import Polynomial

SLOTS: Final = 148
SEATS: Final = 5
LEAST: Final = 3
REPEATS: Final = 5
WHOLE_MS: Final = 1000.0
"""What the way from the last vote to the next question may take."""


def rows(slots: int = SLOTS, repeats: int = REPEATS) -> list[Row]:
    """All slots relocked by each who is left in turn, then stripped by partial shares.

    That is the worst case: each card under the lost seat's lock.  The last row is what a seat waits
    for: the others' work comes one after the other, and all verify at the same time.
    """
    taken = medians({**call_works(), **_works(slots)}, repeats)
    floors = floor_times(slots, call_times(taken))
    left = SEATS - 1
    in_turn = left * (taken["relock"] + taken["verify relock"])
    at_once = taken["partial"] + (left - 1) * taken["verify partial"] + taken["combine"]
    floor = left * (floors["relock"] + floors["verify relock"]) + floors["partial"]
    floor += (left - 1) * floors["verify partial"] + floors["combine"]
    return [
        *(
            Row(f"lost seat, {slots} cards: {said}", taken[name], "ms", floors[name])
            for name, said in (
                ("relock", "relock, one seat"),
                ("verify relock", "verify one seat's"),
                ("partial", "partial shares, one seat"),
                ("verify partial", "verify one seat's shares"),
                ("combine", f"put {LEAST} seats' together"),
            )
        ),
        Row(
            f"lost seat, {slots} cards, {SEATS} seats: all of it",
            in_turn + at_once,
            "ms",
            floor,
            (Target(WHOLE_MS),),
        ),
    ]


def floor_times(slots: int, calls: CallTimes, least: int = LEAST) -> Mapping[str, float]:
    """The time of the calls that follow from the equations, in ms, for each card.

    Relock: r G, r K, x a, three additions; one multiplication for the sum of the proof, two sums
    and two differences more to verify it.  Shares: one multiplication and one for the sum, two sums
    to verify.  Put together: one multiplication for each of t.
    """
    term = calls.multiply + calls.add
    return {
        "relock": slots * (calls.base + 3 * calls.multiply + 4 * calls.add),
        "verify relock": slots * (3 * term + 2 * calls.add),
        "partial": slots * (calls.multiply + term),
        "verify partial": slots * 2 * term,
        "combine": slots * least * term,
    }


def _works(slots: int) -> dict[str, Work]:
    lost, holder = TableSecret.generate(os.urandom), TableSecret.generate(os.urandom)
    key = group.add(lost.public, holder.public)
    before = hidden_deck(slots, lost.public)
    after, proof = relock.relock(holder, before, key, bound(), os.urandom)
    dealt = Polynomial.through(lost, LEAST, SEATS, os.urandom)
    partials = {
        place: [group.mul(slot[0], dealt.share(place)) for slot in after]
        for place in range(1, LEAST + 1)
    }
    pairs = [(slot[0], part) for slot, part in zip(after, partials[1], strict=True)]
    share = TableSecret(dealt.share(1))
    shown = dleq.prove_shares(share, pairs, bound(), os.urandom)

    def partial() -> None:
        made = [(slot[0], elgamal.share(share, slot)) for slot in after]
        dleq.prove_shares(share, made, bound(), os.urandom)

    return {
        "relock": lambda: relock.relock(holder, before, key, bound(), os.urandom),
        "verify relock": lambda: relock.verify_relock(
            holder.public, before, after, key, proof, bound()
        ),
        "partial": partial,
        "verify partial": lambda: dleq.verify_shares(share.public, pairs, shown, bound()),
        "combine": lambda: sharing.combine(partials, LEAST),
    }
