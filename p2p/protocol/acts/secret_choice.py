"""A seat's own secret choice: sealed before its commitment leaves, recalled to open it.

The nonce is on disk before the commitment leaves (protocol section 4), so that a seat that
restarts can still open.  A seat whose files are older than its commitment cannot.
"""

from __future__ import annotations

from typing import Any

from p2p.crypto.commitment import NONCE_BYTES, commit_choice
from p2p.errors import OutdatedError
from p2p.protocol import wire
from p2p.protocol.cards import Cards
from p2p.protocol.step import Kept


def seal(cards: Cards, context: bytes, choice: object) -> Kept:
    """The commitment to `choice`, with its opening."""
    nonce, packed = cards.keys.entropy(NONCE_BYTES), wire.pack(choice)
    return Kept(commit_choice(context, nonce, packed), nonce + packed)


def recall(cards: Cards, committed_at: int) -> tuple[bytes, Any]:
    """Nonce and choice of our own commitment at that step.

    OutdatedError if this seat signed a commitment (the others have it) that its files do not
    have: a restored backup.  Nobody else can open it either, so nothing is signed.
    """
    kept = cards.kept.get(committed_at)
    if kept is None:
        raise OutdatedError(
            "This seat cannot open its own secret choice: its files are older than what it "
            f"signed at step {committed_at}. Restore newer files of this table to go on"
        )
    return kept[:NONCE_BYTES], wire.unpack(kept[NONCE_BYTES:])
