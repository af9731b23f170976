; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.2+16 held %81.sub4 and was overwritten; $sgpr4 then reads the value of %62.sub0 (exit: insert-spill,
; after virtregrewriter,0). The decision: while spilling %312: store of %315 into %stack.2 in bb.3 inserted
; after its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT0:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT1:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S32_SAVE {{.*}}[[SLOT2:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT3:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT4:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT5:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S64_SAVE {{.*}}[[SLOT6:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT7:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT8:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT9:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT10:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT11:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S32_SAVE {{.*}}[[SLOT2]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT9]],
; CHECK:       SI_SPILL_S64_SAVE {{.*}}[[SLOT12:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT13:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT7]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT14:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT8]],
; CHECK:       SI_SPILL_S64_SAVE {{.*}}[[SLOT6]],
; CHECK:       SI_SPILL_S32_SAVE {{.*}}[[SLOT15:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S64_SAVE {{.*}}[[SLOT16:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT17:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT18:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT19:%stack.[0-9]+]],

target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32 immarg) #0

define amdgpu_kernel void @k(ptr addrspace(4) %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i32 %a5, i64 %a6, i64 %a7, i64 %a8, i64 %a9, i32 %a10, i64 %a11, i32 %a12, i64 %a13, i64 %a14, i1 %a15, i32 %a16) "amdgpu-no-dispatch-ptr" "amdgpu-num-sgpr"="32" {
b0:
  %t0 = trunc i64 %a4 to i32
  %t1 = trunc i64 %a13 to i32
  %t2 = insertelement <4 x i32> poison, i32 %t1, i32 0
  %t3 = insertelement <4 x i32> %t2, i32 %t0, i32 2
  %t4 = insertelement <4 x i32> %t3, i32 822243328, i32 3
  %t5 = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %t4, i32 0, i32 0, i32 0)
  call void asm sideeffect "; use $0 $1", "v,s"(i32 %t5, i64 0)
  %t6 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t7 = load i32, ptr addrspace(4) %a0, align 4
  %t8 = trunc i64 %a6 to i32
  %t9 = icmp eq i32 %t8, 0
  br i1 %t9, label %b1, label %b2

b1:
  %t10 = trunc i64 %a3 to i32
  %t11 = sub i32 %t10, %a5
  %t12 = lshr i64 %a8, 32
  %t13 = trunc i64 %t12 to i32
  %t14 = trunc i64 %a1 to i32
  %t15 = insertelement <2 x i32> poison, i32 %t14, i32 0
  call void asm sideeffect "; use $0", "s"(i64 %a1)
  %t16 = call <2 x i32> asm sideeffect "; change $0 $1", "=s,0"(<2 x i32> %t15)
  %t17 = trunc i64 %a9 to i32
  %t18 = insertelement <4 x i32> zeroinitializer, i32 %t17, i32 1
  %t19 = insertelement <4 x i32> %t18, i32 822243328, i32 3
  %t20 = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %t18, i32 0, i32 0, i32 0)
  call void asm sideeffect "; use $0", "v"(i32 %t20)
  %t21 = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %t19, i32 0, i32 0, i32 0)
  %t22 = call <8 x i32> asm sideeffect "; def $0, use $1 $2", "=s,s,v"(i64 %a1, i32 %t21)
  br label %b3

b2:
  %t23 = trunc i64 %a13 to i32
  %t24 = insertelement <8 x i32> zeroinitializer, i32 %t23, i32 1
  %t25 = insertelement <8 x i32> %t24, i32 %a16, i32 4
  %t26 = insertelement <8 x i32> %t25, i32 %t7, i32 5
  %t27 = insertelement <4 x i32> %t4, i32 0, i32 2
  %t28 = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %t27, i32 0, i32 0, i32 0)
  call void asm sideeffect "; use $0", "v"(i32 %t28)
  %t29 = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> zeroinitializer, i32 0, i32 0, i32 0)
  call void asm sideeffect "; use $0", "v"(i32 %t29)
  br label %b3

b3:
  %t30 = phi i32 [ %t11, %b1 ], [ 0, %b2 ]
  %t31 = phi <8 x i32> [ %t22, %b1 ], [ %t26, %b2 ]
  br label %b4

b4:
  %t32 = phi i64 [ %a11, %b3 ], [ %a7, %b4 ]
  %t33 = phi i64 [ 0, %b3 ], [ %t41, %b4 ]
  %t34 = lshr i64 %a8, 32
  %t35 = trunc i64 %t33 to i32
  %t36 = insertelement <4 x i32> poison, i32 %t35, i32 0
  %t37 = insertelement <4 x i32> %t36, i32 %t0, i32 2
  %t38 = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %t37, i32 0, i32 0, i32 0)
  %t39 = trunc i64 %a1 to i32
  call void asm sideeffect "; use $0 $1 $2 $3", "s,s,v,s"(i64 %t34, i32 0, i32 %t38, i32 %t39)
  %t40 = call <8 x i32> asm sideeffect "; change $0 $1", "=s,0"(<8 x i32> %t31)
  call void asm sideeffect "; use $0 $1", "s,s"(i64 %a4, i64 %a2)
  %t41 = add i64 %t33, %a1
  br i1 %a15, label %b4, label %b5

b5:
  call void asm sideeffect "; use $0", "s"(i64 %a1)
  call void asm sideeffect "; use $0 $1 $2 $3", "s,s,s,s"(i32 %t30, i32 %a5, i64 %a13, i64 %t32)
  ret void
}

attributes #0 = { nocallback nosync nounwind willreturn memory(read) }
