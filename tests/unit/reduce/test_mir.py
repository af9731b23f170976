from __future__ import annotations

import pytest
from regtriage.tools.reduce import mir_flow, mir_passes
from regtriage.tools.reduce.mir import plain
from regtriage.tools.reduce.mir_text import Document, defined, read_document, used

TEXT = """--- |
  target triple = "amdgcn-amd-amdhsa"
  define amdgpu_kernel void @k(i64 %a) #0 {
    ret void
  }
  attributes #0 = { "amdgpu-num-sgpr"="48" }
...
---
name:            k
alignment:       4
tracksRegLiveness: true
registers:
  - { id: 3, class: sgpr_512, preferred-register: '', flags: [  ] }
machineFunctionInfo:
  ldsSize:         0
  stackPtrOffsetReg: '$sgpr32'
body:             |
  bb.0.entry:
    successors: %bb.1(0x40000000), %bb.2(0x40000000)
    liveins: $sgpr2_sgpr3

    %0:sgpr_64(p4) = COPY $sgpr2_sgpr3
    early-clobber %2:sgpr_256 = S_LOAD_DWORDX8_IMM_ec %0(p4), 16, 0 :: (load (s256) from %ir.a, addrspace 4)
    INLINEASM &"; def $0", sideeffect attdialect, regdef:SGPR_512, def %3
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.2(0x80000000)

    %2.sub1:sgpr_256 = S_MOV_B32 7
    %9:sreg_32 = S_ADD_I32 %2.sub0, 1, implicit-def $scc
    INLINEASM &"; use $0", sideeffect attdialect, reguse:SReg_32, %9

  bb.2.end:
    INLINEASM &"; use $0", sideeffect attdialect, reguse:SGPR_256, %2
    S_ENDPGM 0
...
"""


@pytest.fixture
def document() -> Document:
    return read_document(TEXT, "k")


def lines_of(document: Document) -> list[str]:
    return [line for block in document.blocks for line in block.lines]


def test_reading_what_was_written_changes_nothing(document: Document):
    again = read_document(document.text(), "k")
    assert again.text() == document.text()
    assert [b.number for b in again.blocks] == [0, 1, 2]
    assert "successors: %bb.1(0x40000000), %bb.2(0x40000000)" in document.text()


def test_another_function_is_not_there():
    with pytest.raises(ValueError, match="no function 'other'"):
        read_document(TEXT, "other")


@pytest.mark.parametrize(
    ("line", "results", "operands"),
    [
        ("early-clobber %2:sgpr_256 = S_LOAD_DWORDX8_IMM_ec %0, 16, 0 :: (load from %ir.7)", ["2"], {"0"}),
        ("undef %5.sub1:sgpr_64 = COPY %6.sub0", ["5"], {"6"}),
        ('INLINEASM &"a = %1", sideeffect attdialect, regdef:SGPR_32, def %3, reguse:SGPR_32, %4', ["3"], {"4", "1"}),
        ("SI_SPILL_S32_SAVE %1, %stack.0, implicit $exec", [], {"1"}),
        ("S_CBRANCH_SCC1 %bb.2, implicit $scc", [], set[str]()),
    ],
)
def test_results_and_operands_of_a_line(line: str, results: list[str], operands: set[str]):
    assert defined(line) == results
    assert used(line) == operands


def test_deleting_a_value_deletes_what_reads_it(document: Document):
    action = mir_passes.values(document)[0]
    action(document)
    left = lines_of(document)
    assert not any("%0" in line for line in left)
    # %2.sub1 is still defined, so reads of %2 stay: whether the other lanes are missed is for the judge to say
    assert any("%2.sub1" in line for line in left)


def test_deleting_a_register_deletes_all_of_it(document: Document):
    names = ["0", "2", "3", "9"]
    actions = mir_passes.registers(document)
    assert len(actions) == len(names)
    actions[names.index("2")](document)
    assert not any("%2" in line for line in lines_of(document) if "%bb" not in line)


def test_an_edge_that_goes_takes_unreached_blocks_along(document: Document):
    to_one, to_two = mir_flow.edges(document)
    to_two(document)
    assert [b.number for b in document.blocks] == [0, 2]
    to_one(document)
    assert document.blocks[0].lines[-1] == "S_BRANCH %bb.2"


def test_a_return_takes_unreached_blocks_along(document: Document):
    mir_flow.returns(document)[0](document)
    assert [b.number for b in document.blocks] == [0]
    assert document.blocks[0].lines[-1] == "S_ENDPGM 0"


def test_two_blocks_become_one_where_only_one_goes_there(document: Document):
    mir_flow.edges(document)[0](document)
    join = mir_flow.joins(document)
    join[0](document)
    assert [b.number for b in document.blocks] == [0, 2]
    assert "%2.sub1:sgpr_256 = S_MOV_B32 7" in document.blocks[0].lines
    assert document.blocks[0].successors == [2]


def test_small_numbers(document: Document):
    mir_flow.bodies(document)[1](document)
    mir_passes.numbers(document)[0](document)
    assert "def %2" in document.text()
    assert "registers:" not in document.text()


def test_the_plain_form_has_no_ir_but_the_attributes(document: Document):
    text = plain(document).text()
    assert "define amdgpu_kernel void @k() #0 {" in text
    assert '"amdgpu-num-sgpr"="48"' in text
    assert "%ir." not in text
    assert "(p4)" not in text
    assert "alignment" not in text
    assert "ldsSize" not in text
    assert "stackPtrOffsetReg" in text
    # the class that the register list had
    assert "def %3:sgpr_512" in text


def test_targets_of_one_candidate_do_not_disturb_each_other(document: Document):
    actions = mir_passes.lines(document)
    count = len(lines_of(document))
    for action in actions[:4]:
        action(document)
    assert len(lines_of(document)) == count - 4


def test_a_register_becomes_shorter(document: Document):
    actions = mir_passes.classes(document)
    # %0 and %2, the next size and half of it; %3 has its class in the register list only
    assert len(actions) == 2
    actions[1](document)
    left = lines_of(document)
    assert (
        "early-clobber %2:sgpr_128 = S_LOAD_DWORDX8_IMM_ec %0(p4), 16, 0 :: (load (s256) from %ir.a, addrspace 4)"
        in left
    )
    assert "%2.sub1:sgpr_128 = S_MOV_B32 7" in left
    assert 'INLINEASM &"; use $0", sideeffect attdialect, reguse:SGPR_128, %2' in left


def test_inline_assembly_says_the_class_of_dead_results_too():
    text = TEXT.replace("regdef:SGPR_512, def %3", "regdef:SGPR_512, def dead %3:sgpr_512")
    document = read_document(text, "k")
    for action in mir_passes.classes(document):
        action(document)
    assert 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SGPR_256, def dead %3:sgpr_256' in lines_of(document)


def test_writes_to_lanes_that_go_are_left_out():
    text = TEXT.replace("%2.sub1:sgpr_256", "%2.sub6_sub7:sgpr_256")
    document = read_document(text, "k")
    mir_passes.classes(document)[1](document)
    assert not any("sub6" in line for line in lines_of(document))


def test_flags_and_constants_go(document: Document):
    text = TEXT.replace("implicit-def $scc\n", "implicit-def dead $scc\n").replace("= S_ADD_I32", "= nuw S_ADD_I32")
    document = read_document(text, "k")
    (flag,) = mir_passes.flags(document)
    flag(document)
    assert "%9:sreg_32 = S_ADD_I32 %2.sub0, 1, implicit-def $scc" in lines_of(document)
    for action in mir_passes.immediates(document):
        action(document)
    left = lines_of(document)
    assert "%9:sreg_32 = S_ADD_I32 %2.sub0, 0, implicit-def $scc" in left
    assert "%2.sub1:sgpr_256 = S_MOV_B32 0" in left
    assert any("S_LOAD_DWORDX8_IMM_ec %0(p4), 0, 0 :: (load (s256)" in line for line in left)


def test_lanes_that_a_block_writes_are_made_at_once():
    more = "    undef %7.sub0:sreg_64 = S_MOV_B32 1\n    S_NOP 0\n    %7.sub1:sreg_64 = COPY %7.sub0\n    S_NOP 1\n"
    text = TEXT.replace("    %9:sreg_32 = S_ADD_I32", more + "    %9:sreg_32 = S_ADD_I32")
    made = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SReg_64, def %7:sreg_64'
    for number, expected in enumerate((["S_NOP 0", made, "S_NOP 1"], [made, "S_NOP 0", "S_NOP 1"])):
        document = read_document(text, "k")
        mir_passes.makers(document)[number](document)
        left = lines_of(document)
        at = left.index(expected[0])
        assert left[at : at + 3] == expected
        assert not any("%7.sub" in line for line in left)


@pytest.mark.parametrize("name", mir_passes.PASSES)
def test_every_pass_leaves_mir_that_can_be_read(name: str, document: Document):
    for action in mir_passes.PASSES[name](document):
        action(document)
    assert read_document(document.text(), "k").text() == document.text()
