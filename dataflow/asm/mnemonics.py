"""What an AMDGPU mnemonic says about its operands, for gfx9 to gfx12.

The assembly writes results first and spells the width of every operand, so little has to be known: how many of the
leading operands are written, whether they are read too, and what is read and written without being named. That
depends on words of the mnemonic, `s_and_saveexec_b64` = s · and · saveexec · b64; a mnemonic with a word that is in
no table below is not known, and counts as one result made of all other operands.

Source: the instruction names of AMD's ISA documents and of LLVM's AMDGPU target.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from .model import Jump

ENCODINGS = ("_e64_dpp", "_e32", "_e64", "_dpp8", "_dpp", "_sdwa")


@dataclass(frozen=True, slots=True)
class Shape:
    """How a mnemonic treats its operands.

    results: leading operands that are written. keeps: the old content of the results is an input too. reads, writes:
    locations that are not named. moves: each lane of the result is the same lane of the one source.
    """

    known: bool
    results: int
    keeps: bool = False
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    moves: bool = False
    jump: Jump = Jump.NONE


_SCC, _VCC, _EXEC, _M0 = ("scc",), ("vcc_lo", "vcc_hi"), ("exec_lo", "exec_hi"), ("m0",)

# -- words ----------------------------------------------------------------------------------------------------------

_TYPE = re.compile(
    r"(?:(?:pk)?\d*(?:bf|fp|xf|iu|ubyte|b|f|i|u)\d+(?:[a-z]\w*)?|\d+x\d+x\d+\w*|x\d+|\d+b|1k|\d+xpk\d+|pk\d+)$"
)
_ACCESS = (
    "load store atomic dword dwordx2 dwordx3 dwordx4 byte ubyte sbyte short sshort ushort d16 hi format x xy xyz xyzw"
)
_ATOMICS = (
    "add sub and or xor inc dec min max smin smax umin umax fmin fmax swap cmpswap fcmpswap csub cond clamp num pk"
)
_WORDS: dict[str, str] = {
    "buffer": f"{_ACCESS} {_ATOMICS} gl0 gl1 inv invl2 lds vol wbinvl1 wbl2",
    "tbuffer": "d16 format load store x xy xyz xyzw",
    "global": f"{_ACCESS} {_ATOMICS} addtid async block from inv lds monitor ordered prefetch to tr tr16 tr4 tr6 tr8 "
    "wb wbinv",
    "flat": f"{_ACCESS} {_ATOMICS} monitor prefetch",
    "scratch": f"{_ACCESS} block lds",
    "cluster": "async lds load to",
    "tensor": "from lds load save stop store to",
    "lds": "direct load param",
    "ds": f"{_ATOMICS} 2addr addtid all append arrive async atomic barrier bpermute br bvh cmpst cmpstore condxchg32 "
    "consume count d16 direct fi gs gws hi init load mskor nop ordered p param permute pop1 pop2 push4 push8 "
    "read read2 read2st64 reg release rsub rtn sema src2 stack store storexchg stride64 swizzle tr tr16 tr4 "
    "tr6 tr8 v wrap write write2 write2st64 wrxchg wrxchg2 wrxchg2st64",
    "image": f"{_ATOMICS} atomic b bvh bvh64 bvh8 c cd cl d dual flt g16 gather4 gather4h get int intersect l load lod "
    "lz mip msaa o pck ray resinfo sample sgn store uint",
    "exp": "",
    "export": "",
    "s": "2 abs absdiff add addc addk alloc alu and andn1 andn2 ashr asynccnt atc atomic barrier bcnt0 bcnt1 begin "
    "bfe bfm bitcmp0 bitcmp1 bitreplicate bitset0 bitset1 branch brev buffer bvhcnt call cbranch cdbgsys "
    "cdbguser ceil ci clause cls clz cmov cmovk cmp cmpk cmpswap co code cselect ctz cvt cycles data dcache "
    "dec decperflevel delay denorm depctr discard distance done dscnt dword dwordx16 dwordx2 dwordx4 dwordx8 "
    "end endpgm eq event execnz execz expcnt ff0 ff1 flbit floor fmaak fmac fmamk fork g ge get getpc getreg "
    "gl1 gpr gt hh hi hl i icache idle idx imm imm32 in inc incperflevel init inst inv isfirst join kmcnt le "
    "leave lg lgkmcnt lh ll load loadcnt loop lshl lshl1 lshl2 lshl3 lshl4 lshr lt max maximum memrealtime "
    "memtime min minimum mode monitor mov movk movreld movrels movrelsd msb mul mulk nand nc neq nge ngt nle "
    "nlg nlt nop nor not not0 not1 num o off on or ordered orn1 orn2 pack pad pc pk prefetch probe ps "
    "quadmask rel restore rfe rndne round rtn rtz samplecnt saved saveexec scc0 scc1 scratch sendmsg "
    "sendmsghalt set sethalt setkill setpc setprio setreg setvskip sext shader signal sleep smax smin state "
    "store storecnt sub subb subvector swap swappc tensorcnt trap trunc ttracedata u umax umin user var vccnz "
    "vccz version vgpr vmcnt vol vscnt wait waitcnt wakeup waveid wb wg workgroup wqm wrexec xcnt xnor xor",
    "v": "2 4se accvgpr add add3 addc alignbit alignbyte and ashr ashrrev bcast bcnt bfe bfi bfm bfrev bitop2 "
    "bitop3 ceil ci class clrexcp cls clz cmp cmpx cndmask co cos ctz cubeid cubema cubesc cubetc cvt div "
    "dot2 dot2acc dot2c dot4 dot4c dot8 dot8c down dual dx9 eq exp f ffbh ffbl fixup floor flr fma fmaak fmac "
    "fmamk fmas fract frexp ge gen gt hi idx iflag interp ld ldexp le legacy lerp lg lo log lshl lshlrev lshr "
    "lshrrev lt mac mad madak madmk mant max max3 maximum maximum3 maximumminimum maxmin mbcnt med3 mfma min "
    "min3 minimum minimum3 minimummaximum minmax mix mixhi mixlo mov movreld movrels movrelsd mqsad msad mul "
    "mullit nc ne nearest neq nge ngt nle nlg nlt nop norm not num o off or or3 p1 p10 p1ll p1lv p2 pack "
    "paired partition perm permlane permlane16 permlane32 permlane64 permlanex16 pipeflush pk pkaccum pknorm "
    "pkrtz preop prng qsad rcp read readfirstlane readlane rndne rpi rsq rtz s sad sat scale scale16 scalef32 "
    "screen sin smfmac sqrt sr sub subb subbrev subrev swap swaprel swmmac t tanh trig tru trunc u up var "
    "wmma write writelane xad xnor xor xor3 zero",
}
_VOCABULARY = {family: frozenset(words.split()) for family, words in _WORDS.items()}

_WITHOUT_RESULT = frozenset(
    "alloc atc barrier bitcmp0 bitcmp1 branch cbranch clause cmp cmpk code dcache decperflevel delay denorm endpgm gl1 "
    "icache incperflevel inst monitor nop prefetch rfe round sendmsg sendmsghalt set sethalt setkill setpc setprio "
    "setreg setvskip sleep store subvector trap ttracedata version wait waitcnt wakeup atomic".split()
)
"""First words of scalar instructions that write no register they name."""
_SETS_SCC = frozenset(
    "abs absdiff add addc addk and andn1 andn2 ashr bcnt0 bcnt1 bfe lshl lshl1 lshl2 lshl3 lshl4 lshr max min nand nor "
    "not or orn1 orn2 quadmask sub subb wqm xnor xor".split()
)
_TWO_RESULTS = re.compile(r"v_(?:\w+_co_\w+|addc_\w+|subb_\w+|subbrev_\w+|div_scale_\w+|mad_(?:u64_u32|i64_i32))$")
_ADDS_TO_RESULT = re.compile(
    r"v_(?:(?:pk_)?fmac_\w+|mac_\w+|dot\d(?:c|acc)_\w+|smfmac_\w+|swmmac_\w+|(?:mad|fma)_mix(?:lo|hi)_\w+|permlanex?16_(?:var_)?b32|"
    r"writelane_b32|movreld_b32|interp_p2_f32|cvt_sr_(?:bf8|fp8|f16|bf16)_\w+|cvt_pk_(?:bf8|fp8)_f32|"
    r"cvt_scalef32_(?:sr_(?:bf8|fp8)|f16|pk_(?:bf8|fp8|fp4)|sr_pk_fp4)_\w+)$"
)
"""Results that are accumulated into, or written in part."""
_MOVES = frozenset(
    "s_mov_b32 s_mov_b64 v_mov_b32 v_mov_b64 v_accvgpr_read_b32 v_accvgpr_write_b32 v_accvgpr_mov_b32 "
    "v_readfirstlane_b32 v_accvgpr_read v_accvgpr_write".split()
)
_PARTIAL_LOAD = re.compile(r"(?<!format)_d16(?!_format)")


def without_encoding(mnemonic: str) -> str:
    """`v_add_f32` of `v_add_f32_e32`."""
    for suffix in ENCODINGS:
        if mnemonic.endswith(suffix):
            return mnemonic[: -len(suffix)]
    return mnemonic


@cache
def shape_of(mnemonic: str, operands: int, modifiers: frozenset[str]) -> Shape:
    """The shape of an instruction with that many operands and those modifiers."""
    stem = without_encoding(mnemonic)
    family, *words = stem.split("_")
    vocabulary = _VOCABULARY.get(family)
    if vocabulary is None or not all(w in vocabulary or _TYPE.match(w) for w in words):
        return Shape(known=False, results=1)
    if family == "s":
        return _scalar(stem, words, modifiers)
    if family == "v":
        return _vector(stem, words, operands, mnemonic, modifiers)
    return _memory(stem, family, words, modifiers)


def _scalar(stem: str, words: list[str], modifiers: frozenset[str]) -> Shape:
    first, rest = words[0], words[1:]
    if first in ("branch", "cbranch", "endpgm", "setpc", "rfe", "swappc", "call", "subvector") or "pc" in rest:
        return _jump(stem, first, rest)
    if first in ("cmp", "cmpk", "bitcmp0", "bitcmp1", "alloc") or stem in (
        "s_barrier_leave",
        "s_barrier_signal_isfirst",
    ):
        return Shape(known=True, results=0, writes=_SCC)
    if "atomic" in words:
        returns = "glc" in modifiers
        return Shape(known=True, results=int(returns), keeps=returns)
    if first in ("buffer", "scratch") and rest[0] in ("store", "prefetch"):
        return Shape(known=True, results=0)
    if first == "set" and "idx" in rest and "off" not in rest:
        return Shape(known=True, results=0, reads=_M0, writes=_M0)
    if first in _WITHOUT_RESULT and "rtn" not in rest:
        return Shape(known=True, results=0, reads=_M0 if first in ("movreld", "sendmsg", "sendmsghalt") else ())
    if "saveexec" in rest or "wrexec" in rest:
        return Shape(known=True, results=1, reads=_EXEC, writes=(*_EXEC, *_SCC))
    return Shape(
        known=True,
        results=1,
        keeps=first in ("addk", "mulk", "fmac", "cmov", "cmovk", "bitset0", "bitset1", "movreld"),
        reads=_SCC
        if first in ("cselect", "cmov", "cmovk", "addc", "subb") or "ci" in rest
        else _M0
        if first.startswith("movrel")
        else (),
        writes=_SCC
        if first in _SETS_SCC and not (rest and re.match(r"b?f\d", rest[-1])) and "nc" not in rest and "num" not in rest
        else (),
        moves=stem in _MOVES,
    )


def _jump(stem: str, first: str, rest: list[str]) -> Shape:
    if first == "endpgm" or first == "rfe":
        return Shape(known=True, results=0, jump=Jump.END)
    if first == "setpc" or stem in ("s_add_pc_i64", "s_set_pc_i64"):
        return Shape(known=True, results=0, jump=Jump.INDIRECT)
    if first in ("swappc", "call") or "pc" in rest:
        return Shape(known=True, results=int(first != "prefetch"))
    if first == "subvector":
        return Shape(known=True, results=0, reads=_EXEC, writes=_EXEC, jump=Jump.CONDITIONAL)
    if first == "branch":
        return Shape(known=True, results=0, jump=Jump.ALWAYS)
    condition = {"scc": _SCC, "vcc": _VCC, "exe": _EXEC}.get(rest[0][:3], ())
    return Shape(known=True, results=0, reads=condition, jump=Jump.CONDITIONAL)


def _vector(stem: str, words: list[str], operands: int, mnemonic: str, modifiers: frozenset[str]) -> Shape:
    first = words[0]
    if first in ("nop", "clrexcp", "pipeflush") or "ld" in words:
        return Shape(known=True, results=0)
    if first == "cmpx":
        # gfx9 names a scalar result besides EXEC, later processors do not
        return Shape(known=True, results=int(operands >= 3), reads=_EXEC, writes=_EXEC)
    if "swap" in words or first == "swaprel":
        return Shape(known=True, results=2, keeps=True, reads=_M0 if first == "swaprel" else ())
    reads: tuple[str, ...] = ()
    if stem.startswith("v_div_fmas") or (first == "cndmask" and operands < 4):
        reads = _VCC
    elif first.startswith("movrel") or first == "interp":
        reads = _M0
    dpp = mnemonic.endswith(("_dpp", "_dpp8"))
    keeps = (
        bool(_ADDS_TO_RESULT.match(stem))
        or "dst_unused:UNUSED_PRESERVE" in modifiers
        or (dpp and not _writes_every_thread(modifiers))
    )
    return Shape(
        known=True,
        results=2 if _TWO_RESULTS.match(stem) else 1,
        keeps=keeps,
        reads=reads,
        moves=stem in _MOVES and not dpp and "dst_sel" not in " ".join(modifiers),
    )


def _writes_every_thread(modifiers: frozenset[str]) -> bool:
    return any(m.startswith("bound_ctrl:") for m in modifiers) and {"row_mask:0xf", "bank_mask:0xf"} <= modifiers


def _memory(stem: str, family: str, words: list[str], modifiers: frozenset[str]) -> Shape:
    if family in ("exp", "export", "tensor", "lds") or "prefetch" in words or "lds" in words or "lds" in modifiers:
        # where in shared memory is in M0
        shared = "lds" in modifiers or "lds" in (family, *words)
        return Shape(known=True, results=int(family == "lds"), reads=_M0 if shared and "async" not in words else ())
    if family == "ds":
        return _shared_memory(words)
    if "store" in words or words[0] in ("gl0", "gl1", "inv", "invl2", "wbinvl1", "wbl2", "wb", "wbinv"):
        return Shape(known=True, results=0)
    if "atomic" in words:
        returns = bool({"glc", "sc0"} & modifiers) or any(m.startswith("th:TH_ATOMIC_RETURN") for m in modifiers)
        return Shape(known=True, results=int(returns), keeps=returns and family in ("buffer", "image"))
    return Shape(known=True, results=1, keeps=bool(_PARTIAL_LOAD.search(stem)))


def _shared_memory(words: list[str]) -> Shape:
    if "stack" in words:
        return Shape(known=True, results=2, keeps=True, reads=_M0)
    results = (
        "rtn" in words
        or words[0] in ("read", "read2", "read2st64", "load", "bpermute", "permute", "swizzle", "append", "consume")
        or words[0] in ("direct", "param")
        or words == ["ordered", "count"]
    )
    uses_m0 = "gws" in words or "addtid" in words or words[0] in ("append", "consume", "ordered", "direct", "param")
    return Shape(known=True, results=int(results), keeps="d16" in words and results, reads=_M0 if uses_m0 else ())
