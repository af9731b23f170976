from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from regtriage.tools.cli.reports import Reports
from regtriage.tools.files import replace


def test_a_file_is_replaced_whole(tmp_path: Path):
    file = tmp_path / "r.html"
    file.write_text("old")
    file.chmod(0o640)
    replace(file, "new ü")
    assert file.read_text(encoding="utf-8") == "new ü"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file], "nothing is left beside it"


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path):
    file = tmp_path / "r.html"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        replace(file, "half\udc80")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path):
    file, link = tmp_path / "r.html", tmp_path / "latest.html"
    file.write_text("old")
    link.symlink_to(file)
    replace(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_a_pipe_is_written_to(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    replace(pipe, "text")
    reader.join(timeout=10)
    assert read == ["text"]


def test_only_what_is_wanted_is_made(tmp_path: Path):
    def never() -> str:
        raise AssertionError

    made = Reports(html=tmp_path / "r.html", sarif=None, markdown=None, source=None)
    made.write(lambda: "page", lambda: {"never": never()}, never)
    assert (tmp_path / "r.html").read_text() == "page"
    assert made.shows_code
    assert not Reports(html=None, sarif=tmp_path / "r.sarif", markdown=None, source=None).shows_code
