"""How long a guest tries to reach the host of an invite, and what it says then."""

from __future__ import annotations

import pytest

from p2p.errors import LobbyError
from p2p.lobby.first_link import LOOKS, TRIES, FirstLink
from p2p.net.dialler import REFUSED
from p2p.net.handshake import BROKEN_OFF
from p2p.net.mesh import LinkState
from tests.peer.test_lobby import PEOPLE, invite

HOST = PEOPLE[0].public


class Links:
    """The link to the host, as it stands now."""

    def __init__(self) -> None:
        self.state = LinkState(connected=False)

    def fail(self, reason: str) -> None:
        self.state = LinkState(connected=False, failures=TRIES, last_error=reason)

    def links(self) -> dict[bytes, LinkState]:
        return {HOST: self.state}


def looking() -> tuple[Links, FirstLink]:
    links = Links()
    return links, FirstLink(links, invite())  # type: ignore[arg-type]


def test_host_that_refuses_is_given_up_after_three_dials() -> None:
    links, first = looking()
    assert not first.is_up()
    links.fail(f"127.0.0.1:4433: {REFUSED}")
    with pytest.raises(LobbyError, match="was not reached"):
        first.is_up()


def test_silent_host_is_given_up_after_some_looks() -> None:
    _, first = looking()
    assert not any(first.is_up() for _ in range(LOOKS))
    with pytest.raises(LobbyError, match="no answer"):
        first.is_up()


def test_busy_host_that_breaks_off_handshakes_is_tried_on() -> None:
    """On a busy machine a handshake takes longer than the host waits for it."""
    links, first = looking()
    links.fail(f"127.0.0.1:4433: {BROKEN_OFF}")
    assert not first.is_up()
    links.state = LinkState(connected=True)
    assert first.is_up()
