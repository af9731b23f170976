from __future__ import annotations

from pathlib import Path

from regtriage.tools.collect.survey import kernels_of, read_source


def kernels(tmp_path: Path, **files: str) -> dict[str, set[str]]:
    paths = {name: tmp_path / f"{name}.py" for name in files}
    for name, text in files.items():
        paths[name].write_text(text)
    found = kernels_of({path: read_source(path) for path in paths.values()})
    return {name: set(found[path]) for name, path in paths.items()}


def test_kernels_return_nothing_and_are_not_called(tmp_path: Path):
    text = (
        "@triton.jit\ndef value(x):\n  return x\n"
        "@triton.jit\ndef part(x):\n  return\n"
        "@triton.autotune([])\n@triton.jit(noinline=True)\ndef whole(x):\n  part(value(x))\n  return None\n"
        "def host(x):\n  whole[(1,)](x)\n"
    )
    assert kernels(tmp_path, a=text) == {"a": {"whole"}}


def test_calls_into_another_file(tmp_path: Path):
    a = "@jit\ndef put(x):\n  pass\n@jit\ndef other(x):\n  pass\n"
    b = "from a import put as place\n@jit\ndef main(x):\n  place(x)\n"
    assert kernels(tmp_path, a=a, b=b) == {"a": {"other"}, "b": {"main"}}


def test_equal_names_in_two_files_are_two_functions(tmp_path: Path):
    a = "@jit\ndef step(x):\n  pass\n@jit\ndef main(x):\n  step(x)\n"
    b = "@jit\ndef step(x):\n  pass\n"
    assert kernels(tmp_path, a=a, b=b) == {"a": {"main"}, "b": {"step"}}


def test_no_python(tmp_path: Path):
    assert kernels(tmp_path, a="def (") == {"a": set()}


def test_parameters(tmp_path: Path):
    (tmp_path / "a.py").write_text("@jit\ndef k(a, /, b, *, c: tl.constexpr = 1): ...\n")
    assert read_source(tmp_path / "a.py").parameters == {"k": ("a", "b", "c")}
