; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.0+24 held %31.sub6 and was overwritten; $sgpr22 then reads the value of %127.sub0 (exit: insert-spill,
; after virtregrewriter,0). The decision: while spilling %147: store of %149 into %stack.0 in bb.3 inserted
; after its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT:%stack.[0-9]+]]
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       SI_SPILL_S256_RESTORE [[SLOT]],
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       INLINEASM

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(i32 %a0, i64 %a1, ptr addrspace(1) %a2, ptr addrspace(1) %a3, i64 %a4, i64 %a5, i64 %a6, i32 %a7, i1 %a8, i64 %a9, ptr addrspace(1) %a10, i1 %a11, i32 %a12, i32 %a13) "amdgpu-no-dispatch-ptr" "amdgpu-num-sgpr"="56" {
b0:
  br i1 %a11, label %b1, label %b3

b1:
  %t0 = trunc i64 %a1 to i32
  br label %b2

b2:
  %t1 = ptrtoint ptr addrspace(1) %a3 to i64
  %t2 = trunc i64 %t1 to i32
  %t3 = trunc i64 %a5 to i32
  %t4 = insertelement <4 x i32> zeroinitializer, i32 %t2, i32 2
  %t5 = insertelement <4 x i32> %t4, i32 %t3, i32 3
  %t6 = call <16 x i32> asm sideeffect "; def $0, use $1 $2 $3", "=s,s,s,s"(ptr addrspace(1) %a3, <4 x i32> %t5, ptr addrspace(1) %a10)
  br i1 %a8, label %b2, label %b3

b3:
  %t7 = trunc i64 %a1 to i32
  %t8 = icmp eq i32 %t7, 5
  br i1 %t8, label %b4, label %b5

b4:
  %t9 = phi ptr addrspace(1) [ %a10, %b4 ], [ null, %b3 ]
  %t10 = ptrtoint ptr addrspace(1) %t9 to i64
  %t11 = trunc i64 %t10 to i32
  %t12 = trunc i64 %a9 to i32
  %t13 = trunc i64 %a6 to i32
  %t14 = insertelement <8 x i32> zeroinitializer, i32 %a12, i32 0
  %t15 = insertelement <8 x i32> %t14, i32 %t11, i32 2
  %t16 = insertelement <8 x i32> %t15, i32 %t12, i32 3
  %t17 = insertelement <8 x i32> %t16, i32 %t13, i32 6
  call void asm sideeffect "; use $0 $1", "s,s"(<8 x i32> %t17, <8 x i32> zeroinitializer)
  %t18 = icmp ult i32 %a13, %a0
  br i1 %t18, label %b4, label %b5

b5:
  %t19 = icmp eq i32 %a7, 0
  br i1 %t19, label %b6, label %b7

b6:
  %t20 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11 $12 $13 $14 $15, use $16 $17", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,s,s"(i64 %a4, ptr addrspace(1) %a2)
  br i1 %a8, label %b6, label %b7

b7:
  ret void
}
