"""Records that were held on the way: which pairs are looked at, and when a race is disputed."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games import load
from p2p.protocol.races.book import RaceReport, RaceResult, Races
from p2p.protocol.races.relays import FRIEND_US, HELD_US, Pair, Said, unlinked
from p2p.protocol.races.times import Sighting
from tests.protocol.kit import bare_hub

MS = 1_000
WAY = 20 * MS
"""From the host to each guest; between the guests twice that."""
STAR = Pair((1, 2), (0,))
HOST, BO, CLEO = range(3)


def _pings(count: int, *links: tuple[int, int]) -> list[list[int | None]]:
    return [
        [40 * MS if (i, j) in links or (j, i) in links else None for j in range(count)]
        for i in range(count)
    ]


def test_in_a_star_the_host_is_between_all_guests() -> None:
    pairs = unlinked(_pings(4, (0, 1), (0, 2), (0, 3)))
    assert pairs == tuple(Pair(two, (0,)) for two in ((1, 2), (1, 3), (2, 3)))


def test_all_on_the_ways_with_the_fewest_links_are_between() -> None:
    square = unlinked(_pings(4, (0, 1), (1, 2), (2, 3), (3, 0)))
    assert square == (Pair((0, 2), (1, 3)), Pair((1, 3), (0, 2)))
    chain = unlinked(_pings(4, (0, 1), (1, 2), (2, 3)))
    assert chain[1] == Pair((0, 3), (1, 2))


def test_one_statement_makes_a_link() -> None:
    pings = _pings(3, (0, 1), (0, 2))
    pings[2][1] = 70 * MS
    assert unlinked(pings) == ()


def test_where_nobody_measured_a_way_anybody_may_be_between() -> None:
    assert unlinked(_pings(4, (0, 1), (2, 3)))[0] == Pair((0, 2), (1, 3))


def test_two_seats_have_nobody_between_them() -> None:
    assert unlinked(_pings(2)) == ()


def _said(
    times: Mapping[int, int], own: Mapping[int, int] | None = None, held: int = 0
) -> dict[int, Said]:
    """All witnesses see these times (ms), and both guests the other's share later by `held` ms."""
    own = own or times
    share = (2 * 20 + held) * MS
    shares = {HOST: (None, WAY, WAY), BO: (WAY, None, share), CLEO: (WAY, share, None)}
    return {
        by: Said(
            {
                seat: Sighting(own[seat] * MS if by == seat else time * MS, 0, 0)
                for seat, time in times.items()
            },
            shares[by],
        )
        for by in shares
    }


def _found(said: Mapping[int, Said], pair: Pair = STAR) -> Pair | None:
    ways = [[0, WAY, WAY], [WAY, 0, 2 * WAY], [WAY, 2 * WAY, 0]]
    claimants = tuple(said[0].claims)
    races = Races(3, 80 * MS, 0, ways, pairs=(pair,))
    for kind in ("open", "race", "witness"):
        races.note(kind, range(3))
    finding, held = races.judge(claimants, said)
    assert finding.void == (held is not None)
    assert not finding.void or finding.first == claimants
    return held


def test_on_time_nothing_is_disputed() -> None:
    assert _found(_said({HOST: 300, BO: 350, CLEO: 400})) is None


def test_shares_that_both_had_late_make_the_host_look_fast() -> None:
    """It may have seen the card by as much sooner as they were late."""
    times = {HOST: 300, BO: 321}
    assert HELD_US == 40 * MS
    assert _found(_said(times, held=20)) is None  # 40 ms there and back are not late
    assert _found(_said(times, held=21)) == STAR
    assert _found(_said({HOST: 300, BO: 322}, held=21)) is None  # it would have won anyway
    assert _found(_said({HOST: 300, BO: 390}, held=100)) == STAR
    assert _found(_said({HOST: 400, BO: 330}, held=100)) is None  # and here it did not


def test_a_claim_that_came_late_may_have_been_first_by_its_own_word() -> None:
    times = {HOST: 400, BO: 450}
    assert _found(_said(times, own={HOST: 400, BO: 410})) is None
    assert _found(_said(times, own={HOST: 400, BO: 401})) is None
    assert _found(_said(times, own={HOST: 400, BO: 400})) == STAR  # as early is enough
    assert _found(_said({HOST: 400, BO: 950}, own={HOST: 400, BO: 350})) == STAR


def test_the_word_of_a_linked_seat_alone_disputes_nothing() -> None:
    """Between the host and a guest nobody can hold anything: the median stands."""
    assert _found(_said({HOST: 400, BO: 350}, own={HOST: 0, BO: 350})) is None


def test_where_only_a_friend_could_gain_more_is_needed() -> None:
    """Cleo is first, and had nothing of what Bo and the host exchanged in hand."""
    for own, pair in ((400 - FRIEND_US // MS, None), (399 - FRIEND_US // MS, STAR)):
        assert _found(_said({BO: 400, CLEO: 380}, own={BO: own, CLEO: 380})) == pair


def test_what_a_seat_did_not_see_is_not_compared() -> None:
    said = _said({HOST: 300, BO: 350}, held=500)
    said[BO] = Said({**said[BO].claims, BO: Sighting(None, None, 0)}, (None,) * 3)
    assert _found(said) is None


def test_of_several_pairs_the_latest_is_named() -> None:
    """Of equals the first in the order of seats."""
    pairs = unlinked(_pings(4, (0, 1), (0, 2), (0, 3)))
    ways = [[0 if i == j else WAY * (2 - (0 in (i, j))) for j in range(4)] for i in range(4)]
    for latest, named in (({2: 95, 3: 90}, pairs[0]), ({2: 90, 3: 95}, pairs[1]), ({}, pairs[0])):
        said = {
            by: Said(
                {
                    HOST: Sighting(380 * MS, 0, 0),
                    BO: Sighting((350 if by == BO else 350 + latest.get(by, 90)) * MS, 0, 0),
                },
                (None,) * 4,
            )
            for by in range(4)
        }
        finding, pair = Races(4, 80 * MS, 0, ways, pairs=pairs).judge((HOST, BO), said)
        assert (finding.first, finding.void, pair) == ((HOST, BO), True, named)


def _disputed(races: Races, pair: Pair) -> None:
    races.report(RaceReport(0, "a race", (), HOST, RaceResult.DISPUTE, pair))


def test_who_has_left_is_between_no_two_others() -> None:
    races = Races(4, pairs=(Pair((0, 2), (1, 3)), Pair((1, 3), (0,)), Pair((0, 1), (3,))))
    races.lose(3)
    assert races.pairs == (Pair((0, 2), (1,)),)


def test_seat_whose_key_is_out_relays_no_race() -> None:
    """The cards tell the races that a seat is lost."""
    cards = bare_hub(load("flip-over"), 4, least=3).seats[0].cards
    cards.races.pairs = (Pair((0, 2), (1, 3)),)
    cards.lose(3)
    assert cards.races.pairs == (Pair((0, 2), (1,)),)


def test_disputes_of_a_pair_are_counted_on_when_a_seat_between_leaves() -> None:
    """Three of one pair are three, whoever was between the two at each."""
    races = Races(5, pairs=(Pair((0, 2), (1, 3)),))
    for _ in range(2):
        _disputed(races, races.pairs[0])
    races.lose(3)
    assert not races.by_coin((0, 4))
    _disputed(races, races.pairs[0])
    assert races.by_coin((0, 4))
    assert races.by_coin((1, 4))
    assert not races.by_coin((4,))
