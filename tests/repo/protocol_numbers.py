"""The phrases of the page of the protocol that name numbers, made from the program's constants.

The page is prose, so a phrase is the part of a sentence around its numbers.  The page must contain
each phrase, and each number of the page must occur in a phrase or be of another kind (`PLAIN`).
"""

from __future__ import annotations

from typing import Final

from p2p import version
from p2p.crypto import (
    commitment,
    dleq,
    group,
    hedged,
    keys,
    oath_by_shuffle,
    relock,
    sealing,
    shuffle_statement,
    transcript,
    transfer,
)
from p2p.driver.moves import SEARCH_SECONDS
from p2p.identity.keys import KEY_BYTES, SIGNATURE_BYTES
from p2p.lobby import admission, host, neighbours, plan, rematch, shown
from p2p.lobby import talk as lobby_talk
from p2p.net import (
    handshake,
    interfaces,
    invite,
    lan,
    lan_search,
    reach_address,
    signed_addresses,
    sources,
    strangers,
    transport,
)
from p2p.net.limits import Limits
from p2p.player.waits import AWAY_SECONDS
from p2p.protocol import chat, entry, frame_kinds, held, proposal, wire
from p2p.protocol import terms as table_terms
from p2p.protocol.absence import vote
from p2p.protocol.acts import witnessing
from p2p.protocol.clock import CLOCKS, NO_CLOCK
from p2p.protocol.races import book, relays, terms, times
from p2p.protocol.races.timing import REMEMBERED
from p2p.seat import catch_up, fetch, forwarding, whereabouts
from p2p.seat import chat as talk
from p2p.seat.returning import Patience
from p2p.spectators import feed, gallery
from p2p.text.names import HIDDEN, NAME_MAX
from p2p.version import CHANNEL_VERSION, PROTOCOL_VERSION, REVISION_BYTES

KIB: Final = 1024
MIB: Final = 1024 * KIB
NET: Final = Limits()
PATIENCE: Final = Patience()
TIME_MAX: Final = f"{witnessing.TIME_MAX_US:,}"
FLOOR: Final = f"{times.FLOOR_US:,}"
TIE: Final = f"{times.TIE_US:,}"
HOP: Final = f"{terms.HOP_US:,}"
FRIEND: Final = f"{relays.FRIEND_US:,}"
BINARY: Final = f"({SIGNATURE_BYTES} bytes), purpose"
RECORDS: Final = f"{frame_kinds.FRAME_MAX:,}"
SMALL: Final = f"{frame_kinds.SMALL_MAX:,}"
NUMBERS: Final = f"2^{chat.NUMBER_MAX.bit_length() - 1}"
MORE: Final = f"2^{catch_up.MORE.bit_length() - 1} + `e`"
KINDS: Final = ("none", "IPv4", "IPv6", "a name")
"""Of addresses in an invite, by their numbers."""


def _code_points() -> str:
    """The code points that are not printable, as ranges."""
    return ", ".join(f"{a:X}" if a == z else f"{a:X}-{z:X}" for a, z in HIDDEN)


def _kinds() -> str:
    named = [f"{number} {kind}" for number, kind in enumerate(KINDS)]
    return ", ".join(named)


def _rates(rates: strangers.Rates, unit: int) -> list[int]:
    return [int(number) // unit for rate in rates for number in rate]


def _read() -> str:
    key, at_once, network, more, everybody, most = _rates(strangers.FRAMES, 1)
    return (
        f"{key} frames are read from a key ({at_once} at once), {network} from a network ({more}), "
        f"and {everybody} from all ({most})"
    )


def _served() -> str:
    key, at_once, network, more, everybody, most = _rates(strangers.SERVED, KIB)
    return (
        f"{key} KiB of the game are sent to a key ({at_once // KIB} MiB at once), {network} KiB "
        f"to a network ({more // KIB} MiB), and {everybody // KIB} MiB to all together "
        f"({most // KIB} MiB)"
    )


PRIMITIVES: Final = (
    f"# The protocol, version {PROTOCOL_VERSION}",
    f"points and scalars are {group.POINT_BYTES} bytes",
    f"the identity is {len(group.IDENTITY)} zero bytes",
    f"its first {entry.HASH_BYTES} bytes",
    f"to-scalar({group.UNIFORM_BYTES} bytes)",
    f"state || {transcript._APPEND.hex()} || framed(label)",
    f"state || {transcript._CHALLENGE.hex()} || framed(label)",
    f"state || {transcript._RATCHET.hex()} || framed(label)",
    f"little-endian integers of {shuffle_statement.CHALLENGE_BITS // 8} bytes",
    f"at most {wire.DEPTH_MAX} arrays and maps inside each other",
    f"at most {wire.ITEMS_MAX:,} items",
    f"A record has {SIGNATURE_BYTES + 1} to {wire.RECORD_MAX:,} bytes",
)
ENTRIES: Final = (
    f"followed by a signature ({SIGNATURE_BYTES} bytes)",
    f"| table | {entry.HASH_BYTES} bytes",
    f"| previous | {entry.HASH_BYTES} bytes",
    f"| state | {entry.STATE_BYTES} bytes",
    f"SHA-512(next) || ...)`, first {entry.HASH_BYTES} bytes",
)
GENESIS: Final = (
    f"map `version` ({PROTOCOL_VERSION}), `revision` ({REVISION_BYTES} bytes:",
    f"`token` ({proposal.TOKEN_BYTES} bytes)",
    f"`[identity key, name, bot]`: 2 to {proposal.SEATS_MAX},",
    f"`cap`, {terms.CAPS_US[0]:,} to {terms.CAPS_US[-1]:,},",
    f"`hold`, {terms.HOLDS_US[0]} to {terms.HOLDS_US[-1]:,}:",
    f"`clock` (integer: {NO_CLOCK}, or {CLOCKS[0]} to {CLOCKS[-1]:,})",
    f"|| proposal)`, first {entry.HASH_BYTES} bytes",
    f"A key of another length than {KEY_BYTES} bytes",
    f"U+0000-{_code_points().removeprefix('0-')}.",
    f"A **name** has 1 to {NAME_MAX} code points",
    "(general category M in Unicode 14.0, or U+1160-11FF, D7B0-D7FF)",
    f"`commit`: {commitment.COMMITMENT_BYTES} bytes",
    f"with {keys.OPENING_BYTES} random bytes as opening",
    f"The proof is {keys.PROOF_BYTES} bytes",
    f"in microseconds, 1 to {terms.PING_MAX_US:,};",
    f"`commit` has {keys.PROOF_BYTES + group.POINT_BYTES} bytes",
    f"in the header are these {keys.PROOF_BYTES + group.POINT_BYTES} bytes",
    f"`bound` (the {keys.PROOF_BYTES + group.POINT_BYTES} bytes of each seat's `commit`",
    f"The complaint has {sealing.COMPLAINT_BYTES} bytes",
    f"`complaint` (the {group.SCALAR_BYTES} bytes of the sealed share)",
    f"|| header body)`, first {entry.HASH_BYTES} bytes",
    f"plus {terms.RELAY_US:,} for each of these",
    f"at most that `cap` and at least {terms.CAP_FLOOR_US:,}.",
    f"({terms.RaceTerms().cap_us:,} by default)",
    f"; {NO_CLOCK} means any time",
)
CARDS: Final = (
    f"`protocol` (u32 {PROTOCOL_VERSION}, little-endian)",
    f"framed({hedged.FRESH_BYTES} fresh random bytes)",
    f"its place in that deck ({oath_by_shuffle._POSITION_BYTES} bytes, big-endian",
    f"{commitment.COMMITMENT_BYTES} bytes, nonce {commitment.NONCE_BYTES} bytes",
)
STEPS: Final = (
    f"`proof` ({dleq.PROOF_BYTES} bytes). `slots`",
    f"`proofs` ({transfer.PROOF_BYTES} bytes each)",
    f"`proof` ({relock.PROOF_BYTES} bytes), one per group",
    f"the named seats | {commitment.COMMITMENT_BYTES} bytes; map `nonce`, `choice`",
    f"the named seats | {commitment.COMMITMENT_BYTES} bytes; map `nonce`, `laid`",
    f"of at most {vote.RECORD_MAX} bytes: its kind is `vote`",
    f"`round` (0 to {vote.ROUNDS_MAX - 1})",
    f"a seat opens at most {vote.ROUNDS_MAX} / seats rounds",
    f"`seen` and `late` are 0 to {TIME_MAX}, or nil",
    f"nil or -{TIME_MAX} to {TIME_MAX}, by how much",
    f"at most {REMEMBERED - 2} steps before the `race` step",
    f"plus {HOP} for the relay; if we forward, {HOP} are added to our credit",
    f"share of that card, less {book.ALLOWANCE_US:,};",
    f"`max({FLOOR}, seen - credit)",
    f"Times below {FLOOR} count as {FLOOR}. Claimants at most {TIE} above the least",
    f"late by more than {relays.HELD_US:,} counts as late, or by more than {FRIEND} if none",
    f"over the witnesses, of max({FLOOR}, its time)",
    f"(delay of w, c) + {HOP}, (delay of c, k)",
    f"all these times at least {FLOOR}",
    f"`seen + late - 2 credit` by at most {times.AGREEMENT_US:,}.",
    f"not before max({FLOOR}, that claim's time as it sees it) + 2 cap + {TIE} (and if coins",
)
LINKS: Final = (
    f"sends a nonce ({handshake.NONCE_BYTES} bytes)",
    f"its own key ({KEY_BYTES}) `||` a signature ({SIGNATURE_BYTES}), purpose",
    f"begin within {NET.first_bytes_seconds:g} s, and has {NET.proof_seconds:g} s once",
    f"at most {NET.silent} are silent, {NET.in_line} wait for their turn",
    f"their turn and {NET.shaking_hands} are in the handshake",
    f"(IPv4 /{sources.IPV4_PREFIX}, IPv6 /{sources.IPV6_PREFIX}; iroh is one source)",
    f"At most {NET.turns:g} handshakes begin per second",
    f"ALPN `nodealer/{CHANNEL_VERSION}`",
    f"the endpoint's key ({reach_address.ENDPOINT_BYTES} bytes, base32",
    f"with port {reach_address.RELAY_PORT}, at most {reach_address.RELAY_NAME_MAX} letters",
    f"follows the others ({_kinds()})",
    f"1 to {RECORDS} bytes (a record and its kind)",
    f"its sender loses the link (for {NET.rest_seconds:g} s)",
)
FRAMES: Final = (
    (
        f"| {frame_kinds.NONCE_BYTES} bytes | {NET.first_pings} at once, then every "
        f"{NET.ping_seconds:g} s; a link that is silent for {NET.silence_seconds:g} s ends"
    ),
    f"the {frame_kinds.NONCE_BYTES} bytes of the ping",
    f"for each of the next {held.AHEAD} steps",
    f"{held.REMEMBERED} are kept for a table that has not begun",
    f"a record is more than {held.AHEAD} steps ahead, every {PATIENCE.asks_again:g} s without",
    f'with {MORE}: "that was all before',
    f"or after {PATIENCE.lingers:g} s; one of another table",
    f"that step among its last {held.AHEAD} writes",
    f"`number` (0 to {NUMBERS}), `text` (1 to {chat.TEXT_MAX} printable code points",
    f"the seat's signature {BINARY}",
    f"the speaker's signature {BINARY}",
    f"more than {talk.LINES} lines of a seat in {talk.IN_SECONDS:g} s",
    f"{rematch.AT_ONCE} at once, and {rematch.A_SECOND:g} per second; one more ends the link",
    f"{whereabouts.FRAMES} frames of a seat are read at once",
    f"the first {4 * plan.REFUSAL_MAX} bytes are read, and {plan.REFUSAL_MAX} letters shown",
    f"if {gallery.SPECTATORS_MAX} are watching already",
    f"array of at most {gallery.SPECTATORS_MAX} names",
    f"at most every {gallery.ANNOUNCES_SECONDS:g} s: who watches",
    f"array of at most {proposal.SEATS_MAX} `[identity key, name, bot, ready",
    f"`number` (0 to {NUMBERS}), `text` (as in 17)",
    (
        f"at most {host.HOST_FRAMES_MAX} frames of all kinds except 28 from the host within "
        f"{host.FRAMES_SECONDS:g} s"
    ),
    f"{forwarding.EARLY_MAX} signed records per seat are kept",
    (
        f"{forwarding.SURPLUS_RATE:g} records per second are read that are for steps more than "
        f"{held.AHEAD} ahead"
    ),
    (
        f"for the next {NET.slowed_seconds:g} s only {NET.slowed_rate:g} frames and "
        f"{NET.slowed_bytes / MIB:g} MiB per second"
    ),
    (
        f"more than {NET.sent_rate:,.0f} frames per second; a peer that receives more than "
        f"{NET.received_rate:,.0f} reads more slowly, and ends the link if this lasts for "
        f"{NET.flood_seconds:g} s. A queue to a peer holds {NET.queue_frames:,} frames and "
        f"{NET.queue_bytes // MIB} MiB, and a frame has to leave within {NET.write_seconds:g} s"
    ),
)
CATCHING_UP: Final = (
    f"the records of at most {fetch.SLICE_STEPS} whole steps",
    f"in which they come to {catch_up.SLICE_BYTES // KIB} KiB",
    f"If there are more, 12 with {MORE} follows",
    f"Within {catch_up.ANSWER_SECONDS:g} s after an answer",
    f"at most {fetch.SLICE_STEPS} steps are left of those before it",
    f"does not answer within {PATIENCE.asks_again / 2:g} s",
    f"stands still for {PATIENCE.asks_again:g} s",
    f"has a *revision*, {REVISION_BYTES} bytes, shown as {2 * REVISION_BYTES} hexadecimal digits",
    f"plus {1 << version._VERSION_BITS} times the revision",
    f"in frames of at most {strangers.FRAME_BYTES // KIB} KiB",
    f"A stranger has {strangers.CALL_SECONDS:g} s to take a seat",
    f"At most {strangers.CALLERS_MAX} such links are kept",
    f"(/{sources.IPV4_PREFIX}, /{sources.IPV6_PREFIX} for IPv6, all of reach as one)",
    _read(),
    f"holds {strangers.QUEUE_FRAMES:,} frames and {strangers.QUEUE_BYTES // KIB} KiB",
)
ADDRESSES: Final = (
    f"followed by the signature ({SIGNATURE_BYTES} bytes) of its owner",
    f"together at most {signed_addresses._LIST_MAX:,} bytes",
    f"a list holds at most {signed_addresses.ADDRESSES_MAX}, each",
    f"Numbers (0 to {NUMBERS}) are milliseconds",
    f"{interfaces._POOLS} last",
    f"that has such addresses (at most {transport.SCOPES_MAX})",
    f"`kinds (1) || identity key ({KEY_BYTES}) || token ({invite.TOKEN_BYTES}) ||",
    f"|| CRC-32 ({invite._CHECKSUM_BYTES})`",
    f"the lowest first ({_kinds()} with a length byte)",
    f"ends in its port ({invite._PORT_BYTES} bytes)",
    f"have at most {invite._ADDRESSES_BYTES_MAX} bytes, so that a line",
    f"without reach has at most {invite.LENGTH_MAX} characters",
    (
        f"at least every {NET.longest_pause_seconds:g} s. Any other address is given up after "
        f"{NET.unproven_tries} attempts, with pauses that double from "
        f"{NET.first_pause_seconds:g} s"
    ),
    f"dialled at most {NET.unproven_dials} times at once",
    (
        f"At most {whereabouts.MOVES} newer lists of a seat are accepted at once, and one more "
        f"every {whereabouts.MOVES_SECONDS:g} s"
    ),
)
LOBBY: Final = (
    f"`linked` (array of at most {proposal.SEATS_MAX} identity keys",
    f"|| plan)`, first {entry.HASH_BYTES} bytes",
    f"change the plan, at most every {host.CHANGE_SECONDS:g} s",
    f"At most {admission.WAITING_MAX} wait: one more",
    f"missing for {AWAY_SECONDS:g} s loses its seat",
    (
        f"over any link for {AWAY_SECONDS:g} s, or if its neighbour names another proposal (15) "
        "for "
        f"{AWAY_SECONDS:g} s"
    ),
    f"Of all newer lists, {neighbours.LISTS} are dialled at once",
    f"present for {shown.LINK_SECONDS:g} s are not linked",
    (
        f"more than {talk.LINES} lines of a speaker in {talk.IN_SECONDS:g} s; more than "
        f"{lobby_talk.AT_ONCE} lines of all others at once and {lobby_talk.A_SECOND:g} per second"
    ),
    (
        f"more than {lobby_talk.FLOOD} lines at once or in {talk.IN_SECONDS:g} s ends (from the "
        "host: "
        f"{lobby_talk.FLOOD * proposal.SEATS_MAX}, as for {proposal.SEATS_MAX} speakers)"
    ),
    f"the last {lobby_talk.RECENT} lines again",
    f"{feed.CHUNK_BYTES // KIB} KiB at a time are given to the link",
    _served(),
    f"spectators have {gallery.LAST_SECONDS:g} s for the rest",
    f"without a link for {rematch.GONE_SECONDS:g} s plays none",
    f"of at most {table_terms.NEXT_MAX:,} bytes. The host",
    f"no link for {rematch.GONE_SECONDS:g} s, or {rematch.DECIDES_SECONDS:g} s after the host's",
    f"|| old table id)`, first {proposal.TOKEN_BYTES} bytes",
)
NEARBY: Final = (
    f"names the first {lan._NAME_DIGITS} hexadecimal digits",
    f"TXT keys `v` ({PROTOCOL_VERSION}, the version of the protocol)",
    f"TXT, SRV and at most {lan.ADDRESSES_MAX} addresses are in one packet",
    (
        f"lists {lan_search.TABLES_MAX} tables, taking the senders in turn, and dials at most "
        f"{lan_search.ADDRESSES_MAX} addresses"
    ),
    f"up to {lan_search.KEPT_MAX:,} tables are kept",
    (
        f"If there are more than {lan_search.TABLES_MAX}, each is asked at up to "
        f"{lan_search.WAYS_MAX} addresses, within {lan_search.PROOF_SECONDS:g} s"
    ),
    f"searches every {SEARCH_SECONDS:g} s",
    f"ends after {PATIENCE.for_the_rest:g} s without progress",
    f"any other seat after {forwarding.GRACE_SECONDS:g} s",
    f"({forwarding.GRACE_SECONDS * forwarding.SECOND_GRACE:g} s if the receiver's seat",
    f"of one of the {held.AHEAD} steps after that is kept",
)
SAID: Final = (
    *PRIMITIVES,
    *ENTRIES,
    *GENESIS,
    *CARDS,
    *STEPS,
    *LINKS,
    *FRAMES,
    *CATCHING_UP,
    *ADDRESSES,
    *LOBBY,
    *NEARBY,
)
