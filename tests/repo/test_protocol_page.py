"""The page of the protocol tells of the kinds of frames what the program knows of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from p2p.protocol.frame_kinds import KINDS, FrameKind, Sender
from tests.repo.sources import ROOT, parsed, shown, sources, walked

PAGE = ROOT / "docs" / "reference" / "protocol.md"
TABLE = "p2p/protocol/frame_kinds.py"
ROW = re.compile(r"^\| ([0-9a-f]{2}) \| ([a-z ]+?) \| ([a-z, ]+) \| ([0-9,]+) \|", re.MULTILINE)
WORDS = {
    Sender.LINK: "anybody linked",
    Sender.SEAT: "a seat",
    Sender.HOST: "the host",
    Sender.GUEST: "a guest",
    Sender.SPECTATOR: "a spectator",
}


def row(kind: FrameKind) -> tuple[str, ...]:
    senders = ", ".join(WORDS[sender] for sender in Sender if sender in kind.senders)
    return f"{kind.number:02x}", kind.name, senders, f"{kind.limit:,}"


def test_the_table_of_frames_is_that_of_the_program() -> None:
    assert ROW.findall(PAGE.read_text("utf-8")) == [row(KINDS[number]) for number in sorted(KINDS)]


def numbered(tree: ast.Module) -> Iterator[ast.expr]:
    """Where the number of a kind is put before a payload, or a `frame` is taken apart."""
    for node in walked(tree):
        match node:
            case ast.BinOp(
                left=ast.Call(func=ast.Name(id="bytes"), args=[ast.List(elts=[number])])
            ):
                if ast.unparse(number).isupper() or isinstance(number, ast.Attribute):
                    yield node
            case ast.Subscript(value=ast.Name(id="frame" | "received")):
                yield node


def test_the_scanner_sees_numbers_of_frames() -> None:
    source = "bytes([KIND]) + x, bytes([K.number]) + x, frame[0], frame[1:], bytes([len(x)]) + x"
    assert [ast.unparse(node) for node in numbered(ast.parse(source))] == [
        *("bytes([KIND]) + x", "bytes([K.number]) + x", "frame[0]", "frame[1:]"),
    ]


def test_only_the_table_knows_numbers_of_frames() -> None:
    found = {
        shown(path).partition(":")[0]
        for path in sources("p2p", "replay", "cli")
        for _ in numbered(parsed(path))
    }
    assert found == {TABLE}
