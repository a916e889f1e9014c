"""What a line means before a game, when the host changes what is played."""

from __future__ import annotations

from dataclasses import replace

import trio
from trio.testing import MockClock

from cli.kit.reaction import REST_SECONDS
from cli.line.in_lobby import InLobby
from p2p.protocol.terms import Terms
from tests.cli.test_lobby_text import LOBBY

CHANGED = replace(LOBBY, terms=Terms.of("sneak"))


def in_lobby(said: list[bool]) -> InLobby:
    """A guest who is ready for the first table."""
    lobby = InLobby(said.append, None, lambda levels, given_up: None)
    lobby.gather(LOBBY, "")
    lobby.hear("")
    assert said == [True]
    return lobby


async def test_guest_is_asked_again_after_the_host_has_changed_the_table(
    autojump_clock: MockClock,
) -> None:
    said: list[bool] = []
    lobby = in_lobby(said)
    asked = lobby.ask()
    assert lobby.gather(CHANGED, asked) != asked
    await trio.sleep(REST_SECONDS)
    lobby.hear("")
    assert said == [True, True]


async def test_line_that_was_meant_for_the_old_table_agrees_to_nothing(
    autojump_clock: MockClock,
) -> None:
    said: list[bool] = []
    lobby = in_lobby(said)
    lobby.gather(CHANGED, "")
    await trio.sleep(REST_SECONDS - 0.1)
    lobby.hear("")
    assert said == [True]


async def test_host_who_changes_the_table_stays_ready() -> None:
    said: list[bool] = []
    lobby = InLobby(said.append, None, lambda levels, given_up: None)
    lobby.gather(replace(LOBBY, seat=0), "")
    lobby.hear("")
    asked = lobby.ask()
    assert lobby.gather(replace(CHANGED, seat=0), asked) == asked


async def test_news_of_people_changes_nothing() -> None:
    said: list[bool] = []
    lobby = in_lobby(said)
    asked = lobby.ask()
    assert lobby.gather(replace(LOBBY, people=LOBBY.people[:2]), asked) == asked
