"""`--race-cap` and `--hold`: what a host asks for is in the header, and guests agree or go."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from cli.tables.bots import bot_player
from cli.tables.loopback import sits_down
from p2p.identity.keys import Identity
from p2p.net.invite import Invite
from p2p.peer import Endpoint, Sitter, TablePlan, host_table
from p2p.player.events import AtTheDoor
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms
from tests.cli.conftest import Run
from tests.cli.test_processes import start
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, sitter, store

TABLE = ("flip-over", "--seats", "3", "--option", "rounds=1", "--json")


def terms_of(log: Path) -> RaceTerms:
    """What the seats of a saved game signed."""
    return decode_header(split_log(log.read_bytes()).header).proposal.terms.race


def test_bots_hold_nothing(finished_log: Path) -> None:
    assert terms_of(finished_log) == RaceTerms(80_000, 0)


@pytest.mark.parametrize(
    ("command", "hold_us"), [(("play", *TABLE), 0), (("host", *TABLE, "--bots", "2"), 250_000)]
)
def test_the_terms_stand_in_the_header(
    run: Run, home: Path, command: tuple[str, ...], hold_us: int
) -> None:
    """Bots agree to what their host asks for; without a terminal `play` is bots only."""
    assert run(*command, "--race-cap", "200", "--hold", "250").exit_code == 0
    (log,) = (home / "games").glob("*.ndlog")
    assert terms_of(log) == RaceTerms(200_000, hold_us)


def test_a_guest_is_asked_before_more_than_80_ms_are_credited(tmp_path: Path) -> None:
    arguments = ("flip-over", "--seats", "3", "--bind", "127.0.0.1", "--race-cap", "120", "--json")
    host = start(tmp_path / "host", "host", *arguments, "--bots", "1")
    assert host.stdout is not None
    invite = json.loads(host.stdout.readline())["invite"]
    guest = start(tmp_path / "guest", "join", invite, "--json")
    _, said = guest.communicate(timeout=PATIENCE)
    host.kill()
    host.communicate()
    assert guest.returncode == 1
    assert "credit up to 120 ms of delay in races, more than the 80 ms" in said


@pytest.mark.parametrize(
    "wrong", [("--race-cap", "0"), ("--race-cap", "251"), ("--hold", "-1"), ("--hold", "5001")]
)
def test_terms_out_of_range(run: Run, wrong: tuple[str, str]) -> None:
    result = run("host", "flip-over", *wrong)
    assert result.exit_code == 2
    assert wrong[0] in result.stderr


async def test_bots_of_a_host_follow_a_race_cap_that_it_raises_in_the_lobby(tmp_path: Path) -> None:
    player, names = Watcher(0), ("Ada", "Bo")
    changed = Terms.of("flip-over", {"rounds": 1}, race=RaceTerms(cap_us=200_000))

    async def get_ready(say: Callable[[bool], None]) -> None:
        while not any(isinstance(event, AtTheDoor) for event in player.events):
            await trio.sleep(0.005)
        (door,) = {event.door for event in player.events if isinstance(event, AtTheDoor)}
        door.change(changed, 3)
        say(True)
        await trio.sleep_forever()

    def opened(invite: Invite) -> None:
        for name in names:
            bot = Identity.generate(os.urandom, name).as_bot()
            (tmp_path / name).mkdir()
            guest = Sitter(bot, bot_player("flip-over", 1, 1))
            nursery.start_soon(sits_down, invite, store(tmp_path / name), guest)

    (tmp_path / "host").mkdir()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            result = await host_table(
                sitter("host", player, get_ready=get_ready),
                TablePlan(Terms.of("flip-over"), 3),
                store(tmp_path / "host"),
                started=opened,
                endpoint=Endpoint(bind=LOOPBACK),
            )
    assert terms_of(result.log) == changed.race
