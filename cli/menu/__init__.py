"""`nodealer` alone: what would you like to do?"""

from __future__ import annotations

from cli.home.first_start import greet
from cli.kit.flags import MANNER
from cli.kit.full_screen import is_unread
from cli.kit.output import Whole, say, wait_for_key
from cli.options.settings import has_screen, settings_of
from p2p.installation import command_line


def choose(done: str, *, plain: bool, letters: bool) -> list[str] | None:
    """Ask, and say what will be run; its arguments, or None if nothing is wanted.

    `done` is the command that has just been run, if any: the mark stands there.
    """
    greet()
    settings = settings_of(plain=plain, letters=letters)
    MANNER.choose(plain=settings.plain, letters=settings.ascii)
    extra = [*(["--plain"] if plain else []), *(["--ascii"] if letters else [])]
    if not _is_page(plain=plain):
        from cli.menu.lines import ask_in_lines  # noqa: PLC0415 (one of the two)

        argv = ask_in_lines(settings, tuple(extra))
    else:
        from cli.menu.app import ask_at_the_screen  # noqa: PLC0415

        argv = ask_at_the_screen(settings, tuple(extra), done)
    if argv is not None:
        say(Whole(f"$ {command_line(*argv)}"))
    return argv


def comes_back(*, plain: bool) -> bool:
    """After what was chosen: whether the menu is shown again, once its last lines were read.

    If it was a page that printed nothing, there are none.  Where the menu is lines they are still
    there, and it would begin to ask in the middle of a pipe.
    """
    if not _is_page(plain=plain):
        return False
    return not is_unread() or wait_for_key("Any key goes back to the menu.")


def _is_page(*, plain: bool) -> bool:
    return not plain and has_screen()
