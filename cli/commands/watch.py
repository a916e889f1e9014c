"""`nodealer watch`: look on at a table, and check everything."""

from __future__ import annotations

from pathlib import Path

import click

from cli.reach_option import AskedReach, reach_option
from cli.settings import Settings, common, json_option


@click.command("watch", epilog="Example: nodealer watch ND1:AHIVFHB5...")
@click.argument("table", metavar="INVITE|LOG")
@reach_option
@json_option
@common
def command(table: str, reach: AskedReach, as_json: bool, settings: Settings) -> int:
    """Look on at the table of INVITE, or at the game in LOG, which may still go on.

    You see what everybody may see, and every shuffle, share and move is checked as it
    happens.  The players are told that you watch.
    """
    from cli.summary import conclude  # noqa: PLC0415 (imports the peers)
    from cli.watching import watch_live, watch_log  # noqa: PLC0415
    from p2p.net.invite import Invite  # noqa: PLC0415

    path = Path(table)
    if table.strip()[:2].upper() == "ND" and not path.exists():
        summary = watch_live(Invite.decode(table), settings, reach.plan(), silent=as_json)
    else:
        summary = watch_log(path, settings, silent=as_json)
    return conclude(summary, as_json)
