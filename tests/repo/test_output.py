"""Nothing comes to a terminal, or into JSON, past `cli.kit.output`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repo.sources import ROOT, parsed, shown, sources, walked

SINK = "cli/kit/output.py"
PRINTS = {"echo", "secho", "echo_via_pager", "confirm", "prompt"}
DRAWS = {"StreamHandler", "set_title", "write_raw", "ANSI", "HTML", "print_formatted_text"}
ALONE = {"print", "input", "Styled", "click.style"}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
ALLOWED = {
    SINK: PRINTS | {"Styled"},
    "cli/options/settings.py": {"style", "Styled"},
    # For a shell: nothing of the peers may be imported; what could act there is left out.
    "cli/commands/completion.py": {"print"},
    # Codes of our own, with text that is cleaned there.
    "cli/kit/signs.py": {"write_raw"},
    # Lines of JSON for the process that started this one.
    "cli/bench/seat_process.py": {"print"},
    "cli/bench/slap_process.py": {"print"},
    "cli/screen/app.py": {"input"},
    # For the tests of the rules, which are compared as text.
    "engine/golden.py": {"ensure_ascii"},
    "replay/fairness/plot.py": {"set_title"},
    "replay/history/plot.py": {"set_title"},
    "replay/studies/plot.py": {"set_title"},
}
"""Who may do what nobody else may, by the names that `ways` gives."""


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


def ways(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every way to a terminal but by `cli.kit.output`, with its name."""
    for node in walked(tree):
        if not isinstance(node, ast.Call):
            continue
        name, whole = name_of(node), ast.unparse(node.func)
        prints = name in PRINTS and whole in (f"click.{name}", "echo", "secho")
        writes = name in ("write", "writelines") and whole.split(".")[-2] in STREAMS
        if prints or writes or name in DRAWS or whole in ALONE:
            yield node, name
        for keyword in node.keywords:
            if keyword.arg == "ensure_ascii":
                yield node, "ensure_ascii"


def past_the_sink(path: Path) -> list[str]:
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    found = [(node, name) for node, name in ways(parsed(path)) if name not in allowed]
    return [f"{shown(path, node)} {name}" for node, name in found]


def test_everything_that_is_printed_goes_through_one_function() -> None:
    assert [place for path in sources() for place in past_the_sink(path)] == []


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("print(x)", "print"),
        ("click.echo(x)", "echo"),
        ("sys.stderr.write(x)", "write"),
        ("json.dumps(x, ensure_ascii=False)", "ensure_ascii"),
        ("app.output.set_title(x)", "set_title"),
        ("Styled(x)", "Styled"),
        ("click.style(x)", "style"),
        ("input(x)", "input"),
    ],
)
def test_a_way_around_it_is_found(code: str, name: str) -> None:
    assert [found for _, found in ways(ast.parse(code))] == [name]


def test_only_the_constructor_says_why_a_peer_is_refused() -> None:
    """Its reason is cleaned and cut there, and nobody sets another."""
    found = [
        shown(path, node)
        for path in sources()
        for node in walked(parsed(path))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if node.attr in ("reason", "args")
    ]
    # A link's is why it ended, for whoever dials again; a line's are cleaned there, of the log.
    places = {place.partition(":")[0] for place in found}
    assert places == {"p2p/errors.py", "p2p/net/link.py", "p2p/logs.py"}


def test_json_is_made_where_it_is_ascii() -> None:
    """Of the commands only the sink and what only cuts it make JSON."""
    makers = {
        path.relative_to(ROOT).as_posix()
        for path in sources("cli")
        for node in walked(parsed(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("json.dumps", "json.dump")
    }
    makers -= {name for name in makers if name.startswith("cli/bench/")}
    assert makers == {SINK, "cli/words/states.py"}
