"""Whole tables with everything logged: no secret and no face of a card is in the lines.

The lines of all seats are looked at together, against everything that any of them drew or held.
"""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest

from cli.options.asked_table import AskedTable
from cli.tables.bot_match import bot_sitters
from cli.tables.loopback import play_here
from engine.game import Value
from engine.games import NAMES, load
from p2p.crypto import elgamal, group
from p2p.crypto.hedged import Draws, Hedged
from p2p.crypto.keys import TableSecret
from p2p.identity.keys import Identity
from p2p.logs import LOG
from p2p.protocol import slots
from p2p.protocol.table import GameTable
from p2p.seat import table_seat
from tests.cli.test_every_game import SHORT

SHORTEST: Final = 16
"""Bytes of the shortest secret."""
PIECE: Final = 8
"""How many bytes of a secret are looked for: a line that shows it may cut it."""


class Lines(logging.Handler):
    """Everything that any library logs."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))

    @contextmanager
    def listening(self) -> Iterator[None]:
        root = logging.getLogger()
        level = root.level
        root.addHandler(self)
        root.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            root.setLevel(level)
            root.removeHandler(self)


class Secrets:
    """What the seats of this process draw and hold, from now on."""

    def __init__(self) -> None:
        self.known: set[bytes] = set()
        self.tables: list[GameTable] = []
        self.shares = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        with ExitStack() as stack:
            for owner, name, keep in (
                (Draws, "octets", self._octets),  # nonces
                (Hedged, "__call__", self._octets),  # openings, table secrets, permutations
                (TableSecret, "to_bytes", self._octets),
                (Identity, "expose_secret", self._octets),
                (slots, "read", self._own_share),
                (table_seat, "open_table", self._table),
            ):
                stack.enter_context(_heard(owner, name, keep))
            yield

    def _octets(self, drawn: bytes, *_: object, **__: object) -> None:
        if len(drawn) >= SHORTEST:
            self.known.add(drawn)
        if len(drawn) == group.UNIFORM_BYTES:
            self.known.add(bytes(_octets_of(group.scalar_from_uniform(drawn))))

    def _own_share(self, _: object, secret: TableSecret, cipher: elgamal.Cipher) -> None:
        """The last part of a card's decryption: whoever has it reads a card of another's hand."""
        self.known.add(bytes(elgamal.share(secret, cipher)))
        self.shares += 1

    def _table(self, table: GameTable, *_: object, **__: object) -> None:
        self.tables.append(table)


def _octets_of(scalar: Any) -> bytes:
    return scalar.to_bytes(32, "little") if isinstance(scalar, int) else bytes(scalar)


@contextmanager
def _heard(owner: Any, name: str, keep: Callable[..., None]) -> Iterator[None]:
    """Keep what the function returns, with what it was given."""
    real = getattr(owner, name)

    def heard(*given: Any, **named: Any) -> Any:
        result = real(*given, **named)
        keep(result, *given, **named)
        return result

    with patch.object(owner, name, heard):
        yield


def spellings(secret: bytes) -> Iterator[str]:
    """How a line may spell a piece of these bytes."""
    for piece in (secret[:PIECE], secret[-PIECE:]):
        yield piece.hex()
        yield repr(piece)[2:-1]
        yield str(list(piece))[1:-1]
    yield base64.b64encode(secret)[: PIECE + 2].decode()
    yield base64.urlsafe_b64encode(secret)[: PIECE + 2].decode()
    yield base64.b32encode(secret)[: PIECE + 4].decode()
    for order in ("little", "big") if len(secret) <= group.UNIFORM_BYTES else ():
        yield str(int.from_bytes(secret, order))[:15]  # type: ignore[arg-type]


def found_secrets(lines: list[str], secrets: set[bytes]) -> list[bytes]:
    """Those that are in the lines, in any spelling."""
    text = "\n".join({_template(line) for line in lines})
    return [one for one in secrets if any(word in text for word in spellings(one))]


def _template(line: str) -> str:
    """The line without small numbers, unless there are as many as a piece of a secret has.

    So only some dozens of different lines are left to be searched.
    """
    small = re.compile(r"(?<![\w\\])\d{1,6}(?![\w\\])")
    return line if len(small.findall(line)) >= PIECE else small.sub("#", line)


def found_faces(lines: list[str], names: set[str]) -> set[str]:
    """The names of cards that the lines hold as words of their own."""
    words = {word for line in lines for word in re.split(r"[\s,;:()\[\]'\"]+", line)}
    return {name for name in names if name in words and not name.isdigit()}


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_and_no_face_is_logged(name: str, tmp_path: Path) -> None:
    seats, options = SHORT[name]
    lines, secrets = Lines(), Secrets()
    with lines.listening(), secrets.watched():
        _play(name, seats, options, tmp_path)
    said = [line for line in lines.said if line]
    assert len(said) > 200
    assert len(secrets.tables) == seats
    assert len(secrets.known) > 50
    assert bool(secrets.shares) is (name != "you-fink"), "there nobody sees a card of its own"
    assert found_secrets(said, secrets.known) == []
    deck = secrets.tables[0].cards.slots.need_deck()
    faces = {str(face) for face in deck.faces}
    assert len(faces) > 5
    assert found_faces(said, faces) == set()
    _check_only_words_and_numbers(said)


def _play(name: str, seats: int, options: dict[str, Value], folder: Path) -> None:
    game = load(name)
    asked = AskedTable(game, seats, game.parse_options({k: str(v) for k, v in options.items()}))
    first, *others = bot_sitters(asked, seed=1)
    play_here(asked, first, others, folder)


def _check_only_words_and_numbers(lines: list[str]) -> None:
    """Nothing that looks like bytes, a key, a name of a player, a file or an address."""
    for line in lines:
        assert not re.search(r"[0-9a-f]{16}|\\x|\b\d{1,3}(\.\d{1,3}){3}\b|/|\.nd", line), line
        assert not re.search(r"\b(Ada|Bo|Cleo)\b", line), line


@pytest.mark.parametrize("spelled", [lambda s: s.hex(), repr, lambda s: int.from_bytes(s, "big")])
def test_a_logged_secret_would_be_found(spelled: Callable[[bytes], object]) -> None:
    secret, lines = bytes(range(1, 33)), Lines()
    with lines.listening():
        LOG.debug("the nonce is %s", spelled(secret))
    assert found_secrets(lines.said, {secret, bytes(range(101, 133))}) == [secret]


def test_a_logged_face_would_be_found() -> None:
    lines = Lines()
    with lines.listening():
        LOG.debug("seat %d holds %s", 1, ["7H", "AS"])
    assert found_faces(lines.said, {"7H", "2C"}) == {"7H"}
