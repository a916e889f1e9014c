"""Files that somebody else made: links and pipes, huge ones, odd ones.  One sentence for each."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from engine.games import load
from p2p.disk import durable as disk
from p2p.disk.outside import LOG_MAX, MEGABYTE
from p2p.errors import PeerError
from p2p.files.seat_items import MAGIC as SEAT_MAGIC
from p2p.files.seat_items import decode_items, encode_item
from p2p.files.state_file import MAGIC as STATE_MAGIC
from p2p.protocol import wire
from p2p.protocol.entry import Chain, sign_entry
from p2p.protocol.logfile import begin_log, frame
from p2p.protocol.proposal import SEATS_MAX, decode_proposal
from tests.cli.conftest import Run
from tests.protocol.kit import identities, make_header

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and pipes are POSIX's")
SIDES: Final = (".ndtime", ".ndhand", ".ndseat", ".ndbot")
COMMANDS: Final[dict[str, list[str]]] = {
    "audit": ["audit"],
    "replay": ["replay", "--plain"],
    "text": ["export", "--text"],
    "jsonl": ["export", "--jsonl"],
    "html": ["export", "--html"],
    "svg": ["export", "--svg"],
    "fairness": ["fairness"],
    "watch": ["watch", "--plain"],
}
"""Every command that reads a log."""
MEGABYTES: Final = pytest.mark.parametrize("size", [1, pytest.param(8, marks=pytest.mark.full)])


@pytest.fixture
def log(finished_log: Path, tmp_path: Path) -> Path:
    """A sound log, alone in a folder."""
    path = tmp_path / "games" / "a.ndlog"
    path.parent.mkdir()
    path.write_bytes(finished_log.read_bytes())
    return path


def refused(run: Run, *arguments: str) -> str:
    """The sentence with which a command refuses its argument; the exit code is 2."""
    result = run(*arguments)
    assert result.exit_code == 2, (result.exit_code, result.output)
    assert "Traceback" not in result.output
    (said,) = [line for line in result.stderr.splitlines() if line.startswith("nodealer: ")]
    return said


def to_nowhere(path: Path) -> None:
    path.symlink_to(path.parent / "nothing")


def to_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    with path.open("wb") as opened:
        opened.truncate(2 * 1024 * MEGABYTE)


KINDS: Final[dict[str, tuple[Callable[[Path], Any], str]]] = {
    "a link to /dev/zero": (to_zero, "it is no regular file"),
    "a pipe": (os.mkfifo, "it is no regular file"),
    "a link to nothing": (to_nowhere, "No such file"),
    "a sparse file of 2 GB": (sparse, f"it is larger than {LOG_MAX // MEGABYTE} MB"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_log_that_is_no_file(kind: str, command: str, run: Run, tmp_path: Path) -> None:
    """Somebody's "saved game" is a link to /dev/zero, a pipe, a link to nothing, 2 GB of nothing.

    Answer: one sentence, at once: only regular files are opened, and their size is checked first.
    """
    make, reason = KINDS[kind]
    path = tmp_path / "game.ndlog"
    make(path)
    assert reason in refused(run, *COMMANDS[command], str(path))


def test_a_folder_that_is_called_like_a_log(run: Run, tmp_path: Path) -> None:
    """Control: it is looked into, and said to be a folder where it is taken for a log."""
    (tmp_path / "games" / "a.ndlog").mkdir(parents=True)
    for command in ("audit", "fairness"):
        assert "Is a directory" in refused(run, *COMMANDS[command], str(tmp_path / "games"))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_side_file_that_is_no_file(side: str, kind: str, run: Run, log: Path) -> None:
    """The same instead of the file beside a sound game that says what one's seat saw, and when.

    Answer: it tells nothing, and the game is shown as anybody sees it.
    """
    KINDS[kind][0](log.with_suffix(side))
    result = run("replay", "--plain", str(log))
    assert result.exit_code == 0, result.output
    assert run("export", "--jsonl", str(log)).exit_code == 0


def seat_file(*items: object) -> bytes:
    return SEAT_MAGIC + b"".join(encode_item(item) for item in items)  # type: ignore[arg-type]


BAD_SIDES: Final[dict[str, tuple[str, bytes]]] = {
    "a number of 5,000 digits": (".ndtime", b"0 " + b"9" * 5000 + b"\n"),
    "a step of 5,000 digits": (".ndtime", b"9" * 5000 + b" 1\n"),
    "times that are no text": (".ndtime", b"\xff\xfe"),
    "a bot's decision of 5,000 digits": (".ndbot", b"9" * 5000 + b"\nend\n"),
    "a hand of nobody": (".ndhand", b"nodealer hand 1\ntable 00\nseat -5\n"),
    "a hand with a huge seat": (".ndhand", b"nodealer hand 1\ntable 00\nseat " + b"9" * 5000),
    "an empty item": (".ndseat", seat_file([])),
    "peers that are numbers": (".ndseat", seat_file(["table", 0, b"", b"", b"", [1]])),
    "peers without addresses": (".ndseat", seat_file(["table", 0, b"", b"", b"", [[b""]]])),
    "peers with odd keys": (".ndseat", seat_file(["table", 0, b"", b"", b"", [[[], []]]])),
    "addresses that are none": (".ndseat", seat_file(["table", 0, b"", b"", b"", [[b"", 5]]])),
    "a seat of nobody": (".ndseat", seat_file(["table", 99, b"", b"", b"", []])),
    "an item of text": (".ndseat", SEAT_MAGIC + b"hello, this is no item"),
}


@pytest.mark.parametrize("kind", BAD_SIDES)
def test_an_odd_side_file(kind: str, run: Run, log: Path) -> None:
    """A file beside a game holds endless numbers, a seat that does not exist, lists for keys.

    Answer: it tells nothing; going back to a table says in a sentence what is wrong with its file.
    """
    suffix, data = BAD_SIDES[kind]
    log.with_suffix(suffix).write_bytes(data)
    assert run("replay", "--plain", str(log)).exit_code == 0
    assert run("export", "--jsonl", str(log)).exit_code == 0
    if suffix == ".ndseat":
        assert "cannot be read" in refused(run, "resume", str(log))


STATE: Final = f"{STATE_MAGIC}\ntable 00\nstep 1\ndigest 00\n"
BAD_STATES: Final = {
    "a step of 5,000 digits": STATE.replace("step 1", "step " + "9" * 5000),
    "a number of 5,000 digits": STATE + "a = " + "9" * 5000 + "\n",
    "a deep nest": STATE + "a = " + "[" * 500 + "]" * 500 + "\n",
    "a deeper nest": STATE + "a = " + "[" * 100_000 + "]" * 100_000 + "\n",
}


@pytest.mark.parametrize("kind", BAD_STATES)
def test_an_odd_state(kind: str, run: Run, tmp_path: Path) -> None:
    """The state of a table that another player sent holds lists in lists and digits without end.

    Answer: one sentence.
    """
    path = tmp_path / "a.txt"
    path.write_text(BAD_STATES[kind])
    assert "is not a state file" in refused(run, "audit", "--states", str(path), str(path))


def test_a_state_with_a_huge_value_is_shown_in_short(run: Run, tmp_path: Path) -> None:
    """The same with one value of a megabyte.

    Answer: its beginning is printed.
    """
    one, other = tmp_path / "1.txt", tmp_path / "2.txt"
    one.write_text(STATE + f'a = "{"x" * MEGABYTE}"\n')
    other.write_text(STATE + "a = 1\n")
    result = run("audit", "--states", str(one), str(other))
    assert result.exit_code == 1
    assert "a" in result.stdout
    assert len(result.stdout) < 2000


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_that_is_no_file(kind: str, run: Run, tmp_path: Path) -> None:
    """The state is a link to /dev/zero, a pipe, or 2 GB of nothing.

    Answer: one sentence.
    """
    path = tmp_path / "state.txt"
    KINDS[kind][0](path)
    assert "cannot be read" in refused(run, "audit", "--states", str(path), str(path))


def test_links_to_nothing_in_the_folder_of_games(run: Run, home: Path, log: Path) -> None:
    """Among the saved games are links to nothing, pipes, and files dated in the year 1,000,000,000.

    Answer: they are not offered.
    """
    from cli.home.folders import logs_in, newest_log, unfinished  # noqa: PLC0415
    from cli.menu.shelf import HomeShelf  # noqa: PLC0415

    games = home / "games"
    games.mkdir(parents=True)
    (games / "sound.ndlog").write_bytes(log.read_bytes())
    os.utime(games / "sound.ndlog", (2**40, 2**40))
    for name in ("b.ndlog", "b.ndseat"):
        to_nowhere(games / name)
    for name in ("c.ndlog", "c.ndseat"):
        os.mkfifo(games / name)
    assert list(logs_in(games)) == [games / "sound.ndlog"]
    assert newest_log(games) == games / "sound.ndlog"
    assert unfinished(games) == []
    assert [choice.value for choice in HomeShelf().saved()] == [str(games / "sound.ndlog")]
    assert "no unfinished table" in refused(run, "resume")


@pytest.mark.check("genesis.seats")
def test_a_header_with_thousands_of_seats() -> None:
    """A header of 122 kB names 3,300 seats, each with a different key; 30 such files took minutes.

    Answer: seats are counted before a key is checked: there are at most 16.
    """
    looked_at: list[bytes] = []
    seats = [[os.urandom(32), "a"] for _ in range(SEATS_MAX + 1)]
    fields = wire.unpack(make_header(load("flip-over"), 3).proposal.data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("p2p.protocol.proposal.decode_identity", looked_at.append)
        with pytest.raises(PeerError, match="no so many seats"):
            decode_proposal(wire.pack({**fields, "seats": seats}))
        with pytest.raises(PeerError, match="too many items"):
            decode_proposal(wire.pack({**fields, "seats": seats * 200}))
    assert looked_at == []


def test_a_seat_file_of_items_that_are_none_is_judged_in_its_length() -> None:
    """A seat file of 2 MB in which an item seems to begin at every place.

    Answer: it is refused at once; before, every place was hashed to the end of the file.
    """
    begins = (100_000).to_bytes(4, "big") + b"\x93\xa3own"
    with pytest.raises(PeerError, match="damaged"):
        decode_items(seat_file(["table"]) + begins * (2 * MEGABYTE // len(begins)))


@MEGABYTES
def test_a_log_of_a_million_records_of_one_byte(size: int, tmp_path: Path) -> None:
    """A log consists of 1.6 million records of one byte: 25 kB when compressed.

    Answer: refused; its records are not cut out before they are checked.  At most three times
    the size of the file is in memory.
    """
    header = make_header(load("flip-over"), 3).encode()
    path = tmp_path / "many.ndlog"
    path.write_bytes(begin_log(header) + frame(b"x") * (size * MEGABYTE // 5))
    assert memory_of("audit", path) < 3 * path.stat().st_size


@MEGABYTES
def test_a_log_of_empty_maps(size: int, tmp_path: Path) -> None:
    """A log of 8 MB consists of signed entries that hold as many empty maps as they may.

    Answer: refused; what was read of an entry is kept no longer than needed: what took 639 MB of
    memory takes less than three times the file.
    """
    path = tmp_path / "maps.ndlog"
    path.write_bytes(log_of_maps(size * MEGABYTE))
    assert memory_of("audit", path) < 3 * path.stat().st_size
    if size > 2:
        assert memory_of("replay", path) < 3 * path.stat().st_size


def log_of_maps(size: int) -> bytes:
    """A chain of entries of one seat that are sound but for what they say."""
    header = make_header(load("flip-over"), 3)
    chain, key, made = Chain(header.table), identities(3)[0], [begin_log(header.encode())]
    payload = [{} for _ in range(4000)]
    total = 0
    while total < size:
        entry = sign_entry(key, chain, 0, "shuffle", payload, bytes(16))
        made.append(frame(entry.record))
        chain.advance([entry.body])
        total += len(entry.record)
    return b"".join(made)


MEASURE: Final = """
import resource, sys
from cli.main import main
def run(path):
    try:
        main([*sys.argv[3:], path])
    except SystemExit:
        pass
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = run(sys.argv[1])
print("memory", run(sys.argv[2]) - before)
"""


def memory_of(command: str, path: Path) -> int:
    """Bytes that a command takes for a file beyond what it takes for a short one."""
    short = path.with_name("short.ndlog")
    short.write_bytes(path.read_bytes()[:20_000])
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(short), str(path), *COMMANDS[command]],
        check=True,
        capture_output=True,
        text=True,
    )
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("memory ")]
    return int(line.split()[1])


def test_no_room_is_said_before_a_table_begins(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is nearly full when somebody sits down.

    Answer: that is said before anybody signs anything; in the middle of a game nothing is lost.
    """
    monkeypatch.setattr(disk, "ROOM", 2**62)
    assert "MB are free, and a game may need" in refused(run, "demo", "flip-over", "--seats", "3")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_that_is_no_text(command: str, run: Run, tmp_path: Path) -> None:
    """The name of a saved game is not UTF-8.

    Answer: it is shown escaped, and the sentence is the same.
    """
    path = tmp_path / os.fsdecode(b"a\xff.ndlog")
    path.write_bytes(b"hello")
    result = run(*COMMANDS[command], str(path))
    assert result.exit_code in (1, 2)
    assert "/a\ufffd.ndlog" in result.output
    assert "this is not a nodealer log" in result.output
