"""Strategies for MIR: registers, instructions and functions as the model has them."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st
from regtriage.dataflow.mir.model import Block, Flag, Instruction, MachineFunction, Register, StackObject
from regtriage.dataflow.mir.printer import print_operation, print_register

CLASSES = ("sgpr_32", "sreg_64", "sgpr_128", "sgpr_512", "vgpr_32", "vreg_64_align2", "vreg_256", "av_128", "areg_512")
SUBS = ("", "sub0", "sub3", "sub0_sub1", "sub2_sub3_sub4_sub5", "lo16", "sub1_hi16")
PHYSICAL = (
    "sgpr4",
    "sgpr4_sgpr5",
    "vgpr0",
    "vgpr7_vgpr8_vgpr9_vgpr10",
    "agpr3",
    "vcc",
    "exec",
    "scc",
    "m0",
    "vgpr7_lo16",
)
OPCODES = ("COPY", "S_ADD_I32", "V_MOV_B32_e32", "SI_SPILL_S128_SAVE", "G_PHI", "S_LOAD_DWORDX4_IMM", "V_FMA_F32_e64")
IMMEDIATES = (
    "0",
    "-1",
    "4096",
    "%stack.3",
    "%bb.7",
    "@kernel",
    "csr_amdgpu",
    "float 0x3FB8AA3B",
    "target-flags(amdgpu-rel32-lo) @f",
)
MEMORY = ("", "(load (s32))", "(store (s128) into %stack.0, align 4, addrspace 5), (load (s32) from %ir.p.x, !tbaa !7)")
DEBUG = ("", "!23", "!DILocation(line: 1, column: 2, scope: !3)")
NAMES = st.text("abz_", min_size=1, max_size=3)


def _flags(*choices: Flag) -> st.SearchStrategy[Flag]:
    return st.sets(st.sampled_from(choices)).map(_all_of)


def _all_of(flags: Iterable[Flag]) -> Flag:
    result = Flag.NONE
    for flag in flags:
        result |= flag
    return result


@st.composite
def registers(draw: st.DrawFn, *always: Flag, tied: bool = False) -> Register:
    """A register operand with these flags, and others that go with them."""
    virtual = draw(st.booleans())
    flags = _all_of(always)
    if Flag.DEF in flags or not always:
        flags |= draw(_flags(Flag.DEAD, Flag.UNDEF, Flag.EARLY_CLOBBER))
    if Flag.DEF not in flags:
        flags |= draw(_flags(Flag.KILLED, Flag.UNDEF, Flag.INTERNAL))
    if not virtual and draw(st.booleans()):
        flags |= Flag.RENAMABLE
    register = Register(
        name=draw(st.integers(0, 99).map(str)) if virtual else draw(st.sampled_from(PHYSICAL)),
        virtual=virtual,
        sub=draw(st.sampled_from(SUBS)) if virtual else "",
        cls=draw(st.sampled_from(("", *CLASSES))) if virtual else "",
        flags=flags,
        tied=draw(st.integers(0, 3)) if tied and draw(st.booleans()) else -1,
        text=draw(st.sampled_from(("", "(s32)", "(p4)"))),  # the printer takes the type from there
        undef=Flag.UNDEF in flags,
        implicit=Flag.IMPLICIT in flags,
    )
    return _with_text(register, print_register(register))


def _with_text(register: Register, text: str) -> Register:
    r = register
    return Register(r.name, r.virtual, r.sub, r.cls, r.flags, r.tied, text, r.undef, r.implicit)


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    """A line of a block, as the parser makes it before the target looks at it."""
    # a result of an instruction has no `def` word, that of inline assembly has one
    defs = draw(st.lists(registers(), max_size=2).map(lambda some: [_as_result(r) for r in some]))
    uses = draw(st.lists(registers(Flag.NONE, tied=True), max_size=3))
    rest = draw(st.lists(st.sampled_from(IMMEDIATES), max_size=3))
    immediates = draw(st.permutations(["R"] * len(uses) + rest))
    made = Instruction(
        opcode=draw(st.sampled_from(OPCODES)),
        defs=tuple(defs),
        uses=tuple(uses),
        implicit_defs=tuple(draw(st.lists(registers(Flag.IMPLICIT, Flag.DEF), max_size=2))),
        implicit_uses=tuple(draw(st.lists(registers(Flag.IMPLICIT), max_size=2))),
        immediates=tuple(immediates),
        memory=draw(st.sampled_from(MEMORY)),
        debug=draw(st.sampled_from(DEBUG)),
        flags=frozenset(draw(st.sets(st.sampled_from(("nuw", "nsw", "contract", "lr-split", "frame-setup"))))),
        text="",
    )
    return _told(made)


@st.composite
def inline_assembly(draw: st.DrawFn) -> Instruction:
    """Inline assembly, whose operands come with words that say what they are."""
    immediates = ['&"; op $0, \\22x\\22"', "sideeffect attdialect"]
    defs: list[Register] = []
    uses: list[Register] = []
    clobbers: list[Register] = []
    for kind in draw(
        st.lists(st.sampled_from(("regdef:SGPR_128", "regdef-ec:VReg_64", "reguse:SReg_32", "clobber")), max_size=5)
    ):
        immediates.append(kind)
        if kind == "clobber":
            clobbers.append(draw(registers(Flag.IMPLICIT, Flag.DEF)))
        elif kind.startswith("regdef"):
            defs.append(draw(registers(Flag.DEF)))
        else:
            uses.append(draw(registers(Flag.NONE, tied=True)))
            immediates.append("R")
    made = Instruction(
        "INLINEASM", tuple(defs), tuple(uses), tuple(clobbers), (), tuple(immediates), "", draw(st.sampled_from(DEBUG)),
        frozenset(), "",
    )  # fmt: skip
    return _told(made)


def _as_result(register: Register) -> Register:
    r = register
    flags = r.flags & ~(Flag.DEF | Flag.KILLED | Flag.INTERNAL)
    bare = Register(r.name, r.virtual, r.sub, r.cls, flags, -1, r.text, Flag.UNDEF in flags, implicit=False)
    return _with_text(bare, print_register(bare))


def _told(i: Instruction) -> Instruction:
    return Instruction(
        i.opcode, i.defs, i.uses, i.implicit_defs, i.implicit_uses, i.immediates, i.memory, i.debug, i.flags,
        print_operation(i),
    )  # fmt: skip


@st.composite
def functions(draw: st.DrawFn) -> MachineFunction:
    """A function whose blocks, registers and slots are numbered in any order, with gaps."""
    numbers = draw(st.lists(st.integers(0, 30), min_size=1, max_size=4, unique=True))
    function = MachineFunction(draw(NAMES), "x.mir", 1)
    for number in draw(st.sets(st.integers(0, 99), max_size=3)):
        function.register_classes[str(number)] = draw(st.sampled_from(CLASSES))
    for number in draw(st.sets(st.integers(0, 9), max_size=2)):
        kind, where = draw(st.sampled_from(("spill-slot", "default"))), draw(st.sampled_from(("default", "sgpr-spill")))
        function.stack[number] = StackObject(number, draw(st.sampled_from((4, 16, 64))), where, kind)
    function.live_ins = draw(st.lists(st.sampled_from(("sgpr4_sgpr5", "vgpr0")), max_size=2, unique=True))
    for number in numbers:
        block = Block(number, draw(st.one_of(st.just(""), NAMES)), 0)
        block.successors = draw(st.lists(st.sampled_from(numbers), max_size=3, unique=True))
        block.live_ins = draw(st.lists(st.sampled_from(PHYSICAL), max_size=2, unique=True))
        block.instructions = draw(st.lists(st.one_of(instructions(), inline_assembly()), max_size=4))
        function.blocks.append(block)
    return function
