"""Back at a table that was left or lost, together with the bots that sat there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import trio

from cli.home.folders import ledger_folder
from cli.home.own_bots import bots_at
from cli.home.person_identity import own_identity
from cli.home.unfinished import check, who_comes_back
from cli.kit.output import say
from cli.tables.bots import bot_player
from cli.tables.evening import Evening
from cli.tables.loopback import Local, beside, stay_on
from cli.tables.place import Place
from cli.words.summary import Summary
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import Store, saved_seat, seat_files
from p2p.peer import Player, Sitter, TableResult, begin_late, resume_table
from p2p.player.bots import Pace
from p2p.protocol.proposal import decode_proposal


def resume_match(seat_file: Path, seed: int | None, pace: Pace, place: Place | None) -> Summary:
    """Sit down again at an unfinished table; your seat is a bot's unless you have a place.

    UserMistakeError if it cannot go on, or another program of yours plays there.
    """
    known = saved_seat(seat_file)
    check(seat_file)
    identity, _ = own_identity()
    proposal = decode_proposal(known.proposal)

    def bot(seat: int) -> Player:
        thinks = None if place is None else place.pace.thinks
        return bot_player(proposal.game.name, seed, seat, pace, thinks)

    run = trio.run if place is None else place.run
    evening = Evening(place)
    with bots_at(proposal) as bots:
        player = bot(known.seat) if place is None else place.player()
        me = Sitter(identity, player, again=evening.again)
        tell(who_comes_back(proposal, known.seat, bots), place)
        seats = [(one, proposal.identities.index(one.identity.public)) for one in bots]
        guests = [beside(one, bot(seat)) for one, seat in seats]
        play = partial(_play, me, seat_file, known, guests)
        return evening.play(seat_file.parent, lambda: run(play))


def tell(lines: Sequence[str], place: Place | None) -> None:
    """Show lines where the person sits, or else on stderr."""
    if place is not None:
        place.say(lines)
        return
    for line in lines:
        say(f"nodealer: {line}", err=True)


async def _play(
    me: Sitter, seat_file: Path, known: SeatMemory, bots: Sequence[Local]
) -> TableResult:
    async with trio.open_nursery() as nursery:
        for bot in bots:
            sit = partial(_sit_again, bot.store, known)
            nursery.start_soon(stay_on, bot.who, sit, me.again is not None)
        return await resume_table(me, seat_file, ledger_folder())


async def _sit_again(store: Store, known: SeatMemory, who: Sitter) -> TableResult:
    """A bot's seat: from its file, or from the beginning if it had not begun."""
    proposal = decode_proposal(known.proposal)
    for seat_file in seat_files(store.folder, proposal.id):
        return await resume_table(who, seat_file, store.ledger)
    return await begin_late(who, store, known)
