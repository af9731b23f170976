; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %1.sub7 never reached %stack.0+28; $sgpr15 reads the value of %13.sub1 (exit: redundant-spill, after
; virtregrewriter,0). The decision: after allocation: store of %101 into %stack.0 in bb.1 removed as redundant.
; A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT0:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT1:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT0]],
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT2:%stack.[0-9]+]],

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i1 %a7) "amdgpu-no-dispatch-ptr" "amdgpu-num-sgpr"="28" {
b0:
  %t0 = call <4 x i32> asm sideeffect "; def $0, use $1", "=s,s"(i64 %a5)
  br i1 %a7, label %b1, label %b2

b1:
  %t1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  br label %b2

b2:
  %t2 = lshr i64 %a6, 32
  %t3 = trunc i64 %t2 to i32
  %t4 = insertelement <2 x i32> zeroinitializer, i32 %t3, i32 1
  br label %b3

b3:
  %t5 = phi i64 [ %a1, %b2 ], [ %t6, %b3 ]
  %t6 = mul i64 %a3, %t5
  br i1 %a7, label %b3, label %b4

b4:
  %t7 = icmp ne i32 1, %t3
  br i1 %t7, label %b5, label %b6

b5:
  call void asm sideeffect "; use $0", "s,~{s7},~{s8},~{s9},~{s10},~{s11},~{s12},~{s13},~{s14},~{s15},~{s16},~{s17},~{s18},~{s19}"(i64 %a4)
  %t8 = extractelement <2 x i32> %t4, i32 1
  %t9 = trunc i64 %t6 to i32
  %t10 = insertelement <4 x i32> poison, i32 %t8, i32 0
  %t11 = insertelement <4 x i32> %t10, i32 215251, i32 2
  %t12 = insertelement <4 x i32> %t11, i32 %t9, i32 3
  %t13 = trunc i64 %a1 to i32
  %t14 = icmp slt i32 0, %t13
  br i1 %t14, label %b7, label %b6

b6:
  ret void

b7:
  store i32 0, ptr addrspace(1) %a0, align 4
  %t15 = call <4 x i32> asm sideeffect "; def $0, use $1 $2", "=&s,s,s"(<4 x i32> zeroinitializer, <4 x i32> %t12)
  ret void
}
