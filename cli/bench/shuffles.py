"""Shuffling 52 cards: the prover, the verifier and a chain, against their library calls."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from cli.bench.library import CallTimes, call_times, call_works
from cli.bench.row import Row, Target, ratio_at_most
from cli.bench.timing import Work, medians
from p2p.crypto import elgamal
from p2p.crypto.elgamal import Cipher
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import (
    OfflinePart,
    ShuffleProof,
    proof_bytes,
    prove_shuffle,
    verify_chain,
    verify_shuffle,
)
from p2p.crypto.transcript import Transcript

CARDS: Final = 52
CHAIN: Final = 4
REPEATS: Final = 21
ONLINE_SHARE: Final = 45.0
"""The percentage of the prover's work that may be left until its turn comes."""


def rows(cards: int = CARDS, repeats: int = REPEATS) -> list[Row]:
    """Prove, verify and verify a chain of four; times include decoding what was received."""
    taken = medians({**call_works(), **_works(cards)}, repeats)
    floors = floor_times(cards, call_times(taken))
    online = taken["online"]
    prove = taken["offline"] + online
    of_all = (Target(ONLINE_SHARE),)
    return [
        Row(
            f"shuffle of {cards} cards: prove", prove, "ms", floors["prove"], (ratio_at_most(1.10),)
        ),
        Row(
            f"shuffle of {cards} cards: online part of it", 100 * online / prove, "%", None, of_all
        ),
        Row(
            f"shuffle of {cards} cards: verify",
            taken["verify"] + taken["receive"],
            "ms",
            floors["verify"],
            (ratio_at_most(1.10),),
        ),
        Row(
            f"shuffle of {cards} cards: verify, chain of {CHAIN}, each",
            taken["chain"] / CHAIN + taken["receive"],
            "ms",
            floors["chain"],
            (ratio_at_most(1.15),),
        ),
        Row(f"shuffle of {cards} cards: proof", float(proof_bytes(cards)), "bytes"),
    ]


def floor_times(cards: int, calls: CallTimes) -> Mapping[str, float]:
    """The time of the unavoidable calls, in ms.

    8 n multiplications, 9 n additions and n base multiplications to prove; a multiplication
    and an addition for each of 5 n points to verify, of (2 (K + 1) + 1) n / K in a chain of
    K; a validity check for each point received.
    """
    term = calls.multiply + calls.add
    received = (2 * cards + 7) * calls.valid
    return {
        "prove": cards * (8 * calls.multiply + 9 * calls.add + calls.base),
        "verify": 5 * cards * term + received,
        "chain": (2 * (CHAIN + 1) + 1) * cards / CHAIN * term + received,
    }


def _works(cards: int) -> dict[str, Work]:
    key = TableSecret.generate(os.urandom).public
    decks, proofs = shuffled(hidden_deck(cards, key), key, CHAIN)
    packed, encoded = elgamal.pack_ciphers(decks[1]), proofs[0].encode()
    parts: list[OfflinePart] = []

    def receive() -> None:
        elgamal.unpack_ciphers(packed, cards)
        ShuffleProof.decode(encoded, cards)

    return {
        "offline": lambda: parts.append(OfflinePart.prepare(cards, key, os.urandom)),
        "online": lambda: prove_shuffle(parts.pop(), decks[0], bound(), os.urandom),
        "receive": receive,
        "verify": lambda: verify_shuffle(key, decks[0], decks[1], proofs[0], bound(), os.urandom),
        "chain": lambda: verify_chain(key, decks, proofs, [bound() for _ in proofs], os.urandom),
    }


def bound() -> Transcript:
    """What a proof of the benchmarks is bound to."""
    return Transcript("nodealer bench")


def fresh_deck(cards: int) -> list[Cipher]:
    """A deck that everybody knows."""
    return [elgamal.fresh(elgamal.card_point("bench", number)) for number in range(cards)]


def hidden_deck(cards: int, key: bytes) -> list[Cipher]:
    """A deck that was shuffled once."""
    return shuffled(fresh_deck(cards), key, 1)[0][1]


def shuffled(
    deck: list[Cipher], key: bytes, times: int
) -> tuple[list[list[Cipher]], list[ShuffleProof]]:
    """The deck, and the decks after each of this many shuffles, with their proofs."""
    decks, proofs = [deck], []
    for _ in range(times):
        part = OfflinePart.prepare(len(deck), key, os.urandom)
        done = prove_shuffle(part, decks[-1], bound(), os.urandom)
        decks.append(done.deck)
        proofs.append(done.proof)
    return decks, proofs
