"""Mappings that are renewed in time, lost, or lead elsewhere afterwards."""

from __future__ import annotations

from ipaddress import ip_address
from itertools import pairwise

import pytest
import trio
import trio.testing

from p2p.errors import PeerError
from p2p.net.addresses import Address
from p2p.net.pcp import Granted, RefusedError
from p2p.net.portmap import (
    LEASE_SECONDS,
    Mapping,
    NoMappingError,
    hold,
    map_port,
    renewals,
)

from .gateways import (
    OUTSIDE,
    RESET,
    Gateway,
    gateway,
    pcp_server,
    soap,
    upnp_gateway,
)
from .helpers import seeded

PORT = 4433


def granting(*outcomes: Granted | Exception) -> tuple[Mapping, list[tuple[float, int]]]:
    """A mapping for 3600 s whose renewals come out so, and when they were asked for."""
    asked: list[tuple[float, int]] = []
    left = list(outcomes)

    async def renew(seconds: int) -> Granted:
        asked.append((trio.current_time() - began, seconds))
        outcome = left.pop(0) if seconds else Granted(OUTSIDE, PORT, 0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    began = trio.current_time()
    return Mapping("PCP", Granted(OUTSIDE, PORT, 3600), renew), asked


@pytest.mark.parametrize("seed", range(20))
def test_renewals_are_spread_and_never_crowded(seed: int) -> None:
    """RFC 6887, 11.2.1."""
    times = [*renewals(3600, seeded(seed))]
    spans = [(1800, 2250), (2700, 2925), (3150, 3262.5), (3375, 3431.25)]
    assert all(low <= time <= high for time, (low, high) in zip(times, spans, strict=False))
    assert all(later - time >= 4 for time, later in pairwise(times))
    assert 3590 < times[-1] < 3600
    assert len([*renewals(16, seeded(seed))]) == 2
    assert len([*renewals(1, seeded(seed))]) == 1


async def test_failed_renewals_are_tried_again_within_the_lease(autojump_clock: object) -> None:
    failures = [OSError("reset"), trio.BrokenResourceError(), PeerError("malformed", "garbage")]
    mapping, asked = granting(*failures, Granted(OUTSIDE, PORT, 3600))
    news: list[str] = []
    with trio.move_on_after(3600):
        await hold(mapping, news.append, entropy=bytes)
    assert [time for time, seconds in asked if seconds] == [1800, 2700, 3150, 3375]
    assert asked[-1] == (3600, 0)
    assert news == []


async def test_a_mapping_nobody_renews_ends_with_the_reason(autojump_clock: object) -> None:
    mapping, asked = granting(*[RefusedError("it has no room for more")] * 20)
    with pytest.raises(NoMappingError, match=r"no longer .* \(it has no room for more\)"):
        await hold(mapping, [].append, entropy=bytes)
    assert asked[-1] == (3600, 0)


async def test_a_lease_of_no_seconds_is_no_renewal(autojump_clock: object) -> None:
    mapping, _ = granting(*[Granted(OUTSIDE, PORT, 0)] * 20)
    with pytest.raises(NoMappingError, match="it ends the mapping"):
        await hold(mapping, [].append)


async def test_a_changed_outside_address_is_told_once(autojump_clock: object) -> None:
    elsewhere = Granted(ip_address("1.2.3.5"), 5001, 3600)
    mapping, _ = granting(elsewhere, elsewhere, elsewhere)
    news: list[str] = []
    moved: list[Mapping] = []
    with trio.move_on_after(6000):
        await hold(mapping, news.append, moved.append, bytes)
    assert news == ["the outside address is now 1.2.3.5:5001"]
    assert [one.address for one in moved] == [Address("1.2.3.5", 5001)]


@pytest.mark.parametrize("served", [upnp_gateway(), upnp_gateway(725)])
async def test_upnp_asks_for_the_outside_address_at_each_renewal(
    served: Gateway, quiet_clock: object
) -> None:
    async with gateway(served) as router:
        mapping = await map_port(PORT, router, seeded(1))
        page = served.page
        changed = soap("<r><NewExternalIPAddress>1.2.3.5</NewExternalIPAddress></r>")
        served.page = lambda request: changed if b"#GetExternal" in request else page(request)
        renewed = await mapping.renew(LEASE_SECONDS)
        assert renewed == Granted(ip_address("1.2.3.5"), PORT, mapping.granted.seconds)


async def test_a_connection_reset_at_renewal_is_a_refusal(quiet_clock: object) -> None:
    served = upnp_gateway()
    async with gateway(served) as router:
        mapping = await map_port(PORT, router, seeded(1))
        served.page = lambda request: RESET
        quick = Mapping("UPnP", Granted(OUTSIDE, PORT, 1), mapping.renew)
        with pytest.raises(NoMappingError, match=r"\(the connection broke\)"):
            await hold(quick, [].append)


async def test_pcp_asks_to_go_on_with_what_was_granted(quiet_clock: object) -> None:
    """RFC 6887, 11.2.1: the address and port that were assigned are suggested."""
    served = Gateway(pcp_server)
    async with gateway(served) as router:
        mapping = await map_port(PORT, router, seeded(1))
        await mapping.renew(LEASE_SECONDS)
        first, again = served.asked
        assert first[44:60] == bytes(10) + b"\xff\xff" + bytes(4)
        assert again[44:60] == bytes(10) + b"\xff\xff" + OUTSIDE.packed
        assert first[24:44] == again[24:44]
