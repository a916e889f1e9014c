"""Votes by which others go on without a seat: logs and evidence in which they are not as they
have to be, and some in which nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from p2p.protocol.entry import PURPOSE, SIGNATURE_BYTES, Chain, Entry, decode_entry
from p2p.protocol.logfile import encode_evidence, split_log
from tests.protocol.cheats import CHEAT, sign_again
from tests.protocol.kit import identities
from tests.replay.logs import with_records
from tests.vectors import tables
from tests.vectors.losing import (
    LOST,
    choice_at,
    entries_of,
    evidence_with,
    first,
    log_of,
    log_with,
    until,
    vector,
    voted,
    votes_of,
)
from tests.vectors.vector import Level, Vector

NEXT: Final = 1
"""The round after the one in which all agreed."""


def vote_files() -> Iterator[Vector]:
    """All of them; inside of `known_scenes`."""
    yield from _too_few()
    yield from _beside()
    yield from _not_theirs()
    yield from _of_another_shape()
    yield from _elsewhere()
    yield from _beyond()
    yield from _twice()


def _records(votes: list[Entry]) -> list[bytes]:
    return [one.record for one in votes]


def _too_few() -> Iterator[Vector]:
    votes = votes_of("one")
    step, few = votes[0].step, _records(votes[:-1])
    yield vector(
        "one", "unfinished-votes.ndlog", log_with("one", step, *few),
        "One of those who stay has not voted: nothing is decided.", step=step,
    )  # fmt: skip
    head = Chain(votes[0].table, step, votes[0].previous).after([one.body for one in votes[:-1]])
    follows = sign_again(first("one", "relock").record, previous=head)
    yield vector(
        "one", "broken-chain-votes-few.ndlog", log_with("one", step, *few, follows),
        "Some go on without the vote of all who stay.", step=step,
    )  # fmt: skip


def _beside() -> Iterator[Vector]:
    """Steps that are neither all entries nor all votes that say the same."""
    votes = votes_of("one")
    step, *_, last = votes[0].step, *votes
    for name, about, other in (
        ("differ", "A vote names nobody, the others one.", voted(last, last.seat, 0, [])),
        ("rounds", "A vote is of another round.", voted(last, last.seat, NEXT, [LOST])),
        (
            "boolean",
            "A vote says false where the others say 0.",
            sign_again(last.record, payload={**last.payload, "round": False}),
        ),
        ("entry", "An entry of the void step is beside the votes.", choice_at("one", last.seat)),
    ):
        records = [*_records(votes[:-1]), other]
        yield vector(
            "one", f"broken-chain-votes-{name}.ndlog", log_with("one", step, *records), about,
            step=step, level=Level.CHAIN,
        )  # fmt: skip
    lost = choice_at("one", LOST)
    yield vector(
        "one", "broken-chain-votes-lost.ndlog", log_with("one", step, *_records(votes), lost),
        "The entry of the lost seat is in the step that it was voted out of.", step=step,
        level=Level.CHAIN,
    )  # fmt: skip


def _not_theirs() -> Iterator[Vector]:
    """Votes that their seats do not have."""
    vote = votes_of("one")[0]
    own = voted(vote, LOST, 0, [LOST])
    yield vector(
        "one", "illegal-move-vote-own.ndlog",
        log_with("one", vote.step, *_records(votes_of("one")), own),
        "A seat votes about itself.", LOST, vote.step,
    )  # fmt: skip
    yield vector(
        "one", "illegal-move-vote-many.ndlog",
        log_with("one", vote.step, voted(vote, CHEAT, 0, [2, LOST])),
        "A vote names more seats than may be gone.", CHEAT, vote.step,
    )  # fmt: skip
    later = votes_of("later", 1)[0]
    yield vector(
        "later", "illegal-move-vote-lost.ndlog",
        log_with("later", later.step, voted(later, LOST, 0, [4])),
        "A seat that was lost votes about another one.", LOST, later.step,
    )  # fmt: skip
    yield vector(
        "later", "illegal-move-vote-again.ndlog",
        log_with("later", later.step, voted(later, CHEAT, 0, [LOST])),
        "A vote is about a seat that was lost before.", CHEAT, later.step,
    )  # fmt: skip
    farewell = first("left", "farewell")
    after = next(one for one in entries_of("left") if one.step == farewell.step + 1)
    yield vector(
        "left", "illegal-move-vote-left.ndlog",
        log_with("left", after.step, voted(after, CHEAT, 0, [farewell.seat])),
        "A vote is about a seat that has left for good.", CHEAT, after.step,
    )  # fmt: skip


def _of_another_shape() -> Iterator[Vector]:
    vote = votes_of("one")[0]
    for name, about, fields in (
        ("order", "A vote names its seats out of order.", {"absent": [LOST, 2]}),
        ("twice", "A vote names a seat twice.", {"absent": [LOST, LOST]}),
        ("seat", "A vote names a seat that is not there.", {"absent": [4]}),
        ("round", "A vote is of a round that there is not.", {"round": 64}),
        ("field", "A vote has a field that no version knows.", {"more": 0}),
    ):
        bent = sign_again(vote.record, payload={**vote.payload, **fields})
        yield vector(
            "one", f"malformed-vote-{name}.ndlog", log_with("one", vote.step, bent), about,
            step=vote.step,
        )  # fmt: skip
    stated = sign_again(vote.record, state=bytes(15) + b"\1")
    yield vector(
        "one", "malformed-vote-state.ndlog", log_with("one", vote.step, stated),
        "A vote says something about the state.", step=vote.step,
    )  # fmt: skip
    signer = identities(1)[vote.seat]
    as_entry = vote.body + signer.sign(PURPOSE, vote.body)
    yield vector(
        "one", "bad-signature-vote.ndlog", log_with("one", vote.step, as_entry),
        "A vote that is signed as an entry is.", step=vote.step, level=Level.CHAIN,
    )  # fmt: skip


def _elsewhere() -> Iterator[Vector]:
    """Votes about other steps than the one that goes on."""
    vote = votes_of("one")[0]
    before = vote.step - 1
    yield vector(
        "one", "broken-chain-vote-replayed.ndlog",
        log_with("one", before, *_records(votes_of("one"))),
        "Votes about the step that follows stand for the one before.", step=before - 1,
        level=Level.CHAIN,
    )  # fmt: skip
    stray = sign_again(vote.record, previous=bytes(32))
    yield vector(
        "one", "broken-chain-vote-history.ndlog", log_with("one", vote.step, stray),
        "A vote about another history.", step=vote.step, level=Level.CHAIN,
    )  # fmt: skip
    close = first("one", "close")
    yield vector(
        "one", "broken-chain-vote-close.ndlog",
        log_with("one", close.step, voted(close, 0, 0, [2])),
        "A vote about a seat that only lacks its signature under the result.", step=close.step,
    )  # fmt: skip
    log = tables.log_of("flip-over")
    waits = decode_entry(split_log(log).records[0])
    yield Vector(
        "broken-chain-vote-wait.ndlog", with_records(log, [voted(waits, 0, 0, [2])]),
        "broken-chain", Level.PROOF, "A vote at a table whose seats wait for each other.", step=0,
    )  # fmt: skip


def _beyond() -> Iterator[Vector]:
    """What was signed beyond a log, and accuses nobody: the table goes on, or does not."""
    votes, follows = votes_of("one"), first("one", "relock")
    step = votes[0].step
    void = choice_at("one", LOST)
    yield vector(
        "one", "unfinished-void-entry.evidence",
        encode_evidence(log_with("one", follows.step), [void]),
        "An entry of the lost seat for the step that it was voted out of counts for nothing.",
        step=follows.step,
    )  # fmt: skip
    yield vector(
        "one", "unfinished-votes-beyond.evidence",
        evidence_with("one", step, *_records(votes), void, follows.record),
        "The votes are beyond the log; an entry of their step is void with it.",
        step=follows.step + 1,
    )  # fmt: skip
    early = [follows.record, *_records(votes[::-1])]
    yield vector(
        "one", "unfinished-votes-early.evidence", evidence_with("one", step, *early),
        "An entry for the next step came before the votes.", step=follows.step + 1,
    )  # fmt: skip
    changed = [voted(votes[0], 0, 0, [2]), voted(votes[0], 0, 1, [LOST])]
    yield vector(
        "one", "unfinished-votes-changed.evidence", evidence_with("one", step, *changed),
        "A seat votes in two rounds, about two seats.", step=step,
    )  # fmt: skip
    late = voted(first("one", "coin"), CHEAT, 0, [])
    past = until("one", first("one", "coin").step + 1)
    yield vector(
        "one", "unfinished-votes-late.evidence",
        encode_evidence(with_records(log_of("one"), past), [late]),
        "A vote of a seat beside its entry: nobody is gone.", step=first("one", "coin").step + 1,
    )  # fmt: skip


def _twice() -> Iterator[Vector]:
    votes, follows = votes_of("one"), first("one", "relock")
    step = votes[0].step
    other = voted(votes[0], CHEAT, 0, [])
    yield vector(
        "one", "equivocation-votes.evidence",
        evidence_with("one", step, votes[CHEAT].record, other),
        "Two votes of a seat in one round.", CHEAT, step, Level.CHAIN,
    )  # fmt: skip
    yield vector(
        "one", "equivocation-vote-beside.evidence",
        encode_evidence(log_with("one", follows.step), [other]),
        "A vote beyond the log is another one than that in it.", CHEAT, step, Level.CHAIN,
    )  # fmt: skip
    signature = bytearray(votes[CHEAT].record)
    signature[-SIGNATURE_BYTES] ^= 1
    yield vector(
        "one", "bad-signature-vote.evidence", evidence_with("one", step, bytes(signature)),
        "A vote that its seat did not sign.", level=Level.CHAIN,
    )  # fmt: skip
    bent = sign_again(votes[0].record, payload={"round": 0, "absent": [LOST, LOST]})
    yield vector(
        "one", "malformed-vote.evidence", evidence_with("one", step, bent),
        "A vote of another shape is no evidence.",
    )  # fmt: skip
    own = voted(votes[0], CHEAT, 0, [CHEAT])
    yield vector(
        "one", "illegal-move-vote.evidence", evidence_with("one", step, own),
        "A seat votes about itself.", CHEAT, step,
    )  # fmt: skip
    past = encode_evidence(log_with("one", follows.step), [voted(votes[0], CHEAT, NEXT, [CHEAT])])
    yield vector(
        "one", "illegal-move-vote-past.evidence", past,
        "A seat votes about itself, at a step that is over.", CHEAT, step,
    )  # fmt: skip
    coming = {"step": step + 1, "payload": {"round": 0, "absent": [CHEAT]}, "previous": bytes(32)}
    yield vector(
        "one", "unfinished-vote-stray.evidence",
        encode_evidence(log_with("one", step + 1), [sign_again(votes[0].record, **coming)]),
        "A vote about another history counts for nothing, whatever it says.", step=step + 1,
    )  # fmt: skip
