; One lane of a kernel argument is copied into place after the save that should have stored it; the later save is dropped as
; redundant, so a reload yields an undefined lane (exit: redundant-spill).
; llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %a8, i64 %a9, ptr addrspace(1) %a10, i64 %a11, i1 %t61) #0 {
entry:
  br label %b1

b1:                                               ; preds = %b6, %entry
  %t14 = phi i64 [ 1, %entry ], [ 0, %b6 ]
  %t16 = lshr i64 %a9, 32
  %t15 = ptrtoint ptr addrspace(1) %a10 to i64
  %t17 = trunc i64 %t15 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t17)
  %t18 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t30 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t18)
  %t44 = lshr i64 0, 0
  %t45 = trunc i64 %t14 to i32
  %t43 = icmp eq i32 %t45, 0
  br i1 %t43, label %b5, label %b6

b5:                                               ; preds = %b1
  %t46 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  br label %b6

b6:                                               ; preds = %b5, %b1
  br i1 %t61, label %b1, label %b2

b2:                                               ; preds = %b6
  %t74 = trunc i64 %a9 to i32
  %t78 = insertelement <8 x i32> splat (i32 1), i32 0, i32 1
  %t79 = insertelement <8 x i32> splat (i32 1), i32 0, i32 1
  %t80 = insertelement <8 x i32> splat (i32 1), i32 0, i32 1
  %t68 = trunc i64 %a11 to i32
  %t81 = insertelement <8 x i32> splat (i32 1), i32 %t68, i32 1
  %t82 = insertelement <8 x i32> splat (i32 1), i32 0, i32 1
  %t83 = insertelement <8 x i32> splat (i32 1), i32 0, i32 1
  %t84 = insertelement <8 x i32> splat (i32 1), i32 0, i32 1
  %t88 = ptrtoint ptr addrspace(1) %a8 to i64
  %t89 = lshr i64 %t88, 1
  br label %b7

b7:                                               ; preds = %b7, %b2
  call void asm sideeffect "; use $0", "s"(<8 x i32> splat (i32 1))
  %t104 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t106 = trunc i64 %a9 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t106)
  %t108 = icmp ult i32 0, 1
  br label %b7
}

attributes #0 = { "amdgpu-num-sgpr"="40" }
