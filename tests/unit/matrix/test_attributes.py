from __future__ import annotations

import pytest
from regtriage.tools.matrix.attributes import NotTextError, with_attributes

WAVES = {"amdgpu-waves-per-eu": "2"}


def test_a_group_gets_the_attribute():
    text = 'define amdgpu_kernel void @k(i32 %a) #0 {\n}\nattributes #0 = { nounwind "x"="y" }\n'
    assert with_attributes(text, WAVES) == (
        'define amdgpu_kernel void @k(i32 %a) #0 {\n}\n'
        'attributes #0 = { nounwind "x"="y" "amdgpu-waves-per-eu"="2" }\n'
    )  # fmt: skip


def test_what_was_there_is_replaced():
    text = 'define void @k() #3 {\n}\nattributes #3 = { "amdgpu-waves-per-eu"="1,8" nounwind }\n'
    assert with_attributes(text, WAVES).endswith('attributes #3 = { nounwind "amdgpu-waves-per-eu"="2" }\n')


def test_groups_of_declarations_and_calls_stay():
    text = (
        'declare void @f() #1\ndefine void @k() #0 {\n  call void @f() #1\n}\n'
        'attributes #0 = { nounwind }\nattributes #1 = { nounwind }\n'
    )  # fmt: skip
    assert with_attributes(text, WAVES).endswith("attributes #1 = { nounwind }\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("define void @k() {", 'define void @k() "a"="1" {'),
        ("define void @k() local_unnamed_addr {", 'define void @k() local_unnamed_addr "a"="1" {'),
        (
            "define void @k(ptr byval(i32) align(4) %p) !dbg !5 {",
            'define void @k(ptr byval(i32) align(4) %p) "a"="1" !dbg !5 {',
        ),
        ('define void @"k(x"(ptr %p) {', 'define void @"k(x"(ptr %p) "a"="1" {'),
        ('define void @k() "a"="7" {', 'define void @k() "a"="1"  {'),
        ("  define void @in_mir() {", '  define void @in_mir() "a"="1" {'),
    ],
)
def test_a_function_without_a_group_has_it_on_its_line(before: str, after: str):
    changed = with_attributes(before + "\n}\n", {"a": "1"})
    assert " ".join(changed.split()) == " ".join(f"{after}\n}}\n".split())


def test_several_attributes():
    changed = with_attributes("define void @k() #0 {\n}\nattributes #0 = { }\n", {"a": "1", "b": "2"})
    assert changed.endswith('attributes #0 = { "a"="1" "b"="2" }\n')


def test_what_is_no_kernel():
    with pytest.raises(NotTextError):
        with_attributes("BC\xc0\xde", WAVES)
