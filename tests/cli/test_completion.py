"""What Tab offers: from a table that is that of the commands, fast, and in a real shell."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cli.completion.bash import replies
from cli.completion.candidates import FEW, NEWEST, candidates
from cli.completion.scripts import SCRIPTS
from engine.games import NAMES, load
from tests.cli.conftest import Run
from tests.cli.test_help import HEAVY
from tests.repo import commands_table

LOADED = """
import json, sys
from cli.main import main
try:
    main(["completion", "--words", sys.argv[1]])
except SystemExit as done:
    assert done.code == 0
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))


def offered(line: str) -> list[str]:
    """What is offered at the end of this line, after `nodealer `."""
    return candidates(line.split(" "))


def test_the_table_is_that_of_the_commands() -> None:
    written = commands_table.TABLE.read_text("utf-8")
    assert written == commands_table.table(), "run `python -m tests.repo.commands_table`"


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("re", ["resume", "replay", "report"]),
        ("--v", ["--version"]),
        ("play fl", [name for name in NAMES if name.startswith("fl")]),
        ("play flaps --level ", ["1", "2", "3", "4", "5", "6", "7"]),
        ("play --level 3 fli", ["flip-over"]),
        ("host sneak --seats ", ["2", "3", "4", "5", "6", "7"]),
        ("play sneak --bots ", ["1", "2", "3", "4", "5", "6"]),
        ("demo flip-over --option rou", ["rounds=1", "rounds=2"]),
        ("play sneak --bots h", ["hard"]),
        ("host --bots ", ["easy", "normal", "hard"]),
        ("play sneak --bots hard,", ["hard,easy", "hard,normal", "hard,hard"]),
        ("simulate sneak --bots ", ["random", "easy", "normal", "hard"]),
        ("bots --players easy,n", ["easy,normal"]),
        ("demo flaps --option turn", ["turn-limit=1000"]),
        ("play sneak --bots=hard,e", ["--bots=hard,easy"]),
        ("play flaps --level=", [f"--level={level}" for level in range(1, 8)]),
        ("play --nonsense=", []),
        ("simulate flaps --sweep level=1,", [f"level=1,{level}" for level in range(2, 8)]),
        ("simulate flaps --sweep level=1,2,3", ["level=1,2,3"]),
        ("settings bell=", ["bell=on", "bell=off"]),
        ("settings bell=off pace=s", ["pace=slow"]),
        ("simulate sneak --sweep s", ["seats=2,3,4,5,6,7"]),
        ("simulate flaps --sweep lev", ["level=1,2,3,4,5,6,7"]),
        ("play flaps sn", []),
        ("simulate flaps --sweep turn", []),
        ("simulate flaps --games ", []),
        ("completion ", ["bash", "zsh", "fish"]),
        ("export --sv", ["--svg"]),
        ("rules --j", ["--json"]),
        ("no-such-thing ", []),
        ("play no-such-game --level ", []),
    ],
)
def test_what_is_offered(line: str, first: list[str]) -> None:
    assert offered(line)[: max(1, len(first))] == first


def test_an_option_with_few_values_offers_them() -> None:
    told = json.loads(commands_table.TABLE.read_text("utf-8"))
    chosen = [
        (name, option)
        for name, command in told["commands"].items()
        for option in command["options"]
        if option["choices"]
    ]
    assert chosen
    for name, option in chosen:
        assert offered(f"{name} {option['names'][-1]} ") == option["choices"]


def test_saved_games_the_newest_first_and_none_that_a_terminal_would_act_on(tmp_path: Path) -> None:
    assert offered("audit ") == []
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(NEWEST + 3):
        (folder / f"{number:02}.ndlog").touch()
        os.utime(folder / f"{number:02}.ndlog", (number, number))
    (folder / "\x1b[2J.ndlog").touch()
    logs = [str(folder / f"{number:02}.ndlog") for number in range(NEWEST + 2, 3, -1)]
    for line in ("audit ", "audit some.ndlog ", "export ", "watch ", "fairness ", "report "):
        assert offered(line) == [str(folder), *logs]
    assert offered("replay one.ndlog ") == []


@pytest.mark.parametrize("name", NAMES)
def test_no_house_rule_floods_the_screen(name: str) -> None:
    rules = Counter(one.partition("=")[0] for one in offered(f"play {name} --option "))
    assert set(rules) == {rule.name for rule in load(name).options}
    assert max(rules.values()) <= FEW


@pytest.mark.parametrize("words", ["pl", "play\nflaps\n--level\n", "audit\n"])
def test_nothing_of_the_peers_is_imported(words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, words], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stderr)}
    assert loaded & (HEAVY - {"engine"}) == set()


def test_a_shell_that_is_not_known(run: Run) -> None:
    assert run("completion", "tcsh").exit_code == 2
    assert "Say which shell: bash, zsh, fish." in run("completion").stderr
    for shell, script in SCRIPTS.items():
        assert run("completion", shell).stdout == script


NONE, BROKEN = " \t\n", " \t\n\"'><=;|&(:"


@pytest.mark.parametrize(
    ("line", "breaks", "typed"),
    [
        ("nodealer play sneak --bots hard,e", BROKEN, ["hard,easy"]),
        ("nodealer play sneak --bots=hard,e", BROKEN, ["hard,easy"]),
        ("nodealer simulate flaps --sweep level=1,", BROKEN, [f"1,{n}" for n in range(2, 8)]),
        ("nodealer settings bell=o", BROKEN, ["on", "off"]),
        ("nodealer settings bell=o", NONE, ["bell=on", "bell=off"]),
        ("nodealer settings 'bell=o", BROKEN, ["bell=on", "bell=off"]),
        ('nodealer settings "bell=of', BROKEN, ["bell=off"]),
        ("nodealer settings bell\\=of", NONE, ["bell=off"]),
        ("nodealer audit one\\ two.ndlog --sta", BROKEN, ["--states"]),
        ("nodealer settings pace=slow bell=of", BROKEN, ["off"]),
        ("nodealer '\"", BROKEN, []),
    ],
)
def test_bash_is_told_what_it_would_type(line: str, breaks: str, typed: list[str]) -> None:
    found = replies(line, breaks)
    assert found[: len(typed)] == typed
    assert typed or not found


def test_bash_is_told_paths_as_they_are_typed(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "it's (1): one, two.ndlog").touch()
    typed = f"{folder}/it\\'s\\ \\(1\\):\\ one,\\ two.ndlog"
    assert replies("nodealer audit ", NONE)[1:] == [typed]
    assert replies(f"nodealer audit {typed[:-3]}", BROKEN) == ["\\ one,\\ two.ndlog"]


ASKED = {
    "bash": """
        COMP_LINE='{line}' COMP_POINT={length}
        _nodealer nodealer
        (( ${{#COMPREPLY[@]}} )) || COMPREPLY=($(compgen -o default "${{COMP_LINE##* }}"))
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """,
    "zsh": """
        words=(${{(s: :)"$(print -r -- '{line}')"}}) CURRENT={count}
        (( $#words < CURRENT )) && words+=("")
        PREFIX=$words[CURRENT]
        _nodealer
    """,
    "fish": "complete -C '{line}'",
}
"""What asks the shell, as the key Tab does, after the script."""
BEFORE = {
    "zsh": """
        compdef() {}
        _files() { print -rl -- ${words[-1]}*(N) }
        compadd() { print -rl -- "${offered[@]}" }
    """
}
"""What only exists in a zsh that edits a line."""


@pytest.mark.parametrize("shell", SCRIPTS)
@pytest.mark.parametrize(
    ("line", "replies"),
    [
        ("nodealer aud", ["audit"]),
        ("nodealer play flip-over --option trumps=", ["off", "on"]),
        ("nodealer completion ", ["bash", "zsh", "fish"]),
        ("nodealer replay ", ["two words/games", "two words/games/a.ndlog"]),
        ("nodealer audit loc", ["local.ndlog"]),
    ],
)
def test_in_a_shell(shell: str, line: str, replies: list[str], tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here")
    (tmp_path / "two words" / "games").mkdir(parents=True)
    (tmp_path / "two words" / "games" / "a.ndlog").touch()
    (tmp_path / "local.ndlog").touch()
    (tmp_path / "nodealer").write_text(f'#!/bin/sh\nexec {sys.executable} -m cli.main "$@"\n')
    (tmp_path / "nodealer").chmod(0o755)
    asked = ASKED[shell].format(line=line, length=len(line), count=len(line.split(" ")))
    environment: dict[str, Any] = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    environment |= {"NODEALER_HOME": "two words", "HOME": str(tmp_path)}
    done = subprocess.run(
        [program, "-c", f"{BEFORE.get(shell, '')}{SCRIPTS[shell]}\n{asked}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(done.stdout.splitlines()) == sorted(_typed(shell, one) for one in replies)


def _typed(shell: str, word: str) -> str:
    """How a shell answers: bash as it would be typed, and without what stands before a `=`."""
    if shell == "bash":
        return word.replace(" ", "\\ ")
    return f"trumps={word}" if word in {"on", "off"} else word
