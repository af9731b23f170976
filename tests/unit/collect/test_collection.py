from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from regtriage.tools.collect.collection import CollectRequest, Item, collect
from regtriage.tools.collect.model import Options
from regtriage.tools.collect.session import without_paths
from regtriage.tools.collect.signatures import read_signatures
from regtriage.tools.llc.errors import InputError, ToolFailure

from .fake import fake_python

HEAD = "import torch\nimport triton\nimport triton.language as tl\n"
ADD = HEAD + (
    "@triton.jit\n"
    "def add(x, y, n, BLOCK: tl.constexpr):\n"
    "    tl.store(y + n, tl.load(x + n))\n"
)  # fmt: skip

Collect = Callable[..., tuple[Item, ...]]


@pytest.fixture
def module(tmp_path: Path) -> Path:
    return tmp_path / "source" / "kernels.py"


@pytest.fixture
def run(tmp_path: Path, module: Path) -> Collect:
    """Collect from a module's text."""
    python = fake_python(tmp_path)

    def run(text: str, signatures: str | None = None, **options: Any) -> tuple[Item, ...]:
        module.parent.mkdir(exist_ok=True)
        module.write_text(text)
        wanted = ()
        if signatures is not None:
            (tmp_path / "signatures.yaml").write_text(signatures)
            wanted = read_signatures(tmp_path / "signatures.yaml")
        given: dict[str, Any] = {"sources": (module,), "out": tmp_path / "out", "python": python, "wanted": wanted}
        return collect(CollectRequest(**(given | options)))

    return run


def said(tmp_path: Path, item: Item) -> dict[str, Any]:
    """What the fake compiler was told."""
    assert item.file is not None
    return json.loads((tmp_path / "out" / item.file).read_text().splitlines()[0].removeprefix("; "))


SIGNATURE = """
kernels:
  - kernel: add
    arguments: {x: "*bf16", y: "*fp32", n: i32}
    constants: {BLOCK: tl.float32}
    attributes: {x: {divisibility: 16, pointer_range: 32}}
    options: {num_warps: 8, waves_per_eu: 2}
"""


def test_a_signature_is_handed_on(run: Collect, tmp_path: Path):
    (item,) = run(ADD, SIGNATURE)
    assert said(tmp_path, item) == {
        "signature": {"x": "*bf16", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"},
        "options": {"num_warps": 8, "waves_per_eu": 2},
        "attributes": ["((0,), [['tt.divisibility', 16], ['tt.pointer_range', 32]])"],
        "constants": [["(3,)", "the type float32"]],
    }


def test_the_index_says_how(run: Collect, tmp_path: Path):
    (item,) = run(ADD, SIGNATURE)
    (entry,) = json.loads((tmp_path / "out" / "index.json").read_text())["kernels"]
    assert entry == {
        "module": "kernels",
        "kernel": "add",
        "file": item.file,
        "error": None,
        "triton": "0.0.fake",
        "arch": "gfx950",
        "guessed": False,
        "arguments": {"x": "*bf16", "y": "*fp32", "n": "i32"},
        "constants": {"BLOCK": "tl.float32"},
        "attributes": {"x": {"divisibility": 16, "pointer_range": 32}},
        "options": {"num_warps": 8, "waves_per_eu": 2},
    }


def test_no_folder_of_this_machine_is_written(run: Collect, tmp_path: Path):
    (item,) = run(ADD, SIGNATURE)
    text = (tmp_path / "out" / str(item.file)).read_text()
    assert 'directory: "."' in text
    assert str(tmp_path) not in text


def test_paths():
    text = 'directory: "/src/a/b" directory: "/x/triton/language" directory: "/else/where" filename: "k.py"'
    assert without_paths(text, Path("/src"), Path("/x/triton")) == (
        'directory: "a/b" directory: "triton/language" directory: "where" filename: "k.py"'
    )


def test_a_file_for_each_option(run: Collect, tmp_path: Path):
    items = run(ADD, SIGNATURE, options=(Options(waves_per_eu=1), Options(num_warps=1)))
    assert [said(tmp_path, item)["options"] for item in sorted(items, key=str)] in (
        [{"num_warps": 8, "waves_per_eu": 1}, {"num_warps": 1, "waves_per_eu": 2}],
        [{"num_warps": 1, "waves_per_eu": 2}, {"num_warps": 8, "waves_per_eu": 1}],
    )


def test_what_a_signature_leaves_open_is_guessed(run: Collect, tmp_path: Path):
    (item,) = run(ADD, "kernels: [{kernel: add, arguments: {x: '*fp8e5'}}]", guess=1)
    assert said(tmp_path, item)["signature"] == {"x": "*fp8e5", "y": "*bf16", "n": "i32", "BLOCK": "constexpr"}


def test_or_missing(run: Collect):
    with pytest.raises(InputError, match=r"yaml:1:\d+: error: neither type nor constant for argument `y` of `add`"):
        run(ADD, "kernels: [{kernel: add, arguments: {x: '*fp8e5'}}]")


def test_one_failure_does_not_stop_the_rest(run: Collect):
    text = ADD + ADD.removeprefix(HEAD).replace("add", "sub")
    items = run(
        text, SIGNATURE + "  - {kernel: sub, arguments: {x: '*fp64', y: '*i8', n: i32}, constants: {BLOCK: 1}}\n"
    )
    assert [(i.kernel, i.error) for i in items] == [("add", None), ("sub", "ValueError: no doubles here")]


@pytest.mark.parametrize(
    ("name", "why"), [("dies", "Triton ended with signal 6"), ("stalls", "no answer in 2 seconds")]
)
def test_a_compiler_that_dies_or_stalls(run: Collect, name: str, why: str):
    text = ADD.replace("add", name) + ADD.removeprefix(HEAD)
    items = run(
        text,
        SIGNATURE + f"  - {{kernel: {name}, arguments: {{x: i8, y: i8, n: i8}}, constants: {{BLOCK: 1}}}}\n",
        time_limit=2.0,
    )
    assert {i.kernel: i.error and i.error.partition(":")[0] for i in items} == {"add": None, name: why}


def test_a_body_that_fails_keeps_what_it_defined(run: Collect):
    items = run(ADD + "raise ValueError('no such GPU')\n", SIGNATURE)
    assert [(i.kernel, i.error) for i in items] == [("", "ValueError: no such GPU"), ("add", None)]


def test_absent_modules_are_stood_in_for(run: Collect):
    text = ADD + (
        "import absent.deeply\n"
        "from absent.other import Thing, decorate\n"
        "import abc\n"
        "class Mine(torch.autograd.Function): ...\n"
        "class Other(torch.nn.Module, abc.ABC):\n    def __init__(self, x):\n        super().__init__()\n        self.x = x\n"
        "apply = Mine.apply\n"
        "assert isinstance(torch.Tensor, type) and not isinstance(1, torch.Tensor) and Other(3).x == 3\n"
        "@decorate(level=3)\n"
        "def host(x: torch.Tensor | None) -> Thing[int]: return x\n"
        "assert host(1) == 1 and torch.__version__ >= '2.0' and not torch.cuda.is_available()\n"
    )  # fmt: skip
    assert [i.error for i in run(text, SIGNATURE)] == [None]


def test_a_package_is_imported_from_its_root(run: Collect, module: Path, tmp_path: Path):
    package = tmp_path / "source" / "pkg"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('needs a GPU')\n")
    (package / "helpers.py").write_text("SIZE = 1\n")
    (package / "k.py").write_text("from .helpers import SIZE\n" + ADD)
    (item,) = run(ADD, SIGNATURE, sources=(package / "k.py",))
    assert (item.module, item.error) == ("pkg.k", None)


def test_a_link_below_the_root_is_below_it(run: Collect, module: Path, tmp_path: Path):
    run(ADD, SIGNATURE)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "linked.py").symlink_to(module)
    (item,) = run(ADD, SIGNATURE, sources=(tmp_path / "root" / "linked.py",), root=tmp_path / "root")
    assert item.module == "linked"


def test_a_stop_ends_the_compiler_and_keeps_what_is_done(run: Collect, module: Path, tmp_path: Path):
    module.parent.mkdir()
    module.with_name("later.py").write_text(ADD.replace("add", "stalls"))
    named = "kernels: [{kernel: add, arguments: &a {x: i8, y: i8, n: i8}, constants: &c {BLOCK: 1}},"
    named += " {kernel: stalls, arguments: *a, constants: *c}]"
    python = fake_python(tmp_path)
    module.write_text(ADD)
    (tmp_path / "signatures.yaml").write_text(named)
    request = CollectRequest(
        sources=(module.parent,),
        out=tmp_path / "out",
        python=python,
        wanted=read_signatures(tmp_path / "signatures.yaml"),
    )

    def interrupt(step: str) -> None:
        if step.startswith("1 of 2"):
            threading.Timer(1.0, os.kill, [os.getpid(), signal.SIGINT]).start()

    with pytest.raises(KeyboardInterrupt):
        collect(request, interrupt)
    kernels = json.loads((tmp_path / "out" / "index.json").read_text())["kernels"]
    assert [k["kernel"] for k in kernels] == ["add"]


def test_tuning_and_heuristics_are_followed(run: Collect, tmp_path: Path):
    text = ADD.replace(
        "@triton.jit",
        "@triton.heuristics({'EVEN': lambda args: args['n'] % args['BLOCK'] == 0})\n"
        "@triton.autotune([triton.Config({'BLOCK': 96}, num_warps=2, num_stages=5)])\n@triton.jit",
    ).replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, EVEN: tl.constexpr")
    (item,) = run(text, guess=1)
    told = said(tmp_path, item)
    assert told["options"] == {"num_warps": 2, "num_stages": 5}
    assert told["constants"] == [["(3,)", "96"], ["(4,)", "False"]]


def test_no_triton(tmp_path: Path, module: Path):
    module.parent.mkdir()
    module.write_text(ADD)
    python = fake_python(tmp_path)
    (tmp_path / "packages" / "triton" / "__init__.py").write_text("raise ImportError('built for another Python')\n")
    with pytest.raises(
        ToolFailure, match=r"python: error: ImportError: built for another Python \(pip install triton\)"
    ):
        collect(CollectRequest(sources=(module,), out=tmp_path / "out", python=python, guess=1))


def test_items_of_other_modules_stay_in_the_index(run: Collect, module: Path, tmp_path: Path):
    run(ADD, SIGNATURE)
    other = module.with_name("other.py")
    other.write_text(ADD)
    run(ADD, SIGNATURE, sources=(other,))
    kernels = json.loads((tmp_path / "out" / "index.json").read_text())["kernels"]
    assert [k["module"] for k in kernels] == ["kernels", "other"]


def test_an_index_of_something_else_is_left_alone(run: Collect, tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.json").write_text("{}")
    with pytest.raises(InputError, match=r"index.json: error: not an index that `regtriage collect` wrote"):
        run(ADD, SIGNATURE)
    assert (tmp_path / "out" / "index.json").read_text() == "{}"
