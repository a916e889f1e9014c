"""Two seats that share one table key, each with a sound proof: the table does not begin."""

from __future__ import annotations

import pytest

from engine.games import load
from p2p.crypto.keys import TableSecret
from p2p.errors import PeerError
from p2p.protocol import genesis
from tests.protocol import kit
from tests.protocol.kit import Hub, genesis_hub

GAME = load("flip-over")


def one_key_for_two(monkeypatch: pytest.MonkeyPatch) -> Hub:
    """Seats 1 and 2 are one person, who uses one secret for both."""
    real = kit.table_secrets

    def shared(count: int, seed: int) -> list[TableSecret]:
        first, second, *_ = real(count, seed)
        return [first, second, second]

    with monkeypatch.context() as patch:
        patch.setattr(kit, "table_secrets", shared)
        return genesis_hub(GAME, 3)


@pytest.mark.call("p2p.protocol.genesis:_genesis -> joint_key")
def test_nobody_signs_a_header_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = one_key_for_two(monkeypatch)
    hub.run()
    for seat in hub.seats:
        error = hub.faults[seat.seat].error
        assert (error.verdict, error.seat, error.step) == ("bad-key", None, 1)


@pytest.mark.call("p2p.protocol.genesis:_verify_keys -> joint_key")
def test_a_header_with_it_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """All seats signed it; a reader checks it nevertheless."""
    hub = one_key_for_two(monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(genesis, "joint_key", lambda publics: None)
        hub.run()
    header = hub.seats[0].result.encode()
    with pytest.raises(PeerError, match="two seats have one table key"):
        genesis.decode_header(header)
