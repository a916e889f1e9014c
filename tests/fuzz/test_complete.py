"""No reader of foreign bytes is missing from the table: the source is asked, and what runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from p2p.identity import keys
from p2p.protocol import step_kinds
from p2p.protocol.frame_kinds import KINDS
from p2p.protocol.step_kinds import StepKind
from tests.fuzz.readers import READERS
from tests.repo.sources import parsed, shown, sources, walked

DECODERS: Final = frozenset(
    {
        *("unpack", "unpack_from", "unpackb", "peek", "loads", "fromhex", "from_bytes"),
        *("fromstring", "b32decode", "b64decode", "load_der_x509_certificate", "urlsplit"),
        *("ip_address", "read_outside", "open_outside", "read_text", "read_bytes", "KIND.read"),
    }
)
"""Whoever calls one of these reads bytes; the last one is the `read` of a kind of frame."""
NOT_FOREIGN: Final = {
    "cli/bench/": "what a measurement of our own wrote",
    "cli/screenshots.py": "our own list of pictures",
    "cli/template/": "a part of the program",
    "cli/completion/table.py": "a part of the program",
    "cli/commands/rules.py": "a page of the program",
    "cli/tables/processes.py": "what our own process prints",
    "replay/html.py": "a part of the program, or a log that was audited",
    "p2p/checks.py weight": "our own randomness",
    "p2p/crypto/shuffle_offline.py random_permutation": "our own randomness",
    "p2p/identity/keys.py words": "a hash",
    "p2p/net/gateway.py": "what the system says",
    "p2p/protocol/acts/secret_choice.py": "our own secret, under the checksum of the seat file",
    "p2p/net/lan.py _service": "what the system says",
    "p2p/net/interfaces.py": "what the system says",
    "p2p/net/addresses.py _bound_ip": "the address of a socket",
    "cli/options/host_options.py own_host": "what our own person types",
    "p2p/net/lan_search.py _hosts": "addresses that zeroconf has read",
    "p2p/net/sources.py": "the address of a socket",
    "p2p/net/portmap.py renewals": "our own randomness",
    "p2p/net/portmap.py _by_firewall": "asks the gateway: its answers are in the table",
    "p2p/net/portmap.py _by_pcp": "asks the gateway: its answers are in the table",
    "p2p/net/portmap.py _by_upnp": "asks the gateway: its answers are in the table",
    "p2p/net/reach.py": "what iroh says of its own relay",
    "p2p/files/evidence.py write_evidence": "copies our own log",
    "p2p/files/storage.py _emptied": "whether a file of our own was cut short",
    "p2p/disk/lock.py": "asks for a lock, and reads nothing",
    "replay/audit.py read_any": "reads a file for what is in the table",
}
"""What calls one of them and reads nothing that somebody else wrote, and why."""


def calls(node: ast.AST) -> Iterator[str]:
    """What is called in a function: the last part of each name."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            match one.func:
                case ast.Attribute(ast.Name(kind), "read") if kind.isupper():
                    yield "KIND.read"
                case ast.Attribute(attr=name) | ast.Name(id=name):
                    yield name


def decoding() -> Iterator[tuple[str, Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions of the product that read bytes: `file name`, and where they are."""
    for path in sources("p2p", "replay", "cli"):
        for node in walked(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
                not DECODERS.isdisjoint(calls(node))
            ):
                yield f"{shown(path)} {node.name}", path, node


def run_by_readers() -> set[tuple[str, int]]:
    """File and first line of each function that runs when examples are read, whole and cut."""
    ran: set[tuple[str, int]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    sound = [(reader, reader.examples) for reader in READERS.values()]
    keys._is_sound.cache_clear()  # else it would remember the answers
    sys.setprofile(note)
    try:
        for reader, examples in sound:
            for data in examples:
                reader.take(data)
                reader.take(data[:-9])
    finally:
        sys.setprofile(None)
    return ran


@pytest.mark.slow
def test_every_function_that_decodes_is_run_by_a_reader() -> None:
    ran = run_by_readers()
    left = [
        name
        for name, path, node in decoding()
        if not name.startswith(tuple(NOT_FOREIGN))
        and not {(str(path), line) for line in _lines(node)} & ran
    ]
    assert "\n".join(left) == ""


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[int]:
    """Its first line, or that of its first decorator."""
    return {node.lineno, *(one.lineno for one in node.decorator_list)}


def test_nothing_is_called_ours_that_is_not_there() -> None:
    names = [name for name, _, _ in decoding()]
    assert [ours for ours in NOT_FOREIGN if not any(one.startswith(ours) for one in names)] == []


def test_every_kind_of_frame_has_its_reader() -> None:
    read = {kind for reader in READERS.values() for kind in reader.kinds}
    assert read == set(KINDS.values())


def test_every_kind_of_step_has_its_reader() -> None:
    ours = [kind for kind in vars(step_kinds).values() if isinstance(kind, StepKind)]
    steps = {f"step: {kind}" for kind in ours if kind not in ("sign", "vote")}
    genesis = {
        f"step of the genesis{more}: {kind}"
        for kind in ("commit", "reveal", "sign")
        for more in ("", ", with shares")
    }
    assert steps | genesis == {name for name in READERS if name.startswith("step")}


def test_the_scanner_sees_who_decodes() -> None:
    tree = ast.parse("wire.unpack(x), HELLO.read(y), hello.read(z), int.from_bytes(a, 'big')")
    assert list(calls(tree)) == ["unpack", "KIND.read", "read", "from_bytes"]
