"""The page of the protocol has the numbers and labels of the program, and no others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest

from p2p.protocol.frame_kinds import KINDS
from p2p.version import CHANNEL_VERSION, label
from tests.repo.protocol_numbers import SAID
from tests.repo.sources import ROOT, parsed, sources, walked

PAGE: Final = ROOT / "docs" / "reference" / "protocol.md"
NUMBER: Final = re.compile(r"(?<![\w.])\d[\d,.]*(?:\^\d+)?")
LABEL: Final = re.compile(r'"(nodealer[^"]*)"|`(nodealer[^`/]*)`')
UNIT: Final = (
    r"(?:s|bytes?|KiB|MiB|frames?|lines?|letters|addresses|attempts|tables|links|seats|steps)"
)
LIMITS: Final = ("at most", "more than", "at least", "above", "below", "up to", "every", "within")
LIMIT: Final = "".join(f"(?<!{words} )" for words in LIMITS)
FRAME: Final = "|".join(f"{number:02x}" for number in KINDS)
PLAIN: Final = (
    r"RFC \d+(?: 4\.3\.4)?",
    r"(?:UTF|SHA|CRC)-\d+",
    r"Unicode 14\.0",
    r"TLS 1\.3",
    r"J\. Cryptology 23\(4\)",
    r"QR code of version 5",
    r"\(-2\^63 to 2\^64 - 1\)",
    r"2\^512",
    r"169\.254\.0\.0/16, fe80::/10",
    r"\[?(?:sections?|decision) \d+",
    r"^## \d\.",
    r"^ *\d\. ",
    r"^\| (?:step \| integer, from 0|[0-9a-f]{2} \| [a-z ]+ \| [a-z, ]+ \| [0-9,]+) \|",
    rf"{LIMIT}(?<![\w.])(?:{FRAME})(?! {UNIT}\b)(?![\d^,]\d)",
    rf"{LIMIT}(?<![\w.])[0-3](?! {UNIT}\b)(?![\d,^]\d)",
    r"`(?:step|seat|slots)` \(?(?:each handle )?\d bytes, little-endian",
    r"an item of 8 bytes",
    r"(?:above|below) 0",
)
"""Numbers that are no constant of the program: documents, places on the page, frames, and what is
said of formulas with 0 to 3."""
WHOLE: Final = re.compile(rb"nodealer [a-z 0-9]+[\0\n]?")
ELSEWHERE: Final = re.compile(
    r"nodealer (?:note|state|hand|identity|jsonl|report)|nodealer (?:hedged|seat item|fingerprint)"
    r"|nodealer reach endpoint"
)
"""Labels of the program that no peer sees: other pages have those."""


def text() -> str:
    """The page, without what links lead to."""
    return re.sub(r"\]\([^)]*\)", "]", PAGE.read_text("utf-8"))


@pytest.mark.parametrize("phrase", SAID)
def test_page_has_number_of_program(phrase: str) -> None:
    assert phrase in text()


def uncovered() -> Iterator[str]:
    """The numbers of the page that nothing accounts for, with what stands around them."""
    page = text()
    known = bytearray(len(page))
    for pattern in (*map(re.escape, SAID), *PLAIN, LABEL.pattern):
        for found in re.finditer(pattern, page, re.MULTILINE):
            known[found.start() : found.end()] = b"\1" * (found.end() - found.start())
    for found in NUMBER.finditer(page):
        if not all(known[found.start() : found.start() + len(found[0].rstrip(".,"))]):
            line = page.count("\n", 0, found.start()) + 1
            yield f"{line}: {page[max(0, found.start() - 40) : found.end() + 40]!r}"


def test_page_has_no_other_numbers() -> None:
    """Each is in a phrase of `protocol_numbers`, or of a plain kind."""
    assert list(uncovered()) == []


def quoted() -> set[bytes]:
    """The labels on the page."""
    said = {one or other for one, other in LABEL.findall(text())}
    return {one.replace("\\0", "\0").encode() for one in said}


def labels() -> Iterator[bytes]:
    """The labels in the sources of the program."""
    for path in sources("p2p"):
        for node in walked(parsed(path)):
            match node:
                case ast.Constant(value=bytes(value)) if WHOLE.fullmatch(value):
                    yield value
                case ast.Call(func=ast.Name(id="label"), args=[ast.Constant(value=str(use))]):
                    yield label(use)
                case ast.Call(func=ast.Name(id="label"), args=[ast.Constant(value=str(use)), _]):
                    yield label(use, CHANNEL_VERSION)
                case ast.Constant(value=str(value)) if WHOLE.fullmatch(value.encode()):
                    yield value.encode()


def test_page_has_labels_of_program() -> None:
    known = set(labels())
    assert quoted() - known == set()
    assert {one for one in known - quoted() if not ELSEWHERE.match(one.decode())} == set()
