"""Counting in a dump: what is scratch, what is shared memory, and how often a loop's lines count."""

from __future__ import annotations

from regtriage.dataflow.intel.cost import cost_of

DUMP = """//.kernel dot
//.declare V0049 (59)  rf=r size=64 type=d align=16 words (spilled -> Scratch[0x32])
per_thread_prolog:
(W)     mov (1|M0)               r4.0<1>:ud    0x0:ud                              //  ALU pipe: int; $1
        send.dc0 (16|M0)         null     r4      r42:2   0x0            0x020F1000           {$5} // wr:1h+2, rd:0; hword scratch block write x2 //  scratch space spill:  from offset[0x32]; ; $4
_0_004:
        load.slm.d32x2.a32 (16|M0)  r16:4       [r58:2]            {A@1,$13} // ex_desc:0x0; desc:0x4401500 // $1173
(W)     send.dc0 (16|M0)         r84      r4      null:0  0x0            0x020F1000           {$6} // wr:1h+0, rd:4; hword scratch block read x4 //  scratch space fill:  from offset[0x32]; ; $9
        mad (16|M0)              r20.0<1>:f    r20.0<1;0>:f   r84.0<1;0>:f   r16.0<1>:f  //  ALU pipe: float; $10
(~f1.0) goto (32|M0)                         _0_005            _0_005                                //  ALU pipe: int; $4059
(W)     jmpi                                 _0_004                                                  // $4063
_0_005:
(W)     store.ugm.d32x64t.a32 (1|M0)  ss[a0.2][r3:1] r116:8        {ExBSO,$10} // ex_desc:a0.2; desc:0x4200F504 //  spill to offset[10232*32] of ?; ; $136
(W)     load.ugm.d32x16t.a32 (1|M0)  r15:2      ss[a0.2][r3:1]     {ExBSO,A@1,$0} // ex_desc:a0.2; desc:0x4220D500 //  fill from offset[10222*32] of ?; ; $56
        load.ugm.d32x4.a32 (16|M0)  r47:8       bss[a0.0][r39:2]   {ExBSO,A@1,$1} // ex_desc:a0.0; desc:0x24803500 // $64
        store.slm.d16u32.a32 (16|M0)  [r58:2]       r16:2            {A@1,$13} // desc:0x4401500 // $1173
"""


def test_a_line_of_a_loop_counts_as_often_as_the_loop_is_passed():
    once, eight = cost_of(DUMP, {}), cost_of(DUMP, {1: 8})
    assert (once.spilled, once.filled, once.scratch) == (64 + 256, 128 + 64, 320 + 192)
    assert (eight.spilled, eight.filled) == (64 + 256, 8 * 128 + 64)
    assert (once.shared_loaded, eight.shared_loaded) == (4 * 2 * 16, 8 * 4 * 2 * 16)
    assert once.code_lines == eight.code_lines == once.instructions == 11
    assert eight.instructions == 6 + 5 * 8


def test_declarations_are_no_traffic():
    assert cost_of("//.declare V0049 (59) (spilled -> Scratch[0x32])\n", {}).scratch == 0
