"""The shuffle argument: everything a caller needs, from its three modules."""

from __future__ import annotations

from p2p.crypto.shuffle_prover import OfflinePart, Shuffled, prove_shuffle
from p2p.crypto.shuffle_statement import BadShuffle, ShuffleProof, proof_bytes
from p2p.crypto.shuffle_verifier import verify_chain, verify_shuffle

__all__ = [
    "BadShuffle",
    "OfflinePart",
    "ShuffleProof",
    "Shuffled",
    "proof_bytes",
    "prove_shuffle",
    "verify_chain",
    "verify_shuffle",
]
