"""The power fails while a seat writes, at any byte, and the seat comes back, twice in a row."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from engine.game import Game
from engine.games import FIRST, load
from p2p.crypto.keys import OPENING_BYTES
from p2p.disk import durable as disk
from p2p.errors import OutdatedError, PeerError, StorageError
from p2p.files.hand_file import hand_text
from p2p.files.seat_memory import SeatMemory, read_seat
from p2p.files.storage import Store, TableFiles
from p2p.protocol import proposal as proposals
from p2p.protocol import terms
from p2p.protocol.effects import Decide, Done, Effect, Send, Write
from p2p.protocol.entry import decode_entry
from p2p.protocol.genesis import SIGN_STEP, decode_header, shares_of
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.policy import WAIT, carry_on, least_of
from p2p.protocol.terms import Terms
from p2p.text.names import is_printable
from tests.fuzz.coming_back import come_back
from tests.fuzz.disks import Contents, Moment, Recorder, lay_out
from tests.protocol.kit import (
    TOKEN,
    Hub,
    Seat,
    game_hub,
    genesis_hub,
    identities,
    own_seats,
    seeded,
)
from tests.protocol.scenes import SCENES

SEATS, ME = 3, 1
GAME = SCENES["chosen-together"]
"""Two seats choose in secret: what was sealed is opened only from the disk."""
NAME = "table"
REFUSED = (StorageError, PeerError, OutdatedError)
STRIDE = 61
SHARE = 24
"""At each change one crash in so many is tried."""


@pytest.fixture(autouse=True)
def scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "load", named)


def named(name: str) -> Any:
    return SCENES.get(name) or load(name)


class OnDisk(Hub):
    """A table of which one seat has files; nothing of it is seen before they say so."""

    files: TableFiles
    recorder: Recorder

    def on(self, files: TableFiles, recorder: Recorder) -> OnDisk:
        self.files, self.recorder = files, recorder
        return self

    def _settle(self) -> bool:
        busy = False
        for seat in self.seats:
            for effect in run_inline(seat.machine, disk=seat.seat == ME):
                busy = True
                self._do(seat, effect)
        return busy

    def _do(self, seat: Seat, effect: Effect) -> None:
        if seat.seat == ME:
            match effect:
                case Write():
                    self.files.write(effect)
                    self.recorder.moment()
                    seat.machine.wrote(effect.number)
                case Send():
                    self.recorder.seen.append(effect.record)
                case Done() if seat.table is None:
                    self.files.remember(effect.records)
                case Done():
                    self.files.complete(effect.step, effect.records, 7 * effect.step)
                    self.recorder.moment()
        super()._do(seat, effect)


def begun(root: Path, recorder: Recorder, game: Game = GAME, policy: str = WAIT) -> TableFiles:
    """The files of a table that all have signed."""
    hub = genesis_hub(game, SEATS, policy=policy)
    entropy = seeded(("genesis", 1, ME))
    secret = own_seats(SEATS, 1, least_of(policy) or 0)[ME].secrets()
    (root / "games").mkdir()
    files = Store(root / "games", root / "ledger").files(NAME)
    data = proposed(game, policy)
    files.begin(SeatMemory(ME, secret, entropy(OPENING_BYTES), data, {}))
    on = OnDisk(hub.seats).on(files, recorder)
    on.run()
    header = on.seats[ME].result
    records = [record for records in on.seats[ME].machine.records for record in records]
    files.begin_log(header.encode(), records)
    return files


def proposed(game: Game = GAME, policy: str = WAIT) -> bytes:
    people = [(one.public, one.name, False) for one in identities(SEATS)]
    return proposals.propose(TOKEN, Terms.of(game.name, policy=policy), people).data


@cache
def played() -> tuple[list[Moment], list[bytes]]:
    """The moments of a whole table, from its proposal to its end, and the log at its end."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root = Path(folder)
        (root / "ledger").mkdir()
        recorder = Recorder(root)
        patch.setattr(terms, "load", named)
        recorder.watch(patch)
        files = begun(root, recorder)
        on = OnDisk(game_hub(GAME, SEATS).seats).on(files, recorder)
        on.run()
        table = on.seats[ME].table
        assert table is not None
        assert on.seats[ME].machine.ended
        files.keep_hand(hand_text(table.header.table, ME, table.cards.seen))
        recorder.moment()
        files.close(erase_secrets=True)
        recorder.moment()
        return recorder.moments, [record for step in on.seats[0].log for record in step]


@dataclass(frozen=True)
class Known:
    """What a seat knew after it came back, and what it sent then."""

    own: list[bytes]
    kept: dict[int, bytes]
    header: bytes | None
    log: list[bytes]
    sent: list[bytes]


def restart(root: Path) -> Known:
    """Come back, sign and send what is owed as far as that goes alone, and fall silent."""
    me = identities(SEATS)[ME]
    back = come_back(me, root / "games" / f"{NAME}.ndseat", root / "ledger")
    memory, log = back.memory, back.files.saved_records() if back.table else []
    sent: list[bytes] = []
    if back.table is not None and not memory.went_back:
        sent = _goes_on(back.table.machine, back.files)
    back.files.close(erase_secrets=False)
    return Known(memory.own, memory.kept, memory.header, log, sent)


def _goes_on(machine: Machine, files: TableFiles) -> list[bytes]:
    sent = []
    machine.allow_signing()
    effects = run_inline(machine, disk=True)
    while effects:
        match effects.pop(0):
            case Write() as asked:
                files.write(asked)
                machine.wrote(asked.number)
                effects += run_inline(machine, disk=True)
            case Send() as leaves:
                sent.append(leaves.record)
            case Decide():
                machine.decide(1)
                effects += run_inline(machine, disk=True)
    return sent


def is_prefix(some: list[bytes], of: list[bytes]) -> bool:
    return some == of[: len(some)]


def check(root: Path, moment: Moment, left: Contents, log: list[bytes]) -> str:
    """Two restarts in a row; what became of the first."""
    lay_out(root, left)
    try:
        first = restart(root)
    except REFUSED as error:
        refused = str(error)
        first = None
    if first is None:
        hand = left.get(f"games/{NAME}.ndhand", b"")
        assert is_printable(refused)
        assert not moment.seen or hand.endswith(b"\n"), f"what was sent is gone: {refused}"
        return "over" if hand else "not begun"
    again = restart(root)
    assert set(moment.seen) <= set(first.own), "what was sent is not known any more"
    assert is_prefix(first.log, log)
    assert is_prefix(first.own, again.own)
    assert set(first.sent) <= set(again.own), "what was sent after a restart is not known any more"
    assert (again.header, again.log) == (first.header, first.log)
    sealed = {decode_entry(one).step for one in again.own if has_secret(one)}
    assert sealed == again.kept.keys(), "a choice cannot be opened any more"
    said = [decode_entry(one) for one in (*moment.seen, *first.sent, *again.sent)]
    assert len({(one.table, one.step) for one in said}) == len({one.body for one in said})
    return "plays on" if first.header else "signs on"


def has_secret(record: bytes) -> bool:
    """Whether this seals a choice of the game."""
    entry = decode_entry(record)
    return entry.kind == "commit" and entry.table != proposals.decode_proposal(proposed()).id


def crashed(root: Path, stride: int, share: int) -> Counter[str]:
    """Every crash of a table, or one in `share` of them."""
    (root / "games").mkdir()
    (root / "ledger").mkdir()
    moments, log = played()
    tried: set[int] = set()
    outcomes: Counter[str] = Counter()
    for number, moment in enumerate(moments):
        for place, (name, left) in enumerate(moment.crashes(stride)):
            state = hash((tuple(sorted(left.items())), moment.seen))
            if (place + number) % share or state in tried:
                continue
            tried.add(state)
            try:
                outcomes[check(root, moment, left, log)] += 1
            except BaseException as error:
                error.add_note(f"moment {number}, {name}")
                raise
    return outcomes


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried afterwards need not be synced."""
    played()
    monkeypatch.setattr(disk, "_DATA", lambda descriptor: None)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.mark.slow
@pytest.mark.usefixtures("quick_disk")
def test_a_crash_at_any_write_of_a_table(tmp_path: Path) -> None:
    """From the proposal to the end: whatever part of what was not synced is on the disk.

    What somebody has been sent is known again, no step is signed twice, the log is a beginning of
    the true one, and a second restart knows the same.
    """
    outcomes = crashed(tmp_path, STRIDE, SHARE)
    assert outcomes.keys() == {"not begun", "signs on", "plays on", "over"}


@pytest.mark.full
@pytest.mark.usefixtures("quick_disk")
def test_a_crash_at_any_byte_of_a_table(tmp_path: Path) -> None:
    """The same at every byte."""
    assert crashed(tmp_path, 1, 1).keys() == {"not begun", "signs on", "plays on", "over"}


# -- keys in shares ------------------------------------------------------------------------------


def test_what_others_have_sealed_is_on_the_disk_before_this_seat_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what was synced before `sign` left, all shares of the others' keys can be opened.

    And of what was synced before `commit` left, this seat's own polynomial is known again.
    """
    (tmp_path / "ledger").mkdir()
    recorder = Recorder(tmp_path)
    recorder.watch(monkeypatch)
    files = begun(tmp_path, recorder, load(FIRST), carry_on(2))
    own = own_seats(SEATS, 1, 2)[ME]
    assert _seat_file(tmp_path).read_bytes().count(own.secrets()) == 1
    left = [one for one in recorder.moments if one.seen]
    first, signed = left[0], next(one for one in left if _step_of(one.seen[-1]) == SIGN_STEP)
    assert read_seat(_synced(first)).secret == own.secrets()
    memory = read_seat(_synced(signed))
    header = decode_header(read_seat(_seat_file(tmp_path).read_bytes()).header or b"")
    given = shares_of(header, own, memory.upon)
    assert sorted(given) == [seat for seat in range(SEATS) if seat != ME]
    files.close(erase_secrets=True)
    _is_erased(recorder, [own.secrets(), *memory.upon])


def _step_of(record: bytes) -> int:
    return decode_entry(record).step


def _seat_file(root: Path) -> Path:
    return root / "games" / f"{NAME}.ndseat"


def _synced(moment: Moment) -> bytes:
    return moment.synced[f"games/{NAME}.ndseat"]


def _is_erased(recorder: Recorder, secrets: list[bytes]) -> None:
    """Zeros were on the disk in the place of the seat file before its name was gone."""
    recorder.moment()
    path = f"games/{NAME}.ndseat"
    *_, last = (one.synced[path] for one in recorder.moments if path in one.synced)
    assert last
    assert not any(last)
    end = recorder.moments[-1]
    assert path not in end.now
    assert path not in end.synced
    assert not any(secrets[0] in data for data in end.now.values())
