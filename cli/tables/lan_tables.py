"""The tables on the local network, listed for a person to choose one."""

from __future__ import annotations

from collections.abc import Sequence

from cli.failures import NotFinishedError
from cli.kit.choice import choose
from cli.kit.output import ask_line, ask_yes, say
from cli.options.settings import print_json
from cli.tables.pasted import ask_invite, pasted
from cli.words.lan import line_of
from cli.words.said import LOOKING
from p2p.installation import program
from p2p.net.addresses import Address
from p2p.net.invite import Invite, InviteError
from p2p.net.lan import LanError, LanTable
from p2p.net.lan_search import Heard, listen
from p2p.version import PROTOCOL_VERSION, UPDATE

NONE_HERE = "No tables on this network right now. The host of a table can send you its invite."
NOBODY = (
    "Nobody announces a table on this network. Whoever opens one with nodealer host can also "
    "send you its invite: {program} join LINE."
)

BEGUN = "Already being played, and to be watched ({program} watch): {count}."


def choose_table(
    *,
    as_json: bool,
    choosing: bool,
    ready: bool = False,
    watching: bool = False,
    pasting: bool = False,
) -> LanTable | Invite | None:
    """The table that was chosen, or None if they were only listed, or the only one is not wanted.

    `ready`: the only one need not be asked about; `watching`: not to sit down but to look on, also
    where no seat is free; `pasting`: the person may paste an invite to another table instead.

    NotFinishedError if there is none; LanError if the network cannot be asked.
    """
    if not as_json:
        say(LOOKING)
    heard = _heard(pasting=pasting and choosing)
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
        return _none_found(pasting=pasting and choosing)
    if choosing:
        return _chosen(tables, ready=ready, pasting=pasting)
    for table in tables:
        say(line_of(table))
    return None


def line_and_addresses(chosen: LanTable | Invite) -> tuple[str, Sequence[Address]]:
    """The invite to what was chosen, and more addresses to try."""
    if isinstance(chosen, LanTable):
        return chosen.invite.encode(), chosen.addresses
    return chosen.encode(), ()


def _heard(*, pasting: bool) -> Heard:
    """Listen; somebody who may paste an invite needs no network that can be searched."""
    try:
        return listen()
    except LanError as error:
        if not pasting:
            raise
        say(str(error))
        return Heard()


def _none_found(*, pasting: bool) -> Invite:
    if pasting:
        say(NONE_HERE)
        invite = ask_invite()
        if invite is not None:
            return invite
    raise NotFinishedError(NOBODY.format(program=program()))


def _chosen(tables: Sequence[LanTable], *, ready: bool, pasting: bool) -> LanTable | Invite | None:
    lines = [line_of(table) for table in tables]
    if len(tables) > 1 and pasting:
        return _chosen_or_pasted(tables)
    table = tables[choose(lines, "Which table")]
    if ready or len(tables) > 1 or ask_yes("Sit down there?"):
        return table
    return ask_invite("Or paste the invite to another table") if pasting else None


def _chosen_or_pasted(tables: Sequence[LanTable]) -> LanTable | Invite:
    """Ask for the number of a table or for an invite, until one of them is typed."""
    for number, table in enumerate(tables, 1):
        say(f"  {number})  {line_of(table)}")
    while True:
        said = ask_line("Which table, or paste an invite", "1")
        if said.isdecimal():
            if 1 <= int(said) <= len(tables):
                return tables[int(said) - 1]
            say(f"Choose a number from 1 to {len(tables)}, or paste an invite.")
            continue
        try:
            return pasted(said)
        except InviteError as error:
            say(str(error))


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
