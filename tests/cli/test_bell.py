"""Who does not look at the terminal hears a bell, unless they have switched it off."""

from __future__ import annotations

from pathlib import Path

from tests.cli.terminal import Terminal

HOST = ("host", "flip-over", "--seats", "3", "--bind", "127.0.0.1")
ASKED = "\x1b[?1004h"
UNASKED = "\x1b[?1004l"
TITLE = "\x1b]0;Ada sat down - Flip Over - nodealer\a"
OLD_TITLE = "\x1b[23;0t"
FOCUS_IN, FOCUS_OUT = "\x1b[I", "\x1b[O"


def leave(host: Terminal) -> None:
    host.keys("\x03")
    host.until("(y/n)")
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
