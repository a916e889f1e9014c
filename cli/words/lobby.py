"""The lobby in words: what will be signed, who has a seat, who is ready.  Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cli.kit.marks import mark
from cli.kit.plates import Sitting
from cli.options.terms import differences, shown
from cli.words.said import COMPARE
from engine.game import spell
from engine.games import load, load_text
from engine.wording.layout import fit
from p2p.player.events import Gathering, HeldUp, OtherVersion, Present
from p2p.player.relay_words import resting
from p2p.text.names import called
from p2p.version import PROTOCOL_VERSION, SAME, UPDATE, own_revision

WIDTH: Final = 78
HOST_ONLY: Final = (
    "The host invites, brings bots, and may remove guests or change the table. When all seats are "
    "taken and everybody is ready, all sign this table as it is shown here; then keys are made and "
    "the game begins."
)
STATES: Final[Mapping[bool | None, str]] = {True: "ready", False: "not ready", None: "away"}
LOOKS: Final = {True: "class:good", False: "", None: "class:bad"}
"""The styles of the same."""


def _offer(lobby: Gathering) -> list[str]:
    """What a guest reads who has agreed to nothing yet."""
    host = called(lobby.people[0].name)
    said = f"{host}'s table. A seat is kept for you while you look; do you want to play this?"
    return [said, ""]


def terms_of(lobby: Gathering) -> list[str]:
    """The game, its options, the versions, and what the table does when a player is lost."""
    terms, game = lobby.terms, load(lobby.terms.game)
    values = {**game.defaults(), **terms.options}
    options = ", ".join(f"{name}={spell(value)}" for name, value in values.items())
    lasts = load_text(terms.game).lasts
    lines = [
        f"{game.title}, {lobby.seats} seats   (rules {terms.rules}, protocol {PROTOCOL_VERSION})",
        *_item("options", options or "none"),
        *(_item("length", lasts(lobby.seats, values)) if lasts else ()),
    ]
    return lines + [line for label, text in shown(terms) for line in _item(label, text)]


def _item(name: str, text: str) -> list[str]:
    return [f"  {name}: {text}"]


def _wrapped(line: str) -> list[str]:
    """A line in rows; those of an item begin below its text.  A plate ends with its blanks."""
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (line.find(": ") + 2) if line.startswith("  ") else ""
    return fit(line, indent, WIDTH)


def seat_lines(lobby: Gathering) -> list[str]:
    """A line for each seat, or two if the names and words are long; free seats last."""
    rows = [(_name(lobby, seat), STATES[one.ready], one.fingerprint)
            for seat, one in enumerate(lobby.people)]  # fmt: skip
    name, state, words = (max(len(row[column]) for row in rows) for column in range(3))
    state = max(state, len(STATES[False]))
    lines: list[str] = []
    for seat, row in enumerate(rows):
        first = f"  {seat + 1}  {row[0]:<{name}}  {row[1]:<{state}}"
        if 5 + name + 2 + state + 2 + words <= WIDTH:
            said = [f"{first}  {row[2]}"]
        else:
            said = [first.rstrip(), f"     {row[2]}"]
        look = LOOKS[lobby.people[seat].ready]
        lines += [Sitting(line, seat, row[0], row[1], look) for line in said]
    free = range(len(rows) + 1, lobby.seats + 1)
    return lines + [f"  {number}  free" for number in free]


def on_whom_races_rest(lobby: Gathering) -> list[str]:
    """A sentence for all who reach each other only through the same others."""
    names = [called(one.name) for one in lobby.people]
    return resting(lobby.unlinked, names) if load(lobby.terms.game).races else []


def page(lobby: Gathering) -> list[str]:
    """The whole lobby in rows."""
    return [row for line in paragraphs(lobby) for row in _wrapped(line)]


def paragraphs(lobby: Gathering) -> list[str]:
    """The whole lobby for a screen, which folds lines by its own width: first who is there."""
    return [
        *(_offer(lobby) if lobby.seat and not lobby.ready else ()),
        *seat_lines(lobby),
        *on_whom_races_rest(lobby),
        "",
        *terms_of(lobby),
        "",
        HOST_ONLY,
        COMPARE,
    ]


def summary(lobby: Gathering) -> str:
    """How far the lobby has come, in a few words."""
    ready = sum(one.ready is True for one in lobby.people)
    seated = f"{len(lobby.people)} of {lobby.seats} seated"
    return f"{load(lobby.terms.game).title}: {seated}, {ready} ready"


def changes(before: Gathering, now: Gathering) -> Iterator[str]:
    """What happened between two moments, in sentences."""
    yield from change_of_table(before, now)
    old, new = _by_key(before.people), _by_key(now.people)
    for key, one in old.items():
        if key not in new:
            yield f"*** {called(one.name)} has left."
    for key, one in new.items():
        if key not in old:
            yield f"*** {called(one.name)}{mark(bot=one.bot)} sits down: {one.fingerprint}."
        if key not in old or old[key].ready != one.ready:
            yield from _readiness(one, new=key not in old)
    yield from _link_news(before, now)


def change_of_table(before: Gathering, now: Gathering) -> Iterator[str]:
    """What the host has changed, if anything, and whether the reader is asked again."""
    if (before.terms, before.seats) == (now.terms, now.seats):
        return
    host, what = called(now.people[0].name), [load(now.terms.game).title]
    if before.seats != now.seats:
        what.append(f"{now.seats} seats")
    what += differences(before.terms, now.terms)
    who = "You have" if now.seat == 0 else f"{host} has"
    yield f"*** {who} changed the table: {', '.join(what)}."
    if now.seat != 0:
        yield "*** You are asked again whether you are ready."


def _link_news(before: Gathering, now: Gathering) -> Iterator[str]:
    """Who turned out to have no link, and whose link came late."""
    known = on_whom_races_rest(before)
    yield from (f"*** {said}" for said in on_whom_races_rest(now) if said not in known)
    here = [one.name for one in now.people if one.ready is not None]
    for pair in _apart(before) if known and len(here) > 2 else ():
        if pair not in _apart(now) and set(pair) <= set(here):
            yield f"*** {' and '.join(map(called, pair))} reach each other directly now."


def _apart(lobby: Gathering) -> list[tuple[str, str]]:
    names = [one.name for one in lobby.people]
    return [(names[one], names[two]) for one, two in (pair.seats for pair in lobby.unlinked)]


def _readiness(one: Present, *, new: bool) -> Iterator[str]:
    if one.ready:
        yield f"*** {called(one.name)} is ready."
    elif one.ready is None:
        yield f"*** {called(one.name)} cannot be reached just now."
    elif not new:
        yield f"*** {called(one.name)} is not ready."


def held_up(event: HeldUp) -> str:
    """Whom all wait for, and why."""
    waits = "; ".join(f"{called(one.name)} {one.why.value}" for one in event.awaited)
    return f"*** Nothing has moved for {event.seconds:g} seconds: {waits}."


def other_version(event: OtherVersion) -> str:
    """Report a guest who could not sit down, and the remedy."""
    guest = "*** Somebody with your invite"
    if event.version == PROTOCOL_VERSION:
        runs = f"{guest} runs revision {event.revision.hex()} of nodealer"
        return f"{runs}, this table {own_revision().hex()}: {SAME}."
    said = f"{guest} speaks protocol version {event.version}"
    return f"{said}, this table {PROTOCOL_VERSION}: {UPDATE}."


def _by_key(people: Sequence[Present]) -> dict[tuple[str, str], Present]:
    return {(one.name, one.fingerprint): one for one in people}


def _name(lobby: Gathering, seat: int) -> str:
    one = lobby.people[seat]
    return called(one.name) + mark(you=seat == lobby.seat, bot=one.bot)
