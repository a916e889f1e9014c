"""The tables on the local network, listed for a person to choose one."""

from __future__ import annotations

from cli.failures import NotFinishedError
from cli.kit.choice import choose
from cli.kit.output import ask_yes, say
from cli.options.settings import print_json
from cli.words.lan import line_of
from cli.words.said import LOOKING
from p2p.installation import program
from p2p.net.lan import LanTable
from p2p.net.lan_search import Heard, listen
from p2p.version import PROTOCOL_VERSION, UPDATE

NOBODY = (
    "Nobody announces a table on this network. Whoever opens one with nodealer host can also "
    "send you its invite: {program} join LINE."
)

BEGUN = "Already being played, and to be watched ({program} watch): {count}."


def choose_table(
    *, as_json: bool, choosing: bool, ready: bool = False, watching: bool = False
) -> LanTable | None:
    """The table that was chosen, or None if they were only listed, or the only one is not wanted.

    `ready`: the only one need not be asked about; `watching`: not to sit down but to look on, also
    where no seat is free.

    NotFinishedError if there is none; LanError if the network cannot be asked.
    """
    if not as_json:
        say(LOOKING)
    heard = listen()
    tables = heard.tables
    if as_json:
        told = {"garbled": heard.garbled, "more": heard.more, "other_version": heard.other}
        print_json({"tables": [_as_json(table) for table in tables], **told})
        return None
    for line in remarks(heard):
        say(line)
    begun = [] if watching else [table for table in tables if table.running]
    tables = tuple(table for table in tables if table not in begun)
    if begun:
        say(BEGUN.format(count=len(begun), program=program()))
    if not tables:
        raise NotFinishedError(NOBODY.format(program=program()))
    lines = [line_of(table) for table in tables]
    if choosing:
        table = tables[choose(lines, "Which table")]
        return table if ready or len(tables) > 1 or ask_yes("Sit down there?") else None
    for line in lines:
        say(line)
    return None


def remarks(heard: Heard) -> list[str]:
    """What a person should know about a list that is not all that was heard."""
    said = []
    if heard.garbled:
        said.append(f"Left out: {heard.garbled} announcements that make no sense.")
    if heard.other is not None:
        said.append(
            f"Left out: a table that speaks protocol version {heard.other}, and this program "
            f"{PROTOCOL_VERSION}: {UPDATE}."
        )
    if heard.more:
        said.append(
            "More tables are announced here than are listed; if yours is missing, ask its host "
            "for the invite."
        )
    return said


def _as_json(table: LanTable) -> dict[str, object]:
    return {
        "game": table.game,
        "seats": table.seats,
        "name": table.name,
        "fingerprint": table.fingerprint,
        "running": table.running,
        "invite": table.invite.encode(),
        "addresses": [str(address) for address in table.addresses],
    }
