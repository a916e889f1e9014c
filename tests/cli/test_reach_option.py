"""`--reach`: what it needs, what a host is told, and a table of two programs that use it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cli.options import reach_option
from cli.options.reach_option import reach_news
from cli.words.invitation import invitation_lines
from p2p.identity.keys import Identity
from p2p.installation import to_add
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.reach_address import ReachAddress
from tests.cli.conftest import Run
from tests.cli.test_processes import finish, start

RELAYED = ReachAddress(bytes(32), Address("euc1-1.relay.n0.iroh.link", 443))
DIRECT = ReachAddress(bytes(32), Address("192.168.1.5", 41000))
ADDRESSES = (Address("192.168.1.5", 7000), Address("2001:db8::5", 7000), Address("10.0.0.1", 7000))


@pytest.mark.parametrize("command", [("host", "sneak"), ("join", "ND1:A"), ("watch", "ND1:A")])
def test_without_the_extra_a_sentence_names_it(
    run: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach_option, "find_spec", lambda name: None)
    result = run(*command, "--reach")
    assert result.exit_code == 2
    assert result.stderr == f"nodealer: --reach needs iroh; {to_add('reach')} adds it.\n"


@pytest.mark.parametrize("reach", [RELAYED, DIRECT])
def test_the_invitation_still_fits(reach: ReachAddress) -> None:
    """Its code is too high for 24 rows; a larger terminal shows it."""
    invite = Invite(ADDRESSES, Identity.generate(os.urandom).public, bytes(16), reach)
    found = reach_news(reach)
    lines = invitation_lines(invite, 2, with_code=True, found=found, rows=24)
    assert Invite.decode(lines[-1]) == invite
    assert max(map(len, lines[:-1])) <= 80
    assert len(lines) - 1 + -(-len(lines[-1]) // 80) <= 24
    text = " ".join(lines)
    assert "▀" not in text
    assert reach.words in text
    assert all(" ".join(news.split()[:2]) in text for news in found)
    assert "▀" in " ".join(invitation_lines(invite, 2, with_code=True, found=found, rows=40))


def test_the_host_is_told_what_relays_learn() -> None:
    assert "relay euc1-1.relay.n0.iroh.link." in reach_news(RELAYED)[0]
    assert "cannot read a card" in reach_news(RELAYED)[1]
    assert reach_news(DIRECT) == [
        "Reach: no relay; --reach finds you only where your address can be reached."
    ]
    assert reach_news(None) == []


@pytest.mark.full
def test_two_programs_play_with_it(tmp_path: Path) -> None:
    pytest.importorskip("iroh", reason="the optional package iroh is not installed")
    table = ("flip-over", "--seats", "3", "--option", "rounds=1", "--bots", "1", "--json")
    host = start(tmp_path / "host", "host", *table, "--bind", "127.0.0.1", "--reach")
    assert host.stdout is not None
    opened = json.loads(host.stdout.readline())
    assert [address[:6] for address in opened["addresses"]] == ["127.0.", "reach+"]
    guest = start(tmp_path / "guest", "join", opened["invite"], "--reach", "--json")
    (_, warned), (said, also_warned) = finish([host, guest])
    assert json.loads(said)["verified"] is True
    assert warned == also_warned == ""
