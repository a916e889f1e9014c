"""A pytest plugin: notes every proof that the tests of the crypto verify, and what came of it.

The forgeries of those tests fail in one equation each; so the second implementation is asked
about the very same proofs (test_forgeries.py).  `RECORDED_PROOFS` names the file to write.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from p2p.crypto import (
    dleq,
    group,
    oath_by_pairs,
    oath_by_shuffle,
    relock,
    sealing,
    shuffle_verifier,
    transfer,
)
from p2p.crypto import oath as oaths
from p2p.crypto.elgamal import Cipher, pack_ciphers
from p2p.crypto.group import Scalar
from p2p.crypto.sealing import Errand
from p2p.crypto.shuffle_statement import ShuffleProof
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError

Told = dict[str, Any]
found: list[Told] = []


def _state(transcript: Transcript) -> str:
    return transcript._state.hex()


def _noting(verify: Callable[..., Any], tell: Callable[..., Told]) -> Callable[..., Any]:
    def noted(*arguments: Any) -> Any:
        told = tell(*arguments)
        found.append(told)
        try:
            answer = verify(*arguments)
        except PeerError as error:
            told["verdict"] = error.verdict
            raise
        told["verdict"] = None
        return answer

    return noted


def _shares(key: bytes, pairs: Sequence[Cipher], proof: bytes, bound: Transcript) -> Told:
    joined = pack_ciphers(pairs).hex()
    return {"kind": "shares", "key": key.hex(), "pairs": joined, "proof": proof.hex(),
            "state": _state(bound)}  # fmt: skip


def _shuffle(
    key: bytes,
    decks: list[list[Cipher]],
    proofs: list[ShuffleProof],
    bound: list[Transcript],
    _: object,
) -> Told:
    return {"kind": "shuffles", "key": key.hex(), "decks": [pack_ciphers(d).hex() for d in decks],
            "proofs": [proof.encode().hex() for proof in proofs],
            "states": [_state(one) for one in bound]}  # fmt: skip


def _transfer(
    key: bytes, before: Cipher, after: Cipher, to: bytes, proof: bytes, bound: Transcript
) -> Told:
    return {"kind": "transfer", "key": key.hex(), "slots": pack_ciphers([before, after]).hex(),
            "to": to.hex(), "proof": proof.hex(), "state": _state(bound)}  # fmt: skip


def _relock(
    key: bytes,
    before: list[Cipher],
    after: list[Cipher],
    to: bytes,
    proof: bytes,
    bound: Transcript,
) -> Told:
    decks = [pack_ciphers(deck).hex() for deck in (before, after)]
    return {"kind": "relock", "key": key.hex(), "to": to.hex(), "decks": decks,
            "proof": proof.hex(), "state": _state(bound)}  # fmt: skip


def _complaint(errand: Errand, sealed: Scalar, shown: bytes) -> Told:
    return {"kind": "complaint", "keys": b"".join(errand.keys).hex(),
            "images": b"".join(errand.promised.points).hex(), "place": errand.place,
            "sealed": group.encode_scalar(sealed).hex(), "shown": shown.hex(),
            "state": _state(errand.transcript())}  # fmt: skip


def _oath(
    key: bytes,
    slots: list[Cipher],
    allowed: list[bytes],
    forbidden: list[bytes],
    data: bytes,
    bound: Transcript,
    _: object,
) -> Told:
    return {"kind": "oath", "key": key.hex(), "slots": pack_ciphers(slots).hex(),
            "allowed": b"".join(allowed).hex(), "forbidden": b"".join(forbidden).hex(),
            "data": data.hex(), "state": _state(bound)}  # fmt: skip


def pytest_configure() -> None:
    """Before the tests import these functions by name."""
    assert oath_by_pairs
    assert oath_by_shuffle
    dleq.verify_shares = _noting(dleq.verify_shares, _shares)
    chain = _noting(shuffle_verifier.verify_chain, _shuffle)
    shuffle_verifier.verify_chain = chain
    transfer.verify_transfer = _noting(transfer.verify_transfer, _transfer)
    relock.verify_relock = _noting(relock.verify_relock, _relock)
    sealing.verify_complaint = _noting(sealing.verify_complaint, _complaint)
    oaths.verify_oath = _noting(oaths.verify_oath, _oath)


def pytest_sessionfinish() -> None:
    """Proofs whose verification ended in a fault of our own (LocalError) have no verdict."""
    told = [one for one in found if "verdict" in one]
    Path(os.environ["RECORDED_PROOFS"]).write_text(json.dumps(told))
