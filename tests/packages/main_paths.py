"""The main path of each command without a terminal, to see whether a package or a file runs."""

from __future__ import annotations

from typing import Final

FIRST: Final = "demo flip-over --seats 3 --option rounds=1 --json"
"""Comes first: the log that it writes is what the others are about."""
RUNS: Final[dict[str, str]] = {
    "play": "play flip-over --option rounds=1 --json",
    "host": "host flip-over --seats 3 --bots 2 --option rounds=1 --bind 127.0.0.1 --no-map --json",
    "join": "join --json",
    "watch": "watch {log} --json",
    "audit": "audit {games} --json",
    "replay": "replay {log} --step 3",
    "export": "export {log} --html -o {folder}/game.html",
    "report": "report {log} --yes -o {folder}/report.txt",
    "fairness": "fairness {games} --json --plot {folder}/fairness.png",
    "stats": "stats {games} --json",
    "demo": "demo flip-over --seats 3 --option rounds=1 --procs --json",
    "simulate": "simulate flaps --level 7 --games 20 --json",
    "bots": "bots flip-over --seats 3 --players random,normal --games 2 --json",
    "bench": "bench shuffle --json",
    "rules": "rules you-fink",
    "new-game": "new-game war --into {folder}",
    "id": "id --json",
    "settings": "settings theme=dark",
    "completion": "completion bash",
}
"""`log` is that log, `games` its folder, `folder` one for what is written."""
