"""Who does not look at the terminal hears a bell, unless they have switched it off."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import trio

from cli.home.preferences import BELL, remember
from cli.kit.attention import APART_SECONDS, FRONT_SECONDS, Attention
from cli.line.person import Person
from cli.options.settings import Settings
from cli.tables.place import LinePlace
from p2p.player.events import Chat, Seated
from p2p.protocol.terms import Terms
from tests.cli.terminal import LEAVES, Terminal
from tests.cli.test_person import Script
from tests.screen.boards import position
from tests.screen.test_attention import Clock, Heard

HOST = ("host", "flip-over", "--seats", "3", "--bind", "127.0.0.1")
ASKED = "\x1b[?1004h"
UNASKED = "\x1b[?1004l"
TITLE = "\x1b]0;Ada sat down - Flip Over - nodealer\a"
OLD_TITLE = "\x1b[23;0t"
FOCUS_IN, FOCUS_OUT = "\x1b[I", "\x1b[O"


def leave(host: Terminal) -> None:
    host.keys("\x03")
    host.until(*LEAVES)
    host.keys("y")
    assert host.end() == 1


def sits_down(host: Terminal, home: Path) -> None:
    """Somebody takes the free seat while the terminal is not in front."""
    host.until("ND1:")
    host.keys("i")
    host.until("Enter goes back")
    invite = host.shown[host.shown.rindex("ND1:") :].split()[0]
    host.keys("\r")
    host.until("Enter: who is here")
    host.keys("\r" + FOCUS_OUT)
    home.mkdir()
    (home / "settings.toml").write_text('name = "Ada"\n')
    with Terminal(["join", invite, "--plain"], home):
        host.until("Ada")
        host.keys(FOCUS_IN)
        leave(host)


def test_a_bell_and_a_title_when_somebody_sits_down(tmp_path: Path) -> None:
    with Terminal(HOST, tmp_path / "host") as host:
        sits_down(host, tmp_path / "guest")
        raw = host.raw
    assert raw.count(TITLE) == 1
    after = raw[raw.index(TITLE) + len(TITLE) :]
    assert after.startswith("\a")
    assert OLD_TITLE in after
    assert raw.count("\a") == 3, "the ends of two titles, and one bell"
    # On the bare terminal that shows the invite, and after the end, nobody asks.
    said = [raw.find(ASKED), raw.find(UNASKED), raw.rfind(ASKED), raw.rfind(UNASKED)]
    assert said == sorted(said)
    assert raw.count(ASKED) == 2
    assert "^[[" not in raw


def test_no_bell_if_it_is_off(tmp_path: Path) -> None:
    home = tmp_path / "host"
    home.mkdir()
    (home / "settings.toml").write_text('name = "Robin"\nbell = "off"\n')
    with Terminal(HOST, home) as host:
        sits_down(host, tmp_path / "guest")
        raw = host.raw
    assert [code for code in ("\a", ASKED, OLD_TITLE) if code in raw] == []


# -- in lines --------------------------------------------------------------------------

SEATED = Seated(("Zoe", "Ada"), ("a-b", "c-d"), 0, Terms.of("flip-over"), 1_000)
SAID = Chat(1, "Ada", "are you there?")


def test_a_typed_line_is_a_sign_of_life() -> None:
    clock, heard = Clock(), Heard()
    person = Person(Settings(), Script(["1"]), attention=Attention(clock, heard))
    at = position("flip-over")
    person.tell(Seated(("Zoe", *"ABC"), ("a",) * 4, 0, Terms.of("flip-over"), 1_000))
    clock.seconds += FRONT_SECONDS
    trio.run(person.decide, at.view, at.question)
    clock.seconds += APART_SECONDS
    person.tell(SAID)
    assert heard.rung == ["your turn - Flip Over"]
    clock.seconds += FRONT_SECONDS - APART_SECONDS
    person.tell(SAID)
    assert heard.rung[1:] == ["Ada: are you there? - Flip Over"]


@pytest.mark.parametrize(
    ("bell", "terminal", "rings"), [("on", True, 1), ("off", True, 0), ("on", False, 0)]
)
def test_lines_ring_at_a_terminal_only(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    bell: str,
    terminal: bool,
    rings: int,
) -> None:
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    monkeypatch.setattr("cli.line.lines.terminal_lines", lambda: Script([]))
    monkeypatch.setattr("cli.kit.attention.FRONT_SECONDS", 0.0)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    remember(BELL, bell)
    person = LinePlace(Settings()).player()
    person.tell(SEATED)
    person.tell(SAID)
    assert capsys.readouterr().out.count("\a") == rings
