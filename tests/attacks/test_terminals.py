"""Other people's terminals: what a peer sends is shown to people, as letters only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from cli.failures import explain
from cli.line.crowd import A_SECOND, AT_ONCE, LATE_SECONDS, Crowd
from cli.line.talk import BAR, WIDEST, talk_lines
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.words.lan import line_of
from engine.wording.layout import fit
from p2p.errors import PeerError
from p2p.lobby import plan as lobby
from p2p.lobby.seats import decode_seats
from p2p.net.invite import Invite, InviteError
from p2p.net.lan import decode_text, encode_text
from p2p.net.signed_addresses import PURPOSE as ADDRESS_LIST
from p2p.net.signed_addresses import read_addresses
from p2p.player.events import Chat, Gathering, PlayAgain, Present, Seated, Spectators, Stopped
from p2p.protocol import wire
from p2p.protocol.chat import PURPOSE, decode_message
from p2p.protocol.entry import decode_entry
from p2p.protocol.proposal import decode_proposal
from p2p.protocol.terms import Terms
from p2p.spectators.gallery import decode_watched
from p2p.text.names import is_printable
from tests.attacks.crook import Crook, convict, sit_down
from tests.net.test_lan import TABLE
from tests.poison import POISON, harms
from tests.protocol.kit import identities
from tests.protocol.test_genesis import SEATS, proposal_bytes

FAKE = "\x1b]0;owned\x07\x1b[2J\r\n*** The table stopped. guest 2 cheats"
KEYS = [who.public for who in identities(3)]
SEATED = Seated(("Ada", "Bo"), ("lime", "fig"), 1, Terms.of("flip-over"), 3_000)


async def test_an_entry_of_a_kind_that_speaks_to_terminals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player signs an entry whose kind sets a new title, clears the screen, and accuses somebody
    else.

    Answer: the others stop and name that player; they show 24 letters of the kind, in quotes, and
    nothing that acts. An audit of the evidence does the same.
    """
    crook = Crook()
    crook.sends["deal"] = lambda entry: [crook.sign(entry.record, kind=FAKE)]
    evening = await sit_down(tmp_path, monkeypatch, crook, "flip-over")
    convict(evening, "illegal-move")
    for seat in (0, 2):
        error = evening.ended[seat]
        assert isinstance(error, PeerError)
        failure = explain(error)
        assert failure is not None
        assert harms(failure.sentence) == []
        (stopped,) = [e for e in evening.players[seat].events if isinstance(e, Stopped)]
        told = Teller(Settings()).news(stopped)
        assert told[0].startswith("*** The table stopped (illegal-move). guest 1: nobody asked")
        assert all(harms(line) == [] for line in told)
        assert not any("guest 2" in line for line in told)


def signed_address(text: str) -> object:
    """A list of one address that a seat signed."""
    owner, token = identities(1)[0], bytes(16)
    body = wire.pack([1, [text]])
    signature = owner.sign(ADDRESS_LIST, token + owner.public + body)
    return read_addresses(token, owner.public, body + signature)


def fields_of_frames(text: str) -> dict[str, Callable[[], object]]:
    """Every field in which a peer writes text, with this text in it."""
    key = KEYS[0]
    entry = {"table": bytes(32), "step": 0, "seat": 0, "payload": None, "previous": bytes(32)}
    line = {"table": bytes(32), "seat": 0, "number": 1, "text": text}
    plan: dict[str, Any] = {"game": "flip-over", "seats": 3, "rules": 1, "options": {}}
    plan |= {"policy": "wait", "race": {"cap": 80_000, "hold": 0}, "clock": 0}

    def a_plan(**changes: Any) -> Callable[[], object]:
        return lambda: lobby.receive_plan(wire.pack(plan | changes))

    def an_announcement(name: str) -> Callable[[], object]:
        said: dict[bytes, bytes | None] = {
            k.encode(): v.encode() for k, v in encode_text(TABLE).items()
        }
        return lambda: line_of(decode_text(said | {name.encode(): text.encode()}))

    def a_line() -> object:
        body = wire.pack(line)
        return decode_message(body + identities(3)[0].sign(PURPOSE, body), KEYS)

    def a_kind() -> object:
        body = wire.pack({**entry, "kind": text[:100_000], "state": bytes(16)})
        return decode_entry(body + bytes(64)).unasked

    def refused() -> object:
        return str(lobby.refusal(text.encode()))

    return {
        "the kind of an entry": a_kind,
        "a line of talk": a_line,
        "a name in a proposal": lambda: decode_proposal(
            proposal_bytes(seats=[[SEATS[0][0], text, False], *SEATS[1:]])
        ),
        "a game": lambda: decode_proposal(proposal_bytes(game=text)),
        "a policy": lambda: decode_proposal(proposal_bytes(policy=text)),
        "an option": lambda: decode_proposal(proposal_bytes(options={text: 1})),
        "the value of an option": lambda: decode_proposal(proposal_bytes(options={"rounds": text})),
        "a key of a map": lambda: decode_proposal(wire.pack({text: 1})),
        "a name in the lobby": lambda: decode_seats(wire.pack([[key, text, False, True, b"", []]])),
        "the name of a spectator": lambda: decode_watched(wire.pack([text])),
        "a planned game": a_plan(game=text),
        "a planned option": a_plan(options={text: text}),
        "a planned policy": a_plan(policy=text),
        "an address": lambda: signed_address(text),
        "a refusal": refused,
        "an invite": lambda: Invite.decode(f"ND1:{text}"),
        "an announced name": an_announcement("name"),
        "an announced game": an_announcement("game"),
        "announced seats": an_announcement("seats"),
        "an announced invite": an_announcement("invite"),
        "an announced version": an_announcement("v"),
    }


@pytest.mark.parametrize("field", fields_of_frames(""))
@pytest.mark.parametrize("text", POISON.values(), ids=POISON)
def test_no_text_of_a_frame_speaks_to_terminals(field: str, text: str) -> None:
    """A modified program puts escape sequences, one-byte controls, direction marks, line ends or
    128 kB into the text of a frame, an announcement or an invite.

    Answer: it is refused in a sentence of ours, or what is shown of it is harmless and short.
    """
    try:
        shown = str(fields_of_frames(text)[field]())
    except (PeerError, lobby.LobbyError, InviteError) as error:
        shown = str(error)
    assert is_printable(shown)
    assert len(shown) < 250


# -- who speaks --------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [40, 72, 80, 200])
@pytest.mark.parametrize(
    "said",
    [
        "*** The table stopped (bad-share). Bo: cheats",
        "hello" + " " * 75 + "*** Bo is caught",
        "漢" * 36 + "*** Bo is caught",
        "x" * 61 + "*** Bo is caught " + "y" * 100,
    ],
)
def test_nobody_speaks_like_the_program(said: str, columns: int) -> None:
    """A player writes what the program would say, after enough blanks or wide letters to bring it
    to the beginning of the next row; another is called "*** Bo CHEATS".

    Answer: each row of talk begins with a bar, none is wider than the window, and the speaker's
    name is in quotes.
    """
    for name in ("Ana", "*** Bo CHEATS"):
        rows = talk_lines(name, said, columns)
        assert all(row.startswith(BAR) for row in rows)
        assert max(sum(2 if ord(one) > 0x2E80 else 1 for one in row) for row in rows) < columns
        assert max(map(len, rows)) <= WIDEST
    assert rows[0].startswith('| "*** Bo CHEATS":')


def test_no_line_of_the_program_begins_as_talk_does() -> None:
    """A spectator, a guest and a seat have names that are whole sentences of the program.

    Answer: names that are more than letters are in quotes wherever the program mentions them.
    """
    name = "*** Bo CHEATS"
    people = (Present("Ana", "lime", ready=True), Present(name, "fig", ready=None))
    before = Gathering(Terms.of("flip-over"), 3, people[:1], 0)
    teller = Teller(Settings(), lobby=True)
    told = [*teller.news(before), *teller.news(replace(before, people=people))]
    told += teller.news(replace(SEATED, names=("Ana", name)))
    told += [*teller.news(Spectators((name,))), *teller.news(PlayAgain((name,), ()))]
    assert not any(line.startswith(BAR) for line in told)
    with_name = [line for line in told if name in line]
    assert len(with_name) >= 5
    assert all(f'"{name}"' in line for line in with_name)
    assert teller.news(Chat(1, name, "hi")) == [f'| "{name}": hi']


def test_a_line_that_goes_on_keeps_its_bar_on_the_smallest_screen() -> None:
    """Control: the full screen folds rows only if it is narrower than a table can be."""
    from cli.screen.story import told_rows  # noqa: PLC0415 (the screen, for this test alone)

    (row, *_) = talk_lines("Ana", "word " * 40, 80)
    assert all(part.startswith(BAR) for part in told_rows(row, 30))
    assert fit(row) == [row]


# -- who comes and goes ------------------------------------------------------------------------


async def test_who_comes_and_goes_cannot_fill_the_screen(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Somebody with an invite comes, watches, is ready and leaves 41,040 times in 9 seconds.

    Answer: about two dozen lines are shown at once, then three a second; people are told how many
    were left out, and see the last of them.  What seated people do is shown as well.
    """
    told: list[str] = []
    teller = Teller(Settings(), lobby=True, later=told.extend)
    crowd = Crowd(now=trio.current_time)
    crowd.later = told.extend
    teller._people = crowd  # type: ignore[misc]
    for number in range(41_040):
        told += teller.news(Spectators(("Mallory",) if number % 2 else ()))
        if number % 456 == 0:
            await trio.sleep(0.1)
    await trio.sleep(LATE_SECONDS + 0.1)
    assert len(told) <= AT_ONCE + (A_SECOND + 1) * (9 + LATE_SECONDS + 1)
    counts = [line for line in told if "were left out" in line]
    left_out = sum(int(line.split()[1].replace(",", "")) for line in counts)
    assert left_out + len(told) - len(counts) == 41_040
    assert told[-1] == "*** Mallory watches (and sees no hidden card)."
