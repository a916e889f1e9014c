"""Whoever reads that something went wrong reads what to do next: a command, or a choice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from cli.failures import _FAMILIES, explain
from cli.main import COMMANDS
from p2p.errors import LobbyError, PeerError, StorageError
from replay.audit import UnreadableError
from tests.cli.conftest import Run
from tests.repo.sources import parsed, shown, sources, walked

ALWAYS = {name for _, name, _, then in _FAMILIES if then}
"""Families whose sentences are all followed by the same next step."""
SENTENCES = {name for _, name, _, then in _FAMILIES if not then} | {"UserMistakeError"}
STEP = re.compile(
    r"(?i)--\w|program\(\)|\bsuch as\b|\bone of\b|\bthere are:|\bthe games are:|NODEALER_HOME"
    r"|\b(add|adds|ask|choose|close|compare|copy|correct|install|leave|lies between|make|name|"
    r"restore|run|say|set|see|take|wants|has the steps|seats are|is for|is \d)\b"
    r"|\bnot \{|to_add|_MEND|options are:|makes one|\bwait, or\b|three or more|\} to \{"
)
"""What a sentence says next: an option, a command, what may be chosen, or what to do."""
PUT_IN = re.compile(r"\{(?!program|to_add|_MEND)[^}]*\}")
"""What is put into a sentence is no word of it."""
BY_OTHERS = {
    # The sentence comes from where it is known, and is tested there.
    "UsageError(sentence)",
    "UsageError(why)",
    "OtherVersionError(other)",
    # For the author of a game, who reads what does not agree.
    "UsageError(f'the game {name!r} of the package {package} calls itself {game.name!r}')",
    "UserMistakeError(why)",
    "UserMistakeError(f'{path()}: {error}')",
    "UserMistakeError(_too_many(seats, together, self))",
    "UserMistakeError(NO_TERMINALS)",
    "UsageError(f'{label}: {error}' if label else str(error))",
    "UserMistakeError('There is no unfinished table to go back to.' + _then(stuck))",
    # Nobody can cause these by typing: bytes of an invite, told as "its addresses make no sense".
    *("AddressError('a gap between addresses')", "AddressError('an address is cut off')"),
}
INSIDE = {"p2p/net/reach_address.py", "p2p/net/reach.py", "p2p/net/invite.py"}
"""Checks of what this program makes itself, or of an invite's bytes."""
MADE_HERE = ("An invite holds", "A table token has", "The key of an endpoint", "A relay is")
TEXTS = ("This is not the", "This relay is not")


def raised() -> Iterator[tuple[str, str]]:
    """Each place where such an error is made, with its sentence as it is written."""
    for path in sources():
        for node in walked(parsed(path)):
            made = isinstance(node, ast.Call) and ast.unparse(node.func) in SENTENCES
            if made and isinstance(node, ast.Call) and node.args:
                yield shown(path, node), ast.unparse(node)


def is_inside(place: str, call: str) -> bool:
    sentence = call.partition("(")[2].lstrip("f'\"")
    return place.partition(":")[0] in INSIDE and sentence.startswith((*MADE_HERE, *TEXTS))


def test_every_sentence_says_what_to_do_next() -> None:
    found = dict(raised())
    assert len(found) > 80
    without = {
        place: call
        for place, call in found.items()
        if not STEP.search(PUT_IN.sub("{}", call))
        and call not in BY_OTHERS
        and not is_inside(place, call)
    }
    assert without == {}


@pytest.mark.parametrize(
    ("error", "step"),
    [
        (LobbyError("the table is full"), "join with a new invite."),
        (StorageError("x cannot be written"), "resume goes back to the table."),
        (UnreadableError("x cannot be read"), "id tells where yours are."),
        (PeerError("bad-share", "a share is wrong", seat=2), "report."),
    ],
)
def test_a_family_with_one_next_step_for_all(error: Exception, step: str) -> None:
    failure = explain(error)
    assert failure is not None
    assert failure.sentence.endswith(step)
    assert type(error).__name__ in ALWAYS


@pytest.mark.parametrize(
    "line", ["replay a.ndlog", *(f"{name} a.ndlog b.ndlog" for name in ("audit", "fairness"))]
)
def test_a_file_that_cannot_be_read_leads_to_the_saved_games(run: Run, line: str) -> None:
    command, *paths = line.split()
    told = run(command, *paths).stderr.splitlines()
    assert len(told) == len(paths)
    assert all(one.endswith(" id tells where yours are.") for one in told)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_wrong_option_leads_to_the_help_of_its_command(run: Run, name: str) -> None:
    told = run(name, "--no-such-option").stderr
    assert "No such option" in told
    assert told.endswith(f" {name} --help\n")


def test_a_wrong_command_leads_to_the_help(run: Run) -> None:
    told = run("pley").stderr
    assert "play" in told
    assert told.endswith(" --help\n")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("simulate", "--games", "many"), "'many' is no whole number. Help: nodealer simulate"),
        (("report", "--log-file"), "requires an argument. Help: nodealer"),
    ],
)
def test_what_has_no_value_or_a_wrong_one_leads_to_the_help(
    run: Run, typed: tuple[str, ...], told: str
) -> None:
    assert run(*typed).stderr.endswith(f"{told} --help\n")
