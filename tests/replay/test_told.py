"""What is told of saved games: legality, proofs, marks, search, prose and lines of JSON."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from engine.wording import MarkKind
from p2p.protocol.entry import decode_entry
from replay.audit import audit_bytes
from replay.jsonl import VERSION, lines
from replay.legal import why_legal
from replay.marks import marks, search
from replay.narration import told
from replay.plain import proof_lines, step_lines
from replay.proofs import Proof, proofs
from replay.report import page
from replay.story import story
from tests.protocol.kit import seeded
from tests.replay.logs import judge
from tests.replay.saved import GAMES, log_of, saved


def test_only_what_was_checked_is_counted() -> None:
    """A fault half way: what comes after it does not count."""
    log = bytearray(log_of("flip-over"))
    whole = judge(bytes(log)).tally
    middle = next(
        record
        for step in saved("flip-over").steps[8:]
        for record in step.records
        if step.kind == "play"
    )
    at = bytes(log).index(middle) + len(middle) - 1
    log[at] ^= 1
    report = judge(bytes(log))
    assert report.verdict == "bad-signature"
    assert report.tally.entries < whole.entries


def test_progress_is_told_entry_by_entry() -> None:
    seen: list[tuple[int, int]] = []
    audit_bytes(log_of("flip-over"), "", seeded("a"), lambda done, of: seen.append((done, of)))
    count = judge(log_of("flip-over")).tally.entries
    assert seen == [(done, count) for done in range(1, count + 1)]


@pytest.mark.parametrize("name", GAMES)
def test_every_decision_was_legal_for_a_reason(name: str) -> None:
    game = saved(name)
    for step in game.steps:
        why = why_legal(game, step)
        assert all(why), step.kind
        assert len(why) >= 2 or step.kind == "close"
        assert step_lines(game, step.number)[0] == (
            f"Step {step.number} of {len(game.steps) - 1}: {step.kind}"
        )


def test_why_a_card_had_to_be_this_one() -> None:
    """Following suit: the faces that fitted are of the led suit; others need an oath."""
    game = saved("flip-over")
    followed = [why_legal(game, step) for step in game.steps if step.kind == "play"]
    assert any("only with an oath" in line for why in followed for line in why), followed[1]


def test_of_a_challenge_with_any_cards_only_another_number_is_refused() -> None:
    """It was said that a single card did not fit together."""
    game = saved("sneak")
    said = [" ".join(why_legal(game, step)) for step in game.steps]
    challenges = [why for why in said if "A challenge has as many cards as the lead." in why]
    assert challenges
    assert not any("do not fit together" in why for why in said)


def test_card_under_oath_is_not_said_to_follow_suit() -> None:
    """Whoever swears to hold no such card was told to "hold a club and have to follow" it."""
    game = saved("flip-over")
    sworn = [
        why_legal(game, step)
        for step in game.steps
        if any(made.proof is Proof.OATH for entry in step.entries for made in proofs(entry))
    ]
    assert sworn
    for why in sworn:
        assert any("only with an oath that" in line for line in why)
        assert not any("you hold" in line.lower() for line in why)


def test_single_card_is_not_refused_as_no_combination() -> None:
    game = saved("sneak")
    said = [" ".join(why_legal(game, step)) for step in game.steps]
    single = [why for why in said if " could lay 1 card " in why]
    assert single
    assert not any("two or more cards" in why.lower() for why in single)


def test_who_proved_what() -> None:
    game = saved("flip-over")
    found = {
        step.kind: {proven.proof for entry in step.entries for proven in proofs(entry)}
        for step in game.steps
    }
    assert found["shuffle"] == {Proof.SHUFFLE}
    assert found["deal"] == {Proof.SHARES}
    assert found["close"] == set()
    shuffle = next(step for step in game.steps if step.kind == "shuffle")
    (proven,) = proofs(decode_entry(shuffle.records[0]))
    assert (proven.seat, proven.items) == (shuffle.seats[0], 24)
    assert proven.said == "a shuffle of 24 cards (shuffle argument)"


def test_witnesses_say_when_they_saw_each_claim() -> None:
    game = saved("you-fink")
    raced = [
        (step, [e.seat for e in game.steps[step.number - 1].entries if e.payload is not None])
        for step in game.steps
        if step.kind == "witness"
    ]
    # Not one in which somebody claims what is aside: that competes with nothing.
    step, claims = next(
        one for one in raced if len(one[1]) == len(one[0].entries[0].payload["claims"])
    )
    said = " ".join(" ".join(proof_lines(game, step)).split())
    assert len(claims) > 1
    for claimant in claims:
        assert said.count(f"saw {game.names[claimant]} after ") == 3, "by every seat"


@pytest.mark.slow
def test_oaths_merges_and_openings_are_found() -> None:
    found = Counter(
        proven.proof
        for game in (*map(saved, GAMES), saved("flaps", seed=7))  # where cards change hands
        for step in game.steps
        for entry in step.entries
        for proven in proofs(entry)
    )
    assert set(found) == set(Proof), "every kind of proof occurs in some game"


@pytest.mark.parametrize("name", GAMES)
def test_marks_are_in_order_and_end_with_the_end(name: str) -> None:
    game = saved(name)
    found = marks(game)
    places = [mark.step for mark in found]
    assert places == sorted(set(places))
    assert found[-1].kind is MarkKind.END
    assert any(mark.kind is MarkKind.ROUND for mark in found)
    assert all(mark.text for mark in found)


def test_races_are_marked() -> None:
    assert any(mark.kind is MarkKind.RACE for mark in marks(saved("you-fink")))


def test_search_finds_the_nearest_step_in_either_direction() -> None:
    game = saved("flip-over")
    plays = [step.number for step in game.steps if "lays" in " ".join(told(game, step))]
    assert search(game, "LAYS", -1) == plays[0]
    assert search(game, "lays", plays[0]) == plays[1]
    assert search(game, "lays", plays[2], back=True) == plays[1]
    assert search(game, "close", 0) == len(game.steps) - 1
    assert search(game, "no such words", -1) is None
    assert search(game, "  ", -1) is None


def test_letters_find_suits() -> None:
    game = saved("flip-over")
    number = next(step.number for step in game.steps if step.kind == "play")
    card = told(game, game.steps[number], ascii=True)[0].split()[-1].rstrip(".")
    assert card[-1] in "CSHD"
    assert search(game, card, -1) == number


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_story_has_everybody_and_the_verdict(name: str) -> None:
    game, report = saved(name), judge(log_of(name))
    text = list(story(game, report))
    assert all(len(line) <= 80 for line in text)
    whole = "\n".join(text)
    for player in game.names:
        assert f"{player}: " in whole
    assert "Result: " in whole
    assert "The audit: verified, complete" in whole
    assert "\n".join(story(game, report, ascii=True)).isascii()


def test_a_bad_log_is_told_to_be_bad() -> None:
    log = log_of("flip-over")
    report = judge(log[:-1] + bytes([log[-1] ^ 1]))
    whole = " ".join(story(saved("flip-over"), report))
    assert "NOT verified, bad-signature" in whole


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_lines_of_json(name: str) -> None:
    game, report = saved(name), judge(log_of(name))
    first, *steps, last = [json.loads(line) for line in lines(game, report)]
    assert (first["type"], first["format"], first["version"]) == (
        "game",
        "nodealer jsonl",
        VERSION,
    )
    assert first["steps"] == len(steps) == len(game.steps)
    assert [step["step"] for step in steps] == list(range(len(steps)))
    for step, after in zip(game.steps, steps[1:], strict=False):
        entry = decode_entry(game.steps[after["step"]].records[0])
        assert steps[step.number]["hash"] == entry.previous.hex()
        assert steps[step.number]["state"] == entry.state.hex()
    assert last["verdict"] == "complete"
    assert last["result"] == list(report.returns or ())


@pytest.mark.slow
def test_what_nobody_saw_is_not_in_the_lines() -> None:
    """A set laid face down is named when it is turned up, not when it is laid."""
    game, report = saved("sneak"), judge(log_of("sneak"))
    steps = [json.loads(line) for line in lines(game, report)][1:-1]
    sneaks = [step for step in steps if step["notes"] and step["notes"][0][0] == "sneak"]
    assert sneaks
    for step in sneaks:
        assert step["decided"][0].endswith("face down.")


def test_the_page_of_a_log_without_a_table_is_empty() -> None:
    assert page(judge(b"no log")) == []


@pytest.mark.slow
def test_the_page_names_races_only_where_there_were_any() -> None:
    assert any(line.startswith("  races") for line in page(judge(log_of("you-fink"))))
    assert not any(line.startswith("  races") for line in page(judge(log_of("sneak"))))
