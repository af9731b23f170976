; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stop-after=virtregrewriter,0 -verify-machineinstrs -o - %s | FileCheck %s

; %0.sub2 never reached %stack.0+8; $sgpr2 reads no value of the function (exit: redundant-spill, after
; virtregrewriter,0). The decision: after allocation: store of %71 into %stack.0 in bb.2 removed as redundant. A
; stack slot of its own for the partly defined register cures it.

; CHECK-LABEL: name:{{ +}}k{{$}}
; CHECK:       SI_SPILL_S64_SAVE {{.*}}%stack.2,
; CHECK:       SI_SPILL_S256_SAVE {{.*}}%stack.3,
; CHECK:       SI_SPILL_S256_SAVE {{.*}}%stack.0,
; CHECK:       SI_SPILL_S512_SAVE {{.*}}%stack.1,
; CHECK:       SI_SPILL_S256_SAVE {{.*}}%stack.3,

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %a8, i64 %a9, ptr addrspace(1) %a10, i64 %a11, i1 %t61) #0 {
entry:
  br label %b1

b1:
  %t14 = phi i64 [ 1, %entry ], [ 0, %b6 ]
  %t15 = ptrtoint ptr addrspace(1) %a10 to i64
  %t17 = trunc i64 %t15 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t17)
  %t18 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t30 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t18)
  %t45 = trunc i64 %t14 to i32
  %t43 = icmp eq i32 %t45, 0
  br i1 %t43, label %b5, label %b6

b5:
  %t46 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  br label %b6

b6:
  br i1 %t61, label %b1, label %b2

b2:
  %t68 = trunc i64 %a11 to i32
  %t81 = insertelement <8 x i32> splat (i32 1), i32 %t68, i32 1
  %t88 = ptrtoint ptr addrspace(1) %a8 to i64
  %t89 = lshr i64 %t88, 1
  br label %b7

b7:
  call void asm sideeffect "; use $0", "s"(<8 x i32> splat (i32 1))
  %t104 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t106 = trunc i64 %a9 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t106)
  br label %b7
}

attributes #0 = { "amdgpu-num-sgpr"="40" }
