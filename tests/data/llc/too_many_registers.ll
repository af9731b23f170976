; Three values of 32 registers each are wanted at once by a kernel that may use 64.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @greedy_needs() #0 {
  %a = call <32 x i32> asm sideeffect "; def $0", "=v"()
  %b = call <32 x i32> asm sideeffect "; def $0", "=v"()
  %c = call <32 x i32> asm sideeffect "; def $0", "=v"()
  call void asm sideeffect "; use $0 $1 $2", "v,v,v"(<32 x i32> %a, <32 x i32> %b, <32 x i32> %c)
  ret void
}

attributes #0 = { "target-cpu"="gfx942" "amdgpu-num-vgpr"="64" }
