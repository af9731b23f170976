; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.1+0 held %103.sub2 and was overwritten; $sgpr38 then reads the value of %91.sub0 (exit: insert-spill,
; after virtregrewriter,0). The decision: while spilling %144: store of %147 into %stack.1 in bb.3 inserted
; after its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT:%stack.[0-9]+]]
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       SI_SPILL_S256_RESTORE [[SLOT]],
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       INLINEASM

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i32 %a5, i64 %a6, i64 %a7, i64 %a8, ptr addrspace(1) %a9, i1 %a10, i32 %a11, i1 %a12) "amdgpu-no-dispatch-ptr" "amdgpu-num-sgpr"="56" {
b0:
  %t0 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  br i1 %a12, label %b1, label %b2

b1:
  %t1 = phi ptr addrspace(1) [ %a9, %b1 ], [ %a0, %b0 ]
  %t2 = ptrtoint ptr addrspace(1) %t1 to i64
  %t3 = trunc i64 %t2 to i32
  %t4 = trunc i64 %a8 to i32
  %t5 = trunc i64 %a4 to i32
  %t6 = insertelement <8 x i32> zeroinitializer, i32 %t5, i32 0
  %t7 = insertelement <8 x i32> %t6, i32 %t3, i32 2
  call void asm sideeffect "; use $0 $1 $2", "s,s,s"(<8 x i32> %t7, i64 %a3, <16 x i32> %t0)
  %t8 = ptrtoint ptr addrspace(1) %a0 to i64
  call void asm sideeffect "; use $0", "s"(i64 %a1)
  br i1 %a10, label %b1, label %b2

b2:
  %t9 = ptrtoint ptr addrspace(1) %a0 to i64
  %t10 = trunc i64 %t9 to i32
  %t11 = trunc i64 %a8 to i32
  %t12 = insertelement <8 x i32> zeroinitializer, i32 %t10, i32 2
  %t13 = insertelement <8 x i32> %t12, i32 %t11, i32 4
  call void asm sideeffect "; use $0", "s"(ptr addrspace(1) %a9)
  br label %b3

b3:
  call void asm sideeffect "; use $0 $1 $2", "s,s,s"(<8 x i32> %t13, i64 %a7, i64 %a6)
  br i1 %a12, label %b3, label %b4

b4:
  %t14 = call <16 x i32> asm sideeffect "; def $0, use $1", "=s,s"(i64 %a2)
  %t15 = lshr i64 %t9, 32
  %t16 = trunc i64 %t15 to i32
  %t17 = insertelement <8 x i32> %t13, i32 %t16, i32 1
  %t18 = call i32 asm sideeffect "; def $0, use $1 $2", "=s,s,s"(<8 x i32> %t13, <8 x i32> %t17)
  ret void
}
