"""What broke other protocols, tried at whole tables: see docs/explanation/attacks.md."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine.game import Game
from p2p import checks
from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.protocol.entry import Chain, Entry, decode_entry
from p2p.protocol.genesis import Header, watch_genesis
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.step import Step
from p2p.protocol.table import open_table
from replay.audit import audit_bytes
from tests.protocol.cheats import CHEAT, bend_payload, copy_entry
from tests.protocol.kit import Hub, bare_hub, game_hub, genesis_hub, log_bytes, seeded
from tests.protocol.scenes import SCENES, one_turn
from tests.protocol.sets import SECRET
from tests.protocol.verbs import DECK, VerbsTable

GAMES: dict[str, Game] = {**SCENES}
assert SECRET.may_pass  # the scenes with sets are among them
GENESIS = "genesis"
LEFT_OUT = {"set-laid-anyhow", "sworn", "sworn-twice", "test-verbs"}
NAMES = [GENESIS, *sorted(GAMES.keys() - LEFT_OUT)]
"""Without the scene in which fewer cards face down are another legal entry, and without those
that need seeds of their own."""


# The last to move in a step sees what the others sent.


@pytest.mark.parametrize("seed", range(3))
def test_a_seat_that_repeats_the_oath_of_another(seed: int) -> None:
    """Several seats lay all low cards in one step; the cheat waits and sends what another sent.

    Answer: proofs name their seat, so the copy fails and its sender is named; the seat that was
    copied is not accused of having used anything twice.
    """
    hub = game_hub(SCENES["laid-all"], 3, seed)
    copy_entry(hub, "lay-all", 2)
    hub.run()
    for honest in (0, 2):
        assert hub.faults[honest].error.seat == CHEAT


async def _two_to_go(t: VerbsTable) -> None:
    """Seat 1 gives seat 0 two cards in one entry."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 3)
    await t.hand_over([(t.hands[1][0], t.hands[0]), (t.hands[1][1], t.hands[0])])


@pytest.mark.parametrize(("deck", "proofs"), [(False, True), (True, False), (True, True)])
def test_two_proofs_of_one_entry_exchanged(deck: bool, proofs: bool) -> None:
    """Two cards go in one entry, and the cheat exchanges the cards, the proofs, or both.

    Answer: each proof names the one slot that it is about, so none fits the other slot.
    """
    hub = bare_hub(one_turn("two-to-go", _two_to_go), 3)

    def change(payload: Any) -> Any:
        return {
            "deck": _turned(payload["deck"], deck),
            "proofs": _turned(payload["proofs"], proofs),
        }

    bend_payload(hub, "hand-over", change)
    hub.run()
    for honest in (0, 2):
        error = hub.faults[honest].error
        assert (error.verdict, error.seat) == ("bad-transfer", CHEAT)


def _turned(data: bytes, really: bool) -> bytes:
    half = len(data) // 2
    return data[half:] + data[:half] if really else data


# Lengths, types, indices.


@cache
def _records(scene: str) -> tuple[Header, tuple[bytes, ...]]:
    """The header and all records of a scene that honest seats played."""
    hub = game_hub(GAMES[scene], 3, 1)
    hub.run()
    table = hub.seats[0].table
    assert table is not None
    return table.header, tuple(record for records in hub.seats[0].log for record in records)


def _spectator(scene: str) -> tuple[Machine, tuple[bytes, ...]]:
    """A machine that only checks, at its first step, and all records that it will hear."""
    if scene != GENESIS:
        header, records = _records(scene)
        return open_table(header, seeded("spectator")).machine, records
    hub = genesis_hub(SCENES["opened"], 3)
    hub.run()
    proposal = hub.seats[0].result.proposal
    records = tuple(record for records in hub.seats[0].log for record in records)
    return Machine(Chain(proposal.id), watch_genesis(proposal), proposal.identities), records


def _entries(scene: str) -> Iterator[tuple[Step, Entry]]:
    """The first entry of each kind by the cheat, and the step in which a spectator awaits it."""
    machine, records = _spectator(scene)
    machine.start()
    met: set[str] = set()
    for record in records:
        run_inline(machine)
        entry = decode_entry(record)
        if entry.seat == CHEAT and entry.kind not in met:
            met.add(entry.kind)
            assert machine.step is not None
            yield machine.step, entry
        machine.receive(record)
    run_inline(machine)
    assert machine.ended


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every list, binary and number in a payload, with the way to it."""
    if isinstance(value, list | bytes | int):
        yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _leaves(item, (*path, at))


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """`value` with `new` at the end of `path`."""
    if not path:
        return new
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = _put(copied[path[0]], path[1:], new)
    return copied


def _other_lengths(value: Any) -> Iterator[Any]:
    if isinstance(value, bytes) and value:
        yield from (b"", value[:-32], value[:-1], value + value[-1:], value + value[-32:])
    if isinstance(value, list) and value:
        yield from ([], value[:-1], value + value[-1:])


def _refuse(step: Step, payload: Any) -> None:
    """Shape or proof of this payload is refused: whoever signs it is named."""
    assert not _believed(step, payload), f"{step.kind} was believed: {payload}"


def _believed(step: Step, payload: Any) -> bool:
    try:
        parsed = step.parse(CHEAT, payload)
        if step.verify is not None:
            step.verify(CHEAT, parsed)
    except PeerError:
        return False
    return True


@pytest.mark.parametrize("scene", NAMES)
def test_lists_and_proofs_of_other_lengths(scene: str) -> None:
    """A list or a proof in an entry is empty, or is one item or one byte too short or too long.

    Answer: every honest seat refuses the entry and names who signed it, whatever kind it is.
    """
    for step, entry in _entries(scene):
        for path, value in _leaves(entry.payload):
            for other in _other_lengths(value):
                _refuse(step, _put(entry.payload, path, other))


FORFEITED = ("choice",)
"""Another opening of a secret choice costs the choice: tests/protocol/test_cheating_choices.py."""


@pytest.mark.parametrize("scene", NAMES)
def test_numbers_that_are_none_of_those_asked_for(scene: str) -> None:
    """A number in an entry is a truth value, negative, huge, or another type.

    Answer: every honest seat refuses the entry and names who signed it; true is never taken for 1.
    """
    for step, entry in _entries(scene):
        for path, value in _leaves(entry.payload):
            if type(value) is int and path[-1:] != FORFEITED:
                for other in (bool(value), value - 2**62, 2**64 - 1, str(value), [value], b""):
                    _refuse(step, _put(entry.payload, path, other))


@pytest.mark.parametrize("scene", NAMES)
def test_fields_that_are_missing_or_too_many(scene: str) -> None:
    """A field of an entry is left out, or an unknown one is added.

    Answer: entries have exactly their fields; all others are refused, so nothing unread is signed.
    """
    for step, entry in _entries(scene):
        if isinstance(entry.payload, dict):
            _refuse(step, {**entry.payload, "more": 0})
            for key in entry.payload:
                _refuse(step, {k: v for k, v in entry.payload.items() if k != key})


# What verifiers have in common, and what not.


def test_weights_that_a_forger_could_foresee(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forger knows the random weights with which a verifier adds up its equations.

    Answer: each verifier, and each run of an audit, draws weights of its own once it has the
    proof; no two are the same.
    """
    hub = game_hub(SCENES["opened"], 3)
    hub.run()
    drawn: list[int] = []
    real = checks.weight

    def weight(check: str, entropy: Entropy) -> int:
        drawn.append(real(check, entropy))
        return drawn[-1]

    monkeypatch.setattr(checks, "weight", weight)
    for _ in range(2):
        assert audit_bytes(log_bytes(hub.seats[0]), "log").verified
    assert len(set(drawn)) == len(drawn) >= 24


def _after(hub: Hub, seat: int) -> int:
    return hub.seats[seat].machine.chain.step


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["opened", "dealt", "followed", "handed-over", "tossed"])
def test_a_second_try_after_a_proof_has_failed(scene: str) -> None:
    """A cheat sends a false proof to learn something from the answer, then the true one.

    Answer: the first failure ends the table for good: nothing that comes later is looked at, and
    no honest seat signs another entry.
    """
    for _, entry in _entries(scene):
        flips = [item for item in _leaves(entry.payload) if isinstance(item[1], bytes) and item[1]]
        if not flips:
            continue
        path, value = flips[-1]
        flipped = _put(entry.payload, path, value[:-1] + bytes([value[-1] ^ 1]))
        hub = game_hub(GAMES[scene], 3, 1)
        bend_payload(hub, entry.kind, lambda _: flipped)  # noqa: B023  it runs in this turn
        hub.run()
        stopped = [_after(hub, honest) for honest in (0, 2)]
        good = hub.seats[CHEAT].machine
        for record in [r for records in good.records for r in records] + good.beyond():
            hub.spread(CHEAT, record)
        hub.run_on()
        assert [_after(hub, honest) for honest in (0, 2)] == stopped
        assert all(hub.faults[honest].error.seat == CHEAT for honest in (0, 2))
