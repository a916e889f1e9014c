"""The first link to the host of an invite, or a sentence about why there is none."""

from __future__ import annotations

from typing import Final

from p2p.errors import LobbyError
from p2p.identity.keys import words
from p2p.net.addresses import is_loopback
from p2p.net.dialler import NO_ANSWER, REFUSED
from p2p.net.handshake import BROKEN_OFF
from p2p.net.invite import Invite
from p2p.net.reach_address import shown
from p2p.seat.desk import Links

LOOKS_SECONDS: Final = 0.02
"""How often to look whether a host is reached."""
LOOKS: Final = 500
"""Looks after which a host cannot be reached: 10 s, and more on a machine that is so busy that it
looks less often, for it dials less often too."""
TRIES: Final = 3
"""Failed dials after which a host counts as unreachable, unless a program listens there."""
FIREWALL: Final = (
    "Nothing answers there: a firewall on the host's machine may block nodealer, or your machine "
    "is on another network."
)
CLOSED: Final = (
    "The table may be closed, or one of you is on another network now: ask for a new invite."
)
ONLY_THERE: Final = (
    "This invite is only for programs on the host's own machine; there the table may be closed."
)


class FirstLink:
    """Looks for the first link to the host of an invite.  LobbyError for an invite of one's own."""

    def __init__(self, links: Links, invite: Invite) -> None:
        self._links: Final = links
        self._invite: Final = invite
        self._looks = 0
        if invite.identity not in links.links():
            raise LobbyError(
                "this invite is your own: whoever sits down with it needs an identity of their own "
                "(on this machine: NODEALER_HOME=another-folder)"
            )

    def is_up(self) -> bool:
        """Look whether the host is linked; LobbyError once it cannot be reached."""
        state = self._links.links()[self._invite.identity]
        self._looks += 1
        fails = state.failures >= TRIES and BROKEN_OFF not in (state.last_error or "")
        if not state.connected and (fails or self._looks > LOOKS):
            raise unreachable(self._links, self._invite)
        return state.connected


def unreachable(links: Links, invite: Invite) -> LobbyError:
    """Why the host of an invite was not reached, in a sentence."""
    state = links.links().get(invite.identity)
    if state is not None and state.last_error:
        reason = state.last_error
    else:
        reason = f"{', '.join(map(shown, invite.everywhere))}: {NO_ANSWER}"
    silent = NO_ANSWER in reason and REFUSED not in reason
    hint = FIREWALL if silent else CLOSED
    if invite.reach is None and is_loopback(invite.addresses):
        hint = ONLY_THERE
    return LobbyError(f"the table of {words(invite.identity)} was not reached at {reason}. {hint}")
