"""What a table does when a player is lost, and what that costs, in words.  Pure."""

from __future__ import annotations

from p2p.protocol.policy import least_of


def what_becomes(policy: str) -> str:
    """What everybody agrees to who sits down at a table with this policy."""
    least = least_of(policy)
    if not least:
        return (
            "the table waits until they are back (policy wait). Nobody can play for them, and "
            "nobody can put them out."
        )
    return (
        f"if somebody is lost, the others can go on while {least} of you are left (policy "
        f"carry-on). The price: any {least} players together could read everybody's cards, and "
        "players who have left count among them."
    )
