"""The second implementation says the same as the first about good, bad and altered logs."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Final

import msgpack
import pytest

from p2p.errors import VERDICTS
from p2p.protocol.entry import PURPOSE
from p2p.protocol.logfile import frame
from replay.audit import audit_bytes
from tests.page.cheating import changes, cheated
from tests.page.second import Where, alone, case, differ, judge, lied, needs_node, where
from tests.protocol.kit import identities, seeded
from tests.replay.logs import entries, records, with_records
from tests.revision import OTHER
from tests.vectors.scenes import known_scenes

VECTORS: Final = Path(__file__).parent.parent / "vectors"
INDEX: Final[list[dict[str, Any]]] = json.loads((VECTORS / "index.json").read_text())["vectors"]
GAMES: Final = {
    "flip-over": "good-flip-over",
    "flop-a": "good-flop-a",
    "sneak": "good-sneak",
    "you-fink": "good-you-fink",
    "flaps": "good-flaps-level-1",
}
SCENES: Final = {
    name: f"good-{name}" for name in ("swear", "put-back", "decks", "credits", "flop-a-hands")
}
"""Logs with acts, or with a second deck, that the games above do not have."""
SOME_GAMES: Final = [
    pytest.param(game, marks=() if game == "flip-over" else pytest.mark.full) for game in GAMES
]
SAMPLE: Final = 50
MANY: Final = 2000
pytestmark = needs_node


@pytest.fixture(autouse=True)
def scenes() -> Iterator[None]:
    with known_scenes():
        yield


def read(name: str) -> bytes:
    return (VECTORS / "logs" / f"{name}.ndlog").read_bytes()


def _few() -> list[dict[str, Any]]:
    """For each verdict, the two smallest files that earn it."""
    kept: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in sorted(INDEX, key=lambda one: (VECTORS / one["file"]).stat().st_size):
        kept[one["verdict"]].append(one)
    return [one for ones in kept.values() for one in ones[:2]]


@pytest.mark.parametrize(
    ("index", "games"),
    [
        pytest.param(_few(), ["good-you-fink"], id="few"),
        pytest.param(INDEX, [*GAMES.values(), *SCENES.values()], id="all", marks=pytest.mark.full),
    ],
)
def test_it_says_of_every_vector_what_its_level_asks_for_and_counts_alike(
    index: list[dict[str, Any]], games: list[str]
) -> None:
    """One test, because both need all of them judged: tests may be spread over processes."""
    files = [*[one["file"] for one in index], *[f"logs/{name}.ndlog" for name in games]]
    judged = judge([case((VECTORS / file).read_bytes()) for file in files])
    reports = dict(zip(files, judged, strict=True))
    for one in index:
        said = reports[one["file"]]
        assert where(said) in _allowed(one), (one["file"], said["reason"])
        assert said["verified"] == (one["verdict"] == "complete"), one["file"]
    for file, said in reports.items():
        first = audit_bytes((VECTORS / file).read_bytes(), file, seeded("count"))
        if first.verdict != said["verdict"]:
            continue  # Only the rules refuse it: the second, that does not know them, goes on.
        assert said["provenTo"] == first.proven_to, file
        assert said["counts"] == asdict(first.tally), file


def _allowed(one: dict[str, Any]) -> set[Where]:
    """tests/vectors/README.md: above its level no verdict, or the same name without a seat."""
    exact = where(one)
    if one["level"] != "rules" or one["verdict"] == "complete":
        return {exact}
    return {exact, (one["verdict"], None, one["step"]), (None, None, None)}


@pytest.mark.full
def test_it_needs_no_word_of_the_first() -> None:
    """Told nothing of what the rules refused, it finds the same, or nothing where rules decide."""
    cases = {one["file"]: case((VECTORS / one["file"]).read_bytes()) for one in INDEX}
    told = {file: one for file, one in cases.items() if one["questions"]["stopped"]}
    judged = dict(zip(told, judge([alone(one) for one in told.values()]), strict=True))
    for one in INDEX:
        if one["file"] not in told:
            continue
        said = judged[one["file"]]
        if one["level"] != "rules":
            assert where(said) == where(one), one["file"]
        else:
            assert said["verdict"] in (None, one["verdict"], "complete", "unfinished"), one["file"]


def test_the_questions_beside_a_vector_lead_to_its_verdict() -> None:
    """Somebody without any rules has nothing else; a log at fault ends before they do."""
    asked = [one for one in INDEX if "questions" in one]
    cases = [case((VECTORS / one["file"]).read_bytes()) for one in asked]
    for one, told in zip(asked, cases, strict=True):
        told["questions"] = json.loads((VECTORS / one["questions"]).read_text("utf-8"))
    for one, said in zip(asked, judge(cases), strict=True):
        assert where(said) == where(one), (one["file"], said["reason"])


def test_an_altered_log_names_the_player() -> None:
    """Readers of a page do not know who "seat 1" is; these players are called seat0, seat1."""
    log = bytearray(read(GAMES["flip-over"]))
    log[len(log) // 2] ^= 1
    (said,) = judge([case(bytes(log))])
    assert re.fullmatch(r"a signature is not that of seat\d", said["reason"])


def _flips(name: str, count: int) -> None:
    log, rng = read(name), Random(count)
    flips = [(place, 1 << rng.randrange(8)) for place in rng.sample(range(len(log)), count)]
    (judged,) = judge([case(log, flips)])
    for (place, mask), said in zip(flips, judged, strict=True):
        assert not said["verified"], f"byte {place}, mask {mask}"
        assert said["verdict"] in VERDICTS - {"unfinished"}, f"byte {place}, mask {mask}"


@pytest.mark.parametrize("game", SOME_GAMES)
def test_any_flipped_bit_is_found(game: str) -> None:
    _flips(GAMES[game], SAMPLE)


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_any_of_many_flipped_bits_is_found(game: str) -> None:
    _flips(GAMES[game], MANY)


def _cheats(name: str, each: int | None) -> list[tuple[str, bytes]]:
    """Changed payloads of the first entry of each kind; `each` of a kind, or all."""
    log, rng = read(name), Random(name)
    by_kind: dict[str, int] = {}
    for number, entry in enumerate(entries(log)):
        if entry.payload is not None:
            by_kind.setdefault(entry.kind, number)
    made = []
    for kind, number in by_kind.items():
        found = list(changes(entries(log)[number].payload))
        some = found if each is None else rng.sample(found, min(each, len(found)))
        made += [(f"{name} {kind} {what}", cheated(log, number, payload)) for what, payload in some]
    return made


def _agree(made: list[tuple[str, bytes]]) -> None:
    """Both say the same verdict, seat and step; the second is not told what the first says."""
    judged = judge([alone(case(data)) for _, data in made])
    reports = [audit_bytes(data, what, seeded(what)) for what, data in made]
    differing = [differ(report, said) for report, said in zip(reports, judged, strict=True)]
    assert not any(differing), [
        (what, why) for (what, _), why in zip(made, differing, strict=True) if why
    ]


def test_without_the_rules_evidence_of_another_state_has_no_verdict() -> None:
    """The last one owed signed another state, and the file ends: seeds 5208 and 5693 of the worlds.

    Whoever does not know the rules takes the step for whole, and is asked nothing more.  The two
    are not said to differ for that; they are if a question less was told.
    """
    data = (VECTORS / "logs/state-mismatch.evidence").read_bytes()
    report = audit_bytes(data, "evidence", seeded("state"))
    assert (report.verdict, report.seat) == ("state-mismatch", 1)
    fewer = lied(data, lambda told: told["asked"].pop())
    claimed, silent, early = judge([case(data), alone(case(data)), alone(fewer)])
    assert {where(one) for one in (claimed, silent, early)} == {(None, None, None)}
    assert not differ(report, silent)
    assert differ(report, early)


@pytest.mark.parametrize("game", SOME_GAMES)
def test_it_says_the_same_of_one_false_entry_of_each_kind(game: str) -> None:
    """A cheat signs a false entry that one of two verifiers might overlook.

    Answer: the page's verifier, another program in another language, says the same as the audit of
    each.
    """
    _agree(_cheats(GAMES[game], 1))


@pytest.mark.full
@pytest.mark.parametrize("name", [*GAMES.values(), *SCENES.values()])
def test_it_says_the_same_of_many_false_entries(name: str) -> None:
    _agree(_cheats(name, None))


ODD: Final = {
    "a long integer": b"\xcd\x00\x05",
    "a longer integer": b"\xcf\x00\x00\x00\x00\x00\x00\x00\x05",
    "a large integer": b"\xcf\x01\x00\x00\x00\x00\x00\x00\x05",
    "a long negative": b"\xd3\xff\xff\xff\xff\xff\xff\xff\xfb",
    "a signed positive": b"\xd0\x05",
    "a float": b"\xcb\x40\x14\x00\x00\x00\x00\x00\x00",
    "a fraction": b"\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00",
    "a short float": b"\xca\x40\xa0\x00\x00",
    "an extension": b"\xd4\x05\x00",
    "a timestamp": b"\xd6\xff\x00\x00\x00\x00",
    "never used": b"\xc1",
    "a long text": b"\xd9\x01a",
    "no UTF-8": b"\xa2\xc3\x28",
    "a surrogate": b"\xa3\xed\xa0\x80",
    "a pair of surrogates": b"\xa6\xed\xa0\xbd\xed\xb8\x80",
    "a surrogate as a key": b"\x81\xa3\xed\xa0\x80\x01",
    "an overlong letter": b"\xa2\xc1\xa1",
    "beyond Unicode": b"\xa4\xf4\x90\x80\x80",
    "far beyond Unicode": b"\xa4\xf8\x88\x80\x80",
    "a card as a letter": b"\xa4\xf0\x9f\x83\x91",
    "half a letter": b"\xa1\xe2",
    "a long odd text": b"\xda\x01\x00" + b"a" * 253 + b"\xed\xa0\x80",
    "long bytes": b"\xc5\x00\x01a",
    "a key twice": b"\x82\xa1a\x01\xa1a\x01",
    "a key that is a number": b"\x81\x01\x01",
    "a key of bytes": b"\x81\xc4\x01a\x01",
    "a long map": b"\xde\x00\x01\xa1a\x01",
    "a long array": b"\xdc\x00\x01\x01",
    "deep arrays": b"\x91" * 6 + b"\x01",
    "many items": b"\xdc\x10\x01" + b"\x01" * 4097,
    "as many items as may be": b"\xdc\x0f\xf2" + b"\x01" * (4096 - 14),
    "one item more": b"\xdc\x0f\xf3" + b"\x01" * (4096 - 13),
    "many items in many arrays": b"\x92" + 2 * (b"\xdc\x08\x00" + b"\x01" * 2048),
    "many empty maps": b"\xdc\x08\x00" + b"\x81\xa1a\x80" * 2048,
    "nothing": b"",
    "more behind it": b"\x01\x01",
    "true": b"\xc3",
    "a key that every object has": b"\x81\xa9__proto__\x80",
}


def test_it_reads_odd_encodings_alike() -> None:
    _agree([(what, _saying(odd)) for what, odd in ODD.items()])


@pytest.mark.parametrize(
    "zeros", [70, *(pytest.param(number, marks=pytest.mark.full) for number in (1, 4, 4096))]
)
def test_it_reads_torn_logs_alike(zeros: int) -> None:
    """Zeros after a game that is not over, after one that is, and inside a record."""
    whole = read("good-flip-over")
    begun = with_records(whole, records(whole)[:40])
    lost = frame(records(whole)[40][:-64] + bytes(64))
    odd = (whole, begun, begun + lost, begun[:-1], begun[:-64] + bytes(64), begun + b"\0\0\1")
    _agree([(f"{number}, torn", log + bytes(zeros)) for number, log in enumerate(odd)])
    assert audit_bytes(begun + lost + bytes(zeros)).verdict == "unfinished"
    assert audit_bytes(whole + bytes(zeros)).verdict == "malformed"


def _saying(payload: bytes) -> bytes:
    """A log whose only entry has this payload, as it stands."""
    log = read(GAMES["flip-over"])
    first = entries(log)[0]
    body = first.body.replace(msgpack.packb(first.payload), payload)
    return with_records(log, [body + identities(8)[first.seat].sign(PURPOSE, body)])


def _lie(questions: dict[str, Any], kind: str, lie: Any) -> dict[str, Any]:
    """The questions, those of a kind changed."""
    told = deepcopy(questions)
    for asked in told["asked"]:
        if asked["kind"] == kind:
            lie(asked)
    assert told != questions, f"no question of kind {kind}"
    return told


def _swap(field: str) -> Any:
    def swap(asked: dict[str, Any]) -> None:
        items = asked[field]
        items[0], items[1] = items[1], items[0]

    return swap


LIES: Final = {
    "fresh": ("good-flip-over", lambda asked: asked.update(deck="another")),
    "shuffle": ("good-flip-over", _swap("slots")),
    "deal": ("good-flip-over", _swap("moves")),
    "lay-set": ("good-sneak", lambda asked: asked["zone"].clear()),
    "play": ("good-flip-over", lambda asked: asked["zone"].clear()),
    "race": ("good-you-fink", lambda asked: asked["claims"].pop()),
    "together": ("good-flop-a", lambda asked: asked["seats"].pop()),
    "lay-all": ("good-flop-a", lambda asked: asked["fits"].append(0)),
    "swear": ("good-swear", lambda asked: asked["slots"].reverse()),
    "put-back": ("good-put-back", lambda asked: asked["slots"].pop()),
}


def test_questions_that_are_not_those_of_the_game_make_proofs_fail_or_cannot_be_asked() -> None:
    cases = []
    for kind, (name, lie) in LIES.items():
        told = case(read(name))
        cases.append({**told, "questions": _lie(told["questions"], kind, lie)})
    for kind, said in zip(LIES, judge(cases), strict=True):
        assert not said["verified"], kind
        assert said["verdict"] in VERDICTS - {"unfinished"} | {None}, kind


def test_verifier_of_other_revision_accuses_nobody() -> None:
    """As the audit: it may be right for the programs that wrote it."""
    files = ("bad-share-deal.ndlog", "bad-key-header.ndlog", "bad-key-opening.evidence")
    told = [case((VECTORS / "logs" / name).read_bytes()) for name in (*files, "good-sneak.ndlog")]
    assert [said["verdict"] for said in judge(told)] == [
        *("bad-share", "bad-key", "bad-key", "complete"),
    ]
    for one in told:
        one["questions"] = {**one["questions"], "revision": OTHER.hex(), "stopped": None}
    *judged, good = judge(told)
    assert [where(said) for said in judged] == [(None, None, None)] * 3
    assert {said["reason"] for said in judged} == {
        "written by revision 000000, this program is revision 3fa9c2: no verdict"
    }
    assert good["verdict"] == "complete"
