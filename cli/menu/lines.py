"""The menu line by line: numbered choices, for plain terminals and screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import click

from cli.kit.output import say
from cli.line.lines import terminal_lines
from cli.menu.asked import (
    Asked,
    Choice,
    Field,
    Flow,
    Form,
    Pick,
    Shelf,
    Text,
    current,
    dialogue,
    spell,
)
from cli.menu.model import ALIGNED
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings
from cli.words.said import LOOKING
from engine.errors import perhaps

LEAVE = "q leaves the menu; so does Ctrl-C."
GOES_BACK = "q goes back to the people at the table."


def ask_in_lines(settings: Settings, extra: tuple[str, ...]) -> list[str] | None:
    """What is to be run, by its arguments; None for nothing."""
    say(LEAVE)
    try:
        argv = _Asker(HomeShelf(), settings).ask()
    except (click.Abort, EOFError, KeyboardInterrupt):
        say()
        return None
    except _LeavingError:
        return None
    return [*argv, *extra]


def choose_in_lines(settings: Settings, flow: Flow, given_up: Event) -> list[str] | None:
    """What is chosen by questions of its own; None for nothing, or once it was given up."""
    say(GOES_BACK)
    try:
        return _Asker(HomeShelf(), settings, flow, given_up).ask()
    except (EOFError, _LeavingError):
        return None


class _LeavingError(Exception):
    """The user wants nothing."""


class _Asker:
    """Asks in lines until it is clear what is to be run."""

    def __init__(
        self,
        shelf: Shelf,
        settings: Settings,
        flow: Flow = dialogue,
        given_up: Event | None = None,
    ) -> None:
        self._flow = flow
        self._given_up = given_up or Event()
        self._shelf = shelf
        self._settings = settings
        # Not `input`: an interrupt that comes just before it waits is seen after the next line.
        self._lines = terminal_lines()

    def ask(self) -> list[str]:
        answers: list[str] = []
        while not isinstance(asked := current(self._shelf, answers, self._flow), list):
            if answers in (["join"], ["watch"]):
                asked = self._with_tables(answers)
            answers.append(self._answer(asked))
        return asked

    def _with_tables(self, answers: list[str]) -> Asked:
        if isinstance(self._shelf, HomeShelf) and self._shelf.heard is None:
            say(LOOKING)
            self._shelf.heard = self._shelf.listen()
        asked = current(self._shelf, answers)
        assert not isinstance(asked, list)
        return asked

    def _answer(self, asked: Asked) -> str:
        say()
        say(self._settings.strong(asked.title))
        if isinstance(asked, Text):
            return self._text(asked)
        if isinstance(asked, Form):
            return self._form(asked)
        if asked.note:
            say(asked.note)
        if not asked.choices:
            raise _LeavingError
        return self._pick(asked)

    def _pick(self, asked: Pick) -> str:
        short = [len(one.label) for one in asked.choices if len(one.label) <= ALIGNED]
        broad = max(short, default=0)
        for number, choice in enumerate(asked.choices, 1):
            line = f"  {number})  {choice.label:<{broad}}  {choice.note}".rstrip()
            say(self._settings.paint(line))
        while True:
            found = _meant(asked.choices, self._read("Which", "1"))
            if found is not None:
                return found.value
            say(f"A number from 1 to {len(asked.choices)}, or a name.")

    def _form(self, asked: Form) -> str:
        while True:
            chosen: dict[str, str] = {}
            while len(fields := asked.fields(chosen)) > len(chosen):
                field = fields[len(chosen)]
                chosen[field.name] = field.default if field.rule else self._field(field)
            self._rules(asked, [field for field in fields if field.rule], chosen)
            why = asked.refuse(chosen)
            if not why:
                return spell(chosen)
            say(why)

    def _field(self, field: Field) -> str:
        for value, meaning in zip(field.values, field.meanings, strict=False):
            say(f"  {value}  {meaning}")
        while True:
            typed = self._read(f"{field.label.capitalize()} ({field.range})", field.default)
            if typed in field.values:
                return typed
            say(f"One of {field.range}.")

    def _rules(self, asked: Form, rules: Sequence[Field], chosen: dict[str, str]) -> None:
        """House rules: all of them are shown, and those are changed that are named."""
        known = {field.name: field for field in rules}
        for field in rules:
            say(f"  {field.name}={chosen[field.name]}  {field.text} ({field.range})")
        _say_length(asked, chosen)
        while rules and (typed := self._read("NAME=VALUE changes a house rule, Enter goes on", "")):
            name, _, value = (part.strip() for part in typed.partition("="))
            if name not in known:
                say(f"No house rule is called {name!r}{perhaps(name, known)}.")
            elif value not in known[name].values:
                say(f"One of {known[name].range}.")
            else:
                chosen[name] = value
                _say_length(asked, chosen)

    def _text(self, asked: Text) -> str:
        say(asked.note)
        while True:
            typed = self._read("", "" if asked.needed else asked.default)
            why = asked.refuse(typed)
            if not why:
                return typed
            say(why)

    def _read(self, prompt: str, default: str) -> str:
        usual = f" [{default}]" if default else ""
        typed = self._lines.read(f"{prompt}{usual}> ".lstrip(), self._given_up).strip()
        if typed.lower() == "q":
            raise _LeavingError
        return typed or default


def _say_length(asked: Form, chosen: dict[str, str]) -> None:
    """How long it may take, where that can be said."""
    lasts = asked.lasts(chosen)
    if lasts:
        say(lasts)


def _meant(choices: tuple[Choice, ...], typed: str) -> Choice | None:
    """The choice with this number, or the only one whose name begins with this text."""
    if typed.isdecimal():
        return choices[int(typed) - 1] if 0 < int(typed) <= len(choices) else None
    begun = [one for one in choices if one.label.lower().startswith(typed.lower())]
    return begun[0] if len(begun) == 1 else None
