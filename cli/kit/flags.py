"""The options that `nodealer` itself and all that prints for people have."""

from __future__ import annotations

import click

plain_option = click.option(
    "--plain", is_flag=True, help="Numbered lines only, also for screen readers."
)
letters_option = click.option(
    "--ascii", "letters", is_flag=True, help="Letters instead of suit symbols."
)
