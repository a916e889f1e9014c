"""The shuffle argument: everything a caller needs, from its modules."""

from __future__ import annotations

from p2p.crypto.shuffle_offline import KeylessPart, OfflinePart
from p2p.crypto.shuffle_prover import Shuffled, prove_shuffle
from p2p.crypto.shuffle_statement import BadShuffle, ShuffleProof, proof_bytes
from p2p.crypto.shuffle_verifier import verify_chain, verify_shuffle

__all__ = [
    "BadShuffle",
    "KeylessPart",
    "OfflinePart",
    "ShuffleProof",
    "Shuffled",
    "proof_bytes",
    "prove_shuffle",
    "verify_chain",
    "verify_shuffle",
]
