"""Worker processes: Ctrl-C neither makes them talk nor is lost."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from regtriage.tools.workers import Workers, sigint_blocked

from .program import PROGRAM, REPRODUCERS


def _double(number: int) -> int:
    return 2 * number


def _interrupt_oneself() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)


def _blocked() -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_task_can_be_interrupted_and_its_worker_goes_on():
    with Workers(1) as pool:
        assert pool.submit(_double, 2).result() == 4
        with pytest.raises(KeyboardInterrupt):
            pool.submit(_interrupt_oneself).result()
        assert list(pool.map(_double, [1, 2])) == [2, 4]
        assert not pool.submit(_blocked).result()
    assert not _blocked()


def test_what_arrives_while_it_is_blocked_comes_after():
    seen: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupted_while_blocked(seen)
    assert seen == ["inside"]


def _interrupted_while_blocked(seen: list[str]) -> None:
    with sigint_blocked():
        os.kill(os.getpid(), signal.SIGINT)
        seen.append("inside")
    seen.append("after")


def test_a_worker_that_is_still_idle_says_nothing():
    """It is told while it starts, and while it waits for work."""
    code = (
        "import os, signal, time\n"
        "from regtriage.tools.workers import Workers\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        with Workers(1) as pool:\n"
        "            pool.submit(os.getpid)\n"
        "            os.killpg(0, signal.SIGINT)\n"
        "            time.sleep(60)\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
    )
    call = [sys.executable, "-c", code]
    ended = subprocess.run(call, capture_output=True, text=True, start_new_session=True, check=False)
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", REPRODUCERS / "miscompiles" / "insert_spill_large.ll", "-j", "2"),
        ("matrix", REPRODUCERS / "miscompiles" / "insert_spill_large.ll", "--vary", "O=1,2,3"),
        ("sweep", REPRODUCERS / "miscompiles", "-j", "2", "--store", "x.sqlite"),
        ("fuzz", "--count", "1000", "-j", "2"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_ctrl_c_while_workers_start_says_one_line_at_most(tmp_path: Path, arguments: tuple[str | Path, ...]):
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )
    while not _has_worker(process.pid) and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert len(err.splitlines()) <= 1, err


def _has_worker(pid: int) -> bool:
    with contextlib.suppress(OSError):
        threads = Path(f"/proc/{pid}/task").iterdir()
        children = [child for thread in threads for child in (thread / "children").read_text().split()]
        return any(b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes() for child in children)
    return False
