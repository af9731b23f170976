from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from regtriage.tools.llc.builtin import find_builtin
from regtriage.tools.llc.process import Finished, run_process

REPOSITORY = Path(__file__).parents[3]
AMDGPU = ("-mcpu=gfx950", "-O3")

Driver = Callable[..., Finished]


@pytest.fixture(scope="session")
def program() -> Path:
    return find_builtin()


@pytest.fixture
def driver(program: Path) -> Driver:
    """Run regtriage-llc with these arguments."""

    def run(*arguments: object) -> Finished:
        return run_process([str(program), *map(str, arguments)], time_limit=60)

    return run


@pytest.fixture
def data() -> Path:
    return REPOSITORY / "tests" / "data" / "llc"


@pytest.fixture
def miscompiles() -> Path:
    return REPOSITORY / "reproducers" / "miscompiles"


def debug_info(line: int) -> str:
    """Metadata of a function !4 in kernel.py and a location, numbered like its line, in it."""
    return f"""
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!3}}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.py", directory: "/")
!2 = !DISubroutineType(types: !{{}})
!3 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!{line} = !DILocation(line: {line}, column: 3, scope: !4)
"""
