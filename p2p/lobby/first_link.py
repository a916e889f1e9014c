"""The first link to the host of an invite, or a sentence about why there is none."""

from __future__ import annotations

from typing import Final

import trio

from p2p.errors import LobbyError
from p2p.identity.keys import words
from p2p.net.invite import Invite
from p2p.net.mesh import Mesh
from p2p.net.reach_address import shown

REACH_SECONDS: Final = 20.0
"""How long to try to reach a host before saying that it cannot be reached."""
TRIES: Final = 3
"""Failed dials after which a host counts as unreachable."""


async def reach(mesh: Mesh, invite: Invite, reached: trio.Event) -> None:
    """Return once the host is linked, or `reached` is set; LobbyError if it cannot be."""
    if invite.identity not in mesh.links():
        raise LobbyError(
            "this invite is your own: whoever sits down with it needs an identity of their own "
            "(on this machine: NODEALER_HOME=another-folder)"
        )
    with trio.move_on_after(REACH_SECONDS):
        while True:
            state = mesh.links()[invite.identity]
            if state.connected or reached.is_set():
                return
            if state.failures >= TRIES:
                break
            await trio.sleep(0.02)
    raise unreachable(mesh, invite)


def unreachable(mesh: Mesh, invite: Invite) -> LobbyError:
    """Why the host of an invite was not reached, in a sentence."""
    state = mesh.links().get(invite.identity)
    reason = state.last_error if state and state.last_error else "no answer"
    places = ", ".join(map(shown, invite.everywhere))
    return LobbyError(
        f"the table of {words(invite.identity)} was not reached at {places}: {reason}"
    )
