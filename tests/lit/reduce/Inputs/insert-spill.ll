; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %stack.0+24 held %2.sub6 and was overwritten; $sgpr10 then reads the value of %42.sub10 (exit: insert-spill,
; after virtregrewriter,0). The decision: while spilling %66: store of %69 into %stack.0 in bb.6 inserted after
; its definition. A stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT:%stack.[0-9]+]]
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT]]
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       SI_SPILL_S256_RESTORE [[SLOT]],
; CHECK-NOT:   _SAVE {{.*}}[[SLOT]],
; CHECK:       S_SUB_I32

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(i64 %a, ptr addrspace(1) %a11, i64 %a12, i64 %a13, ptr addrspace(1) %a14, ptr addrspace(1) %a15, i32 %a16, i64 %a17, i32 %a18, i64 %a19, i1 %a20) #0 {
b:
  %t = trunc i64 %a12 to i32
  br i1 %a20, label %b21, label %b29

b21:
  %t24 = icmp ult i32 0, %a16
  br i1 %t24, label %b21, label %b26

b26:
  %t28 = ptrtoint ptr addrspace(1) %a15 to i64
  br label %b29

b29:
  %t30 = phi i64 [ %t28, %b26 ], [ %a, %b ]
  %t31 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t32 = insertelement <16 x i32> %t31, i32 0, i32 3
  %t33 = trunc i64 %t30 to i32
  %t34 = ptrtoint ptr addrspace(1) %a14 to i64
  %t35 = trunc i64 %t34 to i32
  %t36 = sub i32 %t33, %t35
  %t37 = icmp eq i32 %t, 0
  br i1 %t37, label %b38, label %b39

b38:
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t32)
  br label %b39

b39:
  %t40 = insertelement <16 x i32> %t32, i32 %t36, i32 8
  call void asm sideeffect "; use $0", "s"(<8 x i32> zeroinitializer)
  call void asm sideeffect "; use $0", "s"(i32 %t)
  %t41 = trunc i64 %a13 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t41)
  br label %b42

b42:
  %t43 = icmp ult i32 0, %a16
  br i1 %t43, label %b42, label %b44

b44:
  call void asm sideeffect "; use $0", "s"(i32 %a18)
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t40)
  ret void
}

attributes #0 = { "amdgpu-no-dispatch-ptr" "amdgpu-num-sgpr"="48" }
