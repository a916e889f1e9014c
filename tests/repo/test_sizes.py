"""Files and functions stay small enough to be read at once."""

from __future__ import annotations

from statistics import median, quantiles

from tests.repo.sources import functions, lines, shown, sources


def test_files() -> None:
    sizes = {path: lines(path) for path in sources("engine", "p2p", "replay", "cli", "tests")}
    assert [shown(path) for path, size in sizes.items() if size > 500] == []
    # Empty package markers would make the median look better than it is.
    assert median(size for size in sizes.values() if size) <= 150


def test_functions() -> None:
    sizes = {
        f"{shown(path, node)} {node.name}": node.end_lineno - node.lineno + 1
        for path in sources()
        for node in functions(path)
        if node.end_lineno is not None
    }
    assert [name for name, size in sizes.items() if size > 60] == []
    assert quantiles(sizes.values(), n=10)[-1] <= 30


def test_no_function_takes_more_than_seven_values() -> None:
    """What belongs together is one value; the fields of a data class are no parameters."""
    taken = {
        f"{shown(path, node)} {node.name}": len(
            {arg.arg for arg in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}
            - {"self", "cls"}
        )
        for path in sources()
        for node in functions(path)
    }
    assert [name for name, count in taken.items() if count > 7] == []
