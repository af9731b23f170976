; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %0.sub2 never reached %stack.0+8; $sgpr2 reads no value of the function (exit: redundant-spill, after
; virtregrewriter,0). The decision: after allocation: store of %76 into %stack.0 in bb.2 removed as redundant. A
; stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S64_SAVE {{.*}}[[SLOT0:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT1:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT2:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT3:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT1]],

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %a0, i64 %a1, i64 %a2, i64 %a3, i1 %a4) "amdgpu-num-sgpr"="40" {
b0:
  br label %b1

b1:
  %t0 = phi i64 [ 1, %b0 ], [ 0, %b3 ]
  %t1 = call <16 x i32> asm sideeffect "; def $0, use $1", "=s,s"(i64 %a2)
  %t2 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t1)
  %t3 = trunc i64 %t0 to i32
  %t4 = icmp eq i32 %t3, 0
  br i1 %t4, label %b2, label %b3

b2:
  %t5 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  br label %b3

b3:
  br i1 %a4, label %b1, label %b4

b4:
  %t6 = trunc i64 %a3 to i32
  %t7 = insertelement <8 x i32> splat (i32 1), i32 %t6, i32 1
  %t8 = ptrtoint ptr addrspace(1) %a0 to i64
  %t9 = lshr i64 %t8, 1
  br label %b5

b5:
  %t10 = call <16 x i32> asm sideeffect "; def $0, use $1 $2", "=s,s,s"(<8 x i32> splat (i32 1), i64 %a1)
  br label %b5
}
