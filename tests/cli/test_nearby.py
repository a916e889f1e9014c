"""A host's ways in from outside: kept, asked for again, and told with one invite line each."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

import pytest
import trio

from cli.tables import nearby
from cli.tables.nearby import FORWARD, Nearby
from p2p.net.addresses import Address
from p2p.net.pcp import IP, Granted, RefusedError
from p2p.net.portmap import Mapping, NoMappingError
from p2p.supervisor import PAUSES, Strictness

PORT = 4433
HOME = Address("192.168.1.5", PORT)
OWN_V6 = Address("2606:4700::7", PORT)
FIRST, SECOND = ip_address("1.2.3.4"), ip_address("1.2.3.5")


def lasting(ip: IP, seconds: int = 3600) -> Mapping:
    """A mapping that is never renewed."""

    async def renew(wanted: int) -> Granted:
        raise RefusedError("it has no room for more")

    return Mapping("PCP", Granted(ip, PORT, seconds), renew)


class Outside:
    """What a router answers, one outcome after another, and what a host makes of it."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        mapped: Sequence[Mapping | Exception],
        pinholes: Sequence[Mapping | Exception] = (),
        own: Sequence[Address] = (HOME,),
    ) -> None:
        self.said: list[str] = []
        self.found: list[list[str]] = []
        self.host = Nearby("Ana", None, self.said.append)
        answers = {"map_port": [*mapped], "open_pinhole": [*pinholes]}

        def answering(name: str) -> Any:
            async def answer(*_: object) -> Mapping:
                outcome = answers[name].pop(0) if answers[name] else NoMappingError("no gateway")
                if isinstance(outcome, Exception):
                    raise outcome
                return outcome

            return answer

        for name in answers:
            monkeypatch.setattr(nearby, name, answering(name))
        monkeypatch.setattr(nearby, "local_addresses", lambda port: own)

    async def run(self, seconds: float) -> Sequence[str]:
        """Keep the ways open for so long; what was told with the invite."""
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.host.outside, PORT, self._find)
                while not self.found:
                    await trio.sleep(0.1)
                told = [*self.host.with_invite()]
                await trio.sleep_forever()
        return told

    def _find(self, addresses: Sequence[Address]) -> None:
        self.found.append([str(one) for one in addresses])


async def test_router_that_maps_nothing_is_told_once_and_asked_again(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Outside(monkeypatch, [NoMappingError("no gateway")] * 3 + [lasting(FIRST)])
    told = await outside.run(sum(PAUSES[:3]) + 1)
    assert told == [f"From outside: no gateway. {FORWARD.format(port=PORT)}"]
    assert outside.said == ["*** From outside: mapped 1.2.3.4:4433 by PCP for 1 h."]
    assert outside.found[0] == []
    assert outside.found[-1] == ["1.2.3.4:4433"]


async def test_lost_mapping_is_asked_for_again(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Outside(monkeypatch, [lasting(FIRST), lasting(SECOND)])
    told = await outside.run(3600 + PAUSES[0] + 1)
    assert told == ["From outside: mapped 1.2.3.4:4433 by PCP for 1 h."]
    lost, again = outside.said
    assert "no longer keeps the port open (it has no room for more)" in lost
    assert again == "*** From outside: mapped 1.2.3.5:4433 by PCP for 1 h."
    assert outside.found == [["1.2.3.4:4433"], ["1.2.3.5:4433"]]


async def test_pinhole_is_opened_beside_the_mapping(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = lasting(ip_address(OWN_V6.host))
    outside = Outside(monkeypatch, [lasting(FIRST)], [opened], [HOME, OWN_V6])
    told = await outside.run(60)
    assert sorted(told) == [
        "From outside: mapped 1.2.3.4:4433 by PCP for 1 h.",
        "From outside: opened [2606:4700::7]:4433 by PCP for 1 h.",
    ]
    assert outside.found == [["1.2.3.4:4433", "[2606:4700::7]:4433"]]


async def test_failed_pinhole_is_no_news_and_stops_no_mapping(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Outside(monkeypatch, [lasting(FIRST)], [], [HOME, OWN_V6])
    assert await outside.run(60) == ["From outside: mapped 1.2.3.4:4433 by PCP for 1 h."]
    assert outside.found[-1] == ["1.2.3.4:4433"]


@pytest.mark.parametrize("failure", [RuntimeError("a bug"), OSError(5, "I/O")])
async def test_bug_in_a_mapping_lets_the_table_open(
    failure: Exception, autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Strictness, "raises", False)
    outside = Outside(monkeypatch, [failure, lasting(FIRST)])
    await outside.run(PAUSES[0] + 1)
    assert outside.found == [[], ["1.2.3.4:4433"]]
