"""A great number of connections, from a separate process: `python -m tests.attacks.siege`.

Arguments: the port, what to say (a key of `SAYS`, or "tls"), and where the connections come from
("machine" or "network").  Until the process is ended, 200 a second are opened on loopback, and
each is kept until the far end closes it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from subprocess import DEVNULL
from typing import Final

import trio

from p2p.net.certificate import dialler_context

RATE: Final = 200
LOOPBACK: Final = "127.0.0.1"
SAYS: Final = {
    "nothing": b"",
    "garbage": b"GET / HTTP/1.1\r\n\r\n",
    "half": b"\x16\x03\x01\x02\x00",
}
COMES_FROM: Final[dict[str, Callable[[int], str]]] = {
    "machine": lambda number: "127.0.9.1",
    "network": lambda number: f"127.0.9.{1 + number % 250}",
}


async def _knock(port: int, says: str, host: str) -> None:
    try:
        async with await trio.open_tcp_stream(LOOPBACK, port, local_address=host) as stream:
            if says == "tls":
                await trio.SSLStream(stream, dialler_context()).do_handshake()
            else:
                await stream.send_all(SAYS[says])
            while await stream.receive_some():
                pass
    except (OSError, trio.BrokenResourceError):
        return  # the door did not wait


async def _flood(port: int, says: str, source: str) -> None:
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        for number in count():
            nursery.start_soon(_knock, port, says, COMES_FROM[source](number))
            await trio.sleep_until(began + number / RATE)


@asynccontextmanager
async def siege(port: int, says: str, source: str) -> AsyncIterator[None]:
    """Flood `port` from a separate process inside of this block."""
    command = [sys.executable, "-m", "tests.attacks.siege", str(port), says, source]
    async with trio.open_nursery() as nursery:
        run = partial(trio.run_process, stdin=DEVNULL)
        nursery.start_soon(run, command)
        yield
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    trio.run(_flood, int(sys.argv[1]), *sys.argv[2:4])
