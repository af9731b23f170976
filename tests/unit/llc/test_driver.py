"""The program regtriage-llc by itself: stages, variants, live lanes, and how it fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import AMDGPU, Driver, debug_info

AMDGPU_STAGES = [
    "00-before-greedy-0.mir",
    "01-after-greedy-0.mir",
    "02-after-virtregrewriter-0.mir",
    "03-after-stack-slot-coloring-0.mir",
    "04-after-si-lower-sgpr-spills-0.mir",
    "05-before-greedy-1.mir",
    "06-after-greedy-1.mir",
    "07-after-virtregrewriter-1.mir",
    "08-before-greedy-2.mir",
    "09-after-greedy-2.mir",
    "10-after-virtregrewriter-2.mir",
    "11-after-stack-slot-coloring-1.mir",
]
X86_STAGES = [
    "00-before-greedy-0.mir",
    "01-after-greedy-0.mir",
    "02-before-greedy-1.mir",
    "03-after-greedy-1.mir",
    "04-after-virtregrewriter-0.mir",
    "05-after-stack-slot-coloring-0.mir",
]


def _compile(driver: Driver, out: Path, *arguments: object) -> str:
    finished = driver(*arguments, "-o", out)
    assert finished.status == 0, finished.stderr
    return out.read_text()


def _stages(driver: Driver, folder: Path, *arguments: object) -> list[Path]:
    folder.mkdir()
    _compile(driver, folder / "asm.s", *arguments, f"-emit-stages={folder}")
    return sorted(folder.glob("*.mir"))


class TestStages:
    def test_all_of_amdgpu_in_one_run(self, driver: Driver, miscompiles: Path, tmp_path: Path) -> None:
        stages = _stages(driver, tmp_path / "out", miscompiles / "insert_spill_65.ll", *AMDGPU)
        assert [stage.name for stage in stages] == AMDGPU_STAGES

    def test_all_of_x86_in_one_run(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        stages = _stages(driver, tmp_path / "out", data / "x86_spills.ll")
        assert [stage.name for stage in stages] == X86_STAGES

    def test_spirv_has_none(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        source = (data / "two_kernels.ll").read_text().replace("amdgpu_kernel", "spir_func")
        source = re.sub(r"call i32 @llvm\S+\(\)", "add i32 0, %x", source).replace("amdgcn-amd-amdhsa", "spirv64")
        kernel = tmp_path / "kernel.ll"
        kernel.write_text(source.replace("declare i32 @llvm.amdgcn.workitem.id.x()", ""))
        assert _stages(driver, tmp_path / "out", kernel) == []
        assert (
            "OpEntryPoint" in (tmp_path / "out" / "asm.s").read_text()
            or "OpFunction" in (tmp_path / "out" / "asm.s").read_text()
        )

    @pytest.mark.parametrize("name", ["insert_spill_65.ll", "insert_spill_large.ll", "redundant_spill.ll"])
    def test_observing_changes_no_byte_of_the_assembly(
        self, driver: Driver, miscompiles: Path, tmp_path: Path, name: str
    ) -> None:
        plain = _compile(driver, tmp_path / "plain.s", miscompiles / name, *AMDGPU)
        watched = _compile(
            driver,
            tmp_path / "watched.s",
            miscompiles / name,
            *AMDGPU,
            f"-emit-stages={tmp_path}",
            f"-spiller-trace={tmp_path / 'trace'}",
            f"-live-lanes={tmp_path / 'lanes'}",
            "-hoist-spill-guard=off",
            "-private-slot=off",
        )
        assert watched == plain

    @pytest.mark.parametrize(
        ("file", "flag"),
        [
            ("00-before-greedy-0.mir", "-stop-before=greedy,0"),
            ("01-after-greedy-0.mir", "-stop-after=greedy,0"),
            ("04-after-si-lower-sgpr-spills-0.mir", "-stop-after=si-lower-sgpr-spills,0"),
            ("10-after-virtregrewriter-2.mir", "-stop-after=virtregrewriter,2"),
            ("11-after-stack-slot-coloring-1.mir", "-stop-after=stack-slot-coloring,1"),
        ],
    )
    def test_a_stage_is_what_llvm_prints_when_stopped_there(
        self, driver: Driver, miscompiles: Path, tmp_path: Path, file: str, flag: str
    ) -> None:
        kernel = miscompiles / "insert_spill_large.ll"
        _stages(driver, tmp_path / "out", kernel, *AMDGPU)
        stopped = _compile(driver, tmp_path / "stopped.mir", kernel, *AMDGPU, flag)
        assert (tmp_path / "out" / file).read_text() == stopped

    def test_every_function_of_a_module(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        first, *_ = _stages(driver, tmp_path / "out", data / "two_kernels.ll", *AMDGPU)
        assert re.findall(r"^name: +(\S+)$", first.read_text(), re.M) == ["nothing", "stores"]


class TestVariants:
    """On a kernel with 17 candidates for a hoist, of which one is partial, and 13 for a private slot."""

    @pytest.fixture
    def asm(self, driver: Driver, miscompiles: Path, tmp_path: Path) -> dict[str, str]:
        def compiled(*flags: str) -> str:
            return _compile(driver, tmp_path / "x.s", miscompiles / "insert_spill_large.ll", *AMDGPU, *flags)

        return {
            "off": compiled(),
            "guard": compiled("-hoist-spill-guard=subranges"),
            "guard-lanes": compiled("-hoist-spill-guard=lanes"),
            "guard none": compiled("-hoist-spill-guard=subranges", "-guard-count=0"),
            "guard after the only one": compiled("-hoist-spill-guard=subranges", "-guard-skip=1"),
            "guard just that": compiled("-hoist-spill-guard=subranges", "-guard-count=1"),
            "private": compiled("-private-slot=on"),
            "private none": compiled("-private-slot=on", "-private-count=0"),
            "private all": compiled("-private-slot=on", "-private-count=1000"),
            "private unknown": compiled("-private-slot=on", "-private-only=0:999999"),
            "private elsewhere": compiled("-private-slot=on", "-private-only=0:1778@other"),
            "private first": compiled("-private-slot=on", "-private-count=1"),
            "private by name": compiled("-private-slot=on", "-private-only=0:1778"),
            "private by full name": compiled("-private-slot=on", "-private-only=7:1,0:1778@k"),
        }

    def test_each_variant_changes_the_code_and_an_empty_choice_does_not(self, asm: dict[str, str]) -> None:
        assert len({asm["off"], asm["guard"], asm["private"]}) == 3
        assert asm["guard-lanes"] == asm["guard"]
        for same in ("guard none", "guard after the only one", "private none"):
            assert asm[same] == asm["off"], same
        for same in ("private unknown", "private elsewhere"):
            assert asm[same] == asm["off"], same
        assert asm["guard just that"] == asm["guard"]
        assert asm["private all"] == asm["private"]
        assert asm["off"] != asm["private first"] != asm["private"]
        assert asm["private by name"] == asm["private by full name"] == asm["private first"]

    @pytest.mark.parametrize("flag", ["-hoist-spill-guard=subranges", "-hoist-spill-guard=lanes", "-private-slot=on"])
    def test_the_verifier_accepts_them(self, driver: Driver, miscompiles: Path, tmp_path: Path, flag: str) -> None:
        kernel = miscompiles / "insert_spill_large.ll"
        _compile(driver, tmp_path / "x.s", kernel, *AMDGPU, flag, "-verify-machineinstrs")

    def test_post_optimization_can_be_left_out(self, driver: Driver, miscompiles: Path, tmp_path: Path) -> None:
        kernel = miscompiles / "insert_spill_large.ll"
        with_it = _compile(driver, tmp_path / "a.s", kernel, *AMDGPU)
        assert _compile(driver, tmp_path / "b.s", kernel, *AMDGPU, "-no-post-optimization") != with_it


class TestLiveLanes:
    def test_a_lane_that_one_predecessor_leaves_undefined(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        lanes = tmp_path / "lanes"
        kernel = data / "partly_defined.mir"
        finished = driver(kernel, "-mcpu=gfx950", "-run-pass=greedy", "-o", tmp_path / "x", f"-live-lanes={lanes}")
        assert finished.status == 0, finished.stderr
        assert lanes.read_text() == "function partly_defined 0\nin 1 0 3\nedge 0 2 0 c\n"

    def test_a_lane_whose_value_the_coalescer_erased(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        passes = ("-run-pass=register-coalescer", "-run-pass=greedy")
        lanes = tmp_path / "lanes"
        kernel = data / "undefined_read.mir"
        finished = driver(kernel, "-mcpu=gfx950", *passes, "-o", tmp_path / "x", f"-live-lanes={lanes}")
        assert finished.status == 0, finished.stderr
        assert lanes.read_text() == "function undefined_read 0\nread 0 3 0 c\n"

    def test_an_allocation_keeps_its_number_where_another_has_nothing_to_do(
        self, driver: Driver, data: Path, tmp_path: Path
    ) -> None:
        lanes = tmp_path / "lanes"
        _compile(driver, tmp_path / "x.s", data / "two_kernels.ll", *AMDGPU, f"-live-lanes={lanes}")
        assert lanes.read_text() == "function stores 0\nfunction stores 2\n"


class TestTargets:
    def _target(self, asm: str) -> str:
        found = re.search(r'\.amdgcn_target "([^"]*)"', asm)
        assert found
        return found.group(1)

    def test_the_cpu_of_the_command_line(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        asm = _compile(driver, tmp_path / "x.s", data / "two_kernels.ll", "-mcpu=gfx942", "-default-cpu=gfx950")
        assert self._target(asm).endswith("gfx942")

    def test_a_default_cpu_where_the_kernel_names_none(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        asm = _compile(driver, tmp_path / "x.s", data / "two_kernels.ll", "-default-cpu=gfx950")
        assert self._target(asm).endswith("gfx950")

    def test_the_cpu_of_the_functions_goes_first(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        kernel = tmp_path / "kernel.ll"
        kernel.write_text((data / "two_kernels.ll").read_text().replace("() {", '() "target-cpu"="gfx90a" {', 1))
        kernel.write_text(kernel.read_text().replace("i32 %x) {", 'i32 %x) "target-cpu"="gfx90a" {'))
        asm = _compile(driver, tmp_path / "x.s", kernel, "-default-cpu=gfx950")
        assert self._target(asm).endswith("gfx90a")

    def test_a_triple_with_a_sub_architecture_needs_none(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        kernel = tmp_path / "kernel.ll"
        kernel.write_text((data / "two_kernels.ll").read_text().replace("amdgcn-amd", "amdgpu9.50-amd"))
        finished = driver(kernel, "-o", tmp_path / "x.s")
        assert (finished.status, finished.stderr) == (0, "")
        assert self._target((tmp_path / "x.s").read_text()).endswith("gfx950")

    def test_no_cpu_at_all_is_a_warning(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        kernel = data / "two_kernels.ll"
        finished = driver(kernel, "-o", tmp_path / "x.s")
        assert finished.status == 0
        assert finished.stderr == f"{kernel}: warning: no target cpu for 'nothing': compiling for a generic one\n"


WRONG_TYPE = 'target triple = "x86_64-linux-gnu"\ndefine void @f() { ret i32 1 }\n'
INVALID = 'target triple = "x86_64-linux-gnu"\ndefine i32 @f() {\n  %a = add i32 %a, 1\n  ret i32 %a\n}\n'


class TestFailures:
    @pytest.mark.parametrize(
        ("name", "text", "arguments", "message"),
        [
            ("x.ll", WRONG_TYPE, (), "{}:2:24: error: value doesn't match function result type 'void'"),
            ("x.ll", INVALID, (), "{}: error: invalid IR: Only PHI nodes may reference their own value!"),
            ("x.ll", "", (), "{}: error: no function to compile"),
            ("x.ll", "what is this", (), "{}:1:1: error: expected top-level entity"),
            ("x.ll", "define void @f() { ret void }", (), "{}: error: the input has no target triple"),
            ("x.mir", "\x01\x02", (), "{}:1:1: error: "),
            ("x.mir", "", (), "{}: error: no function to compile"),
            ("missing", None, (), "{}: error: Could not open input file: No such file or directory"),
            ("x.ll", "@x86", ("-mcpu=nope",), "{}: error: unknown cpu 'nope' for the target x86_64"),
            ("x.ll", "@x86", ("-mattr=+nope",), "{}: error: unknown feature '+nope' for the target x86_64"),
            ("x.ll", "@x86", ("-mtriple=foo-bar",), "{}: error: no target for the triple 'foo-bar'"),
            ("x.ll", "@x86", ("-mtriple=riscv64",), "{}: error: no target for the triple 'riscv64'"),
            ("x.ll", "@x86", ("-stop-after=nope",), '{}: error: "nope" pass is not registered.'),
            ("x.ll", "@x86", ("-start-before=greedy",), "{}: error: -start-before needs MIR"),
            ("x.ll", "@x86", ("-run-pass=greedy",), "{}: error: -run-pass needs MIR"),
            (
                "x.ll",
                "@x86",
                ("-private-only=7",),
                "regtriage-llc: error: -private-only: '7' is not ALLOCATION:REGISTER",
            ),
            ("x.ll", "@x86", ("-O7",), "regtriage-llc: error: -O7: "),
            ("x.ll", "@x86", ("-nonsense",), "regtriage-llc: error: Unknown command line argument '-nonsense'"),
            ("x.ll", "@x86", ("-emit-stages=/nonexistent",), "/nonexistent/00-before-greedy-0.mir: error: cannot"),
        ],
    )
    def test_wrong_input_or_call_is_status_2(
        self,
        driver: Driver,
        data: Path,
        tmp_path: Path,
        name: str,
        text: str | None,
        arguments: tuple[str, ...],
        message: str,
    ) -> None:
        kernel, out = tmp_path / name, tmp_path / "out.s"
        if text is not None:
            kernel.write_text((data / "x86_spills.ll").read_text() if text == "@x86" else text)
        finished = driver(kernel, *arguments, "-o", out)
        assert finished.status == 2
        assert finished.stderr.startswith(message.format(kernel))
        assert not out.exists()

    def test_truncated_mir_names_the_line(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        kernel = tmp_path / "x.mir"
        kernel.write_text((data / "partly_defined.mir").read_text().split(" S_MOV_B32 2")[0])
        finished = driver(kernel, "-mcpu=gfx950", "-run-pass=greedy", "-o", "-")
        assert finished.status == 2
        assert re.match(rf"{kernel}:\d+:\d+: error: ", finished.stderr)

    def test_too_few_registers_is_status_3_and_leaves_nothing(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        kernel = data / "too_many_registers.ll"
        finished = driver(
            kernel,
            "-o",
            tmp_path / "x.s",
            f"-emit-stages={tmp_path}",
            f"-spiller-trace={tmp_path / 'trace'}",
            f"-live-lanes={tmp_path / 'lanes'}",
        )
        assert finished.status == 3
        assert finished.stderr.startswith(f"{kernel}: error: inline assembly requires more registers")
        assert list(tmp_path.iterdir()) == []

    def test_an_error_at_a_source_line_names_it(self, driver: Driver, tmp_path: Path) -> None:
        kernel = tmp_path / "x.ll"
        kernel.write_text(
            'target triple = "x86_64-linux-gnu"\n'
            "define double @f(ptr %p) !dbg !4 {\n"
            "  %x = load double, ptr %p\n  ret double %x, !dbg !12\n}\n" + debug_info(12)
        )
        finished = driver(kernel, "-mattr=-sse", "-o", tmp_path / "x.s")
        assert finished.status == 3
        assert re.match(r"kernel.py:12:3: error: .*SSE", finished.stderr)

    def test_mir_that_the_verifier_refuses_is_status_2(self, driver: Driver, data: Path, tmp_path: Path) -> None:
        kernel = tmp_path / "x.mir"
        text = (data / "partly_defined.mir").read_text()
        kernel.write_text(text.replace("S_NOP 0, implicit %0", "S_NOP 0, implicit $vgpr7"))
        finished = driver(kernel, "-mcpu=gfx950", "-run-pass=machine-cp", "-verify-machineinstrs", "-o", tmp_path / "o")
        assert finished.status == 2
        assert "machine code error" in finished.stderr
        assert not (tmp_path / "o").exists()
