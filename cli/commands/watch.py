"""`nodealer watch`: look on at a table, and check everything."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from cli.options.reach_option import AskedReach, reach_option
from cli.options.settings import Settings, at_a_terminal, common, has_screen, json_option
from cli.options.table_pace import table_pace
from cli.tables.place import Place, place_for


@click.command("watch", epilog="Example: nodealer watch ND1:AHIVFHB5...")
@click.argument("table", metavar="[INVITE|LOG]", required=False)
@reach_option
@json_option
@common
@table_pace
def command(table: str | None, reach: AskedReach, as_json: bool, settings: Settings) -> int:
    """Watch the table of INVITE, or the game in LOG, even while it is played.

    Without either, the tables on the local network are listed, to choose one (with --json, or
    without a terminal, only listed).

    You see what everybody may see, and every shuffle, share and move is checked as it
    happens.  The players are told that you watch.  Full screen at a terminal, where
    q leaves; lines otherwise, and with --plain.
    """
    if table is None:
        from cli.tables.lan_tables import (  # noqa: PLC0415 (imports the peers)
            choose_table,
            line_and_addresses,
        )

        person = at_a_terminal() and not as_json
        chosen = choose_table(
            as_json=as_json, choosing=person, ready=True, watching=True, pasting=True
        )
        if chosen is None:
            return 0
        table, _ = line_and_addresses(chosen)
    title = "watching"
    screen = has_screen() and not settings.plain and not as_json
    seen = place_for(settings, title, watching=True) if screen else nullcontext[Place | None]()
    with seen as place:
        from cli.tables.spectator import Story, watch_live, watch_log  # noqa: PLC0415
        from cli.words.summary import conclude  # noqa: PLC0415 (after the first picture)
        from p2p.net.invite import Invite  # noqa: PLC0415

        story = Story(settings, place, silent=as_json)
        path = Path(table)
        if table.strip()[:2].upper() == "ND" and not path.exists():
            summary = watch_live(Invite.decode(table), story, reach.plan())
        else:
            summary = watch_log(path, story)
    return conclude(summary, as_json)
