"""A hundred worlds, in which every check holds; and what is said about a world itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from replay.tally import LeftSeat
from tests.repo.sources import ROOT
from tests.shares import every_second
from tests.sim.worlds import aimed, modified
from tests.sim.worlds.draw import TWO_LOST, draw, leaving, losing
from tests.sim.worlds.drive import CrashedError, Drive, Drives
from tests.sim.worlds.plan import (
    BAD_SHUFFLES,
    BEHAVIOURS,
    IN_LOSSES,
    JUMPS,
    VANISHES,
    Crash,
    CrashAtEntry,
    FullDisk,
    Leave,
    Plan,
    SlowDisk,
    Split,
    Talk,
    TornWrite,
)
from tests.sim.worlds.planted import PLANTED
from tests.sim.worlds.running import ask_the_second
from tests.sim.worlds.second import DISAGREE, is_here
from tests.sim.worlds.shrink import candidates, shrink
from tests.sim.worlds.volumes import RULE_SETS, gone_from
from tests.sim.worlds.world import run

CHUNK = 10
READ_TWICE = 20
"""Of worlds with seeds up to this one, of each kind, both verifiers read what they leave."""


VOLUME = 2000
"""How many games of each rule set."""
SHARE = 100
A_FEW = 2


def must_hold(plans: dict[str, Plan], *, second: bool = False) -> None:
    """The worlds of these plans hold; their names are how to run them again.

    `second`: the page's verifier reads what they leave, too.
    """
    results = [run(plan, logs=second) for plan in plans.values()]
    ask_the_second(results)
    for named, result in zip(plans, results, strict=True):
        again = f"python -m tests.sim.worlds N=1 {named}"
        assert not result.failed, f"{result.failed}: {result.why} ({again})"


def of_rules(name: str, seeds: range, *, second: bool) -> dict[str, Plan]:
    """Games of a rule set that seats leave and are lost from."""
    how = f"RULES={name} SECOND={int(second)}"
    return {f"{how} SEED={seed}": gone_from(name, seed, numbers=not second) for seed in seeds}


def hold(first: int, number: int, drawn: Callable[[int], Plan] = draw) -> None:
    """All worlds of these seeds hold."""
    kind = f"LEAVING={int(drawn is leaving)} LOSING={int(drawn is losing)}"
    plans = {f"SEED={seed} {kind}": drawn(seed) for seed in range(first, first + number)}
    must_hold(plans, second=is_here() and first <= READ_TWICE)


@pytest.mark.parametrize("first", range(1, 101, CHUNK))
def test_a_hundred_worlds(first: int) -> None:
    hold(first, CHUNK)


@pytest.mark.full
@pytest.mark.parametrize("first", range(101, 1101, CHUNK))
def test_a_thousand_worlds(first: int) -> None:
    hold(first, CHUNK)


@pytest.mark.parametrize("first", range(1, 41, CHUNK))
def test_forty_worlds_that_people_leave_for_good(first: int) -> None:
    hold(first, CHUNK, leaving)


@pytest.mark.full
@pytest.mark.parametrize("first", range(41, 441, CHUNK))
def test_many_worlds_that_people_leave_for_good(first: int) -> None:
    hold(first, CHUNK, leaving)


@pytest.mark.parametrize("first", range(1, 41, CHUNK))
def test_forty_worlds_in_which_seats_are_lost(first: int) -> None:
    hold(first, CHUNK, losing)


@pytest.mark.full
@pytest.mark.parametrize("first", range(41, 441, CHUNK))
def test_many_worlds_in_which_seats_are_lost(first: int) -> None:
    hold(first, CHUNK, losing)


@pytest.mark.parametrize("name", every_second(RULE_SETS))
def test_games_that_seats_leave_and_are_lost_from(name: str) -> None:
    must_hold(of_rules(name, range(1, A_FEW + 1), second=False))


@pytest.mark.full
@pytest.mark.parametrize("first", range(1, VOLUME + 1, SHARE))
@pytest.mark.parametrize("name", RULE_SETS)
def test_many_games_that_seats_leave_and_are_lost_from(name: str, first: int) -> None:
    second = is_here() and first == 1
    must_hold(of_rules(name, range(first, first + SHARE), second=second), second=second)


@pytest.mark.skipif(not is_here(), reason="node is not installed")
def test_a_world_of_whose_log_the_verifiers_say_different_things_has_failed() -> None:
    for changes in (
        {"seat": 1},
        {"left": (LeftSeat(0, 3),)},
        {"proven_to": 3},
        {"returns": (7, 7, 7)},
    ):
        result = run(Plan(1, "flip-over", 3, (("rounds", 1),)), logs=True)
        assert [log.report.verdict for log in result.logs] == ["complete"]
        ask_the_second([result])
        assert not result.failed
        result.logs = [log._replace(report=replace(log.report, **changes)) for log in result.logs]
        ask_the_second([result])
        assert result.failed == DISAGREE


def test_make_worlds_runs_them_in_several_processes() -> None:
    asked = [sys.executable, "-m", "tests.sim.worlds", "N=4", "SEED=1", "JOBS=2"]
    said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert [line.partition(":")[0] for line in said.stdout.splitlines()[:4]] == list("1234")


def test_one_plan_gives_one_world_to_the_byte() -> None:
    for seed in (2, 6, 36):
        one, other = run(draw(seed)), run(draw(seed), trace=True)
        assert (one.digest, one.events) == (other.digest, other.events)
        assert other.lines
        assert not one.lines
    assert run(draw(2)).digest != run(draw(3)).digest


def test_a_world_does_not_depend_on_how_its_process_hashes() -> None:
    script = (
        "from tests.sim.worlds.draw import TWO_LOST, draw\n"
        "from tests.sim.worlds.world import run\n"
        "import sys\n"
        "sys.stdout.write(' '.join(run(draw(seed)).digest for seed in (7, 16, 35)))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hashed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashed in ("1", "2")
    ]
    assert said[0] == said[1] != ""


def test_every_behaviour_of_a_plan_is_one() -> None:
    """Some of them need keys in shares."""
    assert {*BEHAVIOURS, *IN_LOSSES, "seals falsely"} == set(modified.KINDS)


@pytest.mark.parametrize("behaviour", ["equivocates", "says more", "bends payloads"])
def test_whoever_lies_is_named(behaviour: str) -> None:
    """Some of these lies concern nobody (a bent offer of what nobody wants): most are found."""
    plans = [Plan(seed, "test-verbs", 3, (), modified=(1, behaviour)) for seed in range(3)]
    results = [run(plan) for plan in plans]
    assert [result.failed for result in results] == [""] * 3
    assert any(result.endings[0] == "PeerError" for result in results)


def test_player_who_leads_leaves_for_good() -> None:
    plan = Plan(1, "flop-a", 4, (("bet", 2), ("hands", 2), ("raises", 1)), ahead=1.0)
    result = run(plan)
    assert (result.failed, result.endings) == ("", ("closed",) * 4)
    assert result.counts["left for good"] == result.counts["asked while leading"] > 0


@pytest.mark.parametrize("behaviour", BAD_SHUFFLES)
def test_false_shuffle_names_its_seat(behaviour: str) -> None:
    result = run(Plan(0, "test-verbs", 3, (), modified=(0, behaviour)))
    assert (result.failed, result.endings[1:]) == ("", ("BadShuffle",) * 2)


def test_votes_far_ahead_do_not_stop_others() -> None:
    plan = replace(aimed.without_one(), modified=(2, JUMPS))
    result = run(plan)
    assert (result.failed, result.endings[3:]) == ("", ("closed",) * 2)


def test_others_continue_when_seat_vanishes_at_coin() -> None:
    result = run(replace(aimed.BEGINNING, modified=(aimed.LOST, VANISHES)))
    assert (result.failed, result.endings) == ("", ("closed", "gone", "closed"))


def test_seat_vanishes_while_another_key_is_removed() -> None:
    result = run(losing(2 * TWO_LOST))
    assert (result.failed, result.endings.count("closed"), result.counts["Leave"]) == ("", 3, 1)


def test_who_is_gone_is_waited_for() -> None:
    plan = Plan(1, "laid-freely", 3, (), patience=3.0, faults=(Crash(2, 60, True, False, None),))
    result = run(plan)
    assert (result.failed, result.endings) == ("", ("waits", "waits", "gone"))


def test_a_split_that_never_heals_ends_nothing() -> None:
    plan = Plan(1, "laid-freely", 4, (), patience=3.0, faults=(Split((0, 1), 2.0, None),))
    result = run(plan)
    assert (result.failed, result.endings) == ("", ("waits",) * 4)


def test_power_that_goes_while_a_seat_makes_its_files_holds_up_nobody() -> None:
    """Nothing was signed yet: behind a NAT nobody would ever tell it so directly."""
    for write in range(8):
        torn = TornWrite(2, write, 0.5, True, 0.0)
        plan = Plan(1, "tossed-many", 3, (), never=((1, 2),), patience=0.0, faults=(torn,))
        result = run(plan)
        assert (result.failed, result.counts["waits to hear from all"]) == ("", 0), write


def test_a_log_that_a_full_disk_cut_short_at_the_end_is_mended() -> None:
    """The seat keeps what it needs to come back until its log is whole."""
    for write in range(44, 54):
        full = FullDisk(0, write, 0.99, 0.0)
        plan = Plan(7994, "laid-all-late", 2, (), latency=0.01, patience=0.0, faults=(full,))
        assert run(plan).failed == "", write


@pytest.mark.parametrize(("seed", "game"), [(12, "followed-one"), (28, "followed-one")])
def test_a_seat_and_the_audit_name_a_cheat_alike(seed: int, game: str) -> None:
    """It has shuffled falsely, which is in the log and not yet checked, and then signs twice."""
    crash = CrashAtEntry(1, 2, True, True, 2.0)
    plan = Plan(seed, game, 2, (), patience=0.05, modified=(0, "equivocates"), faults=(crash,))
    result = run(plan)
    assert (result.failed, result.endings[1]) == ("", "PeerError")


def test_who_watches_hears_who_lied_before_the_game() -> None:
    crash = CrashAtEntry(1, 5, False, True, 9.0)
    full, leave = FullDisk(0, 34, 0.6849651572376211, 9.0), Leave(1, 6.93014462799279, 0.0)
    plan = Plan(8993, "laid-freely", 2, (), (), 0.03, 0.3, 1e7, 0.5, True, ((1, 12.0),))
    faults = crash, full, leave
    plan = replace(plan, faults=faults, modified=(1, "sends unsigned"), watched=(0, 0.0))
    result = run(plan)
    assert (result.failed, result.counts["watched"]) == ("", 1)


@pytest.mark.parametrize(("seed", "comes"), [(6885, 3.3), (9349, 5.0)])
def test_who_comes_to_watch_at_the_last_moment_sees_the_end(seed: int, comes: float) -> None:
    """A tenth of a second later the first table is gone."""
    result = run(replace(draw(seed), watched=(0, comes)))
    assert (result.failed, result.counts["watched"]) == ("", 1)


def test_two_whom_only_a_leaver_linked_wait_for_each_other() -> None:
    """The second one leaves as well, and nobody takes note of it."""
    short = (("bet", 2), ("hands", 1), ("raises", 1))
    plan = Plan(11, "flop-a", 3, short, never=((1, 2),), latency=0.01, jitter=0.0, leaves=0.3)
    result = run(replace(plan, patience=0.05))
    assert (result.failed, result.endings) == ("", ("closed", "waits", "waits"))


@pytest.mark.parametrize(
    ("seed", "game", "entry"),
    [(9978, "followed-one", 1), (29, "chosen-together", 4)],
)
def test_who_shows_another_history_to_a_seat_that_lost_power_is_named(
    seed: int, game: str, entry: int
) -> None:
    """In the genesis, and where the end of the log was lost: nobody else has the first history."""
    crash = CrashAtEntry(1, entry, True, True, 2.0)
    plan = Plan(seed, game, 2, (), patience=0.05, modified=(0, "equivocates"), faults=(crash,))
    result = run(plan)
    assert (result.failed, result.endings[1]) == ("", "PeerError")


def test_a_disk_may_be_full_when_a_program_that_leaves_closes_its_files() -> None:
    """The world itself stopped there."""
    result = run(gone_from("flaps-7", 1044, numbers=True))
    assert (result.failed, result.counts["FullDisk"]) == ("", 1)


def test_who_leaves_may_still_know_its_hand_when_the_next_deck_lies_open() -> None:
    """The rules have laid the cards of the next hand, and no step of it has begun."""
    result = run(gone_from("flop-a-stack", 1493, numbers=True))
    assert (result.failed, result.endings) == ("", ("closed",) * 3)


def test_a_failing_plan_is_made_smaller() -> None:
    slow = SlowDisk(0, 0.0, 100.0, 0.3)
    plan = Plan(
        *(1, "laid-freely", 3, ()),
        faults=(Talk(1, 2.0, 3), slow, Split((2,), 1.0, 2.0)),
        never=((1, 2),),
        late=((2, 0.5),),
    )

    def fails(plan: Plan) -> bool:
        with PLANTED["sign before sync"]():
            return run(plan).failed == "durable"

    assert fails(plan)
    smallest = shrink(plan, fails, 600.0)
    assert smallest.faults == (slow,)
    assert (smallest.seats, smallest.never, smallest.late) == (2, (), ())
    assert smallest.game == "tossed"
    assert fails(smallest)
    assert all(not fails(other) for other in candidates(replace(smallest, patience=0.0)))


def test_smaller_plans_without_a_player_keep_their_game() -> None:
    plan = gone_from("flop-a-stack", 71007)
    assert plan.least
    assert {smaller.game for smaller in candidates(plan)} == {plan.game}


def test_what_was_not_synced_may_be_lost_or_torn(tmp_path: Path) -> None:
    drives, left = Drives(), set()
    (tmp_path / "disk").mkdir()
    path = tmp_path / "disk" / "file"
    path.write_bytes(b"begun ")
    drive = Drive(tmp_path / "disk")
    with drives.plugged_in(), drives.used(drive):
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
        drive.write(descriptor, b"synced " * 200, os.write)  # type: ignore[arg-type]
        os.fsync(descriptor)
        drive.write(descriptor, b"last", os.write)  # type: ignore[arg-type]
        os.close(descriptor)
    for seed in range(60):
        drive.after(tmp_path / str(seed), Random(seed))
        left.add((tmp_path / str(seed) / "file").read_bytes())
    synced = b"begun " + b"synced " * 200
    assert all(data.startswith(synced) for data in left)
    tails = {data[len(synced) :] for data in left}
    assert {b"", b"last", b"la", b"\0\0\0\0"} <= tails


def test_a_crash_within_a_write_leaves_a_part(tmp_path: Path) -> None:
    drives = Drives()
    path = tmp_path / "file"
    drive = Drive(tmp_path)
    drive.at_write = lambda data: ("crash", 0.5)
    with drives.plugged_in(), drives.used(drive):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
        with pytest.raises(CrashedError):
            drive.write(descriptor, b"half", os.write)  # type: ignore[arg-type]
        os.close(descriptor)
    assert path.read_bytes() == b"ha"
