"""A program that holds a secret key leaves no core dump."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import named

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no core dumps")
PROBE = """
import ctypes, json, resource, sys
from cli.home.person_identity import own_identity
before = resource.getrlimit(resource.RLIMIT_CORE)
own_identity()
after = resource.getrlimit(resource.RLIMIT_CORE)
dumpable = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) if sys.platform == "linux" else 0
print(json.dumps([before, after, dumpable]))
"""


def test_process_with_identity_cannot_be_dumped(tmp_path: Path) -> None:
    """Another program on the machine looks for keys in the core file of a seat that crashed.

    Answer: a process that has read a key leaves no core file, and no other program may attach.
    Remains: the owner of the machine reads all of its memory.
    """
    named(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={"NODEALER_HOME": str(tmp_path), "PYTHONPATH": "."},
        capture_output=True,
        check=True,
        text=True,
    )
    before, after, dumpable = json.loads(done.stdout)
    assert after == [0, before[1]]
    assert dumpable == 0
