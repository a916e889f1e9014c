"""The outcomes of removing each check or call, in a session of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from tests.mutation import run
from tests.mutation.source import REPOSITORY


def removed_each(marker: str, arguments: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The outcome for each name, and those names whose removal nothing noticed."""
    session = subprocess.run(
        [sys.executable, "-m", "tests.mutation.run", marker, *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert session.returncode == 0, session.stderr
    outcomes: dict[str, str] = json.loads(session.stdout)
    fine = {run.NOTICED, run.LEFT_OUT} if run.SAMPLE in arguments else {run.NOTICED}
    return outcomes, {name: said for name, said in outcomes.items() if said not in fine}
