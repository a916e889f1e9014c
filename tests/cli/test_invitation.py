"""What a host reads: within 80 x 24, with an invite that can be copied."""

from __future__ import annotations

import os

import pytest

from cli.words.invitation import invitation_lines
from p2p.identity.keys import Identity
from p2p.net.addresses import Address
from p2p.net.invite import Invite

ADDRESSES = (Address("192.168.1.5", 7000), Address("2001:db8::5", 7000), Address("10.0.0.1", 7000))


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("with_code", [True, False])
def test_the_invitation_fits(count: int, with_code: bool) -> None:
    invite = Invite(ADDRESSES[:count], Identity.generate(os.urandom).public, bytes(16))
    lines = invitation_lines(invite, 2, with_code=with_code)
    (line,) = [line for line in lines if line.startswith("ND1:")]
    assert Invite.decode(line) == invite
    others = [other for other in lines if other != line]
    assert max(map(len, others)) <= 80
    wrapped = -(-len(line) // 80)
    assert len(others) + wrapped <= 24
    text = " ".join(" ".join(others).split())
    assert all(str(address) in text for address in invite.addresses)
    assert ("▀" in text) is with_code
    assert "2 more" in text


def test_one_player_is_no_plural() -> None:
    invite = Invite(ADDRESSES[:1], Identity.generate(os.urandom).public, bytes(16))
    assert "Waiting for 1 more player. Ctrl-C" in invitation_lines(invite, 1, with_code=False)[0]
