from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.llc import inputs
from regtriage.tools.llc.errors import InputError
from regtriage.tools.llc.inputs import as_argument, check_input, is_mir, start_of_mir


def _message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        check_input(path)
    return str(caught.value)


def test_text_and_bitcode_pass(tmp_path: Path) -> None:
    for name, content in (("x.ll", b"define"), ("x.bc", b"BC\xc0\xde\0\0"), ("y.bc", b"\xde\xc0\x17\x0b\0")):
        (tmp_path / name).write_bytes(content)
        check_input(tmp_path / name)


def test_missing(tmp_path: Path) -> None:
    assert _message(tmp_path / "x.ll") == f"{tmp_path / 'x.ll'}: error: No such file or directory"


def test_directory(tmp_path: Path) -> None:
    assert _message(tmp_path) == f"{tmp_path}: error: is a directory"


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.ll"
    file.write_text("define")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # Root may read everything, so a mode cannot show it.
    monkeypatch.setattr(Path, "open", refuse)
    assert _message(file) == f"{file}: error: Permission denied"


@pytest.mark.parametrize("content", [b"", b" \n\n\t"])
def test_empty(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.ll").write_bytes(content)
    assert _message(tmp_path / "x.ll").endswith(": error: the file is empty")


def test_binary(tmp_path: Path) -> None:
    (tmp_path / "x.ll").write_bytes(b"one\ntwo\n\x7fELF\0\0\0")
    assert _message(tmp_path / "x.ll").startswith(f"{tmp_path / 'x.ll'}:3: error: binary data")


def test_huge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.ll").write_bytes(b"x" * (3 << 20))
    monkeypatch.setattr(inputs, "MAX_INPUT_BYTES", 2 << 20)
    assert _message(tmp_path / "x.ll").endswith(": error: too large: 3 MiB, at most 2 MiB are read")


def test_language_by_name() -> None:
    assert [is_mir(Path(name)) for name in ("a.mir", "a.ll", "a.llir", "a.bc", "mir")] == [True] + 4 * [False]


def test_a_path_is_never_an_option() -> None:
    assert as_argument(Path("-o")) == "./-o"
    assert as_argument(Path("/a-b")) == "/a-b"


@pytest.mark.parametrize(
    ("name", "header", "arguments", "expected"),
    [
        ("k.mir", "isSSA: false\nnoVRegs: false", (), ("-start-before=greedy,0",)),
        ("k.mir", "isSSA: false\nnoVRegs: false", ("-start-before=greedy,1",), ()),
        ("k.mir", "isSSA: false\nnoVRegs: false", ("--run-pass=greedy",), ()),
        ("k.mir", "isSSA: true\nnoVRegs: false", (), ()),
        ("k.mir", "\nbody: |\n    %1:sreg_32 = S_MOV_B32 0\n    %2:sreg_32 = COPY %1\n...", (), ()),
        (
            "k.mir",
            "\nbody: |\n    %1:sreg_32 = S_MOV_B32 0\n    %1:sreg_32 = COPY %1\n...",
            (),
            ("-start-before=greedy,0",),
        ),
        ("k.mir", "\nbody: |\n    undef %1.sub0:sreg_64 = S_MOV_B32 0\n...", (), ("-start-before=greedy,0",)),
        ("k.mir", "\nbody: |\n    S_NOP 0\n...\nname: l\nbody: |\n    %1:sreg_32 = COPY %1\n", (), ()),
        ("k.mir", "isSSA: false # as printed", (), ("-start-before=greedy,0",)),
        (
            "k.mir",
            "\nbody: |\n    %x:sreg_32 = S_MOV_B32 0\n    %x:sreg_32 = COPY %x\n...",
            (),
            ("-start-before=greedy,0",),
        ),
        (
            "k.mir",
            '\nbody: |\n    %0:sreg_32 = S_MOV_B32 0\n    INLINEASM &"", sideeffect, regdef:SReg_32, def %0:sreg_32\n...',
            (),
            ("-start-before=greedy,0",),
        ),
        ("k.ll", "isSSA: false", (), ()),
    ],
)
def test_where_mir_starts(
    tmp_path: Path, name: str, header: str, arguments: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    (tmp_path / name).write_text(f"---\nname: k\n{header}\n...\n")
    assert start_of_mir(tmp_path / name, arguments) == expected


def test_mir_whose_registers_are_allocated(tmp_path: Path) -> None:
    (tmp_path / "k.mir").write_text("---\nname: k\nisSSA: false\nnoVRegs: true\n...\n")
    with pytest.raises(InputError, match=r"k\.mir: error: its registers are allocated already"):
        start_of_mir(tmp_path / "k.mir", ())


def test_functions_of_both_forms(tmp_path: Path) -> None:
    ssa = "---\nname: j\nbody: |\n  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n...\n"
    (tmp_path / "k.mir").write_text(ssa + "---\nname: k\nisSSA: false\nbody: |\n  bb.0:\n    S_NOP 0\n...\n")
    with pytest.raises(InputError, match="some of its functions are in SSA form, and some are not"):
        start_of_mir(tmp_path / "k.mir", ())
