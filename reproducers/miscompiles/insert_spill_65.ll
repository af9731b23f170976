; Two lanes of a kernel argument are overwritten by a save of a partly defined register into the slot they share
; (exit: insert-spill).
; llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3
target triple = "amdgcn-amd-amdhsa"

; Function Attrs: nounwind
define amdgpu_kernel void @k(ptr addrspace(1) %a0, i64 %a1, ptr addrspace(1) %a2, ptr addrspace(1) %a3, ptr addrspace(1) %a4, ptr addrspace(1) %a5, i64 %a6, i64 %a7, i64 %a8, ptr addrspace(1) %a9, ptr addrspace(1) %a10, i64 %a11, i32 %a12) #0 {
entry:
  %t2 = lshr i64 %a7, 32
  %t3 = trunc i64 %t2 to i32
  %t1 = icmp eq i32 %t3, 8
  br i1 %t1, label %b3, label %entry.b2_crit_edge

entry.b2_crit_edge:                               ; preds = %entry
  %.pre = ptrtoint ptr addrspace(1) %a10 to i64
  br label %b2

b3:                                               ; preds = %b3, %entry
  %t24 = icmp ult i32 0, %a12
  br i1 %t24, label %b3, label %b4

b4:                                               ; preds = %b3
  %t26 = ptrtoint ptr addrspace(1) %a10 to i64
  br label %b2

b2:                                               ; preds = %entry.b2_crit_edge, %b4
  %t43.pre-phi = phi i64 [ %.pre, %entry.b2_crit_edge ], [ %t26, %b4 ]
  %t36 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t38 = insertelement <16 x i32> %t36, i32 0, i32 3
  %t44 = trunc i64 %t43.pre-phi to i32
  %t45 = ptrtoint ptr addrspace(1) %a9 to i64
  %t46 = lshr i64 %t45, 32
  %t47 = trunc i64 %t46 to i32
  %t42 = sub i32 %t44, %t47
  %t48 = icmp eq i32 %t3, 0
  br i1 %t48, label %b5, label %b6

b5:                                               ; preds = %b2
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t38)
  br label %b6

b6:                                               ; preds = %b5, %b2
  %t61 = insertelement <16 x i32> %t38, i32 %t42, i32 8
  call void asm sideeffect "; use $0", "s"(<8 x i32> zeroinitializer)
  call void asm sideeffect "; use $0", "s"(i32 %t3)
  %t149 = trunc i64 %a8 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t149)
  br label %b15

b15:                                              ; preds = %b15, %b6
  call void asm sideeffect "; use $0", "s"(<8 x i32> zeroinitializer)
  %t195 = icmp ult i32 0, %a12
  br i1 %t195, label %b15, label %b16

b16:                                              ; preds = %b15
  %t197 = ptrtoint ptr addrspace(1) %a2 to i64
  %t198 = trunc i64 %t197 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t198)
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t61)
  ret void

; uselistorder directives
  uselistorder ptr addrspace(1) %a10, { 1, 0 }
  uselistorder label %b2, { 1, 0 }
}

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="1,64" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-num-sgpr"="48" "amdgpu-waves-per-eu"="1,8" }
