"""A sentence stands in one place: whoever says it too takes it from there."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.repo.sources import parsed, shown, sources, texts, walked

LETTERS = 20
"""A text of so many letters is a sentence, if it has blanks."""


def said(
    path_texts: list[ast.Constant], joined: list[ast.JoinedStr]
) -> Iterator[tuple[ast.AST, str]]:
    """The texts of a file; what an f-string puts in counts as {}."""
    yield from ((node, str(node.value)) for node in path_texts)
    for node in joined:
        pieces = (str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
        yield node, "".join(pieces)


def test_no_sentence_stands_twice() -> None:
    places = defaultdict(list)
    for path in sources():
        joined = [node for node in walked(parsed(path)) if isinstance(node, ast.JoinedStr)]
        for node, sentence in said(texts(path), joined):
            if " " in sentence and sum(map(str.isalpha, sentence)) >= LETTERS:
                places[sentence].append(shown(path, node))
    assert {sentence: at for sentence, at in places.items() if len(at) > 1} == {}
