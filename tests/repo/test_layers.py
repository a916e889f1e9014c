"""Imports point one way: cli -> replay -> p2p -> engine; the cores know no sockets."""

from __future__ import annotations

import ast
import re
import sys
from graphlib import TopologicalSorter

import pytest

from tests.repo.sources import imported, module_of, parsed, shown, sources, walked

MAY_IMPORT = {
    "engine": {"engine", "mypy_extensions"},  # the latter for types alone, and never loaded
    "p2p": {
        *("p2p", "engine", "cryptography", "ifaddr", "msgpack", "platformdirs", "rbcl", "trio"),
        *("iroh", "zeroconf"),
    },
    "replay": {
        *("replay", "p2p", "engine", "matplotlib", "numpy", "scipy", "gymnasium", "pettingzoo"),
    },
    "cli": {
        *("cli", "replay", "p2p", "engine", "click", "platformdirs", "prompt_toolkit"),
        *("rich", "segno", "trio"),
    },
}
CORES = ("p2p/crypto", "p2p/protocol")
NOT_IN_CORES = {
    *("trio", "socket", "ssl", "select", "selectors", "asyncio", "subprocess", "time"),
    *("random", "secrets", "platformdirs"),
}
NOT_IN_A_SEAT = {
    *("trio", "socket", "ssl", "select", "selectors", "asyncio", "subprocess", "time", "datetime"),
    *("os", "random", "secrets", "threading"),
}
WITHOUT_IO = (
    *("p2p/seat", "p2p/lobby"),
    *("p2p/spectators/feed.py", "p2p/spectators/gallery.py"),
)
"""What waits for nothing but replies: rooms, and modules of rooms that are not moved whole."""
# Looks ahead in the rules with a fixed seed, to learn how large the decks will be.
LOOKS_AHEAD = ("p2p/protocol/parts.py", "random")
TIME_OF_DAY = {
    *(("time", name) for name in ("time", "time_ns", "localtime", "gmtime")),
    *(("datetime", name) for name in ("now", "utcnow", "today")),
    ("date", "today"),
}
BOT = re.compile(r"engine/games/\w+/bot\.py:")
"""It is handed its chance, and names its type."""
NOT_ON_WINDOWS = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"}
NOT_IN_RULES = {"random", "time", "os", "datetime", "secrets", "threading", "pathlib"}


def roots(*folders: str) -> list[tuple[str, str]]:
    """(place, top-level module) of every import below the folders."""
    return [
        (shown(path, node), module.partition(".")[0])
        for path in sources(*folders)
        for node, module in imported(path)
    ]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_downwards_only(package: str) -> None:
    allowed = MAY_IMPORT[package] | set(sys.stdlib_module_names)
    assert [pair for pair in roots(package) if pair[1] not in allowed] == []


def test_no_module_begins_with_what_windows_lacks() -> None:
    """Such a module is imported where it is used, after a look at the platform."""
    begins = {
        (shown(path, node), name)
        for path in sources()
        for node in parsed(path).body
        for name in _names(node)
    }
    assert sorted(place for place, name in begins if name in NOT_ON_WINDOWS) == []


def _names(node: ast.stmt) -> set[str]:
    """The modules that this statement imports."""
    if isinstance(node, ast.ImportFrom):
        return {node.module or ""}
    return {name.name for name in node.names} if isinstance(node, ast.Import) else set()


def test_no_module_needs_one_that_needs_it() -> None:
    """Not for types alone either: the order is one in which the modules can be read."""
    modules = {module_of(path): path for path in sources()}
    needs = {
        module: {name if name in modules else name.rpartition(".")[0] for _, name in imported(path)}
        for module, path in modules.items()
    }
    order = list(TopologicalSorter(needs).static_order())  # CycleError names the circle
    assert (
        order.index("engine.zone") < order.index("engine.table") < order.index("cli.tables.network")
    )


def test_cores_know_no_sockets_clocks_or_randomness() -> None:
    found = [(place, module) for place, module in roots(*CORES) if module in NOT_IN_CORES]
    assert [pair for pair in found if (pair[0].partition(":")[0], pair[1]) != LOOKS_AHEAD] == []
    net = [
        shown(path, node)
        for path in sources(*CORES)
        for node, module in imported(path)
        if module.startswith("p2p.net")
    ]
    assert net == []


def test_a_seat_knows_nothing_of_the_world_but_its_desk() -> None:
    """It runs the same in a world in which everything happens by a seed (`p2p.seat.desk`)."""
    looked_at = sources(*WITHOUT_IO)
    assert all(any(shown(path).startswith(one) for path in looked_at) for one in WITHOUT_IO)
    found = [(place, module) for place, module in roots(*WITHOUT_IO) if module in NOT_IN_A_SEAT]
    assert found == []


def test_rules_know_no_clock_and_no_chance() -> None:
    found = [pair for pair in roots("engine/games") if pair[1] in NOT_IN_RULES]
    assert {pair for pair in found if not (pair[1] == "random" and BOT.match(pair[0]))} == set()


def test_nothing_depends_on_the_time_of_day() -> None:
    """It may be set during a game: a file's name tells the day; talk and lists are numbered."""
    found = {
        shown(path)
        for path in sources()
        for node in walked(parsed(path))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in TIME_OF_DAY
    }
    assert found == {
        "p2p/files/saved.py",
        "p2p/driver/connection.py",
        "p2p/driver/driver.py",
    }


def test_only_the_group_touches_its_library() -> None:
    # group.py imports it by name, to tell a temp folder that forbids execution apart.
    touch = re.compile(r"import rbcl|from rbcl|[\"']rbcl")
    places = [shown(path) for path in sources() if touch.search(path.read_text("utf-8"))]
    assert places == ["p2p/crypto/group.py"]


def test_only_environments_need_what_programs_that_learn_need() -> None:
    """The extra `env` is installed by few, and takes a second to load."""
    learning = re.compile(r"gymnasium|pettingzoo|replay\.env\b")
    places = {
        shown(path) for path in sources() for _, module in imported(path) if learning.match(module)
    }
    assert {place.rpartition("/")[0] for place in places} == {"replay/env"}
