from __future__ import annotations

import json
from pathlib import Path

import pytest
from regtriage.tools.llc.run import InputError
from regtriage.tools.sweep.kernels import find_kernels
from regtriage.tools.sweep.model import Method

AMD = 'target triple = "amdgcn-amd-amdhsa"\ndefine void @k() { ret void }\n'
INTEL = 'target triple = "spir64-unknown-unknown"\ndefine void @k() { ret void }\n'
NVIDIA = 'target triple = "nvptx64-nvidia-cuda"\ndefine void @k() { ret void }\n'


def write(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(text)


def names(*sources: Path) -> list[tuple[str, Method]]:
    return [(k.name, k.method) for k in find_kernels(sources).kernels]


def test_of_one_kernel_in_a_triton_cache_the_best_file_is_taken(tmp_path: Path):
    write(tmp_path / "AAA", k_llir=AMD, k_ttgir='ttg.target = "hip:gfx950"', k_amdgcn="a", k_hsaco="b", k_ttir="c")
    write(tmp_path / "BBB", j_amdgcn="d", j_hsaco="e", j_ttgir='ttg.target = "hip:gfx950"')
    write(tmp_path / "CCC", i_hsaco="f", i_json="{}")
    assert names(tmp_path) == [
        ("AAA/k.llir", Method.PROOF),
        ("BBB/j.amdgcn", Method.ASM),
        ("CCC/i.hsaco", Method.ASM),
    ]


def test_of_a_kernel_for_intel_the_ttgir_is_taken_though_there_is_ir(tmp_path: Path):
    write(tmp_path, k_llir=INTEL, k_ttgir='ttg.target = "xpu"')
    assert names(tmp_path) == [("k.ttgir", Method.PTSS)]


def test_what_nothing_can_be_said_of_is_left_out_with_the_reason(tmp_path: Path):
    write(tmp_path, a_llir=AMD, b_llir=NVIDIA, c_llir=INTEL, d_ttgir='"ttg.target" = "cuda:90"')
    found = find_kernels([tmp_path])
    assert [k.name for k in found.kernels] == ["a.llir"]
    assert found.left_out == (
        ("b.llir", "for nvptx64-nvidia-cuda: another target"),
        ("c.llir", "for spir64-unknown-unknown: an Intel GPU, of which TTGIR is needed"),
        ("d.ttgir", "TTGIR for cuda:90: nothing is compiled from it here"),
    )


def test_a_content_is_swept_once(tmp_path: Path):
    write(tmp_path / "a", k_llir=AMD)
    write(tmp_path / "b", k_llir=AMD, other_ll=AMD + "\n")
    found = find_kernels([tmp_path])
    assert [k.name for k in found.kernels] == ["a/k.llir", "b/other.ll"]
    assert (found.files, found.duplicates) == (3, 1)


def test_the_processor_comes_from_tritons_metadata_where_the_ir_has_none(tmp_path: Path):
    metadata = json.dumps({"target": {"backend": "hip", "arch": "gfx942", "warp_size": 64}})
    write(tmp_path / "a", k_llir=AMD, k_json=metadata)
    write(tmp_path / "b", k_llir=AMD)
    write(tmp_path / "c", k_llir=AMD + 'attributes #0 = { "target-cpu"="gfx90a" }\n', k_json=metadata)
    write(tmp_path / "d", k_llir=AMD + "\n", k_json="no JSON")
    # The same text for another processor is another kernel.
    assert [k.cpu for k in find_kernels([tmp_path]).kernels] == ["gfx942", "", "", ""]


def test_files_of_other_kinds_stand_for_themselves(tmp_path: Path):
    write(tmp_path, k_ll=AMD, k_s="s_endpgm\n", k_mir="---\n", k_txt="no")
    assert names(tmp_path) == [("k.ll", Method.PROOF), ("k.mir", Method.PROOF), ("k.s", Method.ASM)]


def test_a_list_names_kernels_and_folders_relative_to_itself(tmp_path: Path):
    write(tmp_path / "in", a_ll=AMD)
    write(tmp_path / "in" / "deep", b_ll=AMD + "\n")
    (tmp_path / "some.txt").write_text("# ours\n\nin/a.ll\n  in/deep \n")
    assert [name for name, _ in names(tmp_path / "some.txt")] == ["in/a.ll", "in/deep/b.ll"]


@pytest.mark.parametrize(
    ("line", "message"),
    [("gone.ll", "gone.ll: no such file or folder"), ("some.txt", "some.txt: not a kernel: .llir")],
)
def test_a_list_with_something_else_is_wrong_at_a_line(tmp_path: Path, line: str, message: str):
    (tmp_path / "some.txt").write_text(f"# ours\n{line}\n")
    with pytest.raises(InputError, match=rf"some\.txt:2:1: error: {message}"):
        find_kernels([tmp_path / "some.txt"])


def test_sources_without_a_kernel_are_wrong(tmp_path: Path):
    with pytest.raises(InputError, match=r"there is no kernel$"):
        find_kernels([tmp_path])
    write(tmp_path, b_llir=NVIDIA)
    with pytest.raises(InputError, match=r"there is no kernel: b\.llir: for nvptx64"):
        find_kernels([tmp_path])
    with pytest.raises(InputError, match="No such file"):
        find_kernels([tmp_path / "none"])
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="neither a kernel, by its suffix, nor a list"):
        find_kernels([tmp_path / "binary"])
