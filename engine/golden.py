"""Golden playthroughs: a whole game as text, with every question, answer and digest.

The file is replayed from its own answers, so it depends on the rules and on nothing else: no
source of chance, no bot.  A change of the rules that alters one needs a new `rules_version`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from engine.cards import Card, Deck
from engine.compiling import slots
from engine.game import Game, Options
from engine.lost import Lost
from engine.question import Otherwise, Question
from engine.session import Session
from engine.table import Table
from engine.won import Won
from engine.zone import Zone

HEAD: Final = "golden playthrough"
MANY: Final = 100
"""Of longer lists (the ways to give three cards away) only the ends are written."""


class GoldenError(AssertionError):
    """A game no longer goes as its golden playthrough says; the text names the first line."""


def write_golden(path: Path, session: Session) -> None:
    """Write a finished session down."""
    twin = session.fork(0)
    lines = [_header(session.game, session.table.seats, session.options)]
    for number, answer in enumerate(session.journal):
        lines.append(_line(twin, number, answer))
        twin.answer(answer)
    lines.append(_last(twin))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_golden(path: Path, load: Callable[[str], Game]) -> Session:
    """Replay a file, compare every line, and return the finished session.

    GoldenError names the first line that differs, and says how it reads now.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0].removeprefix(HEAD))
    game = load(head["game"])
    session = Session(game, head["seats"], head["options"], check=True)
    _compare(path, 1, lines[0], _header(game, head["seats"], head["options"]))
    for number, line in enumerate(lines[1:-1]):
        answer = _read_answer(session, json.loads(line.split("\t")[2]))
        _compare(path, number + 2, line, _line(session, number, answer))
        session.answer(answer)
    _compare(path, len(lines), lines[-1], _last(session))
    return session


def describe(table: Table, question: Question[Any]) -> str:
    """A question as text: its kind and what it carries, faces by name.

    It leaves out who decides, which follows from the rest.
    """
    names = slots(type(question))
    carried = {name: getattr(question, name) for name in names if name != "deciders"}
    if not carried.get("aside", True):
        del carried["aside"]
    parts = [f"{name}={_told(table, value)}" for name, value in carried.items()]
    return " ".join([question.kind, *parts])


def _compare(path: Path, number: int, golden: str, now: str) -> None:
    if golden != now:
        raise GoldenError(f"{path.name} line {number}\n  golden: {golden}\n  now:    {now}")


def _header(game: Game, seats: int, options: Options) -> str:
    table = {"game": game.name, "rules": game.rules_version, "seats": seats}
    return f"{HEAD} {json.dumps({**table, 'options': dict(options)})}"


def _line(session: Session, number: int, answer: object) -> str:
    question = session.pending
    if question is None:
        return f"{number}\tnothing is asked"
    written = json.dumps(_written(answer))
    asked = describe(session.table, question)
    return f"{number}\t{asked}\t{written}\t{session.digest().hex()}"


def _last(session: Session) -> str:
    if not session.over:
        return "the game is not over"
    return f"over\treturns {list(session.returns)}\t{session.digest().hex()}"


def _told(table: Table, value: Any) -> str:
    if isinstance(value, Zone):
        owner = "" if value.owner is None else f"@{value.owner}"
        return f"{value.name}{owner}{list(value)}".replace(" ", "")
    if isinstance(value, Question):
        return f"({describe(table, value)})"
    if isinstance(value, dict):
        return _told(table, list(value.values()))
    if isinstance(value, Otherwise):
        return value.value.replace(" ", "-")
    if callable(value):
        return _told_fits(table.deck, value)
    if isinstance(value, list | tuple) and len(value) > MANY:
        return f"{len(value)}x[{_told(table, value[0])}..{_told(table, value[-1])}]"
    if isinstance(value, list | tuple):
        return f"[{','.join(_told(table, part) for part in value)}]"
    return json.dumps(value, default=repr, ensure_ascii=False, separators=(",", ":"))


def _told_fits(deck: Deck | None, fits: Callable[[Card], bool]) -> str:
    faces = deck.faces if deck is not None else ()
    fitting = [face.name for face in faces if fits(face)]
    return "all" if len(fitting) == len(faces) else f"[{','.join(fitting)}]"


def _written(answer: Any) -> Any:
    if isinstance(answer, Card):
        return answer.name
    if isinstance(answer, Lost):
        gone = [True] if answer.gone else []
        return {"lost": [answer.seat, *gone]}
    if isinstance(answer, Won) and not answer.aside:
        return _written(answer[:3])
    if isinstance(answer, tuple):
        return [_written(part) for part in answer]
    return answer


def _read_answer(session: Session, written: Any) -> object:
    """The answer to the pending question, from a JSON value."""
    asked, deck = session.pending, session.table.deck
    if asked is None:
        raise GoldenError("an answer is written where nothing is asked")
    by_name = {face.name: face for face in (deck.faces if deck is not None else ())}
    if isinstance(written, dict):
        seat, *gone = written["lost"]
        return Lost(seat, bool(gone))
    return asked.parse(written, by_name.__getitem__)
