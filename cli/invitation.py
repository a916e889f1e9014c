"""How a host shows an invite: the line to send and its QR code."""

from __future__ import annotations

import io

from p2p.net.invite import Invite


def invitation_lines(invite: Invite, empty_seats: int, *, ascii_only: bool) -> list[str]:
    """What a host reads while the table fills; the QR code only where it can be drawn."""
    code = [] if ascii_only else qr_lines(invite)
    addresses = ", ".join(str(address) for address in invite.addresses)
    people = "1 more player" if empty_seats == 1 else f"{empty_seats} more players"
    return [
        *code,
        "The invite, to be sent as it is:",
        "",
        f"  {invite.encode()}",
        "",
        f"It leads to {addresses}, and is no secret: whoever reads it can knock here.",
        f"Waiting for {people} (nodealer join INVITE). Ctrl-C closes the table.",
    ]


def qr_lines(invite: Invite) -> list[str]:
    """The invite as a QR code of half blocks, two rows of it in each line."""
    import segno  # noqa: PLC0415 (only a host at a terminal needs it)

    drawn = io.StringIO()
    segno.make(invite.encode(), error="l").terminal(out=drawn, compact=True, border=1)
    return drawn.getvalue().splitlines()
