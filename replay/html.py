"""A saved game as one page that shows it, offline, and proves it itself.

The page holds the log and the independent verifier (replay/page), which checks it in the
reader's browser.  A strict content policy lets nothing be fetched and runs no other script.
"""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from engine.cloths import BRIGHT, DEEP, cloth_of
from engine.session import Session
from engine.view import SPECTATOR
from engine.wording import with_chairs
from p2p.text.names import printable
from p2p.version import own_revision
from replay.audit import Report, read_file
from replay.departures import departures
from replay.game import Position, SavedGame
from replay.legal import why_legal
from replay.marks import mark_of
from replay.narration import table_text, told
from replay.pictures import pictures
from replay.proofs import proofs
from replay.questions import questions
from replay.reader import SavedStep

FELT: Final = "felt"
"""The theme whose ground the page shows, by day and by night."""
PARTS: Final = Path(__file__).parent / "page"
_PLACE: Final = re.compile(r"\{\{(\w+)\}\}")
_SOUND: Final = frozenset({"complete", "closed-without", "unfinished"})


class _Pool:
    """Texts that are stored once and named by their number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def numbers(self, texts: Sequence[str]) -> list[int]:
        return [self.number(text) for text in texts]

    def texts(self) -> list[str]:
        return list(self._numbers)


def page(path: Path, game: SavedGame, report: Report) -> Iterator[str]:
    """The lines of the page for the log at `path`, opened as `game` and audited in `report`."""
    parts = {
        "title": _ascii(html.escape(f"{game.wording.title}: {', '.join(game.names)}")),
        "style": f"{_part('style.css')}{cloth_style(game.wording.cloth)}",
        "data": _script_safe(_json(_data(printable(path.name), game, report))),
        "log": b64encode(read_file(path)).decode("ascii"),
        "verifier": _part("verifier.js"),
        "page": _part("page.js"),
    }
    parts["policy"] = _policy([parts["verifier"], parts["page"]], parts["style"])
    for line in _part("page.html").splitlines():
        yield _PLACE.sub(lambda place: parts[place[1]], line)


def _ascii(text: str) -> str:
    """ASCII only, so that the page reads the same in every encoding."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _part(name: str) -> str:
    return (PARTS / name).read_text("utf-8")


def cloth_style(name: str) -> str:
    """The game's own cloth and backs, over those of the style, and the players' colours."""
    cloth = cloth_of(name)
    felt, back = cloth.grounds[FELT].cloth, (cloth.back, cloth.pattern)
    deep, bright = _players(DEEP), _players(BRIGHT)
    return (
        f":root {{ --felt: {felt}; --back: {back[0]}; --back-line: {back[1]}; {deep} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {bright} }} }}\n"
        f".felt {{ {bright} }}\n"
        + "".join(f".p{seat} {{ --own: var(--p{seat}); }}\n" for seat in range(len(DEEP)))
    )


def _players(colours: Sequence[str]) -> str:
    return " ".join(f"--p{seat}: {colour};" for seat, colour in enumerate(colours))


def _policy(scripts: Sequence[str], style: str) -> str:
    """Allow nothing from outside, only these scripts, this style and the page's own worker."""
    run = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {run}; style-src {_hash(style)}; worker-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    """A source in a content policy (CSP level 3, section 2.3.1)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _script_safe(text: str) -> str:
    """JSON that is safe in a script element: nothing in it can end the element."""
    return text.replace("<", "\\u003c")


def _data(name: str, game: SavedGame, report: Report) -> dict[str, Any]:
    """What the scripts of the page read."""
    pool, tables = _Pool(), _Pool()
    steps = [_step(game, step, pool, tables) for step in game.steps]
    return {
        "title": game.wording.title,
        "names": list(game.header.proposal.names),
        "bots": sorted(game.header.proposal.bots),
        "ending": game.ending,
        "gone": [one.told(game.names) for one in departures(game)],
        "result": game.result,
        "audit": f"{report.verdict}: {report.reason}",
        "maker": f"Made by nodealer from {name}.",
        "file": name,
        "questions": told_questions(game.session, report),
        "steps": steps,
        "texts": pool.texts(),
        "tables": [json.loads(table) for table in tables.texts()],
    }


def told_questions(session: Session, report: Report) -> dict[str, Any]:
    """What the rules asked, and where they stopped (log format, section "Questions")."""
    stopped = None
    if report.verdict not in _SOUND:
        stopped = {key: getattr(report, key) for key in ("verdict", "reason", "seat", "step")}
    leaving = session.game.lose is not None
    told = {"asked": questions(session), "over": session.over, "leaving": leaving}
    return {**told, "stopped": stopped, "revision": own_revision().hex()}


def _step(game: SavedGame, step: SavedStep, pool: _Pool, tables: _Pool) -> dict[str, Any]:
    mark = mark_of(game, step)
    table = _table(game, game.after(step.number), pool)
    return {
        "kind": step.kind,
        "told": pool.numbers(told(game, step)),
        "why": pool.numbers(why_legal(game, step)),
        "mark": None if mark is None else mark.kind.value,
        "proven": pool.numbers(_proven(game, step)),
        "table": tables.number(_json(table)),
    }


def _proven(game: SavedGame, step: SavedStep) -> list[str]:
    found = [(game.names[made.seat], made.said) for entry in step.entries for made in proofs(entry)]
    if not found:
        return []
    said = {what for _, what in found}
    if len(said) > 1 or len(found) == 1:
        return [f"{who}: {what}" for who, what in found]
    return [f"{', '.join(who for who, _ in found)}: {said.pop()}, each"]


def _table(game: SavedGame, position: Position, pool: _Pool) -> dict[str, Any]:
    text = table_text(game, position)
    scene = game.wording.scene(game.view(position, SPECTATOR), game.names)
    headings = ["Seat", *(column.heading for column in text.columns)]
    names = with_chairs(text.names, text.empty, text.beside)
    rows = [[name, *row] for name, row in zip(names, text.rows, strict=True)]
    return {
        "headline": pool.number(text.headline),
        "middle": pool.numbers(text.middle),
        "headings": pool.numbers(headings),
        "rows": [pool.numbers(row) for row in rows],
        "turn": text.turn,
        "empty": sorted(text.empty),
        **pictures(game.wording, scene, pool.number),
    }
