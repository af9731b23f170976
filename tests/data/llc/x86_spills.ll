; Nine values live across an instruction that clobbers every register: X86 spills them.
target triple = "x86_64-unknown-linux-gnu"
define i64 @spills(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, ptr %p) {
  %x = load volatile i64, ptr %p
  %y = load volatile i64, ptr %p
  %z = load volatile i64, ptr %p
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15},~{rbp}"()
  %ab = add i64 %a, %b
  %cd = mul i64 %c, %d
  %ef = xor i64 %e, %f
  %xy = add i64 %x, %y
  %s = mul i64 %ab, %cd
  %t = xor i64 %ef, %xy
  %u = add i64 %s, %t
  %v = mul i64 %u, %z
  ret i64 %v
}
