"""The first picture is drawn before anything of the peers is imported, or of what is asked."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path

import pytest

from cli.bench.screens import rows
from cli.options.bot_levels import AskedPace
from cli.options.terms import CAPS_MS, HOLDS_MS, TERMS, said_of
from engine.bots.pace import FAST
from p2p.protocol.races.terms import CAPS_US, HOLDS_US
from p2p.protocol.terms import Terms
from tests.cli.terminal import named

SOON = (
    *("p2p", "p2p.text", "p2p.text.names", "p2p.text.codepoints"),
    *("p2p.disk", "p2p.disk.durable", "p2p.disk.outside"),
    *("p2p.protocol", "p2p.protocol.policy"),
)
"""Rules of printable text, how files are read, and what `--carry-on` may say, which is refused
before a screen opens: small modules that need no others."""
LATE = (
    *("p2p", "replay", "rbcl", "cryptography", "zeroconf", "trio", "rich", "engine.wording"),
    *("cli.line.choices", "cli.screen.asking", "cli.screen.keys", "cli.screen.presenter"),
)
"""Peers, and what is said of a game and asked at it, with all that lies in these packages."""
PROBE = """
import sys
from functools import partialmethod
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
import cli.options.settings, cli.tables.place, cli.screen.app
from cli.main import main

Screen = cli.screen.app.Screen

def there(self):
    opened(self)
    late = sorted(m for m in sys.modules if (m + ".").startswith({late!r}) and m not in {soon!r})
    print("after", self.app.render_counter, "pictures:", late)
    self.__exit__(None, None, None)
    raise SystemExit(0)

opened, Screen.__enter__ = Screen.__enter__, there
sys.stdin.isatty = sys.stdout.isatty = lambda: True
with create_pipe_input() as pipe:
    Screen.__init__ = partialmethod(Screen.__init__, source=pipe, output=DummyOutput())
    main({arguments!r})
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "flaps", "--level", "7"],
        ["host", "sneak", "--seats", "3"],
        ["join", "ND1:NOTHING"],
        ["watch", "ND1:NOTHING"],
    ],
)
def test_what_the_first_picture_does_not_show_is_not_imported_before_it(
    arguments: list[str], tmp_path: Path
) -> None:
    late = tuple(f"{package}." for package in LATE)
    probe = PROBE.format(late=late, soon=SOON, arguments=arguments)
    named(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", probe],
        capture_output=True,
        text=True,
        check=False,
        env={
            "TERM": "xterm",
            "PYTHONPATH": ".",
            "PYTHONIOENCODING": "utf-8",
            "NODEALER_HOME": str(tmp_path),
            "PATH": os.environ["PATH"],
        },
    )
    assert "after 1 pictures: []" in done.stdout, done.stdout + done.stderr


def test_the_numbers_of_the_options_are_those_of_the_protocol() -> None:
    """They are there twice, so that the help and the first picture need not import the protocol."""
    assert tuple(1000 * ms for ms in CAPS_MS) == (CAPS_US[0], CAPS_US[-1])
    assert tuple(1000 * ms for ms in HOLDS_MS) == (HOLDS_US[0], HOLDS_US[-1])
    assert said_of(Terms.of("flaps")) == {one.name: one.usual for one in TERMS}
    assert (AskedPace(fast=True).pace(), AskedPace(fast=False).pace()) == (FAST, None)


@pytest.mark.slow
def test_the_benchmark_of_the_screen_measures_all_three_and_its_bots_end() -> None:
    measured = rows(repeats=1, keys=2)
    assert [row.name.partition(": ")[2] for row in measured] == [
        *("first picture", "key to picture", "key while bots think")
    ]
    assert all(0 < row.value < 60_000 for row in measured)
    assert measured[2].floor == measured[1].value
    assert not active_children()
