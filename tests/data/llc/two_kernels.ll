; The first kernel has nothing to allocate, so the allocator makes no spiller for some of its runs.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @nothing() {
  ret void
}

define amdgpu_kernel void @stores(ptr addrspace(1) %p, i32 %x) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %y = add i32 %i, %x
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %y, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
