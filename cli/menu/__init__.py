"""`nodealer` alone: what would you like to do?"""

from __future__ import annotations

from cli.home.first_start import greet
from cli.kit.output import say, wait_for_enter
from cli.menu.model import said
from cli.options.settings import has_screen, settings_of


def choose(*, plain: bool, letters: bool) -> list[str] | None:
    """Ask, and say what will be run; its arguments, or None if nothing is wanted."""
    greet()
    settings = settings_of(plain=plain, letters=letters)
    extra = [*(["--plain"] if plain else []), *(["--ascii"] if letters else [])]
    if not _is_page(plain=plain):
        from cli.menu.lines import ask_in_lines  # noqa: PLC0415 (one of the two)

        argv = ask_in_lines(settings, tuple(extra))
    else:
        from cli.menu.app import ask_at_the_screen  # noqa: PLC0415

        argv = ask_at_the_screen(settings, tuple(extra))
    if argv is not None:
        say(f"$ {said(argv)}")
    return argv


def comes_back(*, plain: bool) -> bool:
    """After what was chosen: whether the menu is shown again, once its last lines were read.

    In lines they are still there, and the menu would begin to ask in the middle of a pipe.
    """
    return _is_page(plain=plain) and wait_for_enter("Enter goes back to the menu.")


def _is_page(*, plain: bool) -> bool:
    return not plain and has_screen()
