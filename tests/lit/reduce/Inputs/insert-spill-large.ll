; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.0+48 held %3.sub12 and was overwritten; $sgpr12 then reads no value of the function (exit: insert-
; spill, after virtregrewriter,0). The decision: while spilling %147: store of %150 into %stack.0 in bb.8
; inserted after its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S512_SAVE {{.*}}%stack.1,
; CHECK:       SI_SPILL_S512_SAVE {{.*}}%stack.0,
; CHECK:       SI_SPILL_S512_SAVE {{.*}}%stack.0,
; CHECK:       SI_SPILL_S512_SAVE {{.*}}%stack.2,
; CHECK:       SI_SPILL_S512_SAVE {{.*}}%stack.3,

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(i32 %a0, i64 %a1, ptr addrspace(1) %a2, ptr addrspace(1) %a3, i64 %a4, i64 %a5, ptr addrspace(1) %a6, i64 %a7, i64 %a8, i1 %a9, i1 %a10, i1 %a11) #0 {
b0:
  %t0 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  br i1 %a11, label %b1, label %b2

b1:
  ret void

b2:
  %t1 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(i64 %a8)
  br i1 %a9, label %b3, label %b5

b3:
  call void asm sideeffect "; use $0", "s"(<8 x i32> zeroinitializer)
  call void asm sideeffect "; use $0", "s"(i64 %a1)
  %t2 = lshr i64 %a5, 32
  %t3 = trunc i64 %t2 to i32
  %t4 = icmp eq i32 %t3, 7
  br i1 %t4, label %b4, label %b5

b4:
  br label %b5

b5:
  call void asm sideeffect "; use $0", "s"(<4 x i32> zeroinitializer)
  %t5 = lshr i64 %a5, 32
  %t6 = trunc i64 %t5 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t6)
  call void asm sideeffect "; use $0", "s"(<8 x i32> zeroinitializer)
  br label %b6

b6:
  %t7 = phi i64 [ %a5, %b5 ], [ 0, %b6 ]
  call void asm sideeffect "; use $0", "s"(<4 x i32> zeroinitializer)
  %t8 = and i64 %a5, %t7
  %t9 = trunc i64 %t8 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t9)
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t0)
  %t10 = ptrtoint ptr addrspace(1) %a2 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t10)
  br i1 %a9, label %b6, label %b7

b7:
  %t11 = ptrtoint ptr addrspace(1) %a3 to i64
  %t12 = trunc i64 %t11 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t12)
  br label %b8

b8:
  %t13 = insertelement <4 x i32> zeroinitializer, i32 %a0, i32 2
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t13)
  %t14 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  br i1 %a10, label %b8, label %b9

b9:
  call void asm sideeffect "; use $0", "s"(i64 %a7)
  %t15 = ptrtoint ptr addrspace(1) %a6 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t15)
  %t16 = lshr i64 %a5, 32
  %t17 = trunc i64 %t16 to i32
  %t18 = trunc i64 %a4 to i32
  %t19 = insertelement <4 x i32> poison, i32 %t17, i32 0
  %t20 = insertelement <4 x i32> %t19, i32 %t18, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t20)
  ret void
}

attributes #0 = { "amdgpu-num-sgpr"="56" }
