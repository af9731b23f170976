from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from regtriage.tools.reduce.output import Check, clean, matches

CHECKS = [
    Check("-LABEL", "name:{{ +}}k{{$}}"),
    Check("", "SAVE {{.*}}[[SLOT:%stack.[0-9]+]]"),
    Check("-NOT", "SAVE {{.*}}[[SLOT]],"),
    Check("", "RESTORE [[SLOT]],"),
]
TEXTS = {
    "right": ("name:   k\nSAVE $a, %stack.0, x\nSAVE $b, %stack.1, x\nRESTORE %stack.0, x\n", True),
    "overwritten": ("name:   k\nSAVE $a, %stack.0, x\nSAVE $b, %stack.0, x\nRESTORE %stack.0, x\n", False),
    "other slot": ("name:   k\nSAVE $a, %stack.0, x\nRESTORE %stack.1, x\n", False),
    "other function": ("name:   kk\nSAVE $a, %stack.0, x\nRESTORE %stack.0, x\n", False),
    "overwritten later": ("name: k\nSAVE $a, %stack.0, x\nRESTORE %stack.0, x\nSAVE $b, %stack.0, x\n", True),
}


@pytest.mark.parametrize("name", TEXTS)
def test_matches(name: str):
    text, expected = TEXTS[name]
    assert matches(CHECKS, text) is expected


@pytest.mark.parametrize("name", TEXTS)
def test_filecheck_says_the_same(name: str, tmp_path: Path):
    text, expected = TEXTS[name]
    test = tmp_path / "test"
    test.write_text("\n".join(check.line(";") for check in CHECKS))
    command = [sys.executable, "-c", "import sys; from filecheck.main import main; sys.exit(main())", str(test)]
    done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    assert (done.returncode == 0) is expected, done.stderr


def test_a_forbidden_line_after_the_last_check():
    assert not matches([Check("", "a"), Check("-NOT", "b")], "a\nb\n")
    assert matches([Check("", "a"), Check("-NOT", "b")], "b\na\n")


def test_clean_drops_what_a_compiler_finds_out():
    text = (
        '; ModuleID = \'x\'\nsource_filename = "x"\ntarget datalayout = "e"\nb:        ; preds = %a, %c\n  ret void\n'
    )
    assert clean(text) == "b:\n  ret void\n"


def test_a_short_group_of_attributes_goes_to_its_function():
    text = 'define void @k(i32 %a) #0 {\nb0:\n  ret void\n}\n\nattributes #0 = { "amdgpu-num-sgpr"="56" }\n'
    assert clean(text) == 'define void @k(i32 %a) "amdgpu-num-sgpr"="56" {\nb0:\n  ret void\n}\n'


@pytest.mark.parametrize("attributes", ["alignstack=4", '"a"="' + 100 * "b" + '"'])
def test_a_group_that_must_stay(attributes: str):
    text = f"define void @k() #0 {{\n  ret void\n}}\n\nattributes #0 = {{ {attributes} }}\n"
    assert clean(text) == text


def test_a_group_of_two_functions_stays():
    text = "define void @k() #0 {\n  ret void\n}\n\ndeclare void @f() #0\n\nattributes #0 = { nounwind }\n"
    assert clean(text) == text
