"""Every game as a PettingZoo environment (docs/how-to/train-a-bot.md).  Needs the extra `env`."""

from __future__ import annotations

from p2p.installation import to_add

try:
    from replay.env.aec import GameEnv, env, raw_env
    from replay.env.learned import bot_of
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] not in ("gymnasium", "numpy", "pettingzoo"):
        raise
    raise ModuleNotFoundError(
        f"An environment needs PettingZoo; {to_add('env')} adds it.", name=missing.name
    ) from missing

__all__ = ["GameEnv", "bot_of", "env", "raw_env"]
