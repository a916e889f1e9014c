"""The page of proofs names every verifier, who calls it, and what each proof is bound to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.repo.sources import ROOT, functions, parsed, sources, walked

PAGE = ROOT / "docs" / "explanation" / "proofs.md"
CRYPTO = ROOT / "p2p" / "crypto"
CONTEXT = ROOT / "p2p" / "protocol" / "context.py"
LINK = re.compile(r"\]\((\.\./\.\./[^)]+\.py)\)")
LABEL = re.compile(r"(\*\*)?`([a-z ]+)`")
ABSORBS, DRAWS = {"append", "append_numbers"}, {"challenge", "challenges"}


class Told(NamedTuple):
    """What a section says: labels absorbed and drawn, files, verifiers."""

    absorbed: set[str]
    drawn: set[str]
    files: list[Path]
    verifiers: set[str]


def sections() -> dict[str, Told]:
    parts = re.split(r"^## (.+)$", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {title: told(text) for title, text in zip(parts[::2], parts[1::2], strict=True)}


def told(text: str) -> Told:
    bound, code = _point("Bound", text), _point("Code", text)
    labels: list[tuple[str, str]] = LABEL.findall(bound)
    return Told(
        {label for bold, label in labels if not bold},
        {label for bold, label in labels if bold},
        [(PAGE.parent / link).resolve() for link in LINK.findall(code)],
        set(re.findall(r"`(verify_\w+)`", code)),
    )


def _point(name: str, text: str) -> str:
    found = re.search(rf"^\* \*\*{name}:\*\*(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def labels(path: Path, methods: set[str]) -> Iterator[str]:
    for node in walked(parsed(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in methods and node.args:
            label = node.args[0]
            if isinstance(label, ast.Constant) and isinstance(label.value, str):
                yield label.value


WITH_LABELS = {title: one for title, one in sections().items() if one.absorbed and one.files}


@pytest.mark.parametrize("title", WITH_LABELS)
def test_a_section_tells_all_labels_of_its_transcript(title: str) -> None:
    section = WITH_LABELS[title]
    crypto = [path for path in section.files if path.parent == CRYPTO]
    assert section.absorbed == {one for path in crypto for one in labels(path, ABSORBS)}
    assert section.drawn == {one for path in crypto for one in labels(path, DRAWS)}


def test_every_proof_at_a_table_is_bound_to_what_is_told() -> None:
    assert sections()["What they have in common"].absorbed == set(labels(CONTEXT, ABSORBS))


def test_no_transcript_of_a_proof_is_left_out() -> None:
    told_of = {path for section in WITH_LABELS.values() for path in section.files}
    hashing = {path for path in sources("p2p/crypto") if any(labels(path, ABSORBS | DRAWS))}
    assert len(hashing) >= 8
    assert hashing <= told_of


def test_every_verifier_is_named_where_it_is_called() -> None:
    named = {name for section in sections().values() for name in section.verifiers}
    public = {one.name for path in sources("p2p/crypto") for one in functions(path)}
    assert named == {name for name in public if name.startswith("verify_")}
    for section in sections().values():
        for path in section.files:
            if section.verifiers and path.parent != CRYPTO:
                assert any(name in path.read_text("utf-8") for name in section.verifiers), path
