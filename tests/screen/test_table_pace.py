"""`--pace`, which reaches the screen and the bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import pytest
from click.testing import CliRunner

from cli.commands import host, join, play, resume, watch
from cli.home.preferences import PACE
from cli.options.bot_levels import AskedPace, pace_option
from cli.options.settings import Settings, common
from cli.options.table_pace import NAMES, table_pace
from cli.tables.place import LinePlace


@pytest.mark.parametrize(
    ("words", "pace"), [([], PACE.default), *((["--pace", name], name) for name in NAMES)]
)
def test_the_pace_is_a_setting_beside_the_one_of_races(words: Sequence[str], pace: str) -> None:
    met: list[tuple[Settings, Any]] = []

    @click.command()
    @pace_option
    @common
    @table_pace
    def command(settings: Settings, pace: AskedPace) -> None:
        met.append((settings, pace))

    done = CliRunner().invoke(command, [*words, "--fast-bots"], catch_exceptions=False)
    assert done.exit_code == 0
    ((settings, races),) = met
    assert settings.pace == pace
    assert races == AskedPace(fast=True)
    assert LinePlace(settings).pace.name == pace


@pytest.mark.parametrize("module", [play, host, join, resume, watch])
def test_every_command_that_opens_a_table_has_it(module: Any) -> None:
    """And no two of its options have one name: the last would hide the others."""
    names = [parameter.name for parameter in module.command.params]
    assert "pace_name" in names
    assert len(names) == len(set(names))
