"""Names and lines: who may be called what, whom people take for one, what a line may hold."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from functools import cache
from pathlib import Path
from random import Random

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p.errors import PeerError
from p2p.text.names import (
    HIDDEN,
    MARKS_MAX,
    NAME_MAX,
    REASON_MAX,
    are_distinct,
    called,
    cut,
    folded,
    free_name,
    is_hidden,
    is_name,
    is_printable,
    printable,
    quoted,
)
from tests.page.second import NODE, needs_node
from tests.poison import POISON, harms
from tests.protocol import codepoints

GOOD = (
    "Bo",
    "Zoë",
    "Zoe\u0308",
    "हिन्दी",
    "ไม้",
    "각",
    "\u1100\u1161\u11a8",
    "🦊",
    "Mary Ann",
    "*** Bo",
)
BAD = (
    *("", " ", "x" * 25, " Bo", "Bo ", "Bo  Bo", "bell\a", "line\nbreak", "\x1b[2J", "\x9b2J"),
    *(
        "\u202ebo",
        "a\u200b",
        "\u200b",
        "\u3164",
        "\u115f",
        "\uffa0",
        "\u2800",
        "Bo\u2800",
        "a\ufe0f",
    ),
    *(
        "\u0301",
        "a \u0301",
        "a" + "\u0301" * (MARKS_MAX + 1),
        "\u1161",
        "\u0903",
        "\U000e0041",
        "\ud800",
    ),
    *(
        "Bo (you)",
        "(YOU)",
        "（ｙｏｕ）",
        "Bo ( you )",
        "\u0378",
        "\U0001fae8",
        "\ue000",
        "\ufdd0",
        "\u00a0",
    ),
)


@pytest.mark.parametrize("name", GOOD)
def test_a_name_in_any_script_is_one(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_what_cannot_be_seen_or_says_more_is_no_name(name: str) -> None:
    assert not is_name(name)


@cache
def letters() -> list[str]:
    """All code points that are a name alone."""
    return [chr(code) for code in range(0x110000) if is_name(chr(code))]


@pytest.mark.slow
def test_a_name_takes_a_column_for_every_letter_that_is_no_mark() -> None:
    blank = [one for one in letters() if get_cwidth(one) < 1 and one.isprintable()]
    assert ascii(blank) == "[]"


@pytest.mark.slow
@pytest.mark.skipif(unicodedata.unidata_version != codepoints.UNICODE, reason="another Unicode")
def test_the_tables_are_those_of_the_version_that_the_protocol_names() -> None:
    assert codepoints.PYTHON.read_text("utf-8") == codepoints.python()
    assert codepoints.SCRIPT.read_text("utf-8") == codepoints.script()


@pytest.mark.slow
def test_every_python_knows_all_that_a_name_may_hold() -> None:
    """What was assigned in that version is never taken back, nor folded in another way."""
    assert len(letters()) > 140_000
    assert all(unicodedata.category(one) not in ("Cn", "Cc", "Cf", "Cs", "Co") for one in letters())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bo", "BO"),
        ("Bo", "Ｂｏ"),
        ("Zoë", "Zoe\u0308"),
        ("STRASSE", "straße"),
        ("ﬁx", "FIX"),
        ("ΣΑΣ", "σας"),
    ],
)
def test_names_that_people_take_for_one_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)
    assert not are_distinct([one, other])
    assert are_distinct([one, "Ana"])


def test_whoever_comes_second_gets_a_number() -> None:
    taken = ["Bo"]
    for wanted, given in (("bo", "bo 2"), ("BO", "BO 3"), ("Ana", "Ana"), ("Bo 2", "Bo 2 2")):
        assert free_name(wanted, taken) == given
        taken.append(given)
    long = free_name("x" * 19 + " yyyy", ["x" * 19 + " yyyy"])
    assert long == "x" * 19 + " 2"
    assert is_name(long)


def test_a_number_never_makes_a_name_too_long() -> None:
    taken = ["x" * NAME_MAX]
    for _ in range(120):
        taken.append(free_name("x" * NAME_MAX, taken))
    assert all(map(is_name, taken))
    assert are_distinct(taken)


@pytest.mark.parametrize("name", ["Bo", "Mary Ann", "O'Neil", "J.-P.", "हिन्दी", "guest 1"])
def test_a_plain_name_stands_as_it_is(name: str) -> None:
    assert called(name) == name


@pytest.mark.parametrize(
    "name", ["*** Bo CHEATS", "Bo wins. Ana", "You", "nobody", '"', "Bo: hi", "-"]
)
def test_a_name_that_could_be_taken_for_words_of_ours_stands_in_quotes(name: str) -> None:
    shown = called(name)
    assert (shown[0], shown[-1]) == ('"', '"')
    assert '"' not in shown[1:-1]


@pytest.mark.parametrize("text", POISON.values(), ids=POISON)
def test_what_is_shown_is_one_harmless_line(text: str) -> None:
    assert harms(cut(text, 4000)) == []
    assert "\n" not in printable(text)
    assert len(cut(text, 10)) <= 10
    shown = quoted(text)
    assert harms(shown) == []
    assert len(shown) <= 26


def test_marks_upon_marks_do_not_leave_the_line() -> None:
    assert printable("e" + "\u0301" * 500 + "x") == "e" + "\u0301" * MARKS_MAX + "x"


@pytest.mark.parametrize("text", POISON.values(), ids=POISON)
def test_why_a_peer_is_refused_is_cleaned_and_cut_in_one_place(text: str) -> None:
    error = PeerError("malformed", f"the peer said {text}", seat=1)
    assert is_printable(str(error))
    assert len(error.reason) <= REASON_MAX
    assert error.args == (error.reason,)


@pytest.mark.slow
def test_the_list_of_what_is_hidden_is_in_order_and_holds_all_that_acts() -> None:
    flat = [code for pair in HIDDEN for code in pair]
    assert flat == sorted(flat)
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
            assert is_hidden(chr(code)), hex(code)
    for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C):
        assert is_hidden(chr(code)), hex(code)


# -- the page ----------------------------------------------------------------------------------

SCRIPT = """
import {{ nameFault, folded, printable }} from "{module}";
import {{ readFileSync }} from "node:fs";
const names = JSON.parse(readFileSync(0, "utf8"));
const judged = names.map((name) => [nameFault(name) === null, folded(name), printable(name, 10)]);
process.stdout.write(JSON.stringify(judged));
"""


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("each", [37, pytest.param(1, marks=pytest.mark.full)])
def test_the_page_refuses_the_same_names_and_takes_the_same_for_one(
    each: int, tmp_path: Path
) -> None:
    rng = Random(7)
    letters = [chr(rng.randrange(0x20, 0x3000)) for _ in range(3000)] + list("ΣςİIıß(you) ") * 60
    mixed = ["".join(rng.choices(letters, k=rng.randrange(1, 6))) for _ in range(20_000 // each)]
    alone = [chr(code) for code in range(0, 0x110000, each) if not 0xD800 <= code < 0xE000]
    names = [*GOOD, *(name for name in BAD if "\ud800" not in name), *mixed, *alone]
    script = tmp_path / "names.mjs"
    script.write_text(SCRIPT.format(module=codepoints.SCRIPT.with_name("names.js").as_uri()))
    assert NODE is not None
    done = subprocess.run(
        [NODE, script], input=json.dumps(names).encode(), capture_output=True, check=True
    )
    for name, (is_one, fold, shown) in zip(names, json.loads(done.stdout), strict=True):
        assert is_one == is_name(name), ascii(name)
        # The page folds Cherokee to its small letters: the same names are one.
        assert not is_one or folded(fold) == folded(name), ascii(name)
        assert is_printable(shown)
