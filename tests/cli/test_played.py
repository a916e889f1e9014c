"""What is told of a game when it is over, from its log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest

from cli.words.played import MOMENTS, moments, played, story_of
from engine.games import load_text
from engine.totals import winners
from engine.wording import Wording
from replay.game import SavedGame
from tests.cli.conftest import Run


def test_a_log_tells_its_last_parts_and_its_end(finished_log: Path) -> None:
    found = played(finished_log)
    assert 1 < len(found.moments) <= MOMENTS
    assert "Round 1 is over" in found.moments[-1], "the result itself says that the game is over"
    assert found.own is not None
    assert len(found.result) == len(found.names)
    assert found.names[winners(found.result)[0]] in found.verdict


def test_the_story_of_a_game_in_sentences(finished_log: Path) -> None:
    told = story_of(finished_log, ascii=True)
    assert "At the table, with the fingerprints of their keys:" in told
    assert any("is over" in line for line in told)
    assert all(line.isascii() for line in told)


@pytest.mark.slow
def test_of_a_game_of_rounds_it_is_told_how_each_ended(run: Run) -> None:
    """Sneak marks where its rounds begin; its last contests say nothing of who won it."""
    done = run("demo", "sneak", "--seats", "2", "--option", "target=50", "--seed", "2", "--json")
    found = played(Path(json.loads(done.stdout)["log"])).moments
    rounds = [moment for moment in found if moment.startswith("Round ")]
    assert len(rounds) >= 2
    assert rounds[-1] == found[-1]


@pytest.mark.parametrize("hands", [2, 6])
def test_of_hands_of_flop_a_it_is_told_who_won_each_and_by_what(run: Run, hands: int) -> None:
    """Once, also where there would be room to tell the last of it twice."""
    limit = f"hands={hands}"
    done = run("demo", "flop-a", "--seats", "3", "--option", limit, "--seed", "3", "--json")
    found = played(Path(json.loads(done.stdout)["log"])).moments
    told = [re.search(r"Hand (\d) is over", one)[1] for one in found]  # type: ignore[index]
    assert told == [*"123456"][:hands]
    ways = r"all others are out|all cards are laid|high \d+|low \d+|best both ways"
    by = re.compile(rf"takes \d+ chips? from the pot: ({ways})\.")
    assert all(by.search(one) for one in found)
    flopped = ["all cards are laid" in one for one in found]
    assert flopped == [" pays " in one for one in found], "what the others owe then is told too"


def test_of_a_long_game_it_is_known_how_many_parts_are_not_told(run: Run) -> None:
    options = ("--option", f"hands={MOMENTS + 2}")
    done = run("demo", "flop-a", "--seats", "3", *options, "--seed", "3", "--json")
    found = played(Path(json.loads(done.stdout)["log"]))
    assert (len(found.moments), found.untold, found.scored) == (MOMENTS, 2, "chips")


class Told(NamedTuple):
    """What is told of a game whose notes are known."""

    names: tuple[str, ...]
    wording: Wording[Any]
    steps: tuple[Any, ...]

    def tell(self, notes: tuple[tuple[object, ...], ...], *, ascii: bool) -> list[str]:  # noqa: A002
        return [self.wording.describe_note(note, self.names, ascii=ascii) for note in notes]


def test_what_others_owe_stands_beside_what_is_won() -> None:
    """A tally fell by 15 chips of which nothing was said."""
    notes = (
        ("takes", 1, 75, "flopped", ""),
        ("pays", 0, 15, 1),
        ("pays", 2, 15, 1),
        ("hand-over", 1, (-15, 90, -15)),
    )
    step = SimpleNamespace(number=1, notes=notes, leavers=(), absent=())
    game = Told(("Nina", "Bo", "Ada"), load_text("flop-a"), (step,))
    (told,), _ = moments(cast("SavedGame", game))
    for owed in ("Nina owes Bo", "Ada owes Bo"):
        assert f"{owed} a fifth of the pot, and pays 15 chips." in told
