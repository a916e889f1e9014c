"""Readers of files: games, what lies beside them, and what is kept for oneself."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from cli.failures import UserMistakeError
from cli.home import preferences
from cli.home.own_bots import OwnBot
from cli.words import states
from cli.words.bug_report import _log_lines, _tail
from cli.words.saved import saved_games
from engine.study import Setting, Study
from engine.totals import Totals
from p2p.errors import OutdatedError, PeerError, StorageError
from p2p.files.hand_file import HandFileError, hand_text, read_hand
from p2p.files.ledger import Ledger, Note, _encode, _newest
from p2p.files.seat_items import (
    MAGIC,
    Prefix,
    decode_items,
    encode_item,
    is_cut_short,
    prefix_digest,
)
from p2p.files.seat_memory import (
    header_item,
    list_item,
    proven_item,
    read_seat,
    written_item,
)
from p2p.files.state_file import state_text
from p2p.files.storage import Store
from p2p.identity.file import FORMAT, IdentityFileError, load_identity
from p2p.protocol import wire
from p2p.protocol.effects import Write
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import (
    EVIDENCE_MAGIC,
    GENESIS_MAGIC,
    LOG_MAGIC,
    begin_log,
    encode_evidence,
    encode_genesis_evidence,
    frame,
    header_of,
    split_log,
    whole_records,
)
from p2p.protocol.slots import Seen
from p2p.protocol.table import open_table
from replay.audit import audit_bytes
from replay.by_bot import SUFFIX, by_bot
from replay.outline import outline
from replay.own import own_sight
from replay.studies.kept import StudyFile, StudyFileError
from replay.times import read_times
from tests.fuzz.coming_back import come_back
from tests.fuzz.doubles import KEYS, first_records
from tests.fuzz.mutation import bend_bytes, bend_frames, bend_text
from tests.fuzz.reader import Reader
from tests.fuzz.tables import HERE, LOGS, PEOPLE, RELAY, SEATS, header, listed, tossed
from tests.peer.seat_files import memory_of
from tests.protocol.kit import seeded, table_secrets

SMALL: Final = ("unfinished-header.ndlog", "bad-share-coin.ndlog", "unfinished-genesis.evidence")


@cache
def folder() -> Path:
    """Where a reader finds its file; it goes with the process."""
    kept = tempfile.TemporaryDirectory(prefix="nodealer-fuzz-")
    _KEPT.append(kept)
    return Path(kept.name)


_KEPT: Final[list[Any]] = []


def _file(name: str, data: bytes) -> Path:
    path = folder() / name
    path.write_bytes(data)
    path.chmod(0o600)
    return path


# -- games -------------------------------------------------------------------------------------


def _logs(*names: str) -> list[bytes]:
    return [(LOGS / name).read_bytes() for name in names]


def _log(data: bytes) -> None:
    log = _file("people.ndlog", data)
    saved_games({log: (0, len(data))}, 1)
    whole_records(data)
    split_log(data)
    header_of(data)


def _audit(data: bytes) -> None:
    """The verdict; an auditor refuses nothing that has bytes."""
    report = audit_bytes(data, entropy=seeded("audit"))
    assert report.verdict
    outline(data)


def _evidence() -> list[bytes]:
    records = tossed()[1]
    return [encode_evidence(_logs(SMALL[0])[0], records), *_logs("equivocation.evidence")]


def _of_genesis() -> list[bytes]:
    made = encode_genesis_evidence(header().proposal.data, tossed()[1])
    return [made, *_logs("unfinished-genesis.evidence", "equivocation-genesis.evidence")]


def _game_rows() -> Iterator[Reader]:
    log, evidence, genesis = (
        bend_frames(len(magic)) for magic in (LOG_MAGIC, EVIDENCE_MAGIC, GENESIS_MAGIC)
    )
    yield Reader("log: frames", _log, lambda: _logs(*SMALL[:2], "unfinished.ndlog"), bend=log)
    yield Reader("log", _audit, lambda: _logs(*SMALL[:2], "unfinished.ndlog"), bend=log, heavy=True)
    yield Reader("evidence", _audit, _evidence, bend=evidence, heavy=True)
    yield Reader("evidence of a genesis", _audit, _of_genesis, bend=genesis, heavy=True)


# -- beside a game -----------------------------------------------------------------------------


def _beside(suffix: str) -> Callable[[bytes], object]:
    """A file beside a log tells what it can, and never keeps the log from being shown."""

    def read(data: bytes) -> None:
        log = _file("beside.ndlog", b"")
        for other in (".ndhand", ".ndseat", ".ndtime", SUFFIX):
            log.with_suffix(other).unlink(missing_ok=True)
        log.with_suffix(suffix).write_bytes(data)
        own_sight(log, header())
        read_times(log)
        by_bot(log)

    return read


def _hands() -> list[bytes]:
    seen = [Seen(step, step, step % 9) for step in range(20)]
    return [hand_text(header().table, 0, seen).encode(), hand_text(bytes(32), 1, ()).encode()]


def _times() -> list[bytes]:
    return ["".join(f"{step} {7 * step}\n" for step in range(20)).encode(), b"0 1\n"]


def _by_bot() -> list[bytes]:
    return [b"3\n12\nend\n", b"3\n", b"end\n"]


def _states() -> list[bytes]:
    table = open_table(header(), seeded("state")).session.table
    return [state_text(header().table, 3, table).encode()]


def _items() -> list[list[object]]:
    """What a seat writes of a whole table."""
    records, key = tossed()[1], KEYS[1]
    return [
        memory_of(header(), 0).first_item(),
        list_item(key, listed(1).data),
        proven_item(key, HERE),
        proven_item(key, RELAY),
        header_item(header().encode(), records[:2]),
        written_item(Write(0, "own", records[0], b"a nonce")),
        written_item(Write(0, "own", records[3]), records[:2]),
        written_item(Write(0, "ballot", records[1])),
    ]


def _seats() -> list[bytes]:
    return [MAGIC + b"".join(map(encode_item, _items()))]


def _seat(data: bytes) -> None:
    is_cut_short(data)
    decode_items(data)
    read_seat(data)


def _encoded_items(data: bytes) -> bytes:
    """The items of a seat file, from one list, each with its checksum."""
    items = wire.exactly(wire.unpack(data), list, "items")
    return b"".join(encode_item(one if isinstance(one, list) else [one]) for one in items)


def _seat_of(data: bytes) -> None:
    made = MAGIC + _encoded_items(data)
    _seat(made)
    _beside(".ndseat")(made)


def _beside_rows() -> Iterator[Reader]:
    yield Reader(
        *("hand", lambda data: read_hand(data.decode("ascii", "replace")), _hands),
        *((HandFileError,), bend_text),
    )
    yield Reader("hand beside a game", _beside(".ndhand"), _hands, (), bend_text)
    yield Reader("times", _beside(".ndtime"), _times, (), bend_text)
    yield Reader("decisions of a bot", _beside(SUFFIX), _by_bot, (), bend_text)
    yield Reader(
        *("state", lambda data: states._read(_file("state.txt", data)), _states),
        *((UserMistakeError,), bend_text),
    )
    yield Reader("seat file", _seat, _seats, bend=bend_bytes)
    yield Reader("seat file of items", _seat_of, lambda: [wire.pack(_items())])


# -- coming back -------------------------------------------------------------------------------


def _sound_seat() -> bytes:
    """The seat file of a seat that has signed the header, and the first step."""
    records = [one for one in first_records() if decode_entry(one).seat == 0]
    first = memory_of(header(), 0, table_secrets(SEATS, 1)[0].to_bytes()).first_item()
    items = [first, header_item(header().encode(), []), ["own", records[0], None]]
    return MAGIC + b"".join(map(encode_item, items))


def _sound_log() -> bytes:
    return begin_log(header().encode()) + frame(first_records()[0])


def _resumed(suffix: str) -> Callable[[bytes], object]:
    """One of the files of a seat is bent; the seat comes back, and once more."""

    def read(data: bytes) -> None:
        ledger = folder() / "ledger"
        shutil.rmtree(ledger, ignore_errors=True)
        ledger.mkdir()
        path = _file("mine.ndseat", data if suffix == ".ndseat" else _sound_seat())
        _file("mine.ndlog", data if suffix == ".ndlog" else _sound_log())
        _file("mine.ndtime", data if suffix == ".ndtime" else b"0 5\n")
        bot = OwnBot(PEOPLE[0], Store(folder(), ledger))
        bot.stand(header().proposal)
        for _ in range(2):
            come_back(PEOPLE[0], path, ledger).files.close(erase_secrets=False)

    return read


def _seat_items() -> list[bytes]:
    return [wire.pack(decode_items(_sound_seat()))]


def _resume_rows() -> Iterator[Reader]:
    errors = (PeerError, StorageError, OutdatedError)
    seat, items = _resumed(".ndseat"), lambda data: MAGIC + _encoded_items(data)
    times = [b"0 5\n", b"0 5\n1 90\n"]
    yield Reader(
        *("resumed: seat file", seat, lambda: [_sound_seat()], errors, bend_bytes), heavy=True
    )
    yield Reader(
        *("resumed: items", lambda data: seat(items(data)), _seat_items, errors), heavy=True
    )
    yield Reader(
        *("resumed: log", _resumed(".ndlog"), lambda: [_sound_log()], errors),
        *(bend_frames(len(LOG_MAGIC)),),
        heavy=True,
    )
    yield Reader(
        *("resumed: times", _resumed(".ndtime"), lambda: times, errors, bend_text), heavy=True
    )


# -- one's own ---------------------------------------------------------------------------------


def _note(data: bytes) -> None:
    ledger = Ledger(folder())
    _file(f"{bytes(32).hex()}.ndnote", data)
    found = ledger.find(bytes(32))
    assert found is not None or not any(data[:256]), "only one torn while it was made says nothing"
    if found is not None:
        found.fits(data)


def _notes() -> list[bytes]:
    note = Note(Prefix(100, prefix_digest(bytes(100), 100)), bytes(32), 5)
    return [_encode(2, note) + _encode(1, note._replace(step=4)), _encode(1, note)]


def _note_of(data: bytes) -> None:
    """What a note says, under its checksum."""
    half = _encode(1, Note(Prefix(0, b""), b""))
    said = len(data).to_bytes(2, "big") if len(data) < 2**16 else b"\xff\xff"
    _newest(_checked(half[:16] + said + data))


def _checked(half: bytes) -> bytes:
    from hashlib import sha512  # noqa: PLC0415 (only here)

    padded = half[:240].ljust(240, b"\0")
    return padded + sha512(padded).digest()[:16]


def _said() -> list[bytes]:
    return [wire.pack([1, 100, bytes(32), bytes(32), step, True]) for step in (-1, 5)]


def _identities() -> list[bytes]:
    fields = {"format": FORMAT, "name": "Ana", "secret": bytes(range(32)).hex()}
    return [json.dumps(fields).encode()]


def _settings(data: bytes) -> None:
    before = os.environ.get("NODEALER_HOME")
    os.environ["NODEALER_HOME"] = str(folder())
    try:
        _file(preferences.FILE, data)
        for one in preferences.SETTINGS.values():
            preferences.setting(one)
    finally:
        if before is None:
            del os.environ["NODEALER_HOME"]
        else:
            os.environ["NODEALER_HOME"] = before


def _chosen() -> list[bytes]:
    lines = [b'name = "Ana"', b"bell = true", b"cards = 3", b'pace = "off"  # at once']
    return [b"\n".join(lines), b""]


STUDY: Final = Study("flip-over", (Setting(3, {}),), games=10)


def _study(data: bytes) -> None:
    StudyFile(_file("study.json", data), STUDY).read()


def _studies() -> list[bytes]:
    path = folder() / "kept.json"
    played = Totals(2, 0, {40: 2}, (3, -1, -2), (5, 1, 4), ((2, 0, 0), (0, 0, 0), (0, 0, 0)))
    StudyFile(path, STUDY).keep([played], now=True)
    return [path.read_bytes()]


def _lines_of_log() -> list[bytes]:
    line = b"2026-01-01 10:00:00,000 INFO     p2p seat: dials 192.168.1.5:7000 ND1:ABC\n"
    return [line * 3, b"hello\n" + line]


def _own_rows() -> Iterator[Reader]:
    yield Reader("note", _note, _notes, (StorageError,), bend_bytes)
    yield Reader("note with its checksum", _note_of, _said)
    yield Reader(
        *("identity", lambda data: load_identity(_file("identity.json", data)), _identities),
        *((IdentityFileError,), bend_text),
    )
    yield Reader("settings", _settings, _chosen, (UserMistakeError,), bend_text)
    yield Reader("study", _study, _studies, (StudyFileError,), bend_text)
    yield Reader(
        "log file of the program",
        lambda data: sum(1 for _ in _log_lines(_tail(_file("a.log", data)), str)),
        _lines_of_log,
        (UserMistakeError,),
        bend_text,
    )


def rows() -> Iterator[Reader]:
    """All of these."""
    for some in (_game_rows, _beside_rows, _resume_rows, _own_rows):
        yield from some()
