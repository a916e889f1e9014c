"""Writes docs/reference/wording.md from docstrings: `python -m tests.repo.wording_page`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tests.repo.sources import ROOT, parsed
from tests.repo.verbs_page import ENGINE, Function, call, class_of, class_said, said

PAGE: Final = ROOT / "docs" / "reference" / "wording.md"
INTRODUCTION: Final = """\
What a game says to people is one value of the class `Wording`, in its module `text`.
[Add a game](../how-to/add-a-game.md#the-words) shows how it is used, and what is said where a field
is left out. This page is made from the docstrings (`python -m tests.repo.wording_page`).\
"""
PARTS: Final = (
    ("Words and scenes", (("words", "Words"), ("scene", "Scene"), ("words", "CardStyle"))),
    (
        "Parts of a table",
        (("layout", "Column"), ("layout", "Trick"), ("layout", "CardSet"), ("layout", "Disc")),
    ),
    (
        "What things mean to a screen",
        (("roles", "MarkKind"), ("roles", "ShownSet"), ("roles", "ClaimKey")),
    ),
)
"""Titles, and the classes below them: module of `engine.wording`, name."""
FUNCTIONS: Final = tuple(
    ("words", name) for name in ("by_value", "counted", "listed", "may_be_beaten", "sentence")
)


def page() -> str:
    """The whole document."""
    parts = ["# The words of a game", INTRODUCTION, "## Wording"]
    parts += _whole("wording", "Wording", level="### Wording")
    for title, classes in PARTS:
        parts.append(f"## {title}")
        for module, name in classes:
            parts += _whole(module, name, level=f"### {name}")
    parts += ["## Functions", "From `engine.wording`."]
    for module, name in FUNCTIONS:
        parts += _function(_named(parsed(ENGINE / "wording" / f"{module}.py").body, name), "###")
    return "\n\n".join(parts) + "\n"


def _whole(module: str, name: str, level: str) -> Iterator[str]:
    """A class, then each of its public methods."""
    yield level
    yield from list(class_said(f"wording/{module}", name))[1:]
    for node in class_of(f"wording/{module}", name).body:
        if isinstance(node, Function) and not node.name.startswith("_") and not _is_value(node):
            yield from _function(node, "####")


def _is_value(node: Function) -> bool:
    """Whether it is read like a field: then its docstring alone would say too little."""
    return any(ast.unparse(one) == "property" for one in node.decorator_list)


def _named(body: list[ast.stmt], name: str) -> Function:
    return next(node for node in body if isinstance(node, Function) and node.name == name)


def _function(node: Function, level: str) -> Iterator[str]:
    yield f"{level} {node.name}"
    yield f"```python\n{call(node)}\n```"
    yield from said(ast.get_docstring(node))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
