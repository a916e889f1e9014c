"""Cheats while the others go on without a player who is lost: seat 3 vanishes, seat 1 cheats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2p.crypto.group import POINT_BYTES
from p2p.errors import LobbyError
from p2p.net.invite import Invite
from p2p.peer import TablePlan, resume_table
from p2p.player.events import Event, Missed, Stopped
from p2p.protocol import step_kinds, wire
from p2p.protocol.absence.vote import PRESENT, ROUNDS_MAX, Absent, Place, sign_vote
from p2p.protocol.entry import SIGNATURE_BYTES, Entry, decode_entry
from p2p.protocol.frame_kinds import RECORD
from p2p.protocol.logfile import split_log
from p2p.protocol.policy import carry_on
from p2p.protocol.terms import Terms
from p2p.seat.runner import OUT
from p2p.spectators.client import watch_table
from replay.audit import audit
from tests.attacks.crook import CROOK, Crook, Evening, Victim, acquit, convict, sit_at
from tests.peer.kit import Watcher, sitter, store
from tests.protocol.cheats import FIELDS, first, moved

LOST = 3
ROUNDS = 3
"""So often somebody stops a vote."""
GONE: Absent = frozenset({LOST})
FLIP_OVER = TablePlan(Terms.of("flip-over", {"rounds": 1}, carry_on(3)), 4)
"""Seat 3 has cards in its hand, which the others lock anew; then the game is over."""
FLOP_A = TablePlan(Terms.of("flop-a", {"hands": 1}, carry_on(3)), 4)
"""Cards of the void step are mended; then the hand goes on."""
THREE = TablePlan(Terms.of("flip-over", {"rounds": 1}, carry_on(2)), 3)
"""Nobody vanishes."""


async def calls(view: Any, question: Any) -> object:
    """Nobody folds, so that cards are turned up."""
    return 1


def crook_at(plan: TablePlan) -> Crook:
    return Crook(script=calls if plan is FLOP_A else None)


def victim_at(plan: TablePlan) -> Victim:
    return Victim("open" if plan is FLOP_A else "play")


def let_go(evening: Evening) -> list[Entry]:
    """Nobody is accused: the others went on without seat 3; their votes."""
    acquit(evening)
    (log,) = (evening.folder / "0").glob("*.ndlog")
    assert [one.seat for one in audit(log).lost] == [LOST]
    entries = map(decode_entry, split_log(log.read_bytes()).records)
    return [entry for entry in entries if entry.kind == step_kinds.VOTE]


def vote(crook: Crook, entry: Entry, number: int, absent: Absent, seat: int = CROOK) -> bytes:
    """A vote about the step of an entry, signed by the crook."""
    place = Place(entry.table, entry.step, entry.previous)
    return sign_vote(crook.identity, place, seat, number, absent).record


@pytest.mark.parametrize("plan", [FLIP_OVER, FLOP_A], ids=["flip-over", "flop-a"])
async def test_a_lost_player_is_let_go(
    plan: TablePlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """Control: nobody bends anything, and the others have a complete log."""
    evening = await sit_at(tmp_path, monkeypatch, crook_at(plan), plan, victim_at(plan))
    assert len(let_go(evening)) == 3


# -- while they vote ---------------------------------------------------------------------------


async def test_a_voter_who_votes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """In the same round, a player tells some seats that it votes somebody out, and others that it
    waits.

    Answer: two votes of a seat in one round are a proof against it, whoever has both.
    """
    crook = crook_at(FLIP_OVER)
    crook.sends["vote"] = lambda e: [
        e.record,
        crook.sign(e.record, payload={**e.payload, "absent": []}),
    ]
    convict(
        await sit_at(tmp_path, monkeypatch, crook, FLIP_OVER, victim_at(FLIP_OVER)), "equivocation"
    )


async def test_vote_in_the_last_round_before_anybody_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """At each step, before anybody is missing, a player votes in the last round that there is.

    Answer: a round counts once a seat has come to it by all those before.  The others vote as if
    nothing were there, and go on without who is lost.
    """
    crook = crook_at(FLIP_OVER)

    def jumps(entry: Entry) -> list[bytes]:
        is_vote = entry.kind == step_kinds.VOTE
        return [] if is_vote else [vote(crook, entry, ROUNDS_MAX - 1, PRESENT)]

    crook.hears = jumps
    evening = await sit_at(tmp_path, monkeypatch, crook, FLIP_OVER, victim_at(FLIP_OVER))
    assert {entry.payload["round"] for entry in let_go(evening)} == {0}
    assert crook.said


async def test_a_vote_against_somebody_who_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player votes somebody out who is there and plays.

    Answer: nobody else agrees or is even asked; the seat plays on, and the vote decides nothing.
    """
    crook = Crook()

    def votes(view: Any, question: Any) -> None:
        if not any(decode_entry(record).kind == step_kinds.VOTE for record in crook.said):
            crook.say(frozenset({2}))

    crook.decides = votes
    crook.sends["vote"] = lambda entry: [entry.record]
    evening = await sit_at(tmp_path, monkeypatch, crook, THREE)
    acquit(evening)
    said = [decode_entry(record) for record in crook.said]
    assert [2] in [entry.payload["absent"] for entry in said if entry.kind == step_kinds.VOTE]
    for player in evening.players.values():
        assert not any(isinstance(event, Missed) for event in player.events)


async def test_somebody_who_says_wait_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player says "wait" whenever the others vote a lost player out, so that no vote decides.

    Answer: the others can read who says so, and for whom their votes wait; nobody is accused, and
    nothing is lost.  All have to agree, and once they do the table goes on: nobody can be
    overruled.
    """
    crook, heard, refuted = crook_at(FLIP_OVER), dict[int, Entry](), list[int]()
    crook.goes_on = False

    def hears(entry: Entry) -> list[bytes]:
        if entry.kind == step_kinds.VOTE:
            heard[entry.payload["round"]] = entry
        return []

    def waits(event: Event) -> None:
        """Once the others know that their votes wait for it."""
        awaited = isinstance(event, Missed) and event.awaited == ("guest 1",)
        last = max(heard, default=None)  # the news may be faster than the first vote
        if not awaited or last is None or last in refuted:
            return
        refuted.append(last)
        crook.goes_on = len(refuted) > ROUNDS
        if crook.goes_on:
            crook.say(GONE)
        else:
            wait = vote(crook, heard[last], last, PRESENT)
            crook.table.machine.receive(wait)  # so that its own program signs no other one
            crook.flood([wait])

    crook.hears, crook.overhears = hears, waits
    crook.sends["vote"] = lambda entry: [entry.record] if entry.payload["absent"] else []
    evening = await sit_at(tmp_path, monkeypatch, crook, FLIP_OVER, victim_at(FLIP_OVER))
    votes = let_go(evening)
    assert {entry.payload["round"] for entry in votes} == {ROUNDS}
    for player in evening.players.values():
        told = [event for event in player.events if isinstance(event, Missed)]
        assert any(("guest 1", False) in event.said for event in told)
        assert any(event.awaited == ("guest 1",) for event in told)


def in_another_name(crook: Crook, heard: Entry) -> bytes:
    return vote(crook, heard, heard.payload["round"], frozenset({0}), seat=LOST)


def of_another_step(crook: Crook, heard: Entry) -> bytes:
    """What somebody else has signed about this step, as about the next one."""
    body = wire.pack({**{name: getattr(heard, name) for name in FIELDS}, "step": heard.step + 1})
    return body + heard.record[-SIGNATURE_BYTES:]


def of_another_table(crook: Crook, heard: Entry) -> bytes:
    place = Place(bytes(len(heard.table)), heard.step, heard.previous)
    return sign_vote(crook.identity, place, CROOK, 0, GONE).record


@pytest.mark.parametrize(
    "forged",
    [
        in_another_name,
        pytest.param(of_another_step, marks=pytest.mark.full),
        pytest.param(of_another_table, marks=pytest.mark.full),
    ],
)
async def test_votes_that_nobody_here_has_cast(
    forged: Callable[[Crook, Entry], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    quiet_clock: MockClock,
) -> None:
    """A player votes in the name of a lost player, passes on somebody's vote as one about another
    step, or a vote of another table.

    Answer: whoever sends that loses the link; no seat is accused, and no such vote counts.
    """
    crook, sent = crook_at(FLIP_OVER), list[bytes]()

    def forges(entry: Entry) -> list[bytes]:
        if entry.kind == step_kinds.VOTE and not sent:
            sent.append(forged(crook, entry))
            crook.mesh.flood(RECORD.make(sent[0]))  # once: it costs the links
        return []

    crook.hears = forges
    evening = await sit_at(tmp_path, monkeypatch, crook, FLIP_OVER, victim_at(FLIP_OVER))
    assert len(let_go(evening)) == 3
    assert sent


@pytest.mark.full
async def test_votes_that_are_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player sends everybody's votes again, at each later step.

    Answer: they are about a step that is over, and change nothing.
    """
    crook, heard = crook_at(FLOP_A), list[bytes]()

    def hears(entry: Entry) -> list[bytes]:
        if entry.kind == step_kinds.VOTE:
            heard.append(entry.record)
            return []
        return heard

    crook.hears = hears
    let_go(await sit_at(tmp_path, monkeypatch, crook, FLOP_A, victim_at(FLOP_A)))
    assert len(heard) >= 2


# -- the step that became void -----------------------------------------------------------------


async def test_an_entry_for_a_void_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player signs another entry for the step that became void when somebody was voted out.

    Answer: no entry of that step counts, for anybody or against; the others play on.
    """
    crook, opened = crook_at(FLOP_A), list[Entry]()

    def opens(entry: Entry) -> list[bytes]:
        opened.append(entry)
        return [entry.record]

    def mends(entry: Entry) -> list[bytes]:
        late = opened[0].record
        return [entry.record, late, crook.sign(late, payload={})]

    crook.sends |= {"open": opens, "mend": mends}
    let_go(await sit_at(tmp_path, monkeypatch, crook, FLOP_A, victim_at(FLOP_A)))
    assert len(crook.said) > 3


async def test_somebody_who_signs_at_both_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player votes somebody out together with the others, but also goes on with the one who was
    voted out.

    Answer: to play at both tables it has to sign a step twice, which is a proof against it.
    """
    crook = crook_at(FLIP_OVER)
    crook.sends["relock"] = lambda e: [
        e.record,
        crook.sign(e.record, kind="play", previous=bytes(32)),
    ]
    convict(
        await sit_at(tmp_path, monkeypatch, crook, FLIP_OVER, victim_at(FLIP_OVER)), "equivocation"
    )


@dataclass
class ComesBack:
    """The lost seat is back with its files, while the others play on; then it watches."""

    victim: Victim = field(default_factory=lambda: victim_at(FLOP_A))
    player: Watcher = field(default_factory=lambda: Watcher(3))
    gone_on: trio.Event = field(default_factory=trio.Event)
    told: trio.Event = field(default_factory=trio.Event)

    async def waits(self, view: Any, question: Any) -> object:
        """The hand goes on once the lost seat has been told."""
        if self.victim.said:
            await self.told.wait()
        return 1

    def hears(self, entry: Entry) -> list[bytes]:
        """The others have gone on when the first of them mends."""
        if entry.kind == step_kinds.MEND:
            self.gone_on.set()
        return []

    async def returns(self, folder: Path, invite: Invite) -> None:
        await self.gone_on.wait()
        (seat_file,) = folder.glob("*.ndseat")
        who = sitter(self.victim.identity, self.player)
        with pytest.raises(LobbyError) as refusal:
            await resume_table(who, seat_file, store(folder).ledger)
        assert str(refusal.value) == OUT
        assert not seat_file.exists(), "its secrets are of no use any more"
        await watch_table(self.victim.identity, invite, lambda event: self.told.set())


async def test_who_was_voted_out_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player who was voted out comes back with its files, and sends what it had signed for the
    step that became void.

    Answer: its program learns that the others have gone on, and ends; the player may watch.  What
    it had signed counts for nothing, and nobody is accused.
    """
    back = ComesBack()
    back.victim.returns = back.returns
    crook = Crook(script=back.waits, hears=back.hears)
    evening = await sit_at(tmp_path, monkeypatch, crook, FLOP_A, back.victim)
    let_go(evening)
    assert back.told.is_set()
    assert back.victim.said
    for player in (back.player, *evening.players.values()):
        assert not any(isinstance(event, Stopped) for event in player.events)


# -- while the key is taken out ----------------------------------------------------------------


FALSE: dict[str, tuple[TablePlan, str, Callable[[Any], Any], str]] = {
    "a card in the place of another": (
        FLIP_OVER,
        "relock",
        first(lambda part: {**part, "deck": moved(part["deck"], POINT_BYTES)}),
        "bad-transfer",
    ),
    "a share of the lost key that does not fit": (
        FLIP_OVER,
        "strip",
        first(lambda part: {**part, "shares": moved(part["shares"], 0)}),
        "bad-share",
    ),
    "a bad shuffle": (FLOP_A, "mend", lambda p: {**p, "deck": moved(p["deck"], 0)}, "bad-shuffle"),
}


@pytest.mark.parametrize("cheat", FALSE)
async def test_cheats_while_a_lost_key_is_taken_out(
    cheat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player replaces a card of the lost hand, gives a wrong share of the lost key, or shuffles
    wrongly the cards of which some shares were already sent.

    Answer: each of these has a proof, which all others check before anything else happens; the
    player is named.
    """
    plan, kind, change, verdict = FALSE[cheat]
    crook = crook_at(plan)
    crook.bend_payload(kind, change)
    convict(await sit_at(tmp_path, monkeypatch, crook, plan, victim_at(plan)), verdict)


async def test_a_lost_lock_is_not_taken_off_before_the_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_clock: MockClock
) -> None:
    """A player takes the lost seat's lock off cards of which some shares were already sent, without
    the shuffle that has to come first.

    Answer: nobody owes that step yet: an illegal move.
    """
    crook = crook_at(FLOP_A)
    crook.sends["mend"] = lambda entry: [crook.sign(entry.record, kind="strip")]
    convict(await sit_at(tmp_path, monkeypatch, crook, FLOP_A, victim_at(FLOP_A)), "illegal-move")
