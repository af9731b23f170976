; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.0+24 held %2.sub6 and was overwritten; $sgpr10 then reads the value of %8.sub10 (exit: insert-spill,
; after virtregrewriter,0). The decision: while spilling %72: store of %74 into %stack.0 in bb.5 inserted after
; its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT:%stack.[0-9]+]]
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT]]
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       SI_SPILL_S256_RESTORE [[SLOT]],
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       S_SUB_I32

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(i64 %a0, ptr addrspace(1) %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i32 %a6, i64 %a7, i32 %a8, i64 %a9, i1 %a10) "amdgpu-no-dispatch-ptr" "amdgpu-num-sgpr"="48" {
b0:
  %t0 = trunc i64 %a2 to i32
  br i1 %a10, label %b1, label %b2

b1:
  %t1 = icmp ult i32 0, %a6
  br i1 %t1, label %b1, label %b2

b2:
  %t2 = phi i64 [ %a5, %b1 ], [ %a0, %b0 ]
  %t3 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t4 = insertelement <16 x i32> %t3, i32 0, i32 3
  %t5 = trunc i64 %t2 to i32
  %t6 = trunc i64 %a4 to i32
  %t7 = sub i32 %t5, %t6
  %t8 = icmp eq i32 %t0, 0
  br i1 %t8, label %b3, label %b4

b3:
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t4)
  ret void

b4:
  %t9 = insertelement <16 x i32> %t4, i32 %t7, i32 8
  call void asm sideeffect "; use $0 $1 $2", "s,s,s"(<8 x i32> zeroinitializer, i64 %a2, i64 %a3)
  br label %b5

b5:
  %t10 = icmp ult i32 0, %a6
  br i1 %t10, label %b5, label %b6

b6:
  call void asm sideeffect "; use $0 $1", "s,s"(i32 %a8, <16 x i32> %t9)
  ret void
}
