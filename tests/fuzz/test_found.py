"""Faults that were found here, each with the input that showed it; all failed before."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from cli.failures import UserMistakeError
from cli.home import preferences
from p2p.errors import PeerError
from p2p.files.ledger import Ledger, Note, _encode
from p2p.files.seat_items import Prefix
from p2p.net import upnp
from p2p.net.addresses import Address, AddressError
from p2p.protocol import wire
from p2p.text.names import is_printable
from tests.fuzz.cost import turns_of
from tests.net.gateways import DESCRIPTION, ok

URL, HOST = "http://192.168.1.1:80/desc.xml", "192.168.1.1"


@pytest.mark.parametrize("address", ["http://[", "//[::1", "http://\u2100/"])
def test_a_gateway_whose_control_address_is_none(address: str) -> None:
    """Anybody on the network answers as a gateway, with an address that no library can split.

    Refused; before, an error of ours ended the table.
    """
    answer = ok(DESCRIPTION.replace("/control?x=1", address))
    with pytest.raises(PeerError, match="address of a gateway is garbled"):
        upnp.control_of(answer, URL, HOST)


def test_a_gateway_that_begins_comments_without_end() -> None:
    """The same with 15,000 beginnings of comments, of which none ends.

    Refused at once; before, this took ten seconds, in which no table went on.
    """
    answer = ok("<!--" * (upnp.TEXT_MAX // 4 - 100))

    def refused() -> None:
        with pytest.raises(PeerError, match="defines things"):
            upnp.control_of(answer, URL, HOST)

    assert turns_of(refused) < 1_000_000


def test_comments_are_left_out() -> None:
    """A sound gateway's description may have comments, which may name what is forbidden.

    It is read; what only looks like the end of a comment is none.
    """
    commented = DESCRIPTION.replace("<deviceList>", "<!-- <!ENTITY x> --><deviceList><!---->", 1)
    assert upnp.control_of(ok(commented), URL, HOST).path == "/control?x=1"
    with pytest.raises(PeerError, match="defines things"):
        upnp.control_of(ok(DESCRIPTION.replace("<deviceList>", "<!--><deviceList>")), URL, HOST)


@pytest.mark.parametrize("content", [5, [], [1, 2], [1, 2, b"", b"", "x", True], {"a": 1}, None])
def test_a_note_that_says_something_else_counts_as_not_sure(
    content: object, tmp_path: Path
) -> None:
    """A half of a note in the ledger has a right checksum, and does not hold what a note holds.

    The other half counts, or nothing is sure; before, an error of ours.
    """
    sound = _encode(7, Note(Prefix(0, b""), bytes(32), 5))
    said = wire.pack(content)
    half = (sound[:16] + len(said).to_bytes(2, "big") + said).ljust(240, b"\0")
    half += hashlib.sha512(half).digest()[:16]
    path = tmp_path / f"{bytes(32).hex()}.ndnote"
    for data, step in ((half, -1), (half + sound, 5), (sound + half, 5)):
        path.write_bytes(data)
        found = Ledger(tmp_path).find(bytes(32))
        assert found is not None
        assert (found.step, found.sure) == (step, step == 5)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    return tmp_path / preferences.FILE


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 8000,
        "a" + ".a" * 100_000 + " = 1",
        "a" * 5000 + " = 1",
        'theme = "' + "x" * 5000 + '"',
        "a = 1\n" * 2,
        f"{'a.' * 2000}b = 1\n" * 2,
        "name = 1\x00",
    ],
    ids=["nest", "long path", "long name", "long value", "twice", "twice, a long path", "zero"],
)
def test_settings_that_make_no_sense_are_one_sentence(text: str, settings: Path) -> None:
    """The file of settings holds a deep nest, a path of 100,000 names, names without end.

    One short sentence at once; before, an error of ours, minutes, or pages.
    """
    settings.write_text(text, "utf-8")
    with pytest.raises(UserMistakeError) as caught:
        preferences.setting(preferences.NAME)
    assert len(str(caught.value)) < 300 + len(str(settings))
    assert is_printable(str(caught.value))


@pytest.mark.parametrize("text", ["x" * 5000, "\x1b[2J", "a\x00b:7000", "y" * 5000 + ":7000"])
def test_a_text_that_is_no_address_is_quoted_in_short(text: str) -> None:
    """Somebody is told to dial what would write to a terminal, or a text without end.

    The sentence has the beginning of it, printable; before, all of it.
    """
    with pytest.raises(AddressError) as caught:
        Address.parse(text)
    assert is_printable(str(caught.value))
    assert len(str(caught.value)) < 200
