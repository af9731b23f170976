"""The compilers behind the one interface, and that failures leave nothing behind."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from regtriage.tools.llc.run import (
    BuiltinLlc,
    Compilation,
    CompileRequest,
    ExternalLlc,
    GuardFlags,
    InputError,
    Llc,
    LlcKind,
    PrivateRegister,
    StageWhen,
    ToolFailure,
    TritonLlc,
    Variant,
    resolve_llc,
)


def _request(kernel: Path, variant: Variant = Variant.OFF) -> CompileRequest:
    return CompileRequest(kernel, variant, cpu="gfx950")


def _script(folder: Path, body: str) -> Path:
    """A fake llc, which knows its version."""
    path = folder / "llc"
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "  LLVM version 99.0" && exit\n{body}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def kernel(miscompiles: Path) -> Path:
    return miscompiles / "insert_spill_65.ll"


class TestBuiltin:
    def test_a_compilation_is_complete(self, kernel: Path, tmp_path: Path) -> None:
        out = tmp_path / "a" / "b"
        result = BuiltinLlc().compile(_request(kernel), out)
        assert result.directory == out
        assert result.asm.read_text().startswith("\t.amdgcn_target")
        assert result.trace is not None
        assert result.live_lanes is not None
        assert '"event":"spill"' in result.trace.read_text()
        assert result.live_lanes.read_text().startswith("function k 0\n")
        assert [stage.sequence for stage in result.stages] == list(range(12))
        assert all(stage.path.parent == out and stage.path.exists() for stage in result.stages)
        assert (result.llc.kind, result.llc.version) == (LlcKind.BUILTIN, "23.1.1")
        assert result.diagnostics == ""

    def test_a_stage_by_name(self, kernel: Path, tmp_path: Path) -> None:
        result = BuiltinLlc().compile(_request(kernel), tmp_path)
        stage = result.stage(StageWhen.AFTER, "virtregrewriter", 2)
        assert stage is not None
        assert stage.name == "after-virtregrewriter-2"
        assert "name:            k" in stage.path.read_text()
        assert result.stage(StageWhen.BEFORE, "virtregrewriter", 2) is None

    @pytest.mark.parametrize("variant", list(Variant))
    def test_variants(self, miscompiles: Path, tmp_path: Path, variant: Variant) -> None:
        llc, large = BuiltinLlc(), miscompiles / "insert_spill_large.ll"
        assert llc.supports(variant)
        off = llc.compile(_request(large), tmp_path / "off").asm.read_text()
        other = llc.compile(_request(large, variant), tmp_path / "other").asm.read_text()
        assert (other == off) is (variant is Variant.OFF)

    def test_decisions_can_be_chosen(self, miscompiles: Path, tmp_path: Path) -> None:
        large = miscompiles / "insert_spill_large.ll"

        def asm(request: CompileRequest) -> str:
            return BuiltinLlc().compile(request, tmp_path).asm.read_text()

        off = asm(_request(large))
        assert asm(CompileRequest(large, Variant.GUARD, cpu="gfx950", guard_count=0)) == off
        assert asm(CompileRequest(large, Variant.GUARD, cpu="gfx950", guard_skip=1)) == off
        assert asm(CompileRequest(large, Variant.PRIVATE, cpu="gfx950", private_count=0)) == off
        first = asm(CompileRequest(large, Variant.PRIVATE, cpu="gfx950", private_count=1))
        named = (PrivateRegister(0, 1778, "k"),)
        assert asm(CompileRequest(large, Variant.PRIVATE, cpu="gfx950", private_only=named)) == first != off

    def test_stale_stages_are_not_taken_for_new_ones(self, kernel: Path, tmp_path: Path) -> None:
        (tmp_path / "99-after-greedy-9.mir").write_text("")
        assert len(BuiltinLlc().compile(_request(kernel), tmp_path).stages) == 12

    def test_mir_goes_in(self, kernel: Path, tmp_path: Path) -> None:
        stages = BuiltinLlc().compile(_request(kernel), tmp_path / "ir").stages
        request = CompileRequest(stages[0].path, cpu="gfx950", extra_args=("-start-before=greedy,0",))
        again = BuiltinLlc().compile(request, tmp_path / "mir")
        assert [stage.name for stage in again.stages] == [stage.name for stage in stages]

    @pytest.mark.parametrize("content", ["", "not IR", "\0\1\2", 'target triple = "x86_64"\ndefine'])
    def test_bad_input_writes_nothing(self, tmp_path: Path, content: str) -> None:
        bad, out = tmp_path / "bad.ll", tmp_path / "out"
        bad.write_text(content)
        with pytest.raises(InputError, match=rf"^{bad}(:\d+){{0,2}}: error: [^\n]+$"):
            BuiltinLlc().compile(CompileRequest(bad), out)
        assert not out.exists()

    def test_the_place_in_the_source_is_kept(self, tmp_path: Path) -> None:
        bad = tmp_path / "bad.ll"
        bad.write_text('target triple = "x86_64-linux-gnu"\ndefine void @f() { ret i32 1 }\n')
        with pytest.raises(InputError) as caught:
            BuiltinLlc().compile(CompileRequest(bad), tmp_path / "out")
        assert str(caught.value).startswith(f"{bad}:2:24: error: ")
        assert caught.value.detail.splitlines()[1].strip() == "^"

    def test_a_backend_that_gives_up_is_a_tool_failure(self, data: Path, tmp_path: Path) -> None:
        kernel, out = data / "too_many_registers.ll", tmp_path / "out"
        with pytest.raises(ToolFailure, match="more registers than available") as caught:
            BuiltinLlc().compile(CompileRequest(kernel), out)
        assert caught.value.status == 3
        assert f"{kernel}: error: inline assembly" in caught.value.stderr
        assert str(kernel) in caught.value.command
        assert not out.exists()

    def test_a_crash_is_a_tool_failure(self, kernel: Path, tmp_path: Path) -> None:
        program = _script(tmp_path, "kill -SEGV $$")
        with pytest.raises(ToolFailure, match="SIGSEGV"):
            BuiltinLlc(program).compile(_request(kernel), tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_an_unknown_option_is_the_callers_mistake(self, kernel: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="-nonsense"):
            BuiltinLlc().compile(CompileRequest(kernel, extra_args=("-nonsense",)), tmp_path / "out")

    def test_a_directory_that_cannot_be_written(self, kernel: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(InputError, match=r"error: cannot write: "):
            BuiltinLlc().compile(_request(kernel), tmp_path / "file" / "out")


class TestExternal:
    @pytest.fixture
    def builtin_as_external(self, program: Path) -> ExternalLlc:
        return ExternalLlc(program, GuardFlags("-hoist-spill-guard=subranges", "-hoist-spill-guard=off"))

    @pytest.mark.parametrize("variant", [Variant.OFF, Variant.GUARD])
    def test_the_same_as_builtin_without_its_extras(
        self, builtin_as_external: Llc, miscompiles: Path, tmp_path: Path, variant: Variant
    ) -> None:
        request = _request(miscompiles / "insert_spill_large.ll", variant)
        external = builtin_as_external.compile(request, tmp_path / "external")
        builtin = BuiltinLlc().compile(request, tmp_path / "builtin")
        assert external.llc.kind is LlcKind.EXTERNAL
        assert (external.trace, external.live_lanes) == (None, None)
        assert _texts(external) == _texts(builtin)

    def test_other_variants_are_not_there(self, builtin_as_external: Llc, kernel: Path, tmp_path: Path) -> None:
        for variant in (Variant.GUARD_LANES, Variant.PRIVATE, Variant.GUARD_PRIVATE):
            assert not builtin_as_external.supports(variant)
            with pytest.raises(InputError, match=f"no variant '.*{variant.value[-4:]}'"):
                builtin_as_external.compile(_request(kernel, variant), tmp_path)

    def test_no_guard_without_flags(self, program: Path) -> None:
        assert not ExternalLlc(program).supports(Variant.GUARD)

    def test_decisions_cannot_be_chosen(self, program: Path, kernel: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="only the built-in llc"):
            ExternalLlc(program).compile(CompileRequest(kernel, guard_count=1), tmp_path)

    def test_an_error_with_status_0_is_a_failure(self, kernel: Path, tmp_path: Path) -> None:
        llc = ExternalLlc(_script(tmp_path, "echo 'error: <unknown>:0:0: ran out of registers' >&2"))
        with pytest.raises(ToolFailure, match="exited with status 0: <unknown>:0:0: ran out of registers"):
            llc.compile(_request(kernel), tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_what_it_cannot_parse_is_the_inputs_fault(self, tmp_path: Path) -> None:
        bad = tmp_path / "bad.ll"
        bad.write_text("x")
        llc = ExternalLlc(_script(tmp_path, f"echo 'llc: error: llc: {bad}:1:1: error: expected it' >&2; exit 1"))
        with pytest.raises(InputError, match=f"^{bad}:1:1: error: expected it$"):
            llc.compile(CompileRequest(bad), tmp_path / "out")

    def test_an_unknown_cpu_is_the_callers_mistake(self, kernel: Path, tmp_path: Path) -> None:
        warning = "'nope' is not a recognized processor for this target (ignoring processor)"
        llc = ExternalLlc(_script(tmp_path, f'echo "{warning}" >&2'))
        with pytest.raises(InputError, match="error: 'nope' is not a recognized processor for this target"):
            llc.compile(_request(kernel), tmp_path / "out")

    def test_a_program_that_is_no_llc(self, kernel: Path, tmp_path: Path) -> None:
        with pytest.raises(ToolFailure, match="not an llc"):
            ExternalLlc(Path("/bin/true")).compile(_request(kernel), tmp_path / "out")


class TestTriton:
    def test_an_interpreter_without_triton(self, tmp_path: Path) -> None:
        # -S and -I would be needed to hide an installed one: a script stands for the interpreter.
        python = _script(tmp_path, f'exec {sys.executable} -I -S "$@"')
        with pytest.raises(ToolFailure, match="no Triton for"):
            _ = TritonLlc(python).identity

    @pytest.fixture
    def fake(self, tmp_path: Path) -> TritonLlc:
        path = _script(tmp_path, "")
        path.write_text('#!/bin/sh\n[ "$2" = --version ] && echo 3.8.0 && exit\nexit 9\n')
        return TritonLlc(path)

    def test_the_version(self, fake: TritonLlc) -> None:
        assert (fake.identity.kind, fake.identity.version) == (LlcKind.TRITON, "triton 3.8.0")

    def test_what_it_cannot_do(self, fake: TritonLlc, kernel: Path, data: Path, tmp_path: Path) -> None:
        bitcode = tmp_path / "x.bc"
        bitcode.write_bytes(b"BC\xc0\xde\xff\xfe")
        for request, why in (
            (_request(kernel, Variant.GUARD), "no variant 'guard'"),
            (CompileRequest(kernel, opt=2), "-O3 only"),
            (CompileRequest(data / "partly_defined.mir"), "IR only, not MIR"),
            (CompileRequest(bitcode), "textual IR only"),
        ):
            with pytest.raises(InputError, match=why):
                fake.compile(request, tmp_path / "out")

    def test_it_fails_in_its_own_words(self, fake: TritonLlc, kernel: Path, tmp_path: Path) -> None:
        with pytest.raises(ToolFailure, match="exited with status 9"):
            fake.compile(_request(kernel), tmp_path / "out")

    def test_a_triton_that_is_installed(self, kernel: Path, tmp_path: Path) -> None:
        pytest.importorskip("triton")
        result = TritonLlc().compile(_request(kernel), tmp_path)
        assert result.stage(StageWhen.AFTER, "greedy", 2) is not None
        assert ".amdgcn_target" in result.asm.read_text()


class TestResolve:
    def test_names(self, program: Path) -> None:
        assert isinstance(resolve_llc(), BuiltinLlc)
        assert isinstance(resolve_llc("builtin"), BuiltinLlc)
        assert isinstance(resolve_llc("triton"), TritonLlc)
        assert isinstance(resolve_llc(f"triton:{sys.executable}"), TritonLlc)
        external = resolve_llc(str(program), GuardFlags("-on", ""))
        assert isinstance(external, ExternalLlc)
        assert external.supports(Variant.GUARD)
        assert external.identity.version == "23.1.1"

    def test_a_program_in_this_folder(self, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(program.parent)
        assert resolve_llc(f"./{program.name}").identity.version == "23.1.1"

    def test_what_is_none(self, tmp_path: Path) -> None:
        plain = tmp_path / "plain"
        plain.write_text("")
        for spec, why in (
            ("no-such-llc", "no such compiler"),
            (str(tmp_path), "is a directory"),
            (str(plain), "is not an executable file"),
        ):
            with pytest.raises(InputError, match=f"^{spec}: error: {why}"):
                resolve_llc(spec)

    @pytest.mark.parametrize("spec", ["builtin", "triton"])
    def test_guard_flags_are_for_others(self, spec: str) -> None:
        with pytest.raises(InputError, match="guard flags are for an llc of your own"):
            resolve_llc(spec, GuardFlags("-on", "-off"))


def _texts(compilation: Compilation) -> list[tuple[str, str]]:
    files = [compilation.asm, *(stage.path for stage in compilation.stages)]
    return [(file.name, file.read_text()) for file in files]
