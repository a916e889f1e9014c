"""Writes docs/reference/verbs.md from docstrings: `python -m tests.repo.verbs_page`.

The sources are read, not imported: a compiled class has no annotations.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from typing import Final

from tests.repo.sources import ROOT, parsed

PAGE: Final = ROOT / "docs" / "reference" / "verbs.md"
ENGINE: Final = ROOT / "engine"
Function = ast.FunctionDef | ast.AsyncFunctionDef

INTRODUCTION: Final = """\
Rules are written with these verbs. [Add a game](../how-to/add-a-game.md) makes a whole game.
This page is made from the docstrings (`python -m tests.repo.verbs_page`).

A **slot** is one physical card as all see it: a number, whatever its face is. A **zone** is a list
of slots; the last one is the top. Each slot has a lock: nobody can read it, one seat can, or all
can. Verbs are called on the table `t`; those with `await` ask something and have to be awaited.
*Seen* says what the seats learn. An `EngineError` is a fault of the rules: it ends the game with
the sentence "the rules tried to ...".\
"""
DEALER: Final = (
    *("fresh", "shuffle", "reshuffle", "deal", "draw", "open", "show", "put_back", "hand_over"),
    *("cut", "swear", "flip", "pick_blind"),
)
PLAYERS: Final = (
    *("play", "lay_all", "lay_down", "choose", "together", "race", "lay_set", "lay_together"),
)
MOVES: Final = ("move", "move_all")
BESIDES: Final = ("zone", "note", "face", "outside", "present", "neighbour")
SETS: Final = (
    *(("sets", name) for name in ("Terms", "LaySet", "LayTogether", "Lay", "Laid")),
    ("subsets", "Block"),
)
CLAIMS: Final = (
    *(("question", name) for name in ("Play", "Otherwise", "Choose", "Either", "Race")),
    ("won", "Won"),
)
LISTING: Final = """\
A rule that lists its sets itself returns blocks; `every(slots, sizes)` of `engine.subsets` makes
those of all subsets of these slots.\
"""


def page() -> str:
    """The whole document."""
    parts = ["# The verbs of the rules", INTRODUCTION]
    for title, names in (
        ("The dealer's verbs", DEALER),
        ("The players' verbs", PLAYERS),
        ("Verbs that ask nothing", MOVES),
        ("Besides", BESIDES),
    ):
        parts += [f"## {title}", *(part for name in names for part in _verb(name))]
    parts += ["## Sets of cards", "From `engine.sets` and `engine.subsets`. " + _one_line(LISTING)]
    parts += [part for place in SETS for part in class_said(*place)]
    parts += ["## Claims", "What a race is made of, from `engine.question` and `engine.won`."]
    parts += [part for place in CLAIMS for part in class_said(*place)]
    return "\n\n".join(parts) + "\n"


def verbs() -> list[str]:
    """Every public method of the table itself, in the order of its source."""
    names = [node.name for node in class_of("table", "Table").body if isinstance(node, Function)]
    return list(dict.fromkeys(name for name in names if not name.startswith("_")))


def docstring(name: str) -> str:
    """What a verb says of itself."""
    return ast.get_docstring(_method(name)) or ""


def _verb(name: str) -> Iterator[str]:
    node = _method(name)
    awaited = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    yield f"### {name}"
    yield f"```python\n{awaited}t.{call(node)}\n```"
    yield from said(ast.get_docstring(node))


def _method(name: str) -> Function:
    for module, cls in (("table", "Table"), ("table_state", "TableState")):
        found = [n for n in class_of(module, cls).body if isinstance(n, Function)]
        named = [node for node in found if node.name == name]
        if named:
            return named[-1]  # the overloads of a verb come first
    raise LookupError(name)


def class_of(module: str, name: str) -> ast.ClassDef:
    """A class of a module of the engine."""
    body = parsed(ENGINE / f"{module}.py").body
    return next(n for n in body if isinstance(n, ast.ClassDef) and n.name == name)


def call(node: Function) -> str:
    """A function as it is called, and what comes back."""
    arguments = ast.unparse(node.args).removeprefix("self, ").removeprefix("self")
    back = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    line = f"{node.name}({arguments}){'' if back == ' -> None' else back}"
    return line.replace("ask.", "")


def class_said(module: str, name: str) -> Iterator[str]:
    """A class under its name: how it is made, or its members, and what it says of itself."""
    node = class_of(module, name)
    yield f"### {name}"
    members = list(_members(node))
    made = [n for n in node.body if isinstance(n, Function) and n.name == "__init__"]
    if made:
        yield f"```python\n{call(made[0]).replace('__init__', name)}\n```"
    elif members:
        yield "```python\n" + "\n".join(members) + "\n```"
    yield from said(ast.get_docstring(node))


def _members(node: ast.ClassDef) -> Iterator[str]:
    """The fields of a class, or the members of an enum, with what is said of them."""
    for number, line in enumerate(node.body):
        if not isinstance(line, ast.AnnAssign | ast.Assign):
            continue
        after = node.body[number + 1] if number + 1 < len(node.body) else None
        told = _text(after)
        yield ast.unparse(line) + (f"  # {_one_line(told)}" if told else "")


def _text(node: ast.stmt | None) -> str:
    """A string that stands alone: what is said of the line before it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def said(text: str | None) -> Iterator[str]:
    """The paragraphs of a docstring in Markdown."""
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        line = _one_line(paragraph)
        yield re.sub(r"^(Seen|EngineError): ", r"*\1:* ", line)


def _one_line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
