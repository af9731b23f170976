; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %1.sub2 never reached %stack.0+8; $sgpr2 reads no value of the function (exit: redundant-spill, after
; virtregrewriter,0). The decision: after allocation: store of %95 into %stack.0 in bb.1 removed as redundant. A
; stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT0:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT1:%stack.[0-9]+]],
; CHECK:       SI_SPILL_S256_SAVE {{.*}}[[SLOT0]],
; CHECK:       SI_SPILL_S128_SAVE {{.*}}[[SLOT2:%stack.[0-9]+]],

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i1 %a7) "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-num-sgpr"="28" {
b0:
  %t0 = call <2 x i32> asm sideeffect "; def $0, use $1", "=s,s"(i64 %a5)
  br i1 %a7, label %b1, label %b2

b1:
  %t1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  br label %b2

b2:
  %t2 = phi i64 [ %t3, %b2 ], [ %a1, %b1 ], [ %a1, %b0 ]
  %t3 = mul i64 %a3, %t2
  br i1 %a7, label %b2, label %b3

b3:
  call void asm sideeffect "; use $0", "s,~{s7},~{s8},~{s9},~{s10},~{s11},~{s12},~{s13},~{s14},~{s15},~{s16},~{s17},~{s18},~{s19}"(i64 %a4)
  call void asm sideeffect "; use $0", "s"(i64 %a6)
  %t4 = trunc i64 %a1 to i32
  %t5 = icmp slt i32 0, %t4
  br i1 %t5, label %b4, label %b5

b4:
  store i32 0, ptr addrspace(1) %a0, align 4
  %t6 = call <2 x i32> asm sideeffect "; def $0, use $1 $2", "=&s,s,s"(i64 %t3, i64 %a4)
  ret void

b5:
  ret void
}
