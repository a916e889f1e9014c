"""Back at a table that was left or lost, together with the bots that sat there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

from cli.home.folders import ledger_folder
from cli.home.own_bots import Stand, bots_at
from cli.home.person_identity import own_identity
from cli.home.unfinished import check, who_comes_back
from cli.kit.output import say
from cli.options.give_up_option import patience
from cli.tables.bot_names import level_of
from cli.tables.bots import bot_player
from cli.tables.evening import Evening
from cli.tables.loopback import Local, beside, stay_on, with_bots
from cli.tables.place import Place
from cli.words.summary import Summary
from engine.bots.pace import Pace
from p2p.files.saved import saved_seat, seat_files
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import Store
from p2p.net.lan_search import find_tables
from p2p.peer import Player, Sitter, TableResult, begin_late, resume_table
from p2p.protocol.proposal import decode_proposal


def resume_match(
    seat_file: Path, seed: int | None, pace: Pace | None, place: Place | None, give_up: int
) -> Summary:
    """Sit down again at an unfinished table; your seat is a bot's unless you have a place.

    UserMistakeError if it cannot go on, or another program of yours plays there.
    """
    known = saved_seat(seat_file)
    check(seat_file)
    identity, _ = own_identity()
    proposal = decode_proposal(known.proposal)

    def bot(seat: int) -> Player:
        thinks, level = None if place is None else place.pace.thinks, level_of(proposal.names[seat])
        return bot_player(proposal.game.name, seed, seat, pace, thinks, level)

    run = trio.run if place is None else place.run
    evening = Evening(place)
    with bots_at(proposal) as bots:
        player = bot(known.seat) if place is None else place.player()
        me = Sitter(identity, player, again=evening.again, patience=patience(give_up))
        _tell(who_comes_back(proposal, known.seat, bots), place)
        seats = [(one, proposal.identities.index(one.identity.public)) for one in bots]
        guests = [(one.stand(proposal), beside(one, bot(seat))) for one, seat in seats]
        play = partial(_play, me, seat_file, known, guests)
        return evening.play(seat_file.parent, lambda: run(play))


def _tell(lines: Sequence[str], place: Place | None) -> None:
    """Show lines where the person sits, or else on stderr."""
    if place is not None:
        place.say(lines)
        return
    for line in lines:
        say(f"nodealer: {line}", err=True)


async def _play(
    me: Sitter, seat_file: Path, known: SeatMemory, bots: Sequence[tuple[Stand, Local]]
) -> TableResult:
    async with with_bots() as nursery:
        for stand, bot in bots:
            sit = partial(_SITS_AGAIN[stand], bot.store, known)
            nursery.start_soon(stay_on, bot.who, sit, me.again is not None)
        result = await resume_table(me, seat_file, ledger_folder(), find_tables)
        nursery.cancel_scope.cancel()  # whatever a bot lacks still, nobody needs it any more
    return result


async def _go_on(store: Store, known: SeatMemory, who: Sitter) -> TableResult:
    (seat_file,) = seat_files(store.folder, decode_proposal(known.proposal).id)
    return await resume_table(who, seat_file, store.ledger)


async def _begin(store: Store, known: SeatMemory, who: Sitter) -> TableResult:
    """What a crash left of a seat file in which nothing was signed gives way."""
    for torn in seat_files(store.folder, decode_proposal(known.proposal).id):
        torn.unlink()
    return await begin_late(who, store, known)


async def _stay_away(store: Store, known: SeatMemory, who: Sitter) -> None:
    """A bot that was there to the end has told all that it signed."""


_SITS_AGAIN: Final = {
    Stand.FRESH: _begin,
    Stand.BEGUN: _go_on,
    Stand.OVER: _stay_away,
}
