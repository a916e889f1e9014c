"""What is asked the first time: what others call this person."""

from __future__ import annotations

from cli.home.person_identity import has_name, login_name
from cli.home.preferences import NAME, refusal, remember
from cli.kit.output import ask_line, say


def greet() -> None:
    """Ask for a name, if there is none yet; before any screen opens, for whatever is begun.

    UserMistakeError if it cannot be kept.
    """
    if has_name():
        return
    say("Welcome to nodealer. What shall others call you? Enter: the name in brackets.")
    while why := refusal(NAME, chosen := ask_line("Name", login_name())):
        say(why)
    remember(NAME, chosen)
