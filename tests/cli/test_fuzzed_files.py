"""Every kind of file, bent at random, through every command that reads it: no error of ours."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.games import load
from p2p.errors import StorageError
from p2p.files.hand_file import hand_text
from p2p.files.saved import saved_seat
from p2p.files.seat_items import MAGIC as SEAT_MAGIC
from p2p.files.seat_items import encode_item
from p2p.files.state_file import state_text
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import (
    begin_log,
    encode_evidence,
    encode_genesis_evidence,
    frame,
    split_log,
)
from p2p.protocol.slots import Seen
from tests.cli.conftest import Run
from tests.cli.test_hostile_files import COMMANDS
from tests.protocol.kit import make_header
from tests.sim.test_garbage import bent

SEEDS: Final = pytest.mark.parametrize(
    "seeds",
    [range(2), pytest.param(range(2, 80), marks=pytest.mark.full)],
    ids=["some", "many"],
)


def spoil(data: bytes, rng: Random) -> bytes:
    """`data` cut, lengthened, doubled in part, or with some bytes or a length changed."""
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.randrange(1, 200))
    some = rng.randbytes(rng.randrange(1, 40))
    return rng.choice(
        [
            data[:at],
            data[:at] + data[end:],
            data[:end] + data[at:],
            data[:at] + some + data[at:],
            data[:at] + some + data[at + len(some) :],
            data[:at] + bytes(rng.randrange(1, 200)),
            data[:at]
            + rng.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\1\0\0"])
            + data[at + 4 :],
            data + rng.choice([b"\0", b"\n", some]),
        ]
    )


def spoil_records(log: bytes, rng: Random) -> bytes:
    """A log of which some records are doubled, left out, exchanged or spoilt."""
    header, records, _ = split_log(log)
    kept = list(records)
    for _ in range(rng.randrange(1, 4)):
        one, other = rng.randrange(len(kept)), rng.randrange(len(kept))
        kept[one] = rng.choice([kept[other], spoil(kept[one], rng) or b"x"])
    return begin_log(header) + b"".join(frame(record) for record in kept)


def evidence(log: bytes, rng: Random) -> bytes:
    """Evidence of a spoilt or a sound log, with some of its records behind it."""
    records = list(split_log(log).records)
    inside = rng.choice([log, spoil(log, rng) or b"x", begin_log(split_log(log).header)])
    beyond = [spoil(record, rng) or b"x" for record in rng.sample(records, 3)]
    return encode_evidence(inside, [*rng.sample(records, 3), *beyond])


def of_genesis(log: bytes, rng: Random) -> bytes:
    proposal = decode_header(split_log(log).header).proposal.data
    return encode_genesis_evidence(
        rng.choice([proposal, spoil(proposal, rng) or b"x"]), [b"x" * 80]
    )


LOGS: Final[dict[str, Callable[[bytes, Random], bytes]]] = {
    "log": spoil,
    "records": spoil_records,
    "evidence": evidence,
    "genesis": of_genesis,
}


def tried(run: Run, *arguments: str) -> int:
    """The exit code of a command that answers in sentences."""
    result = run(*arguments)  # an error of ours is raised
    assert result.exit_code in (0, 1, 2), result.output
    assert "Traceback" not in result.output
    return result.exit_code


@SEEDS
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", LOGS)
def test_a_log_that_was_bent_at_random(
    kind: str, command: str, seeds: range, run: Run, finished_log: Path, tmp_path: Path
) -> None:
    """Somebody changes a saved game or an evidence file in any way, and gives it to any command.

    Answer: one sentence or a verdict, and the exit code that goes with it; never an error of ours.
    """
    path = tmp_path / "bent.ndlog"
    for seed in seeds:
        path.write_bytes(LOGS[kind](finished_log.read_bytes(), Random(f"{kind} {seed}")))
        try:
            tried(run, *COMMANDS[command], str(path))
        except BaseException:
            print("seed", seed)  # noqa: T201
            raise


def sides(log: bytes) -> dict[str, bytes]:
    """Sound files of the kinds that may lie beside a log."""
    header = decode_header(split_log(log).header)
    hand = hand_text(header.table, 0, [Seen(step, step, step % 9) for step in range(20)])
    times = "".join(f"{step} {7 * step}\n" for step in range(20))
    return {".ndhand": hand.encode(), ".ndtime": times.encode()}


@SEEDS
@pytest.mark.parametrize("suffix", [".ndhand", ".ndtime"])
def test_a_side_file_that_was_bent_at_random(
    suffix: str, seeds: range, run: Run, finished_log: Path, tmp_path: Path
) -> None:
    """The same with the files beside a game.

    Answer: the game is shown, with or without what they tell.
    """
    path = tmp_path / "a.ndlog"
    path.write_bytes(finished_log.read_bytes())
    for seed in seeds:
        spoilt = spoil(sides(path.read_bytes())[suffix], Random(f"{suffix} {seed}"))
        path.with_suffix(suffix).write_bytes(spoilt)
        assert tried(run, "replay", "--plain", "--step", "3", str(path)) == 0


@SEEDS
def test_a_seat_file_that_was_bent_at_random(
    seeds: range, run: Run, finished_log: Path, tmp_path: Path
) -> None:
    """The same with a seat file whose checksums are right.

    Answer: nothing is read from it when its game is shown, and nobody can sit down with it.
    """
    path = tmp_path / "a.ndlog"
    path.write_bytes(finished_log.read_bytes())
    log = split_log(path.read_bytes())
    header = decode_header(log.header)
    first = ["table", 0, bytes(31) + b"\1", bytes(32), header.proposal.data, [[b"k" * 32, ["a:1"]]]]
    items: list[Any] = [first, ["header", log.header, []], ["own", log.records[0], None]]
    for seed in [seed + number for seed in seeds for number in range(0, 1000, 100)]:
        rng, seat = Random(f"seat {seed}"), path.with_suffix(".ndseat")
        said = [bent(item, rng) if rng.random() < 0.5 else item for item in items]
        kept = [one if isinstance(one, list) else [one] for one in said]
        seat.write_bytes(SEAT_MAGIC + b"".join(map(encode_item, kept)))
        with suppress(StorageError):
            saved_seat(seat)
        seat.write_bytes(spoil(seat.read_bytes(), rng))
        with suppress(StorageError):
            saved_seat(seat)
    assert tried(run, "replay", "--plain", "--step", "3", str(path)) == 0


@SEEDS
def test_a_state_that_was_bent_at_random(seeds: range, run: Run, tmp_path: Path) -> None:
    """The same with the state of a table that another player sent.

    Answer: one sentence says what is wrong, or where the states differ.
    """
    from p2p.protocol.table import open_table  # noqa: PLC0415
    from tests.protocol.kit import seeded  # noqa: PLC0415

    header = make_header(load("flip-over"), 3)
    table = open_table(header, seeded("state")).session.table
    text = state_text(header.table, 3, table).encode()
    one, other = tmp_path / "1.txt", tmp_path / "2.txt"
    one.write_bytes(text)
    for seed in [seed + number for seed in seeds for number in range(0, 1000, 100)]:
        other.write_bytes(spoil(text, Random(f"state {seed}")))
        tried(run, "audit", "--states", str(one), str(other))
