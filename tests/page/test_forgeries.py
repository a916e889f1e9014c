"""The second implementation refuses every forged proof that the tests of the first know."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tests.page.second import judge, needs_node

ROOT: Final = Path(__file__).parent.parent.parent
TESTS: Final = (
    *("test_shuffle", "test_shuffle_forgeries", "test_oath", "test_dleq", "test_transfer"),
    *("test_relock", "test_sealing"),
)
SECONDS: Final = 300
SLOT, CARD, FRAME = 2 * 64, 2 * 96, 2 * 288
"""Hexadecimal digits of a slot, and of a shuffle's proof: for each card, and for the rest."""
pytestmark = needs_node


def recorded(path: Path) -> list[dict[str, Any]]:
    """Every proof that these tests verify, with the verdict of the first implementation."""
    files = [f"tests/crypto/{name}.py" for name in TESTS]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.page.recorder",
        "-m",
        "not full",
        *files,
    ]
    environment = os.environ | {"RECORDED_PROOFS": str(path), "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [*command, "-p", "no:cacheprovider", *files],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=SECONDS,
    )
    found: list[dict[str, Any]] = json.loads(path.read_text())
    return [proof for proof in found if _of_one_size(proof)]


def _of_one_size(proof: dict[str, Any]) -> bool:
    """In a log a shuffle, or a relock, of another size or of nothing has a wrong shape, before any
    proof is looked at.
    """
    decks, proofs = proof.get("decks", ()), proof.get("proofs", ())
    sizes = {len(deck) // SLOT for deck in decks} | {(len(one) - FRAME) // CARD for one in proofs}
    return len(sizes) <= 1 and 0 not in sizes


def test_both_say_the_same_of_every_proof(tmp_path: Path) -> None:
    """A forged proof is shown to the verifier in the exported page instead.

    Answer: it is a second program, and it refuses every forgery that the first one refuses.
    """
    proofs = recorded(tmp_path / "proofs.json")
    known = Counter((proof["kind"], proof["verdict"]) for proof in proofs)
    for kind, verdict, least in (
        ("shuffles", "bad-shuffle", 10),
        ("oath", "bad-oath", 10),
        ("shares", "bad-share", 10),
        ("transfer", "bad-transfer", 10),
        ("relock", "bad-transfer", 10),
        ("complaint", "bad-share", 10),
        ("complaint", "bad-key", 0),
    ):
        assert known[kind, verdict] > least, kind
        assert known[kind, None] > 1, kind
    said = judge([{"proof": proof} for proof in proofs])
    differ = [
        (proof["kind"], proof["verdict"], verdict)
        for proof, verdict in zip(proofs, said, strict=True)
        if proof["verdict"] != verdict
    ]
    assert differ == []
