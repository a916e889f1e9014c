"""The games for programs that learn: decisions as numbered actions, what a seat sees as numbers.

Pure and without any library; `replay.env` makes PettingZoo environments of it.
"""
