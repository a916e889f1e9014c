"""Talk in the lobby: the host passes every line on to its guests, and guests who are linked with
each other have it at once.

There are no seats yet that stay whose they are: a line names the key of its speaker, who signs it
for the token of the table.  Only who sits here is heard, and only the host may bring a line of
somebody else's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from p2p import checks
from p2p.identity.keys import Identity
from p2p.lobby.seats import Taken
from p2p.net.limits import TokenBucket
from p2p.player.events import Chat, Talk
from p2p.protocol.chat import LobbyLine, read_lobby_line, sign_lobby_line
from p2p.protocol.frame_kinds import LOBBY_TALK, Handlers
from p2p.protocol.proposal import SEATS_MAX
from p2p.seat.chat import IN_SECONDS, LINES, Speakers, as_line
from p2p.seat.desk import Desk

FLOOD: Final = 4 * LINES
"""So many lines of one speaker may come at once over a link, and again in each `IN_SECONDS`: a
link that was down brings what waited for it.  Whoever sends more loses the link."""
AT_ONCE: Final = 48
A_SECOND: Final = 5.0
"""So many lines of all others together are shown at once, and in each second: eight people who talk
as much as they may never meet this, but anybody with the invite may come with key after key."""
RECENT: Final = 16
"""So many lines, the newest ones, a host sends to whoever sits down later."""
KEPT: Final = 256
"""How many speakers are remembered before those who have left are forgotten."""


class LobbyTalk:
    """One person's part in the talk of one lobby; `people` gives who sits there, the host first.

    It goes on while all sign the table, until the table's own talk begins.
    """

    def __init__(
        self,
        desk: Desk,
        identity: Identity,
        host: bytes,
        token: bytes,
        people: Callable[[], Sequence[Taken]],
    ) -> None:
        self._desk: Final = desk
        self._identity: Final = identity
        self._host: Final = host
        self._token: Final = token
        self._people: Final = people
        self._speakers: Final = Speakers[bytes](desk.now)
        self._links: dict[bytes, TokenBucket] = {}
        self._everybody: Final = TokenBucket(A_SECOND, desk.now(), AT_ONCE)
        self._recent: Final[deque[bytes]] = deque(maxlen=RECENT)
        self._is_open = False
        self.handlers: Final[Handlers[None]] = {LOBBY_TALK: self.receive}

    def open(self) -> None:
        """From now on our own person may speak; told once."""
        if not self._is_open:
            self._is_open = True
            self._desk.tell(Talk(self.say))

    def recent(self) -> list[bytes]:
        """The frames of what was said last, for somebody who has just sat down."""
        return list(self._recent)

    def say(self, text: str) -> bool:
        """As at the table (`p2p.seat.chat`)."""
        own = self._identity.public
        line, number = as_line(text), self._speakers.next_number(own, self._desk.wall())
        if not line or not self._speakers.may_say(own, number):
            return False
        self._take(sign_lobby_line(self._identity, self._token, number, line))
        return True

    def receive(self, peer: bytes, payload: bytes) -> None:
        """A line from a link: shown once.

        PeerError for garbage, for a line of somebody else's that no host brings, or for too many.
        """
        there = [one.identity for one in self._people()]
        sits = peer in there
        checks.require("lobby.sits", sits, "malformed", "a line of talk of nobody who sits here")
        few = self._link(peer, there).take_if_left(self._desk.now())
        checks.require("lobby.talk", few, "malformed", "more talk than anybody can read")
        line = read_lobby_line(payload)
        own = peer in (line.speaker, self._host)
        checks.require("lobby.speaker", own, "malformed", "a line of talk of somebody else's")
        if line.speaker in there and self._speakers.may_say(line.speaker, line.number):
            line.check_signature(self._token)
            if self._everybody.take_if_left(self._desk.now()):
                self._take(line, peer)

    def _link(self, peer: bytes, there: Sequence[bytes]) -> TokenBucket:
        """How much more this link may bring; what is known of people who have left is bounded."""
        if len(self._links) > KEPT or len(self._speakers) > KEPT:
            self._speakers.keep(there)
            self._links = {key: left for key, left in self._links.items() if key in there}
        most = FLOOD * (SEATS_MAX if peer == self._host else 1)
        bucket = TokenBucket(most / IN_SECONDS, self._desk.now(), most)
        return self._links.setdefault(peer, bucket)

    def _take(self, line: LobbyLine, source: bytes | None = None) -> None:
        """Show a line; our own goes to all, and those of guests go on from the host."""
        own, there = self._identity.public, self._people()
        self._speakers.hear(line.speaker, line.number)
        frame = LOBBY_TALK.make(line.data)
        self._recent.append(frame)
        if own in (line.speaker, self._host):
            for one in there:
                if one.identity not in (own, source):
                    self._desk.post(one.identity, frame)
        place = [one.identity for one in there].index(line.speaker)
        self._desk.tell(Chat(place, there[place].name, line.text))
