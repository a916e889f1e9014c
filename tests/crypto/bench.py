"""Time the proofs against the time of their unavoidable library calls, in one run.

`python -m tests.crypto.bench [cards ...]`.  The floors are those of the plan: one
multiplication and one addition for each of 5 n points to verify a shuffle, of
(2 (K + 1) + 1) n / K for a chain of K; 8 n multiplications, 9 n additions and n base
multiplications to prove; one validity check a received point.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable
from time import perf_counter

from p2p.crypto import elgamal, group, oath
from p2p.crypto.elgamal import Cipher
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import (
    OfflinePart,
    ShuffleProof,
    prove_shuffle,
    verify_chain,
    verify_shuffle,
)
from p2p.crypto.transcript import Transcript

ENTROPY = os.urandom
HOLDER = TableSecret.generate(ENTROPY)
KEY = HOLDER.public
CHAIN = 4
REPEATS = 9
OATHS = ((13, 13, 39), (10, 10, 30), (5, 5, 15), (3, 3, 45))


def milliseconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The median time of `work`."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(1000 * (perf_counter() - start))
    return statistics.median(times)


def call_times() -> tuple[float, float, float, float]:
    """Multiplication, base multiplication, addition, validity check, in ms."""
    point, scalar = group.base(5), group.random_scalar(ENTROPY)
    encoded, out = group.encode_scalar(scalar), group._PointBuffer()
    return (
        milliseconds(lambda: [group._multiply(out, encoded, point) for _ in range(100)]) / 100,
        milliseconds(lambda: [group._multiply_base(out, encoded) for _ in range(100)]) / 100,
        milliseconds(lambda: [group._add(out, point, KEY) for _ in range(100)]) / 100,
        milliseconds(lambda: [group._is_valid(point) for _ in range(100)]) / 100,
    )


def hidden_deck(count: int) -> list[Cipher]:
    fresh = [elgamal.fresh(elgamal.card_point("bench", index)) for index in range(count)]
    part = OfflinePart.prepare(count, KEY, ENTROPY)
    return prove_shuffle(part, fresh, Transcript("deck"), ENTROPY).deck


def bench_shuffle(count: int) -> str:
    mul, base, add, valid = call_times()
    decks, proofs = [hidden_deck(count)], []
    for _ in range(CHAIN):
        part = OfflinePart.prepare(count, KEY, ENTROPY)
        done = prove_shuffle(part, decks[-1], Transcript("bench"), ENTROPY)
        decks.append(done.deck)
        proofs.append(done.proof)
    parts = [OfflinePart.prepare(count, KEY, ENTROPY) for _ in range(REPEATS)]
    packed, encoded = elgamal.pack_ciphers(decks[1]), proofs[0].encode()

    def receive() -> None:
        elgamal.unpack_ciphers(packed, count)
        ShuffleProof.decode(encoded, count)

    def verify_one() -> None:
        verify_shuffle(KEY, decks[0], decks[1], proofs[0], Transcript("bench"), ENTROPY)

    def verify_all() -> None:
        verify_chain(KEY, decks, proofs, [Transcript("bench") for _ in proofs], ENTROPY)

    def prove() -> None:
        prove_shuffle(parts.pop(), decks[0], Transcript("bench"), ENTROPY)

    offline = milliseconds(lambda: OfflinePart.prepare(count, KEY, ENTROPY))
    online, received = milliseconds(prove), milliseconds(receive)
    verified = milliseconds(verify_one) + received
    chained = milliseconds(verify_all) / CHAIN + received
    floor_prove = count * (8 * mul + 9 * add + base)
    floor_valid = (2 * count + 7) * valid
    floor_verify = 5 * count * (mul + add) + floor_valid
    floor_chain = (2 * (CHAIN + 1) + 1) * count / CHAIN * (mul + add) + floor_valid
    return (
        f"{count} cards: prove {offline:.1f} + {online:.1f} ms"
        f" ({online / (offline + online):.0%} online), {(offline + online) / floor_prove:.2f} x"
        f" floor; verify {verified:.1f} ms, {verified / floor_verify:.2f} x;"
        f" chain of {CHAIN} {chained:.1f} ms each, {chained / floor_chain:.2f} x;"
        f" {len(encoded)} bytes"
    )


def bench_oath(slots: int, forbidden: int, allowed: int) -> str:
    listed = [elgamal.card_point("allowed", index) for index in range(allowed)]
    banned = [elgamal.card_point("forbidden", index) for index in range(forbidden)]
    factors = group.random_scalars(ENTROPY, slots)
    hand = [
        (group.base(factor), group.add(card, group.mul(KEY, factor)))
        for card, factor in zip(listed[:slots], factors, strict=True)
    ]
    parts = [OfflinePart.prepare(allowed, KEY, ENTROPY) for _ in range(REPEATS)]

    def swear(part: OfflinePart | None = None) -> bytes:
        bound = Transcript("bench")
        return oath.swear(HOLDER, hand, listed[:slots], listed, banned, bound, ENTROPY, part)

    data = swear()

    def verify() -> None:
        oath.verify_oath(KEY, hand, listed, banned, data, Transcript("bench"), ENTROPY)

    method = "pairs" if oath.uses_pairs(slots, allowed, forbidden) else "shuffle"
    return (
        f"oath {slots} slots, {forbidden} / {allowed}, by {method}: {milliseconds(swear):.1f} ms"
        f" ({milliseconds(lambda: swear(parts.pop())):.1f} online), verify"
        f" {milliseconds(verify):.1f} ms, {len(data)} bytes"
    )


def main() -> None:
    """Print one line a measurement."""
    counts = [int(argument) for argument in sys.argv[1:]] or [13, 40, 52, 148]
    lines = [bench_shuffle(count) for count in counts] + [bench_oath(*sizes) for sizes in OATHS]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
