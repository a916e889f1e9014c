"""The tables, made by seed, from which the examples of readers are cut."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import count
from typing import Any, Final, NamedTuple

from engine.game import Game
from engine.games import load
from p2p.errors import LocalError
from p2p.net.addresses import Address
from p2p.net.reach_address import ReachAddress
from p2p.net.signed_addresses import SignedAddresses, sign_addresses
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.genesis import Header
from p2p.protocol.policy import WAIT, carry_on
from p2p.protocol.step import Step
from p2p.protocol.step_kinds import FAREWELL, LEAVE, MEND, RELOCK, STRIP
from tests.protocol import losing, sets
from tests.protocol.kit import TOKEN, Hub, bare_hub, genesis_hub, identities, make_header
from tests.protocol.losing import LOSING
from tests.protocol.scenes import SCENES
from tests.repo.sources import ROOT
from tests.vectors.tables import LEAVING, sit_down

GAME: Final = "flip-over"
SEATS: Final = 3
PEOPLE: Final = identities(SEATS + 1)
"""The last one has no seat."""
HERE: Final = Address("127.0.0.1", 4000)
RELAY: Final = ReachAddress(bytes(range(32)), Address("relay.example", 443))
LOGS: Final = ROOT / "tests" / "vectors" / "logs"
SHOWN_BY: Final = {
    **dict.fromkeys(("coin",), "tossed"),
    **dict.fromkeys(("commit", "reveal"), "chosen-together"),
    **dict.fromkeys(("choose",), "chosen"),
    **dict.fromkeys(("shuffle", "confirm", "open", "close"), "opened"),
    **dict.fromkeys(("deal",), "dealt"),
    **dict.fromkeys(("reshuffle",), "reshuffled"),
    **dict.fromkeys(("play",), "followed"),
    **dict.fromkeys(("lay-all",), "laid-all"),
    **dict.fromkeys(("lay-down",), "laid-down"),
    **dict.fromkeys(("hand-over", "put-back"), "handed-over"),
    **dict.fromkeys(("race", "witness"), "slapped"),
    **dict.fromkeys(("cut", "cut-open"), "test-verbs"),
    **dict.fromkeys(("lay-set",), sets.set_laid.name),
    **dict.fromkeys(("set-commit", "set-reveal"), sets.sets_in_secret.name),
    **dict.fromkeys(("swear",), "sworn"),
}
"""For each kind of step a short game in which somebody signs one."""
LEFT_BY: Final = (LEAVE, FAREWELL)
"""These are signed by somebody who leaves a game that everybody knows."""


LOST_BY: Final = (MEND, RELOCK, STRIP)
"""These are signed by those who go on without a lost seat."""


def header() -> Header:
    """What the seats of a real game have signed."""
    return make_header(load(GAME), SEATS, rounds=1)


def listed(person: int, number: int = 1, token: bytes = TOKEN) -> SignedAddresses:
    """Where one of the people says that it can be dialled."""
    return sign_addresses(PEOPLE[person], token, number, [HERE, RELAY])


class Paused(NamedTuple):
    """A table that waits for one entry: the step, and the entry that was to come."""

    step: Step
    entry: Entry


def _pause(hub: Hub, kind: str) -> Paused:
    """Play until somebody signs an entry of this kind, which then reaches nobody."""
    taken: list[Entry] = []
    before = hub.bend

    def bend(seat: int, record: bytes) -> list[bytes]:
        entry = decode_entry(record)
        if not taken and entry.kind == kind:
            taken.append(entry)
        return [] if taken and entry.seat == taken[0].seat else before(seat, record)

    hub.bend = bend
    hub.run()
    if hub.dead:
        hub.go_on_without(*hub.dead)
        hub.run_on()
    (entry,) = taken
    judges = [one for one in hub.seats if one.seat not in {entry.seat, *hub.dead}]
    (step,) = {id(step): step for one in judges[:1] if (step := one.machine.step)}.values()
    assert step.owes(entry.seat, kind)
    return Paused(step, entry)


@cache
def paused(kind: str) -> Paused:
    """A table that waits for an entry of this kind."""
    if kind in LEFT_BY:
        return _pause(sit_down(LEAVING["left-first"]), kind)
    if kind in LOST_BY:
        return _pause(losing.sit_down(LOSING["mend"]), kind)
    for seed in count(1):
        with suppress(LocalError):  # some hands leave an honest seat no way to go on
            return _pause(bare_hub(SCENES[SHOWN_BY[kind]], SEATS, seed), kind)
    raise AssertionError


@cache
def paused_in_genesis(kind: str, policy: str = WAIT) -> Paused:
    """The same for a step of the genesis."""
    return _pause(genesis_hub(load(GAME), SEATS, policy=policy), kind)


@cache
def paused_with_shares(kind: str) -> Paused:
    """The same at a table that has its keys in shares."""
    return paused_in_genesis(kind, carry_on(SEATS - 1))


def tossed() -> tuple[Any, list[bytes]]:
    """A machine at the beginning of the shortest game, and the records of that game."""
    return bare_hub(_tossed(), SEATS).seats[0].machine, _records()


@cache
def _records() -> list[bytes]:
    hub = bare_hub(_tossed(), SEATS)
    hub.run()
    return [record for records in hub.seats[0].log for record in records]


def _tossed() -> Game:
    return SCENES["tossed"]
