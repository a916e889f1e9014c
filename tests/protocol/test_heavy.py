"""What takes long is done in a thread, so that a seat goes on answering: which steps those are."""

from __future__ import annotations

from collections import defaultdict

import pytest

from p2p.errors import LocalError
from p2p.protocol.machine import Machine
from p2p.protocol.step import Step
from tests.protocol.kit import game_hub
from tests.protocol.losing import LOSING, go_on, sit_down
from tests.protocol.scenes import SCENES
from tests.protocol.sets import SECRET

assert SECRET  # whoever imports the sets has their games among SCENES


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[bool]]:
    """Whether the steps of each kind were heavy, of those that have begun."""
    found, begin = defaultdict[str, set[bool]](set), Machine._begin

    def noted(machine: Machine, step: Step) -> None:
        found[str(step.kind)].add(step.heavy)
        begin(machine, step)

    monkeypatch.setattr(Machine, "_begin", noted)
    return found


def test_proofs_are_made_and_judged_in_a_thread_and_nothing_else_is(
    steps: dict[str, set[bool]],
) -> None:
    """A few shares of a deal are quick (`sharing.HEAVY`)."""
    for name in ("test-verbs", "laid-all", "set-laid", "sets-in-secret"):
        game_hub(SCENES[name], 3, 4).run()
    with pytest.raises(LocalError, match="would be false"):  # chance plays, and the step began
        game_hub(SCENES["sworn"], 3, 1).run()
    go_on(sit_down(LOSING["relock"]))
    heavy = {kind for kind, found in steps.items() if found == {True}}
    assert heavy == {
        *("shuffle", "reshuffle", "cut", "lay-all", "lay-set", "set-reveal", "swear"),
        *("mend", "relock", "strip"),
    }
    assert {kind for kind, found in steps.items() if len(found) == 2} == {"deal"}
    assert len(steps) > 20
