"""Which tables `resume` offers, what it says of the others, and how they are struck off."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cli.failures import UserMistakeError
from cli.home.folders import ledger_folder
from cli.home.own_bots import Stand, bots_at, new_bots, own_bots, sweep
from cli.home.person_identity import own_identity
from cli.home.unfinished import left_tables, seat_to_go_back_to, who_comes_back
from cli.menu.shelf import HomeShelf
from p2p.errors import StorageError
from p2p.files.ledger import Ledger
from p2p.files.saved import table_name
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import TableFiles
from p2p.identity.keys import Identity
from p2p.protocol.proposal import TOKEN_BYTES, Proposal, propose
from p2p.protocol.terms import Terms
from tests.cli.conftest import NOTHING, Run

FRIEND = Identity(bytes(range(32)), "Cleo")
OTHER = Identity(bytes(31) + b"\1", "Dan")
DAY = 86_400


def proposed(*seats: Identity) -> Proposal:
    """A table of Flip Over with these people."""
    pairs = [(one.public, one.name, one.bot) for one in seats]
    return propose(os.urandom(TOKEN_BYTES), Terms.of("flip-over"), pairs)


def begin(home: Path, proposal: Proposal, who: Identity, age_days: float = 0) -> TableFiles:
    """The files of somebody at this table, in the folder of games, as they are while it is open."""
    games = home / "games"
    return begin_in(games, ledger_folder(), proposal, who, age_days)


def begin_in(
    games: Path, ledger: Path, proposal: Proposal, who: Identity, age_days: float = 0
) -> TableFiles:
    games.mkdir(parents=True, exist_ok=True)
    files = TableFiles(games, table_name("flip-over", proposal.id), Ledger(ledger))
    seat = proposal.identities.index(who.public)
    files.begin(SeatMemory(seat, b"\7" * 32, b"\x08" * 32, proposal.data, {}))
    written = files.seat.stat().st_mtime - age_days * DAY
    os.utime(files.seat, (written, written))
    return files


def left(home: Path, proposal: Proposal, who: Identity, age_days: float = 0) -> Path:
    """The seat file of a table that was left."""
    files = begin(home, proposal, who, age_days)
    files.close(erase_secrets=False)
    return files.seat


def test_the_newest_that_can_go_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    me, _ = own_identity()
    tables = (proposed(me, FRIEND, OTHER) for _ in range(3))
    newest, older, oldest = (left(home, table, me, age) for age, table in enumerate(tables))
    games = home / "games"
    (games / "garbage.ndseat").write_bytes(b"")
    assert seat_to_go_back_to(games, choosing=False) == newest
    monkeypatch.setattr("click.prompt", lambda *what, **how: 3)
    assert seat_to_go_back_to(games, choosing=True) == oldest
    newest.unlink()
    assert seat_to_go_back_to(games, choosing=False) == older
    assert [choice.value for choice in HomeShelf().unfinished()] == [
        str(path.with_suffix(".ndlog")) for path in (older, oldest)
    ]
    with pytest.raises(UserMistakeError, match="no unfinished table"):
        seat_to_go_back_to(home / "nowhere", choosing=True)


def test_it_says_who_comes_back_and_who_has_to(home: Path, run: Run) -> None:
    me, _ = own_identity()
    with new_bots() as make_bot:
        bots = [make_bot("Ada"), make_bot("Bo")]
        proposal = proposed(me, *(bot.identity for bot in bots), FRIEND)
        left(home, proposal, me)
    (table,) = left_tables(home / "games")
    assert table.goes_on
    assert "with Ada (bot), Bo (bot), Cleo, left " in table.about
    assert table.about.endswith("(Cleo has to come back too)")
    assert who_comes_back(proposal, 0, own_bots(proposal)) == [
        "Ada and Bo come back with you.",
        "The game goes on as soon as Cleo can be reached.",
        "Whoever has closed it goes back with: nodealer resume",
    ]


def test_the_bots_of_an_evening_stay_as_long_as_a_table_needs_them(home: Path) -> None:
    me, _ = own_identity()
    with new_bots() as make_bot:
        bots = [make_bot("Ada")]
        keys = [bot.identity.public for bot in bots]
        proposal = proposed(me, bots[0].identity, FRIEND)
        sweep()  # another program ends meanwhile
        seat_file = left(home, proposal, me)
    with bots_at(proposal) as found:
        assert [bot.identity.public for bot in found] == keys
        with pytest.raises(UserMistakeError, match="Another nodealer"), bots_at(proposal):
            raise AssertionError("both play with the bots")
    (folder,) = (home / "bots").iterdir()
    os.link(folder / "0" / "identity.json", home / "twin")
    seat_file.unlink()
    sweep()
    assert list((home / "bots").iterdir()) == []
    assert set((home / "twin").read_bytes()) == {0}


def test_a_table_whose_bot_is_gone_is_not_offered_and_struck_off(home: Path, run: Run) -> None:
    me, _ = own_identity()
    with new_bots() as make_bot:
        bots = [make_bot("Ada")]
        proposal = proposed(me, bots[0].identity, FRIEND)
        seat_file = left(home, proposal, me)
        store = bots[0].store
        files = begin_in(store.folder, store.ledger, proposal, bots[0].identity)
        files.close(erase_secrets=True)  # it has signed, and gave the table up
    refused = run("resume")
    assert refused.exit_code == 2
    assert refused.stderr == (
        "nodealer: There is no unfinished table to go back to. 1 table cannot go on; "
        "nodealer resume --forget strikes it off.\n"
    )
    named = run("resume", str(seat_file.with_suffix(".ndlog")))
    assert named.exit_code == 2
    assert "what Ada signed there is gone" in named.stderr
    told = run("resume", "--forget")
    assert told.exit_code == 0
    assert told.stdout.startswith("Struck off: Flip Over with Ada (bot), Cleo, left ")
    assert not seat_file.exists()
    assert list((home / "bots").iterdir()) == []
    assert run("resume", "--forget").stdout == "There is no table that cannot go on.\n"


def test_somebody_else_s_seat_is_not_offered(home: Path, run: Run) -> None:
    """As that of a bot that was killed in a match of bots, whose key nobody has any more."""
    left(home, proposed(FRIEND, OTHER, own_identity()[0]), FRIEND)
    (table,) = left_tables(home / "games")
    assert table.hindrance == "the key of its seat is not yours"
    forgotten = json.loads(run("resume", "--forget", "--json").stdout)["forgotten"]
    assert forgotten == [str(table.seat_file.with_suffix(".ndlog"))]


def test_a_table_that_is_played_is_neither_offered_nor_struck_off(home: Path, run: Run) -> None:
    me, _ = own_identity()
    files = begin(home, proposed(me, FRIEND, OTHER), me)
    try:
        for arguments in (["resume"], ["resume", str(files.log)]):
            refused = run(*arguments)
            assert refused.exit_code == 2
        assert "another nodealer of yours plays there" in refused.stderr
        assert run("resume", "--forget").stdout == "There is no table that cannot go on.\n"
        assert run("resume", "--forget", str(files.log)).exit_code == 2
        assert files.seat.exists()
    finally:
        files.close(erase_secrets=False)


def test_a_table_that_could_go_on_is_struck_off_by_name_only(home: Path, run: Run) -> None:
    me, _ = own_identity()
    seat_file = left(home, proposed(me, FRIEND, OTHER), me)
    assert run("resume", "--forget").exit_code == 0
    assert seat_file.exists()
    assert run("resume", "--forget", str(seat_file.with_suffix(".ndlog"))).exit_code == 0
    assert not seat_file.exists()


def test_a_crash_while_secrets_were_erased(home: Path, run: Run) -> None:
    """What it left of the seat files is erased, and neither table nor bot counts as lost."""
    me, _ = own_identity()
    with new_bots() as make_bot:
        bots = [make_bot("Ada")]
        proposal = proposed(me, bots[0].identity, FRIEND)
        files = begin_in(bots[0].store.folder, bots[0].store.ledger, proposal, bots[0].identity)
        files.close(erase_secrets=False)
        half_erased(files)
        seat_file = left(home, proposal, me)
        assert bots[0].stand(proposal) is Stand.OVER
        (table,) = left_tables(home / "games")
        assert table.goes_on
        half_erased(files_of(seat_file))
    assert run("resume").stderr == f"nodealer: {NOTHING}\n"
    assert not list(home.rglob("*.ndseat"))
    assert list((home / "bots").iterdir()) == []


def half_erased(files: TableFiles) -> None:
    """As `TableFiles.close` leaves them if it is killed after it has overwritten the seat file."""
    files.keep_hand("")
    files.seat.write_bytes(bytes(files.seat.stat().st_size))


def files_of(seat_file: Path) -> TableFiles:
    return TableFiles(seat_file.parent, seat_file.stem, Ledger(ledger_folder()))


def test_how_far_a_bot_has_come(home: Path) -> None:
    """Only one that has surely signed nothing begins anew."""
    me, _ = own_identity()
    with new_bots() as make_bot:
        bot = make_bot("Ada")
        proposal = proposed(me, bot.identity, FRIEND)
        assert bot.stand(proposal) is Stand.FRESH
        files = begin_in(bot.store.folder, bot.store.ledger, proposal, bot.identity)
        files.close(erase_secrets=False)
        assert bot.stand(proposal) is Stand.BEGUN
        whole, (note,) = files.seat.read_bytes(), bot.store.ledger.iterdir()
        for cut in (0, 7, 17, 60, len(whole) - 1):
            files.seat.write_bytes(whole[:cut])
            assert bot.stand(proposal) is Stand.LOST
        noted = note.read_bytes()
        note.unlink()
        for cut in (0, 7, 17, 60, len(whole) - 1):
            files.seat.write_bytes(whole[:cut])
            assert bot.stand(proposal) is Stand.FRESH
        files.seat.write_bytes(bytes(len(whole)))
        assert bot.stand(proposal) is Stand.LOST
        files.seat.unlink()
        note.write_bytes(noted)
        assert bot.stand(proposal) is Stand.LOST


def test_a_disk_that_refuses_bots_is_a_sentence(home: Path) -> None:
    own_identity()
    (home / "bots").write_text("a file where the folder of bots should be")
    with new_bots() as make_bot, pytest.raises(StorageError, match="cannot be written"):
        make_bot("Ada")
