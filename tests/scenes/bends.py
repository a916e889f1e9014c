"""Ways to bend one entry of a log without any secret but the signing key: shapes and pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from p2p.crypto.group import GENERATOR, IDENTITY, ORDER
from p2p.protocol.entry import Entry
from p2p.protocol.logfile import encode_evidence
from tests.page.cheating import changes
from tests.protocol.cheats import sign_again
from tests.replay.logs import with_records

Path = tuple[Any, ...]
SIZE: Final = 32
"""Of a point or a scalar."""
FIELD: Final = 2**255 - 19
ODD: Final = (None, True, -1, 0, 2**63, 2**64 - 1, b"", "", [], {}, [[]], bytes(SIZE), bytes(64))


class Bent(NamedTuple):
    """What was done to which entry, and the file that holds it."""

    what: str
    kind: str
    data: bytes


# -- places in a payload --------------------------------------------------------------------------


def paths(payload: Any, before: Path = ()) -> Iterator[Path]:
    """Every place in a payload, itself first."""
    yield before
    items: Any = ()
    if isinstance(payload, dict):
        items = payload.items()
    elif isinstance(payload, list):
        items = enumerate(payload)
    for key, value in items:
        yield from paths(value, (*before, key))


def at(payload: Any, path: Path) -> Any:
    for key in path:
        payload = payload[key]
    return payload


def put(payload: Any, path: Path, value: Any) -> Any:
    """A payload that has `value` at this place."""
    if not path:
        return value
    key, *rest = path
    changed = put(payload[key], tuple(rest), value)
    if isinstance(payload, dict):
        return {**payload, key: changed}
    return [changed if place == key else item for place, item in enumerate(payload)]


# -- other values ---------------------------------------------------------------------------------


def _other_bytes(value: bytes, rng: Random) -> bytes:
    """One point or scalar in it becomes another, or two change places."""
    blocks = [value[i : i + SIZE] for i in range(0, len(value), SIZE)]
    if not blocks:
        return GENERATOR
    place = rng.randrange(len(blocks))
    number = int.from_bytes(blocks[place], "little")
    blocks[place] = rng.choice(
        (
            IDENTITY,
            GENERATOR,
            rng.choice(blocks),
            bytes(reversed(blocks[place])),
            ((FIELD - number) % FIELD).to_bytes(SIZE, "little"),
            ((number + ORDER) % 2**256).to_bytes(SIZE, "little"),
            ((number + 1) % 2**256).to_bytes(SIZE, "little"),
            (number ^ 1 << 255).to_bytes(SIZE, "little"),
        )
    )
    other = rng.randrange(len(blocks))
    if rng.random() < 0.3:
        blocks[place], blocks[other] = blocks[other], blocks[place]
    return b"".join(blocks)


def _other_list(value: list[Any], rng: Random) -> list[Any]:
    shuffled = rng.sample(value, len(value))
    return rng.choice(
        (value[::-1], shuffled, value + value[:1], value[:-1], value[1:], [*value, 0])
    )


def other(value: Any, rng: Random) -> Any:
    """A value that mostly has the type of this one."""
    match value:
        case bool() | None | str():
            return rng.choice(ODD)
        case int():
            return rng.choice((value + 1, value - 1, rng.randrange(24), -1, 2**64 - 1))
        case bytes():
            return _other_bytes(value, rng)
        case list():
            return _other_list(value, rng)
    return rng.choice(ODD)


# -- bends: (entries, the number of the bent one, chance) -> its payload, or other fields ----------

Bend = Callable[[Sequence[Entry], int, Random], dict[str, Any]]


def shape(said: Sequence[Entry], number: int, rng: Random) -> dict[str, Any]:
    """A type, a length, a field or a range is wrong."""
    found = list(changes(said[number].payload))
    return {"payload": rng.choice(found)[1] if found else rng.choice(ODD)}


def value(said: Sequence[Entry], number: int, rng: Random) -> dict[str, Any]:
    """Another slot, card, point, scalar or choice."""
    payload = said[number].payload
    path = rng.choice(list(paths(payload)))
    return {"payload": put(payload, path, other(at(payload, path), rng))}


def odd(said: Sequence[Entry], number: int, rng: Random) -> dict[str, Any]:
    """Something of another type altogether."""
    payload = said[number].payload
    return {"payload": put(payload, rng.choice(list(paths(payload))), rng.choice(ODD))}


def replayed(said: Sequence[Entry], number: int, rng: Random) -> dict[str, Any]:
    """The payload of another entry, mostly one of the same kind."""
    entry = said[number]
    alike = [one for one in said if one.kind == entry.kind and one is not entry]
    return {"payload": rng.choice(alike if alike and rng.random() < 0.9 else said).payload}


def pieced(said: Sequence[Entry], number: int, rng: Random) -> dict[str, Any]:
    """A piece that stands in another entry, under the same name: a proof, a merge, an oath."""
    payload = said[number].payload
    named = [path for path in paths(payload) if path and isinstance(path[-1], str)]
    if not named:
        return replayed(said, number, rng)
    path = rng.choice(named)
    pieces = [
        piece
        for one in said
        for there in paths(one.payload)
        if there and there[-1] == path[-1]
        for piece in [at(one.payload, there)]
        if piece != at(payload, path)
    ]
    return {"payload": put(payload, path, rng.choice(pieces or list(ODD)))}


def fields(said: Sequence[Entry], number: int, rng: Random) -> dict[str, Any]:
    """Another kind, seat, step, state or chain."""
    entry, another = said[number], rng.choice(said)
    name = rng.choice(("kind", "seat", "step", "state", "previous", "table"))
    wrong = {
        "kind": another.kind,
        "seat": rng.choice((another.seat, entry.seat + 1)),
        "step": rng.choice((entry.step + 1, max(0, entry.step - 1), another.step)),
        "state": another.state,
        "previous": another.previous,
        "table": another.previous,
    }
    return {name: wrong[name]}


BENDS: Final[dict[Bend, int]] = {shape: 3, value: 6, odd: 2, replayed: 2, pieced: 4, fields: 1}
"""Each bend, and how often it is used."""


# -- files ----------------------------------------------------------------------------------------


def bend(log: bytes, said: Sequence[Entry], number: int, rng: Random) -> Bent:
    """The file in which this entry is bent somehow."""
    (how,) = rng.choices(list(BENDS), list(BENDS.values()))
    changed = how(said, number, rng)
    what = f"{how.__name__}: {', '.join(changed)}"
    return bent_file(log, said, number, sign_again(said[number].record, **changed), what, rng)


def bent_file(
    log: bytes, said: Sequence[Entry], number: int, record: bytes, what: str, rng: Random
) -> Bent:
    """The log with this record instead; what was signed after it is cut off, or not.

    Or it is evidence: the same record beyond the log, after what its step had without it.
    """
    entry, kept = said[number], [one.record for one in said[:number]]
    rest = said[number + 1 :]
    of_step = [one.record for one in rest if one.step == entry.step]
    what = f"{what}, entry {number} ({entry.kind} of seat {entry.seat}, step {entry.step})"
    how = rng.randrange(10)
    if how == 0:
        whole = [one.record for one in said if one.step < entry.step]
        others = [one.record for one in said if one.step == entry.step and one is not entry]
        twice = [entry.record] if rng.randrange(2) else []
        beyond = [*others, *twice, record]
        return Bent(
            f"{what}, as evidence", entry.kind, encode_evidence(with_records(log, whole), beyond)
        )
    behind = {1: [one.record for one in rest]}.get(how, of_step if how < 5 else [])
    return Bent(
        f"{what}, {len(behind)} behind it", entry.kind, with_records(log, [*kept, record, *behind])
    )
