"""The vectors about a lost seat: as they are made, and judged as they say."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from p2p.errors import VERDICTS
from tests.vectors.lost_seat import ACCEPTED, FILE, READ, verdict_of, written

CASES: Final[list[dict[str, Any]]] = json.loads(FILE.read_text("utf-8"))["cases"]
EXPECTED: Final = {
    "vote": [ACCEPTED, ACCEPTED, "bad-signature", *["malformed"] * 3],
    "decision": [ACCEPTED, *["broken-chain"] * 4],
    "beginning": [ACCEPTED, *["malformed"] * 3],
    "images": [*[ACCEPTED] * 3, *["malformed"] * 3],
    "sealed share": [ACCEPTED, "bad-key", "bad-key", "malformed", "bad-key"],
    "complaint": [ACCEPTED, "bad-key", "bad-share", ACCEPTED],
    "relock": [ACCEPTED, *["bad-transfer"] * 4],
    "partial shares": [ACCEPTED, "bad-share", "bad-share"],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}, {case['about']}")
def test_the_product_says_what_the_file_says(case: dict[str, Any]) -> None:
    assert verdict_of(case) == case["verdict"]


def test_each_kind_is_there_good_and_bent() -> None:
    said = {kind: [c["verdict"] for c in CASES if c["kind"] == kind] for kind in READ}
    assert said == EXPECTED
    assert {case["verdict"] for case in CASES} <= VERDICTS | {ACCEPTED}


def test_the_file_is_what_the_program_writes() -> None:
    assert FILE.read_text("utf-8") == written()
