"""Cheating in races, over real sockets: nobody gains, and a provable liar is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engine.question import PASS, Choose, Race
from p2p.player.events import Raced
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.races.book import RaceReport, RaceResult
from p2p.protocol.races.times import Sighting
from p2p.protocol.races.timing import Timing
from p2p.protocol.races.window import Window
from p2p.protocol.table import GameTable
from tests.attacks.crook import CROOK, Crook, Evening, acquit, convict, nothing, sit_down
from tests.protocol.scenes import scene
from tests.protocol.verbs import DECK, VerbsTable

SLAP = 0
SLOW, FAST = 0.7, 0.4
"""Reaction times of the crook and of the honest seats, in seconds."""
HONEST = (0, 2)
Row = list[Any]


@scene
async def slapped_twice(t: VerbsTable) -> None:
    """Two cards are turned up, and everybody may slap each."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    for place in (-1, -2):
        await t.open([t.stock[place]])
        won = await t.race([Choose(seat, ("slap",), "slap") for seat in range(t.seats)], "slap")
        t.seen.append(-1 if won is None else won.seat)


@scene
async def slapped_without_one(t: VerbsTable) -> None:
    """Seat 1 takes no part in the race; it has something to choose afterwards."""
    await t.race([Choose(seat, ("slap",), "slap") for seat in HONEST], "slap")
    t.seen.append(await t.choose(CROOK, ("left", "right"), "a side"))


def reactions(seconds: Mapping[int, float | None], default: float | None = FAST) -> Any:
    """A script: each seat slaps this long after it could see the card, or passes (None)."""

    async def decide(view: Any, question: Any) -> object:
        if not isinstance(question, Race):
            return question.decisions(view)[0]
        reaction = seconds.get(view.seat, default)
        if reaction is None:
            return PASS
        await trio.sleep(reaction)
        return SLAP

    return decide


def slow_crook(monkeypatch: pytest.MonkeyPatch) -> Crook:
    """It claims whenever it likes, even if its own program would have passed by then."""
    crook, real = Crook(script=reactions({CROOK: SLOW})), Window.pass_at

    def pass_at(window: Window, wants: bool) -> int | None:
        return None if window._races is crook.table.cards.races else real(window, wants)

    monkeypatch.setattr(Window, "pass_at", pass_at)
    return crook


def lies(crook: Crook, bend: Callable[[int, Sighting], Sighting]) -> None:
    """Pass what its witness entries say of each claimant through `bend`."""

    def begin(table: GameTable) -> None:
        races, real = table.cards.races, table.cards.races.sighting

        def sighting(claimant: int, timing: Timing, at: int) -> Sighting:
            return bend(claimant, real(claimant, timing, at))

        races.sighting = sighting  # type: ignore[method-assign]

    crook.begins = begin


def races(evening: Evening) -> list[RaceReport]:
    """The races with several claims, on which both honest seats agree."""
    told = [
        [event.report for event in evening.players[seat].events if isinstance(event, Raced)]
        for seat in HONEST
    ]
    assert told[0] == told[1]
    return told[0]


def gained_nothing(evening: Evening) -> None:
    """Check that it claimed in both races, and that its agreed time is as slow as it was."""
    acquit(evening)
    reports = races(evening)
    assert len(reports) == 2
    for report in reports:
        assert report.first in HONEST
        mine = dict(report.times)[CROOK]
        assert mine is None or mine > 1e6 * (SLOW + FAST) / 2
        assert report.outcome in (RaceResult.FIRST, RaceResult.TIE)


def later(crook: Crook, seconds: float) -> Callable[[Entry], list[bytes]]:
    """Send its entry this much later."""

    async def send(record: bytes) -> None:
        await trio.sleep(seconds)
        crook.flood([record])

    def bend(entry: Entry) -> list[bytes]:
        assert crook.nursery is not None
        crook.nursery.start_soon(send, entry.record)
        return []

    return bend


async def test_the_slower_loses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """Control: without any trick the slower one loses; the other tests show that no trick changes
    this.
    """
    gained_nothing(await sit_down(tmp_path, monkeypatch, slow_crook(monkeypatch), "slapped-twice"))


async def test_the_faster_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """Control: the faster one wins."""
    crook = Crook(script=reactions({CROOK: 0.15, 2: None}, default=0.2))
    evening = await sit_down(tmp_path, monkeypatch, crook, "slapped-twice")
    acquit(evening)
    assert all(report.first == CROOK for report in races(evening))


async def test_looking_first_and_sharing_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player sends its share late, sees the card half a second before all others, and claims
    first.

    Answer: the others count from when it could see the card, so nothing is gained. Remains: if it
    sends its share to a friend only, that friend sees the card one hop before the rest.
    """
    crook = slow_crook(monkeypatch)
    crook.sends["open"] = later(crook, 0.5)
    gained_nothing(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"))


@pytest.mark.parametrize(
    ("own", "of_others"),
    [
        (Sighting(0, 0, 0), Sighting(60_000_000, 60_000_000, 0)),
        (Sighting(0, 0, 0), Sighting(None, None, 0)),
        (Sighting(None, None, 0), Sighting(None, None, 0)),
    ],
    ids=["back-dated, others late", "back-dated, others unseen", "nothing seen"],
)
async def test_a_lying_witness(
    own: Sighting,
    of_others: Sighting,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    quiet_clock: MockClock,
) -> None:
    """A player lies about when it saw the claims.

    Answer: the middle of what all others say counts, and nobody has a say in its own time. Remains:
    if two players contradict each other, a coin decides.
    """
    crook = slow_crook(monkeypatch)
    lies(crook, lambda claimant, _: own if claimant == CROOK else of_others)
    gained_nothing(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"))


async def test_a_dropped_witness_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player holds back its report of what it saw.

    Answer: the table waits, nobody is called a cheat, and the report changes nothing when it comes.
    """
    crook = slow_crook(monkeypatch)
    crook.sends["witness"] = later(crook, 1.0)
    evening = await sit_down(tmp_path, monkeypatch, crook, "slapped-twice")
    gained_nothing(evening)
    assert min(result.seconds for result in evening.ended.values()) > 2  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "payload",
    [{"slap": 0, "at": 0}, [0, 0], -1, 1, b"slap"],
    ids=["with a time", "with a time in a list", "below", "beyond", "in bytes"],
)
async def test_a_claim_that_says_more(
    payload: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player puts a time of its own into its claim, to date it back.

    Answer: a claim carries no time; one that does is refused.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.bend_payload("race", lambda _: payload)
    verdict = "illegal-move" if isinstance(payload, int) else "malformed"
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), verdict)


def _claims(change: Callable[[list[Row]], object]) -> Callable[[Any], object]:
    """What a witness says of the claims, changed."""
    return lambda said: {**said, "claims": change(said["claims"])}


def _rows(change: Callable[[Row], Row]) -> Callable[[Any], object]:
    return _claims(lambda rows: [change(list(row)) for row in rows])


def _parts(change: Callable[[Row], Row]) -> Callable[[Any], object]:
    """When the witness had the others' parts, changed."""
    return lambda said: {**said, "parts": change(said["parts"])}


@pytest.mark.parametrize(
    "change",
    [
        _claims(lambda rows: rows[:-1]),
        _rows(lambda row: [*row, 0]),
        _rows(lambda row: [-1, *row[1:]]),
        _rows(lambda row: [row[0], 10**12, row[2]]),
        lambda said: said["claims"],
        _parts(lambda parts: parts[:-1]),
        _parts(lambda parts: [0] * len(parts)),
        _parts(lambda parts: [-(10**12), *parts[1:]]),
    ],
    ids=[
        "a claim left out",
        "a number more",
        "before the card",
        "a day late",
        "another shape",
        "a part left out",
        "its own part",
        "a part days before",
    ],
)
async def test_a_witness_entry_that_is_none(
    change: Callable[[Any], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    quiet_clock: MockClock,
) -> None:
    """A player's report of what it saw leaves out a claim or holds impossible times.

    Answer: malformed, and the player is named.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.bend_payload("witness", change)
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "malformed")


async def test_more_credit_than_the_pings_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player credits a friend with a longer way than was measured before the game.

    Answer: refused, and the player is named. Remains: a player who fakes a long way before the
    game gains a little, at most twice the cap of the table.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.bend_payload("witness", _rows(lambda row: [*row[:2], 80_000]))
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "bad-witness")


async def test_more_credit_than_by_its_own_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player credits a friend with a longer way than it did before.

    Answer: refused: a shortest way never grows.
    """
    crook, said = Crook(script=reactions({}, default=0.1)), []
    lies(crook, lambda claimant, seen: seen._replace(credit=0))

    def credit(rows: list[Row]) -> list[Row]:
        said.append(rows)
        return rows if len(said) == 1 else [[*row[:2], 1] for row in rows]

    crook.bend_payload("witness", _claims(credit))
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "bad-witness")
    assert len(said) == 2


async def test_a_claim_and_a_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player signs both a claim and a pass.

    Answer: two signatures for one step convict it.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.sends["race"] = lambda e: [e.record, crook.sign(e.record, payload=None)]
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "equivocation")


async def test_a_claim_to_one_and_a_pass_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player sends a claim to one neighbour and a pass to another.

    Answer: they compare, and hold both signatures.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.sends["race"] = lambda entry: crook.tell_two_things(entry, None)
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "equivocation")


async def test_two_witness_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player signs two reports of what it saw.

    Answer: two signatures for one step convict it.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.sends["witness"] = lambda entry: [
        entry.record,
        crook.sign(entry.record, payload=_rows(lambda _: [None, None, 0])(entry.payload)),
    ]
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "equivocation")


async def test_a_flood_of_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player signs a thousand different claims for one race.

    Answer: the second one convicts it.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.sends["race"] = lambda entry: [
        crook.sign(entry.record, payload=number) for number in range(1000)
    ]
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "equivocation")


async def test_the_same_claim_over_and_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player sends the same claim five hundred times.

    Answer: it counts once, from when it first came.
    """
    crook = slow_crook(monkeypatch)
    crook.sends["race"] = lambda entry: [entry.record] * 500
    gained_nothing(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"))


async def test_a_claim_in_a_race_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player claims in a race in which it has no part.

    Answer: an illegal move.
    """
    crook = Crook(script=reactions({}, default=0.1))

    def claim_too(entry: Entry) -> list[bytes]:
        return [crook.sign(entry.record, seat=CROOK)] if entry.kind == "race" else []

    crook.hears = claim_too
    crook.sends["choose"] = nothing
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-without-one"), "illegal-move")


async def test_a_claim_before_there_is_a_race(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player claims when its share of the card is due, before the card can be seen.

    Answer: an illegal move.
    """
    crook = Crook(script=reactions({}, default=0.1))
    crook.sends["open"] = lambda e: [crook.sign(e.record, kind="race", payload=SLAP)]
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "illegal-move")


async def test_a_claim_for_the_next_race_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player signs a claim for the next race before the card of that race is shown.

    Answer: such a claim counts for nothing, and when the race comes, the player has already signed
    for that step: anything more convicts it.
    """
    crook = Crook(script=reactions({}, default=0.1))

    def ahead(entry: Entry) -> list[bytes]:
        # Not the step of the entry itself: it may be complete before the last entry is sent.
        before = crook.table.machine.records[: entry.step]
        if "race" in [decode_entry(records[0]).kind for records in before]:
            return [entry.record]
        return [entry.record, crook.sign(entry.record, step=entry.step + 3)]

    crook.sends["race"] = ahead
    convict(await sit_down(tmp_path, monkeypatch, crook, "slapped-twice"), "equivocation")
