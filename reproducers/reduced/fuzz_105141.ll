; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.4+0 held %25.sub2 and was overwritten; $sgpr10 then reads the value of %80.sub0 (exit: insert-spill,
; after virtregrewriter,0). The decision: while spilling %108: store of %112 into %stack.4 in bb.3 inserted
; after its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT:%stack.[0-9]+]]
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       SI_SPILL_S256_RESTORE [[SLOT]],
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       INLINEASM

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i32 %a4, i64 %a5, i1 %a6, i1 %a7, i1 %a8) "amdgpu-num-sgpr"="28" {
b0:
  %t0 = trunc i64 %a3 to i32
  %t1 = insertelement <2 x i32> zeroinitializer, i32 %t0, i32 1
  %t2 = extractelement <2 x i32> %t1, i32 1
  %t3 = insertelement <8 x i32> poison, i32 %a4, i32 0
  %t4 = insertelement <8 x i32> %t3, i32 %a4, i32 1
  %t5 = insertelement <8 x i32> %t4, i32 183689, i32 2
  %t6 = insertelement <8 x i32> %t5, i32 %t2, i32 5
  %t7 = insertelement <8 x i32> %t6, i32 196162, i32 6
  %t8 = trunc i64 %a5 to i32
  %t9 = icmp ne i32 %t8, 3
  br i1 %t9, label %b2, label %b1

b1:
  ret void

b2:
  %t10 = phi i64 [ %a0, %b6 ], [ %a1, %b0 ]
  %t11 = call <8 x i32> asm sideeffect "; change $0 $1", "=s,0"(<8 x i32> zeroinitializer)
  br i1 %a8, label %b3, label %b4

b3:
  %t12 = phi i32 [ %a4, %b3 ], [ 0, %b2 ]
  %t13 = icmp ult i32 %t12, %t2
  br i1 %t13, label %b3, label %b5

b4:
  call void asm sideeffect "; use $0 $1 $2 $3", "s,s,s,s"(i64 %a5, i32 0, i64 %a2, i64 %t10)
  call void asm sideeffect "; clobber", "~{s0},~{s1},~{s2},~{s3},~{s4},~{s5},~{s6},~{s7},~{s8},~{s9},~{s10},~{s11},~{s12},~{s13},~{s14},~{s15},~{s16},~{s17},~{s18},~{s19}"()
  br label %b5

b5:
  %t14 = call <8 x i32> asm sideeffect "; def $0, use $1", "=s,s"(<8 x i32> %t7)
  br i1 %a6, label %b5, label %b6

b6:
  br i1 %a7, label %b2, label %b7

b7:
  ret void
}
