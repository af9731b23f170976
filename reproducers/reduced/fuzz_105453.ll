; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.1+24 held %100.sub6 and was overwritten; $sgpr6 then reads the value of %55.sub0 (exit: insert-spill,
; after virtregrewriter,0). The decision: while spilling %125: store of %127 into %stack.1 in bb.3 inserted
; after its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT0:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT1:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT2:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT3:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S512_SAVE {{.*}}[[SLOT1]],

target triple = "amdgcn-amd-amdhsa"

declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #0

define amdgpu_kernel void @k(i64 %a0, i32 %a1, i64 %a2, i32 %a3, i1 %a4) "amdgpu-num-sgpr"="56" {
b0:
  %t0 = call i32 @llvm.amdgcn.workitem.id.x()
  %t1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t2 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1, 16
  %t3 = trunc i64 %a0 to i32
  %t4 = insertelement <16 x i32> zeroinitializer, i32 %a3, i32 4
  %t5 = insertelement <16 x i32> %t4, i32 %a1, i32 5
  %t6 = insertelement <16 x i32> %t5, i32 %t3, i32 6
  %t7 = insertelement <16 x i32> %t6, i32 %t2, i32 8
  %t8 = icmp ne i32 %t3, 9
  %t9 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  br i1 %t8, label %b2, label %b1

b1:
  ret void

b2:
  %t10 = icmp ult i32 0, %t0
  br i1 %t10, label %b2, label %b3

b3:
  call void asm sideeffect "; use $0", "s"(i32 %a1)
  br i1 %a4, label %b4, label %b5

b4:
  %t11 = lshr i64 %a0, 32
  %t12 = trunc i64 %t11 to i32
  call void asm sideeffect "; use $0", "s"(i64 %a0)
  %t13 = extractelement <16 x i32> %t9, i32 15
  br label %b5

b5:
  %t14 = phi i32 [ %t13, %b4 ], [ 0, %b3 ]
  %t15 = lshr i64 %a0, 32
  %t16 = trunc i64 %t15 to i32
  %t17 = insertelement <2 x i32> zeroinitializer, i32 %t16, i32 1
  br i1 %a4, label %b6, label %b7

b6:
  %t18 = extractelement <16 x i32> %t9, i32 8
  call void asm sideeffect "; use $0 $1", "s,s"(i32 %t18, i32 %t14)
  br label %b7

b7:
  call void asm sideeffect "; use $0 $1", "s,s"(<16 x i32> %t7, <2 x i32> %t17)
  ret void
}

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
