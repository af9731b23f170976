"""Tests of the commands: RUN lines call `regtriage` as a user would, `filecheck` reads what it prints.

A test is a `.test` file. Substitutions besides lit's own:
  %reproducers   the folder of that name
  %exits N CMD   runs CMD and fails unless it exits with N
Data that several tests share lies in folders called Inputs.
"""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from lit.formats import ShTest  # pyright: ignore[reportMissingTypeStubs]

# lit hands these over as globals.
config: Any = globals()["config"]
parameters: dict[str, str] = globals()["lit_config"].params

here = Path(__file__).parent

config.name = "regtriage"
config.test_format = ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = str(here)
config.test_exec_root = parameters["exec_root"]

config.substitutions += [
    ("%reproducers", str(here.parents[1] / "reproducers")),
    ("%exits", f"{sys.executable} {here / 'exits.py'}"),
]
config.environment["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
# What a user may have set must not change what the tests see.
for name in ("NO_COLOR", "REGTRIAGE_DEBUG"):
    config.environment.pop(name, None)
config.environment["COLUMNS"] = "100"
if "PYTHONPATH" in os.environ:
    config.environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
