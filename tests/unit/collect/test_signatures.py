from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.collect.model import Options
from regtriage.tools.collect.signatures import read_signatures
from regtriage.tools.llc.errors import InputError


def test_json_is_read_too(tmp_path: Path):
    path = tmp_path / "s.json"
    path.write_text(
        '{"kernels": [{"kernel": "a.b:k", "constants": {"N": null, "T": [1, 2.5]}, "options": {"num_stages": 3}}]}'
    )
    (entry,) = read_signatures(path)
    assert (entry.module, entry.kernel, entry.constants) == ("a.b", "k", {"N": None, "T": [1, 2.5]})
    assert entry.options == Options(num_stages=3)
    assert entry.attributes is None


@pytest.mark.parametrize(("module", "fits"), [("a.b", True), ("x.a.b", True), ("xa.b", False), ("a.b.c", False)])
def test_modules_are_named_by_their_end(tmp_path: Path, module: str, fits: bool):  # noqa: FBT001
    path = tmp_path / "s.yaml"
    path.write_text("kernels: [{kernel: 'a.b:k'}]")
    assert read_signatures(path)[0].fits(module, "k") is fits


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kernels: [{kernel: k\n]", "2:1: error: "),
        ("- kernel: k", "1:1: error: no list `kernels`"),
        ("", "1:1: error: no list `kernels`"),
        ("kernels:\n  - k", "2:5: error: not a mapping with `kernel`"),
        ("kernels:\n  - arguments: {}", "2:5: error: no `kernel`"),
        ("kernels:\n  - kernel: k\n    type: {}", "3:5: error: unknown field `type`"),
        ("kernels:\n  - kernel: k\n    arguments: [1]", "3:16: error: `arguments` is not a mapping"),
        ("kernels:\n  - kernel: k\n    arguments: {x: 3}", "3:16: error: the type of `x` is not a string"),
        ("kernels:\n  - kernel: k\n    options: {warps: 3}", "3:14: error: option `warps: 3` is not one of num_warps"),
        ("kernels:\n  - kernel: k\n    attributes: {x: 16}", "attributes of `x` are not NAME: NUMBER"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, message: str):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_signatures(path)
    assert message in str(raised.value)
    assert str(raised.value).startswith(f"{path}:")


def test_no_file(tmp_path: Path):
    with pytest.raises(InputError, match=r"none.yaml: error: No such file"):
        read_signatures(tmp_path / "none.yaml")
