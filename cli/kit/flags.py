"""The options that `nodealer` itself and all that prints for people have, and what they ask for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

plain_option = click.option(
    "--plain", is_flag=True, help="Numbered lines only, also for screen readers."
)
letters_option = click.option(
    "--ascii", "letters", is_flag=True, help="Letters instead of suit symbols."
)


class Manner:
    """How this process talks to its terminal: in plain lines, in ASCII.

    Helpers that draw and print read it, so no command has to hand it to them.
    """

    def __init__(self) -> None:
        self.plain = False
        self.ascii = False

    @contextmanager
    def of_a_command(self) -> Iterator[None]:
        """Begin as usual; what a command chooses ends with it."""
        before = self.plain, self.ascii
        self.choose(plain=False, letters=False)
        try:
            yield
        finally:
            self.plain, self.ascii = before

    def choose(self, *, plain: bool, letters: bool) -> None:
        """Talk in this way from now on."""
        self.plain, self.ascii = plain, letters


MANNER: Final = Manner()


def is_dumb() -> bool:
    """Return whether the terminal says that it obeys no escape sequences."""
    return os.environ.get("TERM", "dumb") == "dumb"
