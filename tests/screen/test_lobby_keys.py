"""The keys of the lobby's page."""

from __future__ import annotations

from dataclasses import replace

from cli.screen.lobby import READY, UNREADY, Gathered, Lobby

HERE = Gathered(("1  Ana", "2  Bo"), "2 of 2 seated", ready=False, full=True, signing="...")


def test_enter_says_what_was_drawn_however_often_it_is_pressed_meanwhile() -> None:
    """Enter is pressed twice for one picture, and the lobby answers between the two.

    Answer: both presses mean what the picture said.
    """
    lobby, said = Lobby("a table"), list[bool]()

    def say(ready: bool) -> None:
        said.append(ready)
        lobby.gather(replace(HERE, ready=ready))

    lobby.set_ready = say
    lobby.gather(HERE)
    for foot, ready in ((UNREADY, True), (READY, False), (UNREADY, True)):
        page = lobby.page(seated=False)
        assert page is not None
        assert page.foot is not None
        assert page.foot.startswith(foot)
        lobby.enter()
        lobby.enter()
        assert said[-2:] == [ready, ready]
