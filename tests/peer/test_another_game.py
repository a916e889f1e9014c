"""Another game with the same people: the host proposes it, and everybody agrees to its bytes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from engine.errors import UsageError
from engine.games import load
from p2p.driver.connection import TableResult
from p2p.errors import LobbyError, PeerError
from p2p.lobby.plan import TablePlan
from p2p.lobby.rematch import AT_ONCE, DECIDES_SECONDS, LOOKS_SECONDS, TOO_LATE, next_token
from p2p.net.invite import Invite
from p2p.net.signed_addresses import sign_addresses
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.bots import BotPlayer
from p2p.player.choosing import Choosing
from p2p.player.events import Event, PlayAgain, Seated
from p2p.protocol import wire
from p2p.protocol.frame_kinds import AGAIN, REFUSED
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import NEXT_MAX, Terms, read_next
from replay.audit import audit
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, sitter, store
from tests.peer.test_again import (
    GAME,
    KEYS,
    PEOPLE,
    SAME,
    TABLE,
    hear,
    proposed,
    says,
    settling,
    sit,
)

RACE = RaceTerms()


def planned(game: str, race: RaceTerms = RACE, **options: Any) -> Terms:
    return Terms.of(game, options, race=race)


SNEAK = planned("sneak")
TWO = planned("flip-over", rounds=2)


def bent(**fields: Any) -> bytes:
    """A plan that differs from an honest one in these fields."""
    return wire.pack({**wire.unpack(SNEAK.data), **fields})


def words(sent: list[tuple[bytes, bytes]], seat: int) -> list[dict[str, Any]]:
    """What this seat was told about the next game."""
    return [
        AGAIN.read(frame[1:])
        for key, frame in sent
        if key == KEYS[seat] and frame[0] == AGAIN.number
    ]


# -- the host ----------------------------------------------------------------------------------


def test_the_table_is_the_hosts_plan_once_all_have_agreed_to_it() -> None:
    host, world, told = sit(0)
    says(host, 1, True)  # the old game, whatever comes
    says(host, 2, False)
    settled = settling(host, world)
    world.time.pass_(1)
    host.agree(SNEAK)
    world.time.pass_(4)
    assert host.people == 3
    says(host, 3, True, plan=SNEAK.data)
    world.time.pass_(5)
    assert not host.is_settled, "one of them agreed to another game"
    says(host, 1, True, plan=SNEAK.data)
    world.time.pass_(0)
    seating = settled.result()
    assert seating is not None
    assert seating.proposal.game.name == "sneak"
    assert seating.proposal.names == ("seat0", "seat1", "seat3")
    assert [word["plan"] for word in words(world.posted, 1)] == [SNEAK.data]
    assert told[-1] == PlayAgain(("seat1", "seat0", "seat3"), ("seat2",), SNEAK)


def test_a_host_may_think_again_and_the_last_word_counts() -> None:
    host, world, _ = sit(0)
    settled = settling(host, world)
    for after, plan in ((1, SNEAK), (1.5, TWO), (10.5, SNEAK)):
        world.time.after(after, partial(host.agree, plan))
    world.time.pass_(2)
    for seat in (1, 2, 3):
        says(host, seat, True, plan=SNEAK.data)
    world.time.pass_(8)
    assert not settled.is_given
    world.time.pass_(0.5)
    seating = settled.result()
    assert seating is not None
    assert seating.proposal.game.name == "sneak"
    assert [word["plan"] for word in words(world.posted, 3)] == [SNEAK.data, TWO.data, SNEAK.data]


@pytest.mark.call("p2p.lobby.rematch:Rematch.agree -> plan.load().check")
def test_what_so_many_people_cannot_play_is_not_proposed() -> None:
    host, world, _ = sit(0)
    says(host, 1, False)
    says(host, 2, False)
    with pytest.raises(UsageError, match="Flip Over is for 3 to 5 players, not 2"):
        host.agree(TWO)
    assert world.posted == []
    host.agree(SNEAK)
    assert len(world.posted) == 3


def test_a_host_whose_game_nobody_can_play_any_more_may_propose_another() -> None:
    host, world, told = sit(0)
    settled = settling(host, world)
    world.time.pass_(1)
    host.agree(TWO)
    world.time.pass_(1)
    for seat, stays in ((1, True), (2, False), (3, False)):
        says(host, seat, stays, plan=TWO.data)
    world.time.pass_(2)
    seen = told[-1]
    assert isinstance(seen, PlayAgain)
    assert (seen.plan, seen.why_not) == (None, "Flip Over is for 3 to 5 players, not 2")
    says(host, 1, True, plan=SNEAK.data)
    world.time.pass_(6)
    assert not settled.is_given
    host.agree(SNEAK)
    world.time.pass_(0)
    seating = settled.result()
    assert seating is not None
    assert (seating.proposal.game.name, seating.proposal.names) == ("sneak", ("seat0", "seat1"))


def test_who_has_not_agreed_in_time_is_told_so() -> None:
    host, world, _ = sit(0)
    says(host, 1, True)
    for seat in (2, 3):
        says(host, seat, True, plan=SNEAK.data)
    settled = settling(host, world)
    world.time.pass_(7)
    host.agree(SNEAK)
    world.time.pass_(DECIDES_SECONDS - 0.01)
    assert not settled.is_given
    world.time.pass_(0.01)
    seating = settled.result()
    assert seating is not None
    assert seating.proposal.names == ("seat0", "seat2", "seat3")
    assert (KEYS[1], REFUSED.make(TOO_LATE.encode())) in world.posted


def test_who_comes_back_over_a_new_link_hears_the_plan_again() -> None:
    host, world, _ = sit(0)
    linked = world.known.peers
    linked.remove(KEYS[2])
    settled = settling(host, world)
    world.time.pass_(1)
    host.agree(SNEAK)
    world.time.pass_(4)
    for seat in (1, 3):
        says(host, seat, True, plan=SNEAK.data)
    assert words(world.posted, 2) == []
    linked.append(KEYS[2])
    world.time.pass_(5)
    assert [word["plan"] for word in words(world.posted, 2)] == [SNEAK.data]
    linked.remove(KEYS[2])
    says(host, 2, True, plan=SNEAK.data)
    world.time.pass_(5)
    assert not host.is_settled, "its link is away for a moment only"
    linked.append(KEYS[2])
    world.time.pass_(LOOKS_SECONDS)
    seating = settled.result()
    assert seating is not None
    assert len(seating.proposal.seats) == 4


# -- a guest -----------------------------------------------------------------------------------


def test_a_guest_agrees_to_what_the_host_proposes_and_to_nothing_else() -> None:
    guest, world, told = sit(2)
    settled = settling(guest, world)
    world.time.after(0.5, partial(guest.agree, SAME))
    world.time.after(4.5, partial(guest.agree, SNEAK))
    world.time.pass_(1)
    says(guest, 0, True, plan=SNEAK.data)
    seen = told[-1]
    assert isinstance(seen, PlayAgain)
    assert seen.plan is not None
    assert (seen.plan.data, seen.staying) == (SNEAK.data, ("seat0",))
    world.time.pass_(9)
    hear(guest, KEYS[0], proposed([0, 2, 3], game=load("sneak"), options={}))
    world.time.pass_(0)
    seating = settled.result()
    assert seating is not None
    assert seating.proposal.game.name == "sneak"
    assert [word["plan"] for word in words(world.posted, 0)] == [SAME.data, SNEAK.data]


def test_a_table_that_the_host_calls_off_before_the_guest_has_got_there() -> None:
    guest, world, _ = sit(1)
    settled = settling(guest, world, True)
    world.time.pass_(1)
    says(guest, 0, True, plan=SNEAK.data)
    hear(guest, KEYS[0], proposed([0, 1, 2, 3], game=load("sneak"), options={}))
    guest.handlers[REFUSED](KEYS[2], b"seat3 left")
    assert guest.called_off is None
    guest.handlers[REFUSED](KEYS[0], b"seat3 left")
    world.time.pass_(0)
    assert settled.result() is not None
    assert str(guest.called_off) == 'the host refuses: "seat3 left"'


def test_bots_agree_to_whatever_is_proposed() -> None:
    guest, world, _ = sit(1)
    settled = settling(guest, world, True)
    world.time.pass_(1)
    for plan in (SNEAK, TWO):
        says(guest, 0, True, plan=plan.data)
    hear(guest, KEYS[0], proposed([0, 1, 2, 3], options={"rounds": 2}))
    world.time.pass_(0)
    assert settled.result() is not None
    sent = [word["plan"] for word in words(world.posted, 0)]
    assert sent == [SAME.data, SNEAK.data, TWO.data]


def test_a_guest_looks_on_after_the_host_has_left_and_leaves_when_it_wants() -> None:
    guest, world, told = sit(1)
    settled = settling(guest, world)
    guest.agree(guest.plan)
    says(guest, 0, False)
    world.time.pass_(1000)
    assert not settled.is_given
    world.does(False)
    world.time.pass_(0)
    assert settled.result() is None
    assert isinstance(told[-1], PlayAgain)
    assert "seat0" in told[-1].leaving


def test_a_race_cap_holds_for_the_next_game_as_for_the_first() -> None:
    """Somebody joined with `--race-cap 80`, and the host's next plan credits 200 ms."""
    guest, world, told = sit(1)
    guest._race_cap_us = 80_000
    wide = planned("sneak", RaceTerms(200_000))
    says(guest, 0, True, plan=wide.data)
    assert isinstance(told[-1], PlayAgain)
    assert "200 ms" in told[-1].why_not
    with pytest.raises(UsageError, match="more than the 80 ms"):
        guest.agree(wide)
    with pytest.raises(LobbyError, match="more than the 80 ms"):
        settling(guest, world, True).result()


@pytest.mark.parametrize("fields", [{"game": "whist-of-mars"}, {"rules": 99}])
def test_a_game_that_this_program_lacks_is_no_fault_and_cannot_be_agreed_to(
    fields: dict[str, Any],
) -> None:
    guest, _, told = sit(1)
    says(guest, 0, True, plan=bent(**fields))
    seen = told[-1]
    assert isinstance(seen, PlayAgain)
    assert seen.plan is not None
    assert str(next(iter(fields.values()))) in seen.why_not
    with pytest.raises(UsageError):
        guest.agree(seen.plan)
    says(guest, 0, True, plan=TWO.data)
    guest.agree(TWO)


# -- attacks -----------------------------------------------------------------------------------


@pytest.mark.check("again.terms")
@pytest.mark.parametrize("agreed", [SAME, SNEAK, TWO])
def test_a_host_that_proposes_another_game_than_was_agreed(agreed: Terms) -> None:
    """A guest agrees to one game, and the host sends it the table of another, or slips in options.

    Answer: a guest signs the table of the plan to which it agreed, byte for byte; for any other the
    host loses its link. Nothing was signed, so nobody is accused.
    """
    guest, _, _ = sit(2)
    says(guest, 0, True, plan=agreed.data)
    guest.agree(agreed)
    says(guest, 0, True, plan=planned("flip-over", rounds=3).data)  # and changes its mind
    for wrong in ({"options": {"rounds": 3}}, {"game": load("flop-a"), "options": {}}):
        with pytest.raises(PeerError, match="not the table that was agreed"):
            hear(guest, KEYS[0], proposed([0, 1, 2], **wrong))
    assert not guest.is_settled


def test_the_word_of_a_guest_at_another_table_counts_for_nothing() -> None:
    """Somebody keeps a guest's agreement from one game, and sends it after the next one.

    Answer: the agreement names its table, and its addresses are signed for the table that follows;
    it counts for no other.
    """
    host, _, told = sit(0)
    says(host, 1, True, bytes(32), SNEAK.data)
    assert told == []
    stale = sign_addresses(PEOPLE[1], next_token(bytes(32)), 1, []).data
    said = {"table": TABLE, "again": True, "plan": SNEAK.data, "addresses": stale}
    with pytest.raises(PeerError, match="signed"):
        host.hear(KEYS[1], wire.pack(said))
    assert told == []


@pytest.mark.check("again.size")
def test_a_plan_that_is_too_large() -> None:
    """A seat sends a plan of many kilobytes, for instance for a game that nobody has.

    Answer: no plan is longer than 1,024 bytes; a longer one is not read, and ends the link.
    """
    guest, _, told = sit(1)
    long = bent(game="whist-of-mars", options={"a": "b" * NEXT_MAX})
    for seat in (0, 2):
        with pytest.raises(PeerError, match="the plan is too long"):
            says(guest, seat, True, plan=long)
    assert told == []
    just = bent(game="whist-of-mars", options={"a": "b" * (NEXT_MAX - len(long) + NEXT_MAX)})
    assert len(just) == NEXT_MAX
    says(guest, 0, True, plan=just)


GARBAGE = [
    pytest.param(b"", "cannot be read", id="nothing"),
    pytest.param(b"\x00garbage", "cannot be read", id="garbage"),
    pytest.param(wire.pack({"game": "sneak"}), "not the fields", id="fields"),
    pytest.param(bent(options=[]), "wrong type", id="options"),
    pytest.param(bent(race={"cap": 1, "hold": 0}), "race cap", id="cap"),
    pytest.param(
        bent(game="\x1b[2J"), "such a name", id="name", marks=pytest.mark.check("again.game")
    ),
    pytest.param(
        bent(policy="kick"), "policy", id="policy", marks=pytest.mark.check("again.policy")
    ),
    pytest.param(
        bent(game="whist-of-mars", options={"b": 1, "a": 2}),
        "another way",
        id="unsorted",
        marks=pytest.mark.check("again.bytes"),
    ),
]


@pytest.mark.parametrize(("data", "why"), GARBAGE)
def test_a_plan_that_is_garbage(data: bytes, why: str) -> None:
    """A host sends bytes that are no plan, or a plan that makes no sense.

    Answer: it loses its link, and nobody is shown anything of it.
    """
    guest, _, told = sit(1)
    with pytest.raises(PeerError, match=why):
        says(guest, 0, True, plan=data)
    assert told == []
    assert guest.plan.data == SAME.data


@pytest.mark.check("again.plan")
@pytest.mark.call("p2p.protocol.terms:_fits -> game.check")
@pytest.mark.parametrize(
    "data",
    [
        planned("flip-over", rounds=99).data,
        bent(options={"no-such-rule": True}),
        bent(options={"level": [1]}),
    ],
)
def test_a_plan_that_cannot_be_played(data: bytes) -> None:
    """A host proposes a game that no number of these people could play, or rules that it does not
    have.

    Answer: it loses its link. A valid plan that does not fit the number of remaining players is no
    fault.
    """
    guest, _, told = sit(1)
    with pytest.raises(PeerError, match="nobody here could play that"):
        says(guest, 0, True, plan=data)
    assert told == []
    with pytest.raises(PeerError, match="nobody here could play that"):
        read_next(TWO.data, 2)  # three at least
    assert read_next(TWO.data, 3) == TWO


@pytest.mark.check("again.flood")
def test_a_seat_that_changes_its_mind_a_thousand_times() -> None:
    """A seat says again and again that it stays, leaves, stays, and everybody is told each time.

    Answer: 32 such messages are accepted at once, and two more per second; one more ends the link.
    """
    guest, world, told = sit(1)
    for number in range(AT_ONCE):
        says(guest, 2, bool(number % 2))
    with pytest.raises(PeerError, match="so often"):
        says(guest, 2, True)
    assert len(told) == AT_ONCE
    world.time.pass_(1)
    for stays in (False, True):
        says(guest, 2, stays)
    with pytest.raises(PeerError, match="so often"):
        says(guest, 2, False)


# -- over sockets ------------------------------------------------------------------------------

Asks = Callable[[TableResult, Choosing], Awaitable[bool]]


class Remembers(BotPlayer):
    """A bot that remembers what it was seated at."""

    def __init__(self, game: str, rng: Random) -> None:
        super().__init__(game, rng)
        self.seated: list[Seated] = []

    def tell(self, event: Event) -> None:
        super().tell(event)
        self.seated += [event] if isinstance(event, Seated) else []


@pytest.mark.full
async def test_an_evening_of_three_games_with_a_bot(tmp_path: Path) -> None:
    """Flip Over, then Sneak, then Flip Over of another length: the guest agrees to each."""
    plans = [SNEAK, TWO]
    results: dict[int, list[TableResult]] = {0: [], 1: [], 2: []}

    async def hosts(result: TableResult, choosing: Choosing) -> bool:
        results[0].append(result)
        if len(results[0]) > len(plans):
            return False
        choosing.agree(plans[len(results[0]) - 1])
        await trio.sleep_forever()
        return True

    async def guest(result: TableResult, choosing: Choosing) -> bool:
        results[1].append(result)
        choosing.agree(choosing.plan)  # the old game, if the host has not spoken yet
        while len(results[1]) <= len(plans):
            await trio.sleep(0.01)
            choosing.agree(choosing.plan)
        return True

    async def bot(result: TableResult, choosing: Choosing) -> bool:
        results[2].append(result)
        return True

    players = [Remembers("flip-over", Random(seed)) for seed in range(3)]

    async def join(number: int, asks: Asks, invite: Invite) -> None:
        with pytest.raises(LobbyError, match="does not play again"):
            await join_table(
                sitter(PEOPLE[number], players[number], again=asks),
                invite,
                store(tmp_path / str(number)),
            )

    def opened(invite: Invite) -> None:
        nursery.start_soon(join, 1, guest, invite)
        nursery.start_soon(join, 2, bot, invite)

    for number in range(3):
        (tmp_path / str(number)).mkdir()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await host_table(
                sitter("host", players[0], again=hosts),
                TablePlan(Terms.of(GAME.name, {"rounds": 1}), 3),
                store(tmp_path / "0"),
                started=opened,
                endpoint=Endpoint(bind=LOOPBACK),
            )
    games = [one.game for one in results[0]]
    assert games == ["flip-over", "sneak", "flip-over"]
    for mine, theirs, bots in zip(*results.values(), strict=True):
        assert len({one.log.read_bytes() for one in (mine, theirs, bots)}) == 1
        assert audit(mine.log).verdict == "complete"
    for player in players:
        assert [event.terms.options.get("rounds") for event in player.seated] == [1, None, 2]
