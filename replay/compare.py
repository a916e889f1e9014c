"""Whether several files of one table tell one history, and who signed two if they do not.

Each file may be right in itself: those who stay at a table can write its end anew.  Two histories
together are proof against every seat that signed an entry for the same step in both, and against
nobody else.  Only what a seat signed counts, whoever supplied the files; of a file that is cut or
spoilt, what stands before that.  The end of a log whose seat was voted out is no second history
(`replay.tails`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

from engine.wording import counted, listed
from engine.zone import Seat
from p2p.errors import PeerError
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.logfile import split_saved, split_sound
from p2p.text.names import called, spelled
from p2p.version import other_writer
from replay.audit import CLOSED_WITHOUT, UnreadableError
from replay.beyond import Place, place_of
from replay.chain import chained
from replay.tails import History, ends, tails

EQUIVOCATION: Final = "equivocation"
BROKEN_CHAIN: Final = "broken-chain"


class Copy(NamedTuple):
    """A file of the table, and what the audit said about it alone."""

    path: str
    verdict: str
    proven_to: int | None
    data: bytes


class Twice(NamedTuple):
    """A seat signed two entries for one step; this is the first such step."""

    seat: Seat
    name: str
    step: int


class Comparison(NamedTuple):
    """The outcome of comparing several files of one table.

    `verdict` is None if they tell one history; otherwise `step` is the first in which they differ,
    `seats` are those that signed in both, and `sides` are the files that tell that step alike.
    `twins` counts the files whose bytes are those of an earlier one.
    """

    table: str
    paths: tuple[str, ...]
    verdict: str | None
    reason: str
    step: int | None = None
    seats: tuple[Twice, ...] = ()
    sides: tuple[tuple[str, ...], ...] = ()
    twins: int = 0

    @property
    def same(self) -> bool:
        """Whether they tell one history, some of them perhaps only a part of it."""
        return self.verdict is None


def compare(copies: Sequence[Copy]) -> Comparison:
    """Compare files that begin with one sound header.

    UnreadableError if they are of several tables, PeerError if one is of none.
    """
    said = _Said()
    for copy in copies:
        said.add(copy.data)
    table, paths = said.table.hex(), tuple(copy.path for copy in copies)
    step, other = said.fork, said.other_writer
    twice = () if other else said.twice
    twins = len(copies) - len({copy.data for copy in copies})
    spoilt = [spelled(paths[number]) for number in sorted(said.spoilt)]
    unread = f"; {listed(spoilt)} cannot be read to the end" if spoilt else ""
    if step is None:
        alike = _alike(copies, said.lengths, whole=not unread)
        return Comparison(table, paths, None, alike + said.tails + unread, twins=twins)
    verdict = EQUIVOCATION if twice else BROKEN_CHAIN
    sides = tuple(tuple(paths[number] for number in side) for side in said.sides(step))
    reason = _differ(copies, step, twice, other) + unread
    return Comparison(table, paths, verdict, reason, step, twice, sides, twins)


class _Said:
    """What each seat signed for each step, in all files."""

    def __init__(self) -> None:
        self.table = b""
        self._names: tuple[str, ...] = ()
        self.other_writer: str | None = None
        """The revision of the files, if it is not ours."""
        self._records: defaultdict[Place, set[bytes]] = defaultdict(set)
        self._histories: Final[list[History]] = []
        self.spoilt: Final[set[int]] = set()
        """The numbers of the files that cannot be read to their ends."""

    def add(self, data: bytes) -> None:
        """Read a file as far as it is sound."""
        number = len(self._histories)
        try:
            log, beyond = split_saved(data)
        except PeerError:
            log, beyond = split_sound(data)
            self.spoilt.add(number)
        header = decode_header(log.header)
        if self.table not in (b"", header.table):
            raise UnreadableError("these files are not of one table")
        self.table, self._names = header.table, header.proposal.names
        self.other_writer = other_writer(header.proposal.revision)
        history = History(header.proposal.identities)
        self._histories.append(history)
        try:
            for entry in chained(header, log):
                history.add(entry)
                self._note(entry)
        except PeerError:
            self.spoilt.add(number)
        for entry in _signed(header, beyond):
            self._note(entry)

    def _note(self, entry: Entry) -> None:
        self._records[place_of(entry)].add(sha256(entry.record).digest())

    @property
    def fork(self) -> int | None:
        """The first step that two files tell differently, but for tails."""
        differ = [place.step for place, records in self._records.items() if len(records) > 1]
        # Two hashes before a step: the one before it differed, even if no entry has two bodies.
        before = defaultdict[int, set[bytes]](set)
        for history, length in zip(self._histories, self.lengths, strict=True):
            for step, head in enumerate(history.before[:length]):
                before[step].add(head)
        differ += [step - 1 for step, heads in before.items() if len(heads) > 1]
        return min(differ, default=None)

    @property
    def lengths(self) -> list[int]:
        """How many steps each file has without its tail, the last one perhaps not whole."""
        ended = tails(self._histories)
        return [
            ended[number].step + 1 if number in ended else len(history.before)
            for number, history in enumerate(self._histories)
        ]

    def sides(self, step: int) -> list[list[int]]:
        """The numbers of the files that tell this step alike, side by side.

        Left out is a file that ends before it, or inside it so that it fits several sides.
        """
        told: defaultdict[bytes | frozenset[bytes], list[int]] = defaultdict(list)
        open_ended = []
        for number, history in enumerate(self._histories):
            if len(history.before) > step + 1:
                told[history.before[step + 1]].append(number)
            elif len(history.before) == step + 1:
                open_ended.append(number)
        for number in open_ended:
            records = self._histories[number].records(step)
            fits = [
                side for side in told.values() if records <= self._histories[side[0]].records(step)
            ]
            if len(fits) < 2:
                (fits[0] if fits else told[records]).append(number)
        return sorted(map(sorted, told.values()))

    @property
    def tails(self) -> str:
        """Which files end in what nobody continues, in words."""
        return "".join(
            f"; {listed(called(self._names[seat]) for seat in sorted(tail.absent))} "
            f"{'was' if len(tail.absent) == 1 else 'were'} voted out in step {tail.step}, and what "
            "else a file tells from there on was continued by nobody"
            for tail in ends(tails(self._histories).values())
        )

    @property
    def twice(self) -> tuple[Twice, ...]:
        """The seats that signed two entries for a step, each with the first such step."""
        first: dict[Seat, int] = {}
        for (step, seat, _), records in self._records.items():
            if len(records) > 1:
                first[seat] = min(step, first.get(seat, step))
        return tuple(Twice(seat, self._names[seat], first[seat]) for seat in sorted(first))


def _signed(header: Header, records: Sequence[bytes]) -> Iterator[Entry]:
    """The entries among records beyond a log that a seat of this table signed."""
    for record in records:
        with suppress(PeerError):
            entry = decode_entry(record)
            if entry.table != header.table or entry.seat not in range(len(header.keys)):
                continue
            entry.check_signature(header.proposal.identities[entry.seat])
            yield entry


def _alike(copies: Sequence[Copy], lengths: Sequence[int], *, whole: bool) -> str:
    files = counted(len(copies), "file")
    if len({copy.data for copy in copies}) == 1:
        return f"{files}, equal byte for byte: they count as one copy"
    ends = {length: copy.path for length, copy in zip(lengths, copies, strict=True)}
    if len(ends) == 1:
        last = "; they differ only in the signatures of its last step" if whole else ""
        return f"{files} tell one history{last}"
    long, short = max(ends), min(ends)
    return (
        f"{files} tell one history: {spelled(ends[long])} has most of it ({_to(long)}),"
        f" {spelled(ends[short])} least ({_to(short)})"
    )


def _to(length: int) -> str:
    """How far a file goes: its last step may not be whole, so that an audit counts one less."""
    return f"to step {length - 1}" if length else "no step"


def _differ(copies: Sequence[Copy], step: int, twice: Sequence[Twice], other: str | None) -> str:
    who = [f"{called(one.name)} signed two different entries for step {one.step}" for one in twice]
    guilt = listed(who) if who else "no seat is shown to have signed twice"
    guilt = f"{other}, which accuses nobody" if other else guilt
    alike = f"the files agree up to step {step - 1} and differ" if step else "the files differ"
    return f"{alike} from step {step} on: {guilt}{_left(copies, step)}"


def _left(copies: Sequence[Copy], step: int) -> str:
    """Whether they differ only after a seat left, so that what is proven of each still stands."""
    proven = [copy.proven_to for copy in copies if copy.verdict == CLOSED_WITHOUT]
    ends = [end for end in proven if end is not None]
    if not ends or step < min(ends):
        return ""
    return f"; they agree on what an absent seat confirmed, up to step {min(ends)}"
