"""Files, names of files and arguments that hold what a terminal would obey, and what it gets."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from cli.kit.canvas import Line, width
from cli.kit.window import FullScreen
from p2p.protocol import wire
from p2p.protocol.entry import PURPOSE
from p2p.protocol.logfile import encode_evidence
from p2p.text.names import is_printable
from replay.audit import audit
from tests.cli.conftest import Run
from tests.poison import POISON, harms
from tests.protocol.cheats import FIELDS
from tests.protocol.kit import identities
from tests.replay.logs import entries, match, with_records

NAMES = [text for text in POISON.values() if len(text) < 200]
FORGED_STEP = 30
KIND_MAX = 100_000
"""A record has at most 128 kB with all that belongs to it."""
COMMANDS = (
    ["audit"],
    ["audit", "--json"],
    ["replay", "--plain"],
    ["export", "--text"],
    ["export", "--jsonl"],
    ["export", "--html"],
    ["fairness"],
    ["watch"],
    ["resume"],
    ["audit", "--states", "other.txt"],
)


@pytest.fixture
def named(finished_log: Path, tmp_path: Path) -> list[Path]:
    """The log of a fair game under names that say something else, and files that are none."""
    fair = [tmp_path / f"{name}.ndlog" for name in NAMES]
    for path in fair:
        shutil.copy(finished_log, path)
    (tmp_path / f"{NAMES[4]} is none.ndlog").write_bytes(b"no log")
    return sorted(tmp_path.glob("*.ndlog"))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_name_of_a_file_is_no_order_to_a_terminal(
    run: Run, named: list[Path], command: list[str]
) -> None:
    """A saved game has a name with escape sequences, line ends and direction marks in it.

    Answer: every command that names it shows U+FFFD for each of them, and JSON escapes them.
    """
    for path in named:
        result = run(*command, str(path))
        assert harms(result.stdout if "--html" not in command else "") == [], path
        assert harms(result.stderr) == [], path
        assert "--html" not in command or result.stdout.isascii()


def test_the_name_of_a_file_is_no_line_of_the_report(
    run: Run, finished_log: Path, tmp_path: Path
) -> None:
    """Somebody passes on an altered log whose name holds a line end, or many blanks, and then the
    words with which an audit says that all is right.

    Answer: the name stays within its line, in quotes, without the gap; the next line says what is
    wrong.
    """
    data = bytearray(finished_log.read_bytes())
    data[-1] ^= 1
    for gap in ("\n", " " * 80):
        path = tmp_path / f"x{gap}ok   complete every signature is right.ndlog"
        path.write_bytes(data)
        lines = run("audit", str(path)).stdout.splitlines()
        assert lines[0].startswith("FAIL ")
        assert lines[0].endswith('complete every signature is right.ndlog"')
        assert "    " not in lines[0]
        assert lines[1].startswith("     bad-signature")
        assert not any(line.startswith("ok") for line in lines)


def test_a_name_that_is_no_text_is_told_like_any_other(run: Run, tmp_path: Path) -> None:
    """A file has a name that is not UTF-8.

    Answer: a sentence with U+FFFD in it, and in JSON an escape; never an error of ours.
    """
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.ndlog")
    Path(name).write_bytes(b"no log")
    plain, as_json = run("audit", name), run("audit", "--json", name)
    assert "\N{REPLACEMENT CHARACTER}" in plain.stdout
    assert json.loads(as_json.stdout)["logs"][0]["path"] == name
    assert as_json.stdout.isascii()


@pytest.mark.parametrize("text", POISON.values(), ids=POISON)
@pytest.mark.parametrize(
    "before",
    [["join"], ["watch"], ["audit"], ["play"], ["play", "flaps", "--option"], ["id", "--name"], []],
    ids=" ".join,
)
def test_what_was_pasted_is_no_order_to_a_terminal(run: Run, before: list[str], text: str) -> None:
    """Somebody sends an invite, a game or an option that holds escapes, or 128 kB, by chat.

    Answer: one sentence, with U+FFFD for each of them, and as much of the rest as fits in a line.
    """
    result = run(*before, text)
    assert result.exit_code == 2
    assert harms(result.stdout + result.stderr) == []
    assert result.stderr.startswith("nodealer: ")


def state_file(path: Path, value: str) -> str:
    field = json.dumps({value: [value]}, ensure_ascii=False)
    path.write_text(f"nodealer state 1\ntable {'0' * 64}\nstep 3\ndigest 00\nx = {field}\n")
    return str(path)


@pytest.mark.parametrize("text", [POISON["a tag"], POISON["an override"], POISON["128 kB"]])
def test_a_state_that_somebody_sent_is_no_order_to_a_terminal(
    run: Run, tmp_path: Path, text: str
) -> None:
    """The state that another player sent, to be compared, has escapes in it, or 128 kB.

    Answer: short, harmless lines say where the two differ; JSON has all of it, escaped.
    """
    one = state_file(tmp_path / "one.txt", text)
    other = state_file(tmp_path / "other.txt", "nothing")
    result = run("audit", "--states", one, other)
    assert result.exit_code == 1
    assert harms(result.stdout) == []
    assert max(map(len, result.stdout.splitlines())) < 1000
    told = run("audit", "--states", one, other, "--json").stdout
    assert told.isascii()
    assert text in json.loads(told)["values"][0]


@pytest.mark.parametrize("text", POISON.values(), ids=POISON)
def test_an_identity_file_that_is_not_ours_says_nothing_by_itself(
    run: Run, home: Path, text: str
) -> None:
    """Somebody's identity file is copied here, and the name in it has escapes.

    Answer: it is refused in a sentence.
    """
    home.mkdir()
    fields = {"format": "nodealer identity 1", "name": text, "secret": "00" * 32}
    path = home / "identity.json"
    path.write_text(json.dumps(fields))
    path.chmod(0o600)
    result = run("id")
    assert result.exit_code == 2
    assert harms(result.stdout + result.stderr) == []


FAILS = """
import logging, sys, threading
from cli.kit.output import guard
guard()
text = {text!r}
logging.getLogger("a library").warning("it got %s", text)
thread = threading.Thread(target=lambda: int(text))
thread.start()
thread.join()
raise RuntimeError(text)
"""


@pytest.mark.parametrize("text", NAMES)
def test_a_fault_of_ours_does_not_hand_on_what_a_peer_sent(text: str) -> None:
    """What a peer sends makes our program fail with a message that quotes it; a library logs a
    packet.

    Answer: the traceback is shown whole, and does no harm to the terminal.
    """
    done = subprocess.run(
        [sys.executable, "-c", FAILS.format(text=text)], capture_output=True, check=False
    )
    told = done.stderr.decode()
    assert harms(told) == []
    assert "RuntimeError" in told
    assert "ValueError" in told
    assert "it got" in told
    assert done.returncode == 1


def test_a_terminal_without_unicode_is_given_question_marks(finished_log: Path) -> None:
    """Not an attack only: a name with an accent stopped the program there."""
    command = [sys.executable, "-m", "cli.main", "replay", "--plain", str(finished_log)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert done.stdout.isascii()


def test_evidence_with_a_forged_kind_is_told_harmlessly(run: Run, forged: Path) -> None:
    """A seat signs an entry whose kind is a screen clear, a title and a faked verdict; whoever
    audits the evidence reads it.

    Answer: 24 letters of the kind are shown, in quotes, without anything that acts.
    """
    report = audit(forged)
    assert report.verdict == "illegal-move"
    assert is_printable(report.reason)
    assert len(report.reason) <= 120
    for command in (["audit"], ["audit", "--json"]):
        result = run(*command, str(forged))
        assert result.exit_code == 1
        assert harms(result.stdout + result.stderr) == []
        assert not any(line.startswith("ok") for line in result.stdout.splitlines())


@pytest.fixture(params=POISON.values(), ids=POISON)
def forged(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Evidence against seat 1: an entry of a kind that only speaks to terminals."""
    log = match()
    bent = next(entry for entry in entries(log) if entry.step == FORGED_STEP)
    fields = {name: getattr(bent, name) for name in FIELDS} | {"kind": request.param[:KIND_MAX]}
    body = wire.pack(fields)
    record = body + identities(4)[bent.seat].sign(PURPOSE, body)
    before = [entry.record for entry in entries(log) if entry.step < FORGED_STEP]
    path = tmp_path / "x.evidence"
    path.write_bytes(encode_evidence(with_records(log, before), [record]))
    return path


class Poisoned(FullScreen):
    """A full screen whose lines are what somebody else wrote."""

    def __init__(self, text: str) -> None:
        self._text = text
        super().__init__(8, source=DummyInput(), output=DummyOutput())

    def lines(self, columns: int, rows: int) -> list[Line]:
        return [[("class:event", f"Ana: {self._text}"), ("", self._text)]] * rows

    def press(self, key: str) -> None:
        """No key does anything."""

    def paste(self, text: str) -> None:
        """Nothing is typed here."""

    def remark(self, said: str) -> None:
        """No key fails here."""


@pytest.mark.parametrize("text", POISON.values(), ids=POISON)
def test_a_full_screen_is_given_letters_that_take_columns(text: str) -> None:
    """What others wrote is shown on a full screen: at the table, in the viewer, in the menu.

    Answer: every piece of text is cleaned where the picture is made, and each row is as wide as the
    window, so that nothing moves the rows below.
    """
    screen = Poisoned(text)
    size = screen.app.output.get_size()
    rows = "".join(text for _, text, *_ in screen._picture()).split("\n")
    assert harms("\n".join(rows)) == []
    assert len(rows) == size.rows
    assert {width(row) for row in rows} == {size.columns}
