; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %42.sub4 never reached %stack.0+0; $sgpr4 reads no value of the function (exit: redundant-spill, after
; virtregrewriter,0). The decision: after allocation: store of %154 into %stack.0 in bb.3 removed as redundant.
; A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT0:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT1:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT1]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT2:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT3:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT4:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT5:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT2]],

target triple = "amdgcn-amd-amdhsa"

declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #0

define amdgpu_kernel void @k(ptr addrspace(1) %a0, i64 %a1, i64 %a2, i64 %a3, i32 %a4, i32 %a5, i64 %a6, i64 %a7, i64 %a8, i64 %a9, i64 %a10, i64 %a11, i32 %a12, i1 %a13) "amdgpu-no-dispatch-ptr" "amdgpu-num-sgpr"="48" {
b0:
  %t0 = call i32 @llvm.amdgcn.workitem.id.x()
  %t1 = trunc i64 %a11 to i32
  %t2 = lshr i64 %a1, 32
  %t3 = insertelement <2 x i32> zeroinitializer, i32 %t1, i32 0
  %t4 = icmp ugt i32 %a4, 7
  br i1 %t4, label %b1, label %b2

b1:
  %t5 = trunc i64 %a1 to i32
  %t6 = and i32 %t5, 4095
  call void asm sideeffect "; use $0", "s"(i64 %a8)
  br label %b2

b2:
  %t7 = phi i32 [ 0, %b1 ], [ %a5, %b0 ]
  call void asm sideeffect "; use $0", "s"(i64 %a6)
  %t8 = insertelement <4 x i32> zeroinitializer, i32 %t7, i32 2
  %t9 = insertelement <4 x i32> %t8, i32 0, i32 3
  %t10 = trunc i64 %t2 to i32
  %t11 = icmp ugt i32 %t10, 7
  br i1 %t11, label %b3, label %b8

b3:
  %t12 = trunc i64 %a7 to i32
  %t13 = trunc i64 %a9 to i32
  %t14 = insertelement <16 x i32> zeroinitializer, i32 %t13, i32 1
  %t15 = insertelement <16 x i32> %t14, i32 %a12, i32 2
  %t16 = insertelement <16 x i32> %t15, i32 %t12, i32 4
  %t17 = insertelement <16 x i32> %t16, i32 %a4, i32 5
  %t18 = icmp ult i32 %a4, 7
  br i1 %t18, label %b4, label %b5

b4:
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t9)
  %t19 = insertelement <16 x i32> %t17, i32 0, i32 2
  br label %b5

b5:
  %t20 = phi <16 x i32> [ %t19, %b4 ], [ %t17, %b3 ]
  %t21 = call <16 x i32> asm sideeffect "; change $0 $1", "=s,0"(<16 x i32> %t17)
  store i32 0, ptr addrspace(1) %a0, align 4
  br i1 %t18, label %b6, label %b7

b6:
  %t22 = call <16 x i32> asm sideeffect "; change $0 $1", "=s,0"(<16 x i32> %t20)
  br label %b11

b7:
  ret void

b8:
  call void asm sideeffect "; use $0", "s"(i32 %t7)
  %t23 = trunc i64 %a10 to i32
  %t24 = icmp slt i32 %t23, 8
  br i1 %t24, label %b9, label %b10

b9:
  call void asm sideeffect "; clobber", "~{s21},~{s22},~{s23},~{s24},~{s25},~{s26},~{s27},~{s28},~{s29},~{s30},~{s31},~{s32},~{s33},~{s34},~{s35},~{s36},~{s37},~{s38},~{s39}"()
  br label %b10

b10:
  %t25 = call <8 x i32> asm sideeffect "; def $0, use $1", "=&s,s"(i64 %a2)
  br i1 %a13, label %b10, label %b11

b11:
  %t26 = call <2 x i32> asm sideeffect "; change $0 $1", "=s,0"(<2 x i32> %t3)
  %t27 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t28 = icmp ult i32 0, %t0
  br i1 %t28, label %b11, label %b12

b12:
  call void asm sideeffect "; use $0 $1 $2 $3", "s,s,s,s"(i64 %a8, <4 x i32> %t9, i64 %a3, i32 %a4)
  ret void
}

attributes #0 = { nocallback nosync nounwind speculatable willreturn memory(none) }
