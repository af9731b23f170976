; Nineteen demanded lanes are overwritten by saves of partly defined registers, in a program of 133 blocks with nested loops and wide tuples
; (exit: insert-spill).
; llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i32 %a6, i32 %a7, i64 %a8, ptr addrspace(1) %a9, ptr addrspace(1) %a10, i64 %a11, i64 %a12, ptr addrspace(1) %a13, i64 %a14, i32 %a15, i64 %a16, i64 %a17, i64 %a18, i64 %a19, i64 %a20, i32 %a21, i32 %a22, i64 %a23, ptr addrspace(1) %a24, i32 %a25, ptr addrspace(1) %a26, i64 %a27) #0 {
entry:
  %t1 = lshr i64 %a11, 32
  %t2 = trunc i64 %t1 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t2)
  %t4 = lshr i64 %a11, 32
  %t5 = trunc i64 %t4 to i32
  %t3 = add i32 %a15, %t5
  %t7 = trunc i64 %a12 to i32
  %t6 = icmp eq i32 %t7, 8
  br i1 %t6, label %b1, label %b2
b1:
  %t9 = trunc i64 %a1 to i32
  %t8 = mul i32 %t9, %a25
  %t11 = lshr i64 %a17, 32
  %t12 = trunc i64 %t11 to i32
  %t13 = trunc i64 %a4 to i32
  %t10 = sub i32 %t12, %t13
  %t14 = ptrtoint ptr addrspace(1) %a0 to i64
  %t15 = trunc i64 %t14 to i32
  %t16 = ptrtoint ptr addrspace(1) %a10 to i64
  %t17 = trunc i64 %t16 to i32
  %t18 = lshr i64 %t16, 32
  %t19 = trunc i64 %t18 to i32
  %t20 = insertelement <4 x i32> poison, i32 %t17, i32 0
  %t21 = insertelement <4 x i32> %t20, i32 %t19, i32 1
  %t22 = insertelement <4 x i32> %t21, i32 %t15, i32 2
  %t23 = insertelement <4 x i32> %t22, i32 993653, i32 3
  br label %b2
b2:
  %t24 = lshr i64 %a18, 32
  %t25 = trunc i64 %t24 to i32
  %t26 = insertelement <4 x i32> poison, i32 %a22, i32 0
  %t27 = insertelement <4 x i32> %t26, i32 821189, i32 1
  %t28 = insertelement <4 x i32> %t27, i32 %t25, i32 2
  %t29 = insertelement <4 x i32> %t28, i32 %a15, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  %t30 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t31 = icmp eq i32 %a6, 0
  br i1 %t31, label %b3, label %b4
b3:
  %t32 = ptrtoint ptr addrspace(1) %a13 to i64
  %t33 = trunc i64 %t32 to i32
  %t34 = ptrtoint ptr addrspace(1) %a26 to i64
  %t35 = trunc i64 %t34 to i32
  %t36 = trunc i64 %a17 to i32
  %t37 = lshr i64 %a8, 32
  %t38 = trunc i64 %t37 to i32
  %t39 = trunc i64 %a18 to i32
  %t40 = lshr i64 %a18, 32
  %t41 = trunc i64 %t40 to i32
  %t42 = insertelement <8 x i32> poison, i32 %t39, i32 0
  %t43 = insertelement <8 x i32> %t42, i32 %t41, i32 1
  %t44 = insertelement <8 x i32> %t43, i32 %t35, i32 2
  %t45 = insertelement <8 x i32> %t44, i32 823697, i32 3
  %t46 = insertelement <8 x i32> %t45, i32 %t36, i32 4
  %t47 = insertelement <8 x i32> %t46, i32 %a7, i32 5
  %t48 = insertelement <8 x i32> %t47, i32 %t38, i32 6
  %t49 = insertelement <8 x i32> %t48, i32 1020227, i32 7
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t49)
  %t50 = extractelement <4 x i32> %t29, i32 1
  br label %b5
b5:
  %t51 = phi i32 [ 0, %b3 ], [ %t178, %b16 ]
  %t52 = phi i64 [ %a12, %b3 ], [ %a20, %b16 ]
  %t53 = phi i64 [ %a23, %b3 ], [ %a20, %b16 ]
  %t55 = trunc i64 %a27 to i32
  %t54 = icmp eq i32 %t55, 5
  br i1 %t54, label %b7, label %b8
b7:
  %t56 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t57 = lshr i64 %a5, 32
  %t58 = trunc i64 %t57 to i32
  %t59 = lshr i64 %a12, 32
  %t60 = trunc i64 %t59 to i32
  %t61 = insertelement <4 x i32> poison, i32 %a22, i32 0
  %t62 = insertelement <4 x i32> %t61, i32 %t58, i32 1
  %t63 = insertelement <4 x i32> %t62, i32 %t60, i32 2
  %t64 = insertelement <4 x i32> %t63, i32 374869, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t64)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t64)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t49)
  %t65 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %t66 = ptrtoint ptr addrspace(1) %a0 to i64
  %t67 = trunc i64 %t66 to i32
  %t68 = lshr i64 %a19, 32
  %t69 = trunc i64 %t68 to i32
  %t70 = trunc i64 %a1 to i32
  %t71 = insertelement <4 x i32> poison, i32 %t67, i32 0
  %t72 = insertelement <4 x i32> %t71, i32 %t69, i32 1
  %t73 = insertelement <4 x i32> %t72, i32 465678, i32 2
  %t74 = insertelement <4 x i32> %t73, i32 %t70, i32 3
  br label %b8
b8:
  %t75 = icmp eq i32 %a25, 1
  br i1 %t75, label %b9, label %b10
b9:
  %t77 = lshr i64 %a12, 32
  %t78 = trunc i64 %t77 to i32
  %t79 = trunc i64 %a16 to i32
  %t76 = add i32 %t78, %t79
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  call void asm sideeffect "; use $0", "s"(i32 %a21)
  %t81 = trunc i64 %a18 to i32
  %t80 = add i32 %t81, %a7
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  br label %b10
b10:
  %t82 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t83 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t82, 3
  %t84 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t82, 8
  call void asm sideeffect "; use $0", "s"(i32 %t84)
  %t85 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t82, 7
  call void asm sideeffect "; use $0", "s"(i32 %t85)
  call void asm sideeffect "; use $0", "s"(i32 %t83)
  %t86 = add i64 %a11, %a2
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  %t87 = extractelement <4 x i32> %t29, i32 1
  br label %b11
b11:
  %t88 = phi i32 [ 0, %b10 ], [ %t107, %b11 ]
  %t89 = phi <8 x i32> [ %t49, %b10 ], [ %t89, %b11 ]
  %t90 = phi i64 [ %a18, %b10 ], [ %t91, %b11 ]
  call void asm sideeffect "; use $0", "s"(i64 %t52)
  call void asm sideeffect "; use $0", "s"(i64 %a20)
  %t91 = and i64 %t90, %a4
  %t92 = ptrtoint ptr addrspace(1) %a10 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t92)
  %t93 = trunc i64 %a4 to i32
  %t94 = ptrtoint ptr addrspace(1) %a10 to i64
  %t95 = trunc i64 %t94 to i32
  %t96 = trunc i64 %a18 to i32
  %t97 = insertelement <4 x i32> poison, i32 %t93, i32 0
  %t98 = insertelement <4 x i32> %t97, i32 673914, i32 1
  %t99 = insertelement <4 x i32> %t98, i32 %t95, i32 2
  %t100 = insertelement <4 x i32> %t99, i32 %t96, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t100)
  call void asm sideeffect "; use $0", "s"(i64 %a14)
  %t101 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t101)
  %t102 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t103 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t102, 7
  call void asm sideeffect "; use $0", "s"(i32 %t103)
  %t104 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t102, 3
  call void asm sideeffect "; use $0", "s"(i32 %t104)
  %t105 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t102, 14
  call void asm sideeffect "; use $0", "s"(i32 %t105)
  %t106 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %t107 = add i32 %t88, 1
  %t108 = icmp ult i32 %t107, %a21
  br i1 %t108, label %b11, label %b12
b12:
  %t109 = trunc i64 %a3 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t109)
  %t110 = ptrtoint ptr addrspace(1) %a13 to i64
  %t111 = trunc i64 %t110 to i32
  %t112 = trunc i64 %a12 to i32
  %t113 = ptrtoint ptr addrspace(1) %a24 to i64
  %t114 = trunc i64 %t113 to i32
  %t115 = insertelement <8 x i32> poison, i32 %t3, i32 0
  %t116 = insertelement <8 x i32> %t115, i32 262241, i32 1
  %t117 = insertelement <8 x i32> %t116, i32 1015410, i32 2
  %t118 = insertelement <8 x i32> %t117, i32 %t111, i32 3
  %t119 = insertelement <8 x i32> %t118, i32 926341, i32 4
  %t120 = insertelement <8 x i32> %t119, i32 %t112, i32 5
  %t121 = insertelement <8 x i32> %t120, i32 %t114, i32 6
  %t122 = insertelement <8 x i32> %t121, i32 %a22, i32 7
  %t123 = icmp eq i32 %a15, 6
  br i1 %t123, label %b13, label %b14
b13:
  %t125 = trunc i64 %t53 to i32
  %t124 = and i32 %t125, %a15
  %t126 = trunc i64 %t52 to i32
  %t127 = insertelement <4 x i32> poison, i32 385799, i32 0
  %t128 = insertelement <4 x i32> %t127, i32 %t126, i32 1
  %t129 = insertelement <4 x i32> %t128, i32 1041672, i32 2
  %t130 = insertelement <4 x i32> %t129, i32 %a6, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t130)
  %t131 = ptrtoint ptr addrspace(1) %a10 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t131)
  %t132 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t133 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t132, 14
  call void asm sideeffect "; use $0", "s"(i32 %t133)
  %t134 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t132, 0
  call void asm sideeffect "; use $0", "s"(i32 %t134)
  %t135 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t132, 1
  call void asm sideeffect "; use $0", "s"(i32 %t135)
  %t137 = lshr i64 %a2, 32
  %t138 = trunc i64 %t137 to i32
  %t136 = insertelement <4 x i32> %t130, i32 %t138, i32 0
  %t139 = ptrtoint ptr addrspace(1) %a24 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t139)
  %t141 = lshr i64 %a18, 32
  %t142 = trunc i64 %t141 to i32
  %t143 = lshr i64 %t52, 32
  %t144 = trunc i64 %t143 to i32
  %t140 = mul i32 %t142, %t144
  %t145 = trunc i64 %a23 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t145)
  br label %b14
b14:
  %t147 = ptrtoint ptr addrspace(1) %a13 to i64
  %t148 = ptrtoint ptr addrspace(1) %a9 to i64
  %t146 = xor i64 %t147, %t148
  %t149 = icmp eq i32 %a7, 5
  br i1 %t149, label %b15, label %b16
b15:
  %t150 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t151 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t150, 1
  call void asm sideeffect "; use $0", "s"(i32 %t151)
  %t152 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t150, 0
  %t153 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t150, 5
  call void asm sideeffect "; use $0", "s"(i32 %t153)
  call void asm sideeffect "; use $0", "s"(i64 %t146)
  %t155 = lshr i64 %a1, 32
  %t156 = trunc i64 %t155 to i32
  %t154 = mul i32 %t156, %a6
  %t157 = trunc i64 %a14 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t157)
  %t158 = trunc i64 %a27 to i32
  %t159 = lshr i64 %a20, 32
  %t160 = trunc i64 %t159 to i32
  %t161 = trunc i64 %t53 to i32
  %t162 = lshr i64 %a19, 32
  %t163 = trunc i64 %t162 to i32
  %t164 = insertelement <8 x i32> poison, i32 %t158, i32 0
  %t165 = insertelement <8 x i32> %t164, i32 %t50, i32 1
  %t166 = insertelement <8 x i32> %t165, i32 %t160, i32 2
  %t167 = insertelement <8 x i32> %t166, i32 %t50, i32 3
  %t168 = insertelement <8 x i32> %t167, i32 322918, i32 4
  %t169 = insertelement <8 x i32> %t168, i32 %t161, i32 5
  %t170 = insertelement <8 x i32> %t169, i32 %t163, i32 6
  %t171 = insertelement <8 x i32> %t170, i32 %t154, i32 7
  %t172 = lshr i64 %a18, 32
  %t173 = trunc i64 %t172 to i32
  %t174 = insertelement <4 x i32> poison, i32 226359, i32 0
  %t175 = insertelement <4 x i32> %t174, i32 799202, i32 1
  %t176 = insertelement <4 x i32> %t175, i32 118220, i32 2
  %t177 = insertelement <4 x i32> %t176, i32 %t173, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t177)
  br label %b16
b16:
  %t178 = add i32 %t51, 1
  %t179 = icmp ult i32 %t178, %a22
  br i1 %t179, label %b5, label %b6
b6:
  %t181 = lshr i64 %a4, 32
  %t182 = trunc i64 %t181 to i32
  %t180 = insertelement <8 x i32> %t49, i32 %t182, i32 3
  %t183 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t184 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t183, 15
  call void asm sideeffect "; use $0", "s"(i32 %t184)
  %t185 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t183, 5
  call void asm sideeffect "; use $0", "s"(i32 %t185)
  %t186 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t183, 12
  call void asm sideeffect "; use $0", "s"(i32 %t186)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t180)
  %t187 = and i64 %a1, %a8
  %t188 = ptrtoint ptr addrspace(1) %a10 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t188)
  br label %b4
b4:
  %t190 = lshr i64 %a8, 32
  %t191 = trunc i64 %t190 to i32
  %t189 = icmp eq i32 %t191, 5
  br i1 %t189, label %b17, label %b18
b17:
  %t193 = lshr i64 %a17, 32
  %t194 = trunc i64 %t193 to i32
  %t195 = ptrtoint ptr addrspace(1) %a24 to i64
  %t196 = trunc i64 %t195 to i32
  %t192 = sub i32 %t194, %t196
  %t197 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %t198 = lshr i64 %a19, 32
  %t199 = trunc i64 %t198 to i32
  %t200 = ptrtoint ptr addrspace(1) %a26 to i64
  %t201 = trunc i64 %t200 to i32
  %t202 = trunc i64 %a14 to i32
  %t203 = trunc i64 %a4 to i32
  %t204 = lshr i64 %a4, 32
  %t205 = trunc i64 %t204 to i32
  %t206 = insertelement <4 x i32> poison, i32 %t203, i32 0
  %t207 = insertelement <4 x i32> %t206, i32 %t205, i32 1
  %t208 = insertelement <4 x i32> %t207, i32 %t201, i32 2
  %t209 = insertelement <4 x i32> %t208, i32 %t202, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t209)
  br label %b19
b19:
  %t210 = phi i32 [ 0, %b17 ], [ %t278, %b24 ]
  %t211 = phi ptr addrspace(1) [ %a0, %b17 ], [ %a24, %b24 ]
  %t212 = phi i64 [ %a11, %b17 ], [ %a16, %b24 ]
  %t213 = phi ptr addrspace(1) [ %a24, %b17 ], [ %a10, %b24 ]
  %t214 = ptrtoint ptr addrspace(1) %a9 to i64
  %t215 = lshr i64 %t214, 32
  %t216 = trunc i64 %t215 to i32
  %t217 = ptrtoint ptr addrspace(1) %t211 to i64
  %t218 = trunc i64 %t217 to i32
  %t219 = trunc i64 %a23 to i32
  %t220 = trunc i64 %a11 to i32
  %t221 = trunc i64 %a19 to i32
  %t222 = trunc i64 %a16 to i32
  %t223 = trunc i64 %a14 to i32
  %t224 = lshr i64 %a14, 32
  %t225 = trunc i64 %t224 to i32
  %t226 = insertelement <8 x i32> poison, i32 %t223, i32 0
  %t227 = insertelement <8 x i32> %t226, i32 %t225, i32 1
  %t228 = insertelement <8 x i32> %t227, i32 %t218, i32 2
  %t229 = insertelement <8 x i32> %t228, i32 %t219, i32 3
  %t230 = insertelement <8 x i32> %t229, i32 %t3, i32 4
  %t231 = insertelement <8 x i32> %t230, i32 %t220, i32 5
  %t232 = insertelement <8 x i32> %t231, i32 %t221, i32 6
  %t233 = insertelement <8 x i32> %t232, i32 %t222, i32 7
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t233)
  call void asm sideeffect "; use $0", "s"(i64 %a5)
  call void asm sideeffect "; use $0", "s"(i64 %a3)
  %t234 = icmp eq i32 %a7, 0
  br i1 %t234, label %b21, label %b22
b21:
  %t235 = ptrtoint ptr addrspace(1) %a10 to i64
  %t236 = lshr i64 %t235, 32
  %t237 = trunc i64 %t236 to i32
  %t238 = ptrtoint ptr addrspace(1) %a0 to i64
  %t239 = trunc i64 %t238 to i32
  %t240 = trunc i64 %a12 to i32
  %t241 = lshr i64 %a12, 32
  %t242 = trunc i64 %t241 to i32
  %t243 = insertelement <4 x i32> poison, i32 %t240, i32 0
  %t244 = insertelement <4 x i32> %t243, i32 %t242, i32 1
  %t245 = insertelement <4 x i32> %t244, i32 976673, i32 2
  %t246 = insertelement <4 x i32> %t245, i32 %t192, i32 3
  %t247 = trunc i64 %a5 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t247)
  %t249 = ptrtoint ptr addrspace(1) %a26 to i64
  %t248 = xor i64 %t249, %a1
  br label %b22
b22:
  br label %b23
b23:
  %t250 = phi i32 [ 0, %b22 ], [ %t271, %b23 ]
  %t251 = phi i64 [ %a11, %b22 ], [ %a8, %b23 ]
  %t252 = phi i32 [ %a21, %b22 ], [ %t192, %b23 ]
  %t253 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t254 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t253, 15
  call void asm sideeffect "; use $0", "s"(i32 %t254)
  %t255 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t253, 3
  call void asm sideeffect "; use $0", "s"(i32 %t255)
  %t256 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t253, 9
  call void asm sideeffect "; use $0", "s"(i32 %t256)
  %t258 = ptrtoint ptr addrspace(1) %a10 to i64
  %t259 = lshr i64 %t258, 32
  %t260 = trunc i64 %t259 to i32
  %t261 = lshr i64 %a27, 32
  %t262 = trunc i64 %t261 to i32
  %t257 = xor i32 %t260, %t262
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t197)
  %t264 = lshr i64 %a8, 32
  %t265 = trunc i64 %t264 to i32
  %t263 = sub i32 %a21, %t265
  %t266 = lshr i64 %a19, 32
  %t267 = trunc i64 %t266 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t267)
  %t269 = lshr i64 %a5, 32
  %t270 = trunc i64 %t269 to i32
  %t268 = insertelement <8 x i32> %t233, i32 %t270, i32 5
  %t271 = add i32 %t250, 1
  %t272 = icmp ult i32 %t271, %t192
  br i1 %t272, label %b23, label %b24
b24:
  call void asm sideeffect "; use $0", "s"(i32 %t3)
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  %t274 = ptrtoint ptr addrspace(1) %a0 to i64
  %t275 = ptrtoint ptr addrspace(1) %a9 to i64
  %t273 = xor i64 %t274, %t275
  %t276 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t277 = extractelement <4 x i32> %t209, i32 3
  %t278 = add i32 %t210, 1
  %t279 = icmp ult i32 %t278, %a25
  br i1 %t279, label %b19, label %b20
b20:
  %t281 = trunc i64 %a8 to i32
  %t282 = lshr i64 %a23, 32
  %t283 = trunc i64 %t282 to i32
  %t280 = mul i32 %t281, %t283
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  call void asm sideeffect "; use $0", "s"(i32 %a21)
  call void asm sideeffect "; use $0", "s"(i64 %a1)
  br label %b18
b18:
  call void asm sideeffect "; use $0", "s"(i32 %a25)
  %t284 = ptrtoint ptr addrspace(1) %a0 to i64
  %t285 = trunc i64 %t284 to i32
  %t286 = ptrtoint ptr addrspace(1) %a26 to i64
  %t287 = trunc i64 %t286 to i32
  %t288 = trunc i64 %a23 to i32
  %t289 = insertelement <8 x i32> poison, i32 %a22, i32 0
  %t290 = insertelement <8 x i32> %t289, i32 %a7, i32 1
  %t291 = insertelement <8 x i32> %t290, i32 %t285, i32 2
  %t292 = insertelement <8 x i32> %t291, i32 %t287, i32 3
  %t293 = insertelement <8 x i32> %t292, i32 %t288, i32 4
  %t294 = insertelement <8 x i32> %t293, i32 552969, i32 5
  %t295 = insertelement <8 x i32> %t294, i32 572750, i32 6
  %t296 = insertelement <8 x i32> %t295, i32 %t3, i32 7
  %t297 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t299 = lshr i64 %a20, 32
  %t300 = trunc i64 %t299 to i32
  %t298 = icmp eq i32 %t300, 0
  br i1 %t298, label %b25, label %b26
b25:
  call void asm sideeffect "; use $0", "s"(i64 %a4)
  %t301 = ptrtoint ptr addrspace(1) %a26 to i64
  %t302 = trunc i64 %t301 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t302)
  %t304 = ptrtoint ptr addrspace(1) %a24 to i64
  %t305 = lshr i64 %t304, 32
  %t306 = trunc i64 %t305 to i32
  %t303 = icmp eq i32 %t306, 0
  br i1 %t303, label %b27, label %b28
b27:
  %t307 = xor i64 %a20, %a8
  %t308 = lshr i64 %a23, 32
  %t309 = trunc i64 %t308 to i32
  %t310 = lshr i64 %a20, 32
  %t311 = trunc i64 %t310 to i32
  %t312 = insertelement <4 x i32> poison, i32 %t309, i32 0
  %t313 = insertelement <4 x i32> %t312, i32 802745, i32 1
  %t314 = insertelement <4 x i32> %t313, i32 456139, i32 2
  %t315 = insertelement <4 x i32> %t314, i32 %t311, i32 3
  %t317 = lshr i64 %a19, 32
  %t318 = trunc i64 %t317 to i32
  %t316 = insertelement <16 x i32> %t30, i32 %t318, i32 9
  br label %b28
b28:
  %t320 = trunc i64 %a5 to i32
  %t319 = icmp eq i32 %t320, 3
  br i1 %t319, label %b29, label %b30
b29:
  %t321 = ptrtoint ptr addrspace(1) %a0 to i64
  %t322 = trunc i64 %t321 to i32
  %t323 = trunc i64 %a17 to i32
  %t324 = lshr i64 %a20, 32
  %t325 = trunc i64 %t324 to i32
  %t326 = trunc i64 %a16 to i32
  %t327 = ptrtoint ptr addrspace(1) %a0 to i64
  %t328 = trunc i64 %t327 to i32
  %t329 = insertelement <8 x i32> poison, i32 %t322, i32 0
  %t330 = insertelement <8 x i32> %t329, i32 %t323, i32 1
  %t331 = insertelement <8 x i32> %t330, i32 %a21, i32 2
  %t332 = insertelement <8 x i32> %t331, i32 %t325, i32 3
  %t333 = insertelement <8 x i32> %t332, i32 %a22, i32 4
  %t334 = insertelement <8 x i32> %t333, i32 %t326, i32 5
  %t335 = insertelement <8 x i32> %t334, i32 %a25, i32 6
  %t336 = insertelement <8 x i32> %t335, i32 %t328, i32 7
  br label %b31
b31:
  %t337 = phi i32 [ 0, %b29 ], [ %t373, %b31 ]
  %t338 = phi ptr addrspace(1) [ %a24, %b29 ], [ %t338, %b31 ]
  %t339 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t340 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t339, 3
  call void asm sideeffect "; use $0", "s"(i32 %t340)
  %t341 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t339, 4
  call void asm sideeffect "; use $0", "s"(i32 %t341)
  %t342 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t339, 2
  call void asm sideeffect "; use $0", "s"(i32 %t342)
  %t343 = ptrtoint ptr addrspace(1) %a13 to i64
  %t344 = lshr i64 %t343, 32
  %t345 = trunc i64 %t344 to i32
  %t346 = trunc i64 %a8 to i32
  %t347 = lshr i64 %a8, 32
  %t348 = trunc i64 %t347 to i32
  %t349 = insertelement <4 x i32> poison, i32 %t346, i32 0
  %t350 = insertelement <4 x i32> %t349, i32 %t348, i32 1
  %t351 = insertelement <4 x i32> %t350, i32 %t345, i32 2
  %t352 = insertelement <4 x i32> %t351, i32 520929, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t352)
  %t353 = trunc i64 %a19 to i32
  %t354 = ptrtoint ptr addrspace(1) %a0 to i64
  %t355 = trunc i64 %t354 to i32
  %t356 = lshr i64 %a11, 32
  %t357 = trunc i64 %t356 to i32
  %t358 = trunc i64 %a11 to i32
  %t359 = lshr i64 %a20, 32
  %t360 = trunc i64 %t359 to i32
  %t361 = trunc i64 %a19 to i32
  %t362 = insertelement <8 x i32> poison, i32 %t353, i32 0
  %t363 = insertelement <8 x i32> %t362, i32 %a7, i32 1
  %t364 = insertelement <8 x i32> %t363, i32 %t355, i32 2
  %t365 = insertelement <8 x i32> %t364, i32 %t357, i32 3
  %t366 = insertelement <8 x i32> %t365, i32 721732, i32 4
  %t367 = insertelement <8 x i32> %t366, i32 %t358, i32 5
  %t368 = insertelement <8 x i32> %t367, i32 %t360, i32 6
  %t369 = insertelement <8 x i32> %t368, i32 %t361, i32 7
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t369)
  %t371 = ptrtoint ptr addrspace(1) %a9 to i64
  %t370 = xor i64 %a1, %t371
  %t372 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t373 = add i32 %t337, 1
  %t374 = icmp ult i32 %t373, %a6
  br i1 %t374, label %b31, label %b32
b32:
  br label %b33
b33:
  %t375 = phi i32 [ 0, %b32 ], [ %t394, %b33 ]
  %t376 = phi i64 [ %a20, %b32 ], [ %a20, %b33 ]
  %t377 = phi i64 [ %a3, %b32 ], [ %a27, %b33 ]
  %t378 = phi i32 [ %a15, %b32 ], [ %t392, %b33 ]
  %t379 = trunc i64 %a16 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t379)
  %t380 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t381 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t380, 18
  call void asm sideeffect "; use $0", "s"(i32 %t381)
  %t382 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t380, 2
  call void asm sideeffect "; use $0", "s"(i32 %t382)
  %t383 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t380, 8
  call void asm sideeffect "; use $0", "s"(i32 %t383)
  %t384 = trunc i64 %a3 to i32
  %t385 = lshr i64 %a3, 32
  %t386 = trunc i64 %t385 to i32
  %t387 = insertelement <2 x i32> poison, i32 %t384, i32 0
  %t388 = insertelement <2 x i32> %t387, i32 %t386, i32 1
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t388)
  %t390 = trunc i64 %a23 to i32
  %t391 = trunc i64 %a2 to i32
  %t389 = sub i32 %t390, %t391
  %t392 = extractelement <4 x i32> %t29, i32 2
  %t393 = extractelement <16 x i32> %t30, i32 1
  %t394 = add i32 %t375, 1
  %t395 = icmp ult i32 %t394, %a7
  br i1 %t395, label %b33, label %b34
b34:
  br label %b30
b30:
  %t397 = trunc i64 %a2 to i32
  %t396 = icmp eq i32 %t397, 0
  br i1 %t396, label %b35, label %b36
b35:
  %t398 = icmp eq i32 %t3, 9
  br i1 %t398, label %b37, label %b38
b37:
  %t399 = lshr i64 %a17, 32
  %t400 = trunc i64 %t399 to i32
  %t401 = trunc i64 %a4 to i32
  %t402 = trunc i64 %a16 to i32
  %t403 = lshr i64 %a16, 32
  %t404 = trunc i64 %t403 to i32
  %t405 = insertelement <4 x i32> poison, i32 %t402, i32 0
  %t406 = insertelement <4 x i32> %t405, i32 %t404, i32 1
  %t407 = insertelement <4 x i32> %t406, i32 139496, i32 2
  %t408 = insertelement <4 x i32> %t407, i32 %t401, i32 3
  %t409 = lshr i64 %a27, 32
  %t410 = trunc i64 %t409 to i32
  %t411 = trunc i64 %a20 to i32
  %t412 = insertelement <4 x i32> poison, i32 517803, i32 0
  %t413 = insertelement <4 x i32> %t412, i32 %t410, i32 1
  %t414 = insertelement <4 x i32> %t413, i32 %a25, i32 2
  %t415 = insertelement <4 x i32> %t414, i32 %t411, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t415)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  br label %b38
b38:
  %t417 = trunc i64 %a20 to i32
  %t416 = add i32 %t417, %a22
  %t419 = ptrtoint ptr addrspace(1) %a9 to i64
  %t420 = trunc i64 %t419 to i32
  %t421 = trunc i64 %a1 to i32
  %t418 = mul i32 %t420, %t421
  br label %b39
b39:
  %t422 = phi i32 [ 0, %b38 ], [ %t444, %b39 ]
  call void asm sideeffect "; use $0", "s"(i64 %a4)
  %t423 = lshr i64 %a11, 32
  %t424 = trunc i64 %t423 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t424)
  %t426 = trunc i64 %a20 to i32
  %t425 = insertelement <8 x i32> %t296, i32 %t426, i32 7
  %t427 = ptrtoint ptr addrspace(1) %a9 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t427)
  %t428 = and i64 %a23, %a19
  %t429 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t430 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t429, 15
  %t431 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t429, 6
  %t432 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t429, 14
  call void asm sideeffect "; use $0", "s"(i32 %t432)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  %t434 = trunc i64 %a19 to i32
  %t433 = insertelement <4 x i32> %t297, i32 %t434, i32 3
  %t436 = lshr i64 %a27, 32
  %t437 = trunc i64 %t436 to i32
  %t435 = sub i32 %t431, %t437
  %t438 = ptrtoint ptr addrspace(1) %a0 to i64
  %t439 = lshr i64 %t438, 32
  %t440 = trunc i64 %t439 to i32
  %t441 = trunc i64 %a27 to i32
  %t442 = insertelement <2 x i32> poison, i32 %t440, i32 0
  %t443 = insertelement <2 x i32> %t442, i32 %t441, i32 1
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t443)
  %t444 = add i32 %t422, 1
  %t445 = icmp ult i32 %t444, %a22
  br i1 %t445, label %b39, label %b40
b40:
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  %t446 = lshr i64 %a5, 32
  %t447 = trunc i64 %t446 to i32
  %t448 = ptrtoint ptr addrspace(1) %a9 to i64
  %t449 = trunc i64 %t448 to i32
  %t450 = insertelement <4 x i32> poison, i32 %t3, i32 0
  %t451 = insertelement <4 x i32> %t450, i32 %t418, i32 1
  %t452 = insertelement <4 x i32> %t451, i32 %t447, i32 2
  %t453 = insertelement <4 x i32> %t452, i32 %t449, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t453)
  %t454 = insertelement <4 x i32> poison, i32 577869, i32 0
  %t455 = insertelement <4 x i32> %t454, i32 %t416, i32 1
  %t456 = insertelement <4 x i32> %t455, i32 %t3, i32 2
  %t457 = insertelement <4 x i32> %t456, i32 842741, i32 3
  br label %b36
b36:
  br label %b41
b41:
  %t458 = phi i32 [ 0, %b36 ], [ %t502, %b44 ]
  %t459 = phi i64 [ %a19, %b36 ], [ %a23, %b44 ]
  %t460 = phi <16 x i32> [ %t30, %b36 ], [ %t30, %b44 ]
  %t461 = phi i64 [ %a20, %b36 ], [ %a12, %b44 ]
  %t462 = ptrtoint ptr addrspace(1) %a26 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t462)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  %t464 = ptrtoint ptr addrspace(1) %a13 to i64
  %t465 = lshr i64 %t464, 32
  %t466 = trunc i64 %t465 to i32
  %t463 = icmp eq i32 %t466, 4
  br i1 %t463, label %b43, label %b44
b43:
  %t468 = ptrtoint ptr addrspace(1) %a9 to i64
  %t467 = xor i64 %t468, %a16
  %t469 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t470 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t469, 16
  %t471 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t469, 18
  call void asm sideeffect "; use $0", "s"(i32 %t471)
  %t472 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t469, 13
  %t473 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t474 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t473, 7
  call void asm sideeffect "; use $0", "s"(i32 %t474)
  %t475 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t473, 5
  call void asm sideeffect "; use $0", "s"(i32 %t475)
  %t476 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t473, 2
  call void asm sideeffect "; use $0", "s"(i32 %t476)
  %t478 = lshr i64 %t459, 32
  %t479 = trunc i64 %t478 to i32
  %t477 = insertelement <8 x i32> %t296, i32 %t479, i32 0
  %t480 = lshr i64 %a27, 32
  %t481 = trunc i64 %t480 to i32
  %t482 = lshr i64 %a17, 32
  %t483 = trunc i64 %t482 to i32
  %t484 = lshr i64 %a19, 32
  %t485 = trunc i64 %t484 to i32
  %t486 = trunc i64 %a8 to i32
  %t487 = insertelement <8 x i32> poison, i32 407143, i32 0
  %t488 = insertelement <8 x i32> %t487, i32 %t470, i32 1
  %t489 = insertelement <8 x i32> %t488, i32 %t481, i32 2
  %t490 = insertelement <8 x i32> %t489, i32 %t483, i32 3
  %t491 = insertelement <8 x i32> %t490, i32 177366, i32 4
  %t492 = insertelement <8 x i32> %t491, i32 %t485, i32 5
  %t493 = insertelement <8 x i32> %t492, i32 %t486, i32 6
  %t494 = insertelement <8 x i32> %t493, i32 %a22, i32 7
  %t496 = lshr i64 %a12, 32
  %t497 = trunc i64 %t496 to i32
  %t495 = insertelement <4 x i32> %t297, i32 %t497, i32 3
  br label %b44
b44:
  %t499 = ptrtoint ptr addrspace(1) %a0 to i64
  %t500 = lshr i64 %t499, 32
  %t501 = trunc i64 %t500 to i32
  %t498 = insertelement <4 x i32> %t29, i32 %t501, i32 1
  %t502 = add i32 %t458, 1
  %t503 = icmp ult i32 %t502, %a21
  br i1 %t503, label %b41, label %b42
b42:
  %t504 = insertelement <4 x i32> %t297, i32 %a21, i32 0
  br label %b26
b26:
  br label %b45
b45:
  %t505 = phi i32 [ 0, %b26 ], [ %t594, %b48 ]
  %t506 = trunc i64 %a12 to i32
  %t507 = lshr i64 %a19, 32
  %t508 = trunc i64 %t507 to i32
  %t509 = insertelement <2 x i32> poison, i32 %t506, i32 0
  %t510 = insertelement <2 x i32> %t509, i32 %t508, i32 1
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t510)
  %t512 = ptrtoint ptr addrspace(1) %a13 to i64
  %t513 = lshr i64 %t512, 32
  %t514 = trunc i64 %t513 to i32
  %t515 = trunc i64 %a8 to i32
  %t511 = mul i32 %t514, %t515
  %t517 = lshr i64 %a1, 32
  %t518 = trunc i64 %t517 to i32
  %t516 = icmp eq i32 %t518, 4
  br i1 %t516, label %b47, label %b48
b47:
  %t519 = trunc i64 %a14 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t519)
  %t521 = trunc i64 %a14 to i32
  %t520 = icmp eq i32 %t521, 2
  br i1 %t520, label %b49, label %b50
b49:
  %t522 = ptrtoint ptr addrspace(1) %a24 to i64
  %t523 = lshr i64 %t522, 32
  %t524 = trunc i64 %t523 to i32
  %t525 = ptrtoint ptr addrspace(1) %a13 to i64
  %t526 = lshr i64 %t525, 32
  %t527 = trunc i64 %t526 to i32
  %t528 = trunc i64 %a5 to i32
  %t529 = ptrtoint ptr addrspace(1) %a13 to i64
  %t530 = trunc i64 %t529 to i32
  %t531 = lshr i64 %a27, 32
  %t532 = trunc i64 %t531 to i32
  %t533 = insertelement <8 x i32> poison, i32 %a25, i32 0
  %t534 = insertelement <8 x i32> %t533, i32 %t524, i32 1
  %t535 = insertelement <8 x i32> %t534, i32 %t527, i32 2
  %t536 = insertelement <8 x i32> %t535, i32 %t528, i32 3
  %t537 = insertelement <8 x i32> %t536, i32 569522, i32 4
  %t538 = insertelement <8 x i32> %t537, i32 %t530, i32 5
  %t539 = insertelement <8 x i32> %t538, i32 940030, i32 6
  %t540 = insertelement <8 x i32> %t539, i32 %t532, i32 7
  %t541 = lshr i64 %a2, 32
  %t542 = trunc i64 %t541 to i32
  %t543 = trunc i64 %a16 to i32
  %t544 = insertelement <8 x i32> poison, i32 %t542, i32 0
  %t545 = insertelement <8 x i32> %t544, i32 113655, i32 1
  %t546 = insertelement <8 x i32> %t545, i32 %a6, i32 2
  %t547 = insertelement <8 x i32> %t546, i32 %t543, i32 3
  %t548 = insertelement <8 x i32> %t547, i32 %t3, i32 4
  %t549 = insertelement <8 x i32> %t548, i32 %t3, i32 5
  %t550 = insertelement <8 x i32> %t549, i32 1029564, i32 6
  %t551 = insertelement <8 x i32> %t550, i32 %a7, i32 7
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t540)
  %t552 = lshr i64 %a18, 32
  %t553 = trunc i64 %t552 to i32
  %t554 = insertelement <4 x i32> poison, i32 %t511, i32 0
  %t555 = insertelement <4 x i32> %t554, i32 633944, i32 1
  %t556 = insertelement <4 x i32> %t555, i32 %t553, i32 2
  %t557 = insertelement <4 x i32> %t556, i32 %a7, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t557)
  %t559 = ptrtoint ptr addrspace(1) %a13 to i64
  %t560 = lshr i64 %t559, 32
  %t561 = trunc i64 %t560 to i32
  %t558 = insertelement <4 x i32> %t29, i32 %t561, i32 0
  %t563 = ptrtoint ptr addrspace(1) %a13 to i64
  %t564 = trunc i64 %t563 to i32
  %t565 = ptrtoint ptr addrspace(1) %a26 to i64
  %t566 = lshr i64 %t565, 32
  %t567 = trunc i64 %t566 to i32
  %t562 = add i32 %t564, %t567
  br label %b50
b50:
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t510)
  %t568 = xor i64 %a1, %a1
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t296)
  br label %b51
b51:
  %t569 = phi i32 [ 0, %b50 ], [ %t585, %b51 ]
  %t570 = lshr i64 %a1, 32
  %t571 = trunc i64 %t570 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t571)
  %t572 = insertelement <2 x i32> poison, i32 603051, i32 0
  %t573 = insertelement <2 x i32> %t572, i32 611438, i32 1
  %t575 = lshr i64 %a2, 32
  %t576 = trunc i64 %t575 to i32
  %t574 = insertelement <4 x i32> %t29, i32 %t576, i32 3
  %t577 = ptrtoint ptr addrspace(1) %a0 to i64
  %t578 = trunc i64 %t577 to i32
  %t579 = insertelement <2 x i32> poison, i32 %t578, i32 0
  %t580 = insertelement <2 x i32> %t579, i32 %t511, i32 1
  %t581 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t582 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t581, 18
  call void asm sideeffect "; use $0", "s"(i32 %t582)
  %t583 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t581, 11
  call void asm sideeffect "; use $0", "s"(i32 %t583)
  %t584 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t581, 19
  %t585 = add i32 %t569, 1
  %t586 = icmp ult i32 %t585, %t511
  br i1 %t586, label %b51, label %b52
b52:
  br label %b48
b48:
  %t587 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t588 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t587, 7
  call void asm sideeffect "; use $0", "s"(i32 %t588)
  %t589 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t587, 5
  call void asm sideeffect "; use $0", "s"(i32 %t589)
  %t590 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t587, 4
  call void asm sideeffect "; use $0", "s"(i32 %t590)
  %t592 = ptrtoint ptr addrspace(1) %a13 to i64
  %t593 = ptrtoint ptr addrspace(1) %a9 to i64
  %t591 = add i64 %t592, %t593
  %t594 = add i32 %t505, 1
  %t595 = icmp ult i32 %t594, %a6
  br i1 %t595, label %b45, label %b46
b46:
  call void asm sideeffect "; use $0", "s"(i64 %a27)
  call void asm sideeffect "; use $0", "s"(i32 %t3)
  %t597 = trunc i64 %a16 to i32
  %t596 = icmp eq i32 %t597, 1
  br i1 %t596, label %b53, label %b54
b53:
  %t599 = trunc i64 %a27 to i32
  %t600 = lshr i64 %a3, 32
  %t601 = trunc i64 %t600 to i32
  %t598 = and i32 %t599, %t601
  %t603 = ptrtoint ptr addrspace(1) %a9 to i64
  %t602 = and i64 %a17, %t603
  %t604 = ptrtoint ptr addrspace(1) %a26 to i64
  %t605 = lshr i64 %t604, 32
  %t606 = trunc i64 %t605 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t606)
  br label %b54
b54:
  %t607 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t608 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t607, 4
  call void asm sideeffect "; use $0", "s"(i32 %t608)
  %t609 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t607, 9
  call void asm sideeffect "; use $0", "s"(i32 %t609)
  %t610 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t607, 7
  call void asm sideeffect "; use $0", "s"(i32 %t610)
  %t611 = ptrtoint ptr addrspace(1) %a24 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t611)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t613 = lshr i64 %a23, 32
  %t614 = trunc i64 %t613 to i32
  %t612 = sub i32 %a6, %t614
  br label %b55
b55:
  %t615 = phi i32 [ 0, %b54 ], [ %t797, %b70 ]
  %t616 = phi i64 [ %a1, %b54 ], [ %a3, %b70 ]
  %t617 = phi i32 [ %a15, %b54 ], [ %a25, %b70 ]
  %t618 = extractelement <4 x i32> %t297, i32 0
  br label %b57
b57:
  %t619 = phi i32 [ 0, %b55 ], [ %t698, %b62 ]
  %t620 = phi i32 [ %a6, %b55 ], [ %t3, %b62 ]
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t622 = ptrtoint ptr addrspace(1) %a9 to i64
  %t621 = add i64 %t622, %a5
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t296)
  %t623 = icmp eq i32 %a25, 1
  br i1 %t623, label %b59, label %b60
b59:
  call void asm sideeffect "; use $0", "s"(i64 %a19)
  %t624 = lshr i64 %a17, 32
  %t625 = trunc i64 %t624 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t625)
  %t626 = lshr i64 %a27, 32
  %t627 = trunc i64 %t626 to i32
  %t628 = insertelement <4 x i32> poison, i32 283986, i32 0
  %t629 = insertelement <4 x i32> %t628, i32 128097, i32 1
  %t630 = insertelement <4 x i32> %t629, i32 %t618, i32 2
  %t631 = insertelement <4 x i32> %t630, i32 %t627, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t631)
  %t632 = lshr i64 %a19, 32
  %t633 = trunc i64 %t632 to i32
  %t634 = lshr i64 %a11, 32
  %t635 = trunc i64 %t634 to i32
  %t636 = trunc i64 %a18 to i32
  %t637 = ptrtoint ptr addrspace(1) %a26 to i64
  %t638 = lshr i64 %t637, 32
  %t639 = trunc i64 %t638 to i32
  %t640 = ptrtoint ptr addrspace(1) %a9 to i64
  %t641 = lshr i64 %t640, 32
  %t642 = trunc i64 %t641 to i32
  %t643 = lshr i64 %a17, 32
  %t644 = trunc i64 %t643 to i32
  %t645 = insertelement <8 x i32> poison, i32 %t633, i32 0
  %t646 = insertelement <8 x i32> %t645, i32 %t635, i32 1
  %t647 = insertelement <8 x i32> %t646, i32 %t636, i32 2
  %t648 = insertelement <8 x i32> %t647, i32 %t639, i32 3
  %t649 = insertelement <8 x i32> %t648, i32 190442, i32 4
  %t650 = insertelement <8 x i32> %t649, i32 %t642, i32 5
  %t651 = insertelement <8 x i32> %t650, i32 %t644, i32 6
  %t652 = insertelement <8 x i32> %t651, i32 %t3, i32 7
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t652)
  %t653 = lshr i64 %a23, 32
  %t654 = trunc i64 %t653 to i32
  %t655 = trunc i64 %a4 to i32
  %t656 = trunc i64 %a27 to i32
  %t657 = lshr i64 %a27, 32
  %t658 = trunc i64 %t657 to i32
  %t659 = insertelement <8 x i32> poison, i32 %t656, i32 0
  %t660 = insertelement <8 x i32> %t659, i32 %t658, i32 1
  %t661 = insertelement <8 x i32> %t660, i32 7172, i32 2
  %t662 = insertelement <8 x i32> %t661, i32 %t617, i32 3
  %t663 = insertelement <8 x i32> %t662, i32 330911, i32 4
  %t664 = insertelement <8 x i32> %t663, i32 674682, i32 5
  %t665 = insertelement <8 x i32> %t664, i32 403409, i32 6
  %t666 = insertelement <8 x i32> %t665, i32 492264, i32 7
  %t667 = trunc i64 %a23 to i32
  %t668 = trunc i64 %a19 to i32
  %t669 = ptrtoint ptr addrspace(1) %a0 to i64
  %t670 = lshr i64 %t669, 32
  %t671 = trunc i64 %t670 to i32
  %t672 = trunc i64 %a23 to i32
  %t673 = lshr i64 %a23, 32
  %t674 = trunc i64 %t673 to i32
  %t675 = insertelement <8 x i32> poison, i32 %t672, i32 0
  %t676 = insertelement <8 x i32> %t675, i32 %t674, i32 1
  %t677 = insertelement <8 x i32> %t676, i32 %t617, i32 2
  %t678 = insertelement <8 x i32> %t677, i32 %a22, i32 3
  %t679 = insertelement <8 x i32> %t678, i32 201943, i32 4
  %t680 = insertelement <8 x i32> %t679, i32 %t668, i32 5
  %t681 = insertelement <8 x i32> %t680, i32 %t671, i32 6
  %t682 = insertelement <8 x i32> %t681, i32 %a6, i32 7
  br label %b60
b60:
  call void asm sideeffect "; use $0", "s"(i64 %t621)
  %t684 = trunc i64 %a17 to i32
  %t685 = ptrtoint ptr addrspace(1) %a9 to i64
  %t686 = lshr i64 %t685, 32
  %t687 = trunc i64 %t686 to i32
  %t683 = mul i32 %t684, %t687
  %t688 = icmp eq i32 %a15, 3
  br i1 %t688, label %b61, label %b62
b61:
  call void asm sideeffect "; use $0", "s"(i32 %a22)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  call void asm sideeffect "; use $0", "s"(i32 %t683)
  %t690 = lshr i64 %a4, 32
  %t691 = trunc i64 %t690 to i32
  %t692 = lshr i64 %t616, 32
  %t693 = trunc i64 %t692 to i32
  %t689 = sub i32 %t691, %t693
  %t695 = trunc i64 %t621 to i32
  %t694 = add i32 %a6, %t695
  br label %b62
b62:
  %t697 = trunc i64 %a27 to i32
  %t696 = mul i32 %t697, %t620
  %t698 = add i32 %t619, 1
  %t699 = icmp ult i32 %t698, %a15
  br i1 %t699, label %b57, label %b58
b58:
  %t700 = lshr i64 %a5, 32
  %t701 = trunc i64 %t700 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t701)
  call void asm sideeffect "; use $0", "s"(i64 %t616)
  %t702 = icmp eq i32 %t617, 1
  br i1 %t702, label %b63, label %b64
b63:
  %t703 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t704 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t703, 19
  call void asm sideeffect "; use $0", "s"(i32 %t704)
  %t705 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t703, 0
  call void asm sideeffect "; use $0", "s"(i32 %t705)
  %t706 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t703, 7
  call void asm sideeffect "; use $0", "s"(i32 %t706)
  %t708 = ptrtoint ptr addrspace(1) %a10 to i64
  %t709 = lshr i64 %t708, 32
  %t710 = trunc i64 %t709 to i32
  %t707 = icmp eq i32 %t710, 0
  br i1 %t707, label %b65, label %b66
b65:
  %t711 = insertelement <16 x i32> %t30, i32 %a7, i32 4
  %t712 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t713 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t712, 4
  call void asm sideeffect "; use $0", "s"(i32 %t713)
  %t714 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t712, 9
  call void asm sideeffect "; use $0", "s"(i32 %t714)
  %t715 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t712, 1
  call void asm sideeffect "; use $0", "s"(i32 %t612)
  br label %b66
b66:
  %t717 = trunc i64 %a3 to i32
  %t716 = icmp eq i32 %t717, 0
  br i1 %t716, label %b67, label %b68
b67:
  %t718 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(i64 %a23)
  br label %b68
b68:
  %t720 = ptrtoint ptr addrspace(1) %a10 to i64
  %t721 = trunc i64 %t720 to i32
  %t719 = sub i32 %t721, %a15
  %t722 = ptrtoint ptr addrspace(1) %a9 to i64
  %t723 = trunc i64 %t722 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t723)
  call void asm sideeffect "; use $0", "s"(i64 %a2)
  %t724 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t725 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t724, 6
  call void asm sideeffect "; use $0", "s"(i32 %t725)
  %t726 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t724, 0
  %t727 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t724, 7
  br label %b64
b64:
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  %t729 = trunc i64 %a8 to i32
  %t728 = icmp eq i32 %t729, 8
  br i1 %t728, label %b69, label %b70
b69:
  %t730 = ptrtoint ptr addrspace(1) %a9 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t730)
  %t732 = trunc i64 %a2 to i32
  %t733 = trunc i64 %a3 to i32
  %t731 = add i32 %t732, %t733
  %t735 = ptrtoint ptr addrspace(1) %a9 to i64
  %t734 = add i64 %t735, %a17
  br label %b71
b71:
  %t736 = phi i32 [ 0, %b69 ], [ %t756, %b71 ]
  %t737 = phi i64 [ %a12, %b69 ], [ %a20, %b71 ]
  %t738 = trunc i64 %a14 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t738)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  call void asm sideeffect "; use $0", "s"(i64 %a17)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t740 = ptrtoint ptr addrspace(1) %a0 to i64
  %t741 = trunc i64 %t740 to i32
  %t742 = ptrtoint ptr addrspace(1) %a9 to i64
  %t743 = trunc i64 %t742 to i32
  %t739 = mul i32 %t741, %t743
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t744 = extractelement <8 x i32> %t296, i32 7
  %t745 = ptrtoint ptr addrspace(1) %a9 to i64
  %t746 = lshr i64 %t745, 32
  %t747 = trunc i64 %t746 to i32
  %t748 = lshr i64 %t734, 32
  %t749 = trunc i64 %t748 to i32
  %t750 = lshr i64 %t616, 32
  %t751 = trunc i64 %t750 to i32
  %t752 = insertelement <4 x i32> poison, i32 %a21, i32 0
  %t753 = insertelement <4 x i32> %t752, i32 %t747, i32 1
  %t754 = insertelement <4 x i32> %t753, i32 %t749, i32 2
  %t755 = insertelement <4 x i32> %t754, i32 %t751, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  call void asm sideeffect "; use $0", "s"(i32 %t731)
  call void asm sideeffect "; use $0", "s"(i64 %a27)
  %t756 = add i32 %t736, 1
  %t757 = icmp ult i32 %t756, %a7
  br i1 %t757, label %b71, label %b72
b72:
  %t759 = lshr i64 %a1, 32
  %t760 = trunc i64 %t759 to i32
  %t758 = xor i32 %t760, %a25
  br label %b73
b73:
  %t761 = phi i32 [ 0, %b72 ], [ %t791, %b73 ]
  %t762 = phi ptr addrspace(1) [ %a9, %b72 ], [ %t762, %b73 ]
  %t763 = phi i64 [ %t616, %b72 ], [ %a2, %b73 ]
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t764 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t765 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t764, 8
  %t766 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t764, 3
  call void asm sideeffect "; use $0", "s"(i32 %t766)
  %t767 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t764, 0
  call void asm sideeffect "; use $0", "s"(i32 %t767)
  %t769 = lshr i64 %a3, 32
  %t770 = trunc i64 %t769 to i32
  %t771 = trunc i64 %a17 to i32
  %t768 = xor i32 %t770, %t771
  call void asm sideeffect "; use $0", "s"(i64 %a14)
  %t772 = lshr i64 %a19, 32
  %t773 = trunc i64 %t772 to i32
  %t774 = lshr i64 %a18, 32
  %t775 = trunc i64 %t774 to i32
  %t776 = trunc i64 %a2 to i32
  %t777 = lshr i64 %a2, 32
  %t778 = trunc i64 %t777 to i32
  %t779 = insertelement <4 x i32> poison, i32 %t776, i32 0
  %t780 = insertelement <4 x i32> %t779, i32 %t778, i32 1
  %t781 = insertelement <4 x i32> %t780, i32 892917, i32 2
  %t782 = insertelement <4 x i32> %t781, i32 %t768, i32 3
  %t783 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t784 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t783, 2
  %t785 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t783, 5
  call void asm sideeffect "; use $0", "s"(i32 %t785)
  %t786 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t783, 6
  call void asm sideeffect "; use $0", "s"(i32 %a7)
  call void asm sideeffect "; use $0", "s"(i32 %a6)
  %t787 = extractelement <16 x i32> %t30, i32 7
  %t788 = insertelement <16 x i32> %t30, i32 %t758, i32 2
  call void asm sideeffect "; use $0", "s"(i64 %a14)
  call void asm sideeffect "; use $0", "s"(i32 %a7)
  %t789 = lshr i64 %t616, 32
  %t790 = trunc i64 %t789 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t790)
  call void asm sideeffect "; use $0", "s"(i64 %a8)
  %t791 = add i32 %t761, 1
  %t792 = icmp ult i32 %t791, %a15
  br i1 %t792, label %b73, label %b74
b74:
  %t794 = lshr i64 %a1, 32
  %t795 = trunc i64 %t794 to i32
  %t793 = xor i32 %a15, %t795
  br label %b70
b70:
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  %t796 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  %t797 = add i32 %t615, 1
  %t798 = icmp ult i32 %t797, %t3
  br i1 %t798, label %b55, label %b56
b56:
  call void asm sideeffect "; use $0", "s"(i64 %a20)
  %t799 = add i64 %a11, %a23
  %t800 = trunc i64 %a4 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t800)
  %t802 = trunc i64 %a27 to i32
  %t801 = icmp eq i32 %t802, 3
  br i1 %t801, label %b75, label %b76
b75:
  %t803 = trunc i64 %a4 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t803)
  %t804 = add i64 %a1, %a17
  %t806 = lshr i64 %a5, 32
  %t807 = trunc i64 %t806 to i32
  %t805 = insertelement <8 x i32> %t296, i32 %t807, i32 5
  br label %b77
b77:
  %t808 = phi i32 [ 0, %b75 ], [ %t885, %b84 ]
  %t809 = phi i32 [ %a22, %b75 ], [ %a15, %b84 ]
  %t810 = phi i64 [ %a23, %b75 ], [ %a14, %b84 ]
  br label %b79
b79:
  %t811 = phi i32 [ 0, %b77 ], [ %t835, %b79 ]
  %t812 = phi ptr addrspace(1) [ %a0, %b77 ], [ %t812, %b79 ]
  %t813 = phi i32 [ %t612, %b77 ], [ %a7, %b79 ]
  %t814 = phi i64 [ %a17, %b77 ], [ %a14, %b79 ]
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t805)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t805)
  %t815 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t816 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t815, 2
  call void asm sideeffect "; use $0", "s"(i32 %t816)
  %t817 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t815, 3
  call void asm sideeffect "; use $0", "s"(i32 %t817)
  %t818 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t815, 5
  call void asm sideeffect "; use $0", "s"(i32 %t818)
  call void asm sideeffect "; use $0", "s"(i64 %a3)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t805)
  %t819 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t820 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t819, 6
  call void asm sideeffect "; use $0", "s"(i32 %t820)
  %t821 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t819, 1
  call void asm sideeffect "; use $0", "s"(i32 %t821)
  %t822 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t819, 3
  %t824 = ptrtoint ptr addrspace(1) %a10 to i64
  %t823 = add i64 %t824, %a18
  call void asm sideeffect "; use $0", "s"(i32 %t813)
  call void asm sideeffect "; use $0", "s"(i32 %a6)
  %t826 = ptrtoint ptr addrspace(1) %t812 to i64
  %t827 = lshr i64 %t826, 32
  %t828 = trunc i64 %t827 to i32
  %t825 = mul i32 %t828, %a25
  %t829 = ptrtoint ptr addrspace(1) %t812 to i64
  %t830 = lshr i64 %t829, 32
  %t831 = trunc i64 %t830 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t831)
  %t833 = lshr i64 %a11, 32
  %t834 = trunc i64 %t833 to i32
  %t832 = insertelement <8 x i32> %t296, i32 %t834, i32 1
  %t835 = add i32 %t811, 1
  %t836 = icmp ult i32 %t835, %t809
  br i1 %t836, label %b79, label %b80
b80:
  call void asm sideeffect "; use $0", "s"(i64 %a8)
  %t838 = lshr i64 %a12, 32
  %t839 = trunc i64 %t838 to i32
  %t837 = icmp eq i32 %t839, 7
  br i1 %t837, label %b81, label %b82
b81:
  %t840 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t840)
  %t841 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t842 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t841, 7
  call void asm sideeffect "; use $0", "s"(i32 %t842)
  %t843 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t841, 4
  call void asm sideeffect "; use $0", "s"(i32 %t843)
  %t844 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t841, 3
  call void asm sideeffect "; use $0", "s"(i32 %t844)
  %t846 = trunc i64 %t804 to i32
  %t845 = and i32 %t846, %a21
  br label %b82
b82:
  call void asm sideeffect "; use $0", "s"(i64 %a16)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t296)
  %t847 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  br label %b83
b83:
  %t848 = phi i32 [ 0, %b82 ], [ %t883, %b83 ]
  %t849 = phi ptr addrspace(1) [ %a13, %b82 ], [ %a26, %b83 ]
  %t850 = phi ptr addrspace(1) [ %a10, %b82 ], [ %a9, %b83 ]
  %t851 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %t852 = lshr i64 %a19, 32
  %t853 = trunc i64 %t852 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t853)
  %t854 = trunc i64 %a17 to i32
  %t855 = lshr i64 %a3, 32
  %t856 = trunc i64 %t855 to i32
  %t857 = trunc i64 %a5 to i32
  %t858 = lshr i64 %a23, 32
  %t859 = trunc i64 %t858 to i32
  %t860 = trunc i64 %a19 to i32
  %t861 = trunc i64 %a23 to i32
  %t862 = lshr i64 %a23, 32
  %t863 = trunc i64 %t862 to i32
  %t864 = insertelement <8 x i32> poison, i32 %t861, i32 0
  %t865 = insertelement <8 x i32> %t864, i32 %t863, i32 1
  %t866 = insertelement <8 x i32> %t865, i32 %t854, i32 2
  %t867 = insertelement <8 x i32> %t866, i32 %t856, i32 3
  %t868 = insertelement <8 x i32> %t867, i32 %t857, i32 4
  %t869 = insertelement <8 x i32> %t868, i32 %t859, i32 5
  %t870 = insertelement <8 x i32> %t869, i32 %t3, i32 6
  %t871 = insertelement <8 x i32> %t870, i32 %t860, i32 7
  call void asm sideeffect "; use $0", "s"(i32 %a21)
  %t873 = ptrtoint ptr addrspace(1) %t850 to i64
  %t872 = add i64 %a18, %t873
  %t874 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t875 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t874, 5
  call void asm sideeffect "; use $0", "s"(i32 %t875)
  %t876 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t874, 9
  call void asm sideeffect "; use $0", "s"(i32 %t876)
  %t877 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t874, 7
  call void asm sideeffect "; use $0", "s"(i32 %t877)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t805)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t871)
  %t878 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t879 = ptrtoint ptr addrspace(1) %t849 to i64
  %t880 = lshr i64 %t879, 32
  %t881 = trunc i64 %t880 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t881)
  %t882 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %t883 = add i32 %t848, 1
  %t884 = icmp ult i32 %t883, %a15
  br i1 %t884, label %b83, label %b84
b84:
  %t885 = add i32 %t808, 1
  %t886 = icmp ult i32 %t885, %a15
  br i1 %t886, label %b77, label %b78
b78:
  %t887 = extractelement <4 x i32> %t29, i32 1
  %t888 = extractelement <8 x i32> %t296, i32 7
  %t890 = trunc i64 %a23 to i32
  %t891 = trunc i64 %a20 to i32
  %t889 = sub i32 %t890, %t891
  %t892 = lshr i64 %a19, 32
  %t893 = trunc i64 %t892 to i32
  %t894 = insertelement <2 x i32> poison, i32 %a7, i32 0
  %t895 = insertelement <2 x i32> %t894, i32 %t893, i32 1
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t895)
  br label %b76
b76:
  %t896 = ptrtoint ptr addrspace(1) %a13 to i64
  %t897 = lshr i64 %t896, 32
  %t898 = trunc i64 %t897 to i32
  %t899 = lshr i64 %a18, 32
  %t900 = trunc i64 %t899 to i32
  %t901 = lshr i64 %a16, 32
  %t902 = trunc i64 %t901 to i32
  %t903 = trunc i64 %a1 to i32
  %t904 = lshr i64 %a1, 32
  %t905 = trunc i64 %t904 to i32
  %t906 = insertelement <8 x i32> poison, i32 %t903, i32 0
  %t907 = insertelement <8 x i32> %t906, i32 %t905, i32 1
  %t908 = insertelement <8 x i32> %t907, i32 %t900, i32 2
  %t909 = insertelement <8 x i32> %t908, i32 453935, i32 3
  %t910 = insertelement <8 x i32> %t909, i32 %t902, i32 4
  %t911 = insertelement <8 x i32> %t910, i32 681905, i32 5
  %t912 = insertelement <8 x i32> %t911, i32 %t3, i32 6
  %t913 = insertelement <8 x i32> %t912, i32 946991, i32 7
  %t914 = trunc i64 %a19 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t914)
  %t915 = lshr i64 %a23, 32
  %t916 = trunc i64 %t915 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t916)
  %t917 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t918 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t917, 5
  call void asm sideeffect "; use $0", "s"(i32 %t918)
  %t919 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t917, 7
  %t920 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t917, 0
  call void asm sideeffect "; use $0", "s"(i32 %t920)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  %t921 = trunc i64 %a17 to i32
  %t922 = ptrtoint ptr addrspace(1) %a0 to i64
  %t923 = trunc i64 %t922 to i32
  %t924 = ptrtoint ptr addrspace(1) %a24 to i64
  %t925 = lshr i64 %t924, 32
  %t926 = trunc i64 %t925 to i32
  %t927 = insertelement <4 x i32> poison, i32 %a6, i32 0
  %t928 = insertelement <4 x i32> %t927, i32 %t921, i32 1
  %t929 = insertelement <4 x i32> %t928, i32 %t923, i32 2
  %t930 = insertelement <4 x i32> %t929, i32 %t926, i32 3
  %t931 = lshr i64 %a12, 32
  %t932 = trunc i64 %t931 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t932)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t296)
  br label %b85
b85:
  %t933 = phi i32 [ 0, %b76 ], [ %t978, %b88 ]
  %t934 = phi <4 x i32> [ %t29, %b76 ], [ %t297, %b88 ]
  %t935 = phi i64 [ %a12, %b76 ], [ %a3, %b88 ]
  %t937 = ptrtoint ptr addrspace(1) %a9 to i64
  %t938 = lshr i64 %t937, 32
  %t939 = trunc i64 %t938 to i32
  %t936 = insertelement <8 x i32> %t296, i32 %t939, i32 4
  %t940 = lshr i64 %a8, 32
  %t941 = trunc i64 %t940 to i32
  %t942 = trunc i64 %a14 to i32
  %t943 = ptrtoint ptr addrspace(1) %a0 to i64
  %t944 = trunc i64 %t943 to i32
  %t945 = lshr i64 %t943, 32
  %t946 = trunc i64 %t945 to i32
  %t947 = insertelement <4 x i32> poison, i32 %t944, i32 0
  %t948 = insertelement <4 x i32> %t947, i32 %t946, i32 1
  %t949 = insertelement <4 x i32> %t948, i32 %a21, i32 2
  %t950 = insertelement <4 x i32> %t949, i32 %a7, i32 3
  %t952 = lshr i64 %a27, 32
  %t953 = trunc i64 %t952 to i32
  %t951 = icmp eq i32 %t953, 0
  br i1 %t951, label %b87, label %b88
b87:
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  %t955 = trunc i64 %a27 to i32
  %t954 = icmp eq i32 %t955, 1
  br i1 %t954, label %b89, label %b90
b89:
  %t956 = and i64 %a12, %t935
  %t957 = mul i32 %t612, %a21
  %t958 = trunc i64 %t956 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t958)
  %t959 = extractelement <4 x i32> %t930, i32 0
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  %t960 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(i32 %t919)
  br label %b90
b90:
  %t961 = ptrtoint ptr addrspace(1) %a9 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t961)
  %t962 = extractelement <4 x i32> %t950, i32 3
  %t964 = ptrtoint ptr addrspace(1) %a9 to i64
  %t965 = trunc i64 %t964 to i32
  %t963 = insertelement <4 x i32> %t934, i32 %t965, i32 2
  %t966 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %t967 = trunc i64 %a18 to i32
  %t968 = insertelement <2 x i32> poison, i32 %t967, i32 0
  %t969 = insertelement <2 x i32> %t968, i32 %t612, i32 1
  br label %b88
b88:
  %t970 = trunc i64 %a3 to i32
  %t971 = trunc i64 %t935 to i32
  %t972 = insertelement <4 x i32> poison, i32 588236, i32 0
  %t973 = insertelement <4 x i32> %t972, i32 %t970, i32 1
  %t974 = insertelement <4 x i32> %t973, i32 %t612, i32 2
  %t975 = insertelement <4 x i32> %t974, i32 %t971, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t975)
  call void asm sideeffect "; use $0", "s"(i64 %a1)
  %t977 = trunc i64 %a5 to i32
  %t976 = insertelement <4 x i32> %t934, i32 %t977, i32 3
  %t978 = add i32 %t933, 1
  %t979 = icmp ult i32 %t978, %a25
  br i1 %t979, label %b85, label %b86
b86:
  %t981 = lshr i64 %a27, 32
  %t982 = trunc i64 %t981 to i32
  %t980 = and i32 %t982, %t612
  %t983 = ptrtoint ptr addrspace(1) %a24 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t983)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t984 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t985 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t984, 6
  call void asm sideeffect "; use $0", "s"(i32 %t985)
  %t986 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t984, 10
  %t987 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t984, 5
  call void asm sideeffect "; use $0", "s"(i32 %t987)
  %t989 = ptrtoint ptr addrspace(1) %a0 to i64
  %t990 = trunc i64 %t989 to i32
  %t991 = ptrtoint ptr addrspace(1) %a10 to i64
  %t992 = lshr i64 %t991, 32
  %t993 = trunc i64 %t992 to i32
  %t988 = mul i32 %t990, %t993
  %t994 = ptrtoint ptr addrspace(1) %a10 to i64
  %t995 = trunc i64 %t994 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t995)
  br label %b91
b91:
  %t996 = phi i32 [ 0, %b86 ], [ %t1256, %b112 ]
  br label %b93
b93:
  %t997 = phi i32 [ 0, %b91 ], [ %t1090, %b98 ]
  %t999 = lshr i64 %a4, 32
  %t1000 = trunc i64 %t999 to i32
  %t998 = and i32 %t3, %t1000
  %t1001 = icmp eq i32 %a7, 2
  br i1 %t1001, label %b95, label %b96
b95:
  %t1002 = insertelement <4 x i32> %t29, i32 %t986, i32 2
  %t1003 = lshr i64 %a2, 32
  %t1004 = trunc i64 %t1003 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1004)
  %t1006 = trunc i64 %a12 to i32
  %t1005 = xor i32 %t980, %t1006
  %t1007 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t1009 = ptrtoint ptr addrspace(1) %a10 to i64
  %t1010 = lshr i64 %t1009, 32
  %t1011 = trunc i64 %t1010 to i32
  %t1008 = xor i32 %t1011, %a22
  %t1012 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1013 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1012, 9
  call void asm sideeffect "; use $0", "s"(i32 %t1013)
  %t1014 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1012, 10
  call void asm sideeffect "; use $0", "s"(i32 %t1014)
  %t1015 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1012, 4
  call void asm sideeffect "; use $0", "s"(i32 %t1015)
  %t1016 = extractelement <4 x i32> %t930, i32 0
  br label %b96
b96:
  %t1018 = trunc i64 %a19 to i32
  %t1017 = and i32 %t1018, %t998
  br label %b97
b97:
  %t1019 = phi i32 [ 0, %b96 ], [ %t1050, %b97 ]
  %t1021 = trunc i64 %a11 to i32
  %t1020 = add i32 %a22, %t1021
  %t1022 = trunc i64 %a18 to i32
  %t1023 = insertelement <4 x i32> poison, i32 526025, i32 0
  %t1024 = insertelement <4 x i32> %t1023, i32 %t986, i32 1
  %t1025 = insertelement <4 x i32> %t1024, i32 %a21, i32 2
  %t1026 = insertelement <4 x i32> %t1025, i32 %t1022, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t1026)
  %t1027 = extractelement <8 x i32> %t296, i32 0
  %t1028 = lshr i64 %a16, 32
  %t1029 = trunc i64 %t1028 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1029)
  %t1030 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1031 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1030, 21
  call void asm sideeffect "; use $0", "s"(i32 %t1031)
  %t1032 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1030, 5
  call void asm sideeffect "; use $0", "s"(i32 %t1032)
  %t1033 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1030, 4
  %t1034 = ptrtoint ptr addrspace(1) %a26 to i64
  %t1035 = lshr i64 %t1034, 32
  %t1036 = trunc i64 %t1035 to i32
  %t1037 = trunc i64 %a4 to i32
  %t1038 = trunc i64 %a16 to i32
  %t1039 = lshr i64 %t799, 32
  %t1040 = trunc i64 %t1039 to i32
  %t1041 = insertelement <8 x i32> poison, i32 563447, i32 0
  %t1042 = insertelement <8 x i32> %t1041, i32 %t3, i32 1
  %t1043 = insertelement <8 x i32> %t1042, i32 %t1036, i32 2
  %t1044 = insertelement <8 x i32> %t1043, i32 %t1037, i32 3
  %t1045 = insertelement <8 x i32> %t1044, i32 %t3, i32 4
  %t1046 = insertelement <8 x i32> %t1045, i32 %t1038, i32 5
  %t1047 = insertelement <8 x i32> %t1046, i32 %a6, i32 6
  %t1048 = insertelement <8 x i32> %t1047, i32 %t1040, i32 7
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t29)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t296)
  %t1049 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %t1050 = add i32 %t1019, 1
  %t1051 = icmp ult i32 %t1050, %t612
  br i1 %t1051, label %b97, label %b98
b98:
  %t1052 = ptrtoint ptr addrspace(1) %a26 to i64
  %t1053 = lshr i64 %t1052, 32
  %t1054 = trunc i64 %t1053 to i32
  %t1055 = lshr i64 %a11, 32
  %t1056 = trunc i64 %t1055 to i32
  %t1057 = ptrtoint ptr addrspace(1) %a24 to i64
  %t1058 = lshr i64 %t1057, 32
  %t1059 = trunc i64 %t1058 to i32
  %t1060 = ptrtoint ptr addrspace(1) %a0 to i64
  %t1061 = trunc i64 %t1060 to i32
  %t1062 = insertelement <4 x i32> poison, i32 %t1054, i32 0
  %t1063 = insertelement <4 x i32> %t1062, i32 %t1056, i32 1
  %t1064 = insertelement <4 x i32> %t1063, i32 %t1059, i32 2
  %t1065 = insertelement <4 x i32> %t1064, i32 %t1061, i32 3
  %t1066 = lshr i64 %a8, 32
  %t1067 = trunc i64 %t1066 to i32
  %t1068 = ptrtoint ptr addrspace(1) %a13 to i64
  %t1069 = trunc i64 %t1068 to i32
  %t1070 = ptrtoint ptr addrspace(1) %a9 to i64
  %t1071 = trunc i64 %t1070 to i32
  %t1072 = lshr i64 %a8, 32
  %t1073 = trunc i64 %t1072 to i32
  %t1074 = ptrtoint ptr addrspace(1) %a0 to i64
  %t1075 = trunc i64 %t1074 to i32
  %t1076 = lshr i64 %t1074, 32
  %t1077 = trunc i64 %t1076 to i32
  %t1078 = insertelement <8 x i32> poison, i32 %t1075, i32 0
  %t1079 = insertelement <8 x i32> %t1078, i32 %t1077, i32 1
  %t1080 = insertelement <8 x i32> %t1079, i32 %t1069, i32 2
  %t1081 = insertelement <8 x i32> %t1080, i32 %t1017, i32 3
  %t1082 = insertelement <8 x i32> %t1081, i32 %t1071, i32 4
  %t1083 = insertelement <8 x i32> %t1082, i32 %t1073, i32 5
  %t1084 = insertelement <8 x i32> %t1083, i32 %t986, i32 6
  %t1085 = insertelement <8 x i32> %t1084, i32 467747, i32 7
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t1085)
  call void asm sideeffect "; use $0", "s"(i32 %a22)
  %t1086 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t1087 = trunc i64 %a11 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1087)
  %t1089 = trunc i64 %a27 to i32
  %t1088 = mul i32 %t1089, %t998
  %t1090 = add i32 %t997, 1
  %t1091 = icmp ult i32 %t1090, %a22
  br i1 %t1091, label %b93, label %b94
b94:
  %t1092 = ptrtoint ptr addrspace(1) %a0 to i64
  %t1093 = lshr i64 %t1092, 32
  %t1094 = trunc i64 %t1093 to i32
  %t1095 = insertelement <2 x i32> poison, i32 %t1094, i32 0
  %t1096 = insertelement <2 x i32> %t1095, i32 %a21, i32 1
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t1096)
  br label %b99
b99:
  %t1097 = phi i32 [ 0, %b94 ], [ %t1109, %b99 ]
  %t1098 = phi i32 [ %a15, %b94 ], [ %a21, %b99 ]
  %t1099 = lshr i64 %a14, 32
  %t1100 = trunc i64 %t1099 to i32
  %t1101 = trunc i64 %t799 to i32
  %t1102 = lshr i64 %t799, 32
  %t1103 = trunc i64 %t1102 to i32
  %t1104 = insertelement <4 x i32> poison, i32 %t1101, i32 0
  %t1105 = insertelement <4 x i32> %t1104, i32 %t1103, i32 1
  %t1106 = insertelement <4 x i32> %t1105, i32 %a7, i32 2
  %t1107 = insertelement <4 x i32> %t1106, i32 %t1100, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t1108 = call <8 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t913)
  call void asm sideeffect "; use $0", "s"(i64 %a14)
  %t1109 = add i32 %t1097, 1
  %t1110 = icmp ult i32 %t1109, %t988
  br i1 %t1110, label %b99, label %b100
b100:
  %t1111 = lshr i64 %a8, 32
  %t1112 = trunc i64 %t1111 to i32
  %t1113 = trunc i64 %a16 to i32
  %t1114 = ptrtoint ptr addrspace(1) %a13 to i64
  %t1115 = trunc i64 %t1114 to i32
  %t1116 = trunc i64 %a5 to i32
  %t1117 = trunc i64 %a12 to i32
  %t1118 = ptrtoint ptr addrspace(1) %a9 to i64
  %t1119 = trunc i64 %t1118 to i32
  %t1120 = lshr i64 %a11, 32
  %t1121 = trunc i64 %t1120 to i32
  %t1122 = trunc i64 %a4 to i32
  %t1123 = insertelement <8 x i32> poison, i32 %t1112, i32 0
  %t1124 = insertelement <8 x i32> %t1123, i32 %t1113, i32 1
  %t1125 = insertelement <8 x i32> %t1124, i32 %t1115, i32 2
  %t1126 = insertelement <8 x i32> %t1125, i32 %t1116, i32 3
  %t1127 = insertelement <8 x i32> %t1126, i32 %t1117, i32 4
  %t1128 = insertelement <8 x i32> %t1127, i32 %t1119, i32 5
  %t1129 = insertelement <8 x i32> %t1128, i32 %t1121, i32 6
  %t1130 = insertelement <8 x i32> %t1129, i32 %t1122, i32 7
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t1130)
  %t1131 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  br label %b101
b101:
  %t1132 = phi i32 [ 0, %b100 ], [ %t1173, %b106 ]
  %t1133 = phi i64 [ %t799, %b100 ], [ %a12, %b106 ]
  %t1134 = phi i64 [ %a3, %b100 ], [ %a18, %b106 ]
  %t1135 = phi i32 [ %t919, %b100 ], [ %a6, %b106 ]
  %t1136 = trunc i64 %a2 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1136)
  %t1137 = extractelement <4 x i32> %t29, i32 1
  %t1139 = trunc i64 %a16 to i32
  %t1138 = sub i32 %t986, %t1139
  %t1140 = icmp eq i32 %t612, 8
  br i1 %t1140, label %b103, label %b104
b103:
  %t1141 = extractelement <4 x i32> %t1131, i32 0
  %t1142 = extractelement <4 x i32> %t29, i32 1
  %t1143 = ptrtoint ptr addrspace(1) %a26 to i64
  %t1144 = lshr i64 %t1143, 32
  %t1145 = trunc i64 %t1144 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1145)
  %t1147 = lshr i64 %a17, 32
  %t1148 = trunc i64 %t1147 to i32
  %t1146 = insertelement <4 x i32> %t297, i32 %t1148, i32 2
  %t1150 = ptrtoint ptr addrspace(1) %a10 to i64
  %t1151 = trunc i64 %t1150 to i32
  %t1149 = insertelement <4 x i32> %t1146, i32 %t1151, i32 2
  %t1153 = trunc i64 %a8 to i32
  %t1152 = add i32 %t1153, %t1138
  br label %b104
b104:
  br label %b105
b105:
  %t1154 = phi i32 [ 0, %b104 ], [ %t1168, %b105 ]
  %t1155 = phi <8 x i32> [ %t913, %b104 ], [ %t913, %b105 ]
  call void asm sideeffect "; use $0", "s"(i32 %t612)
  %t1156 = ptrtoint ptr addrspace(1) %a10 to i64
  %t1157 = trunc i64 %t1156 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1157)
  %t1159 = lshr i64 %t799, 32
  %t1160 = trunc i64 %t1159 to i32
  %t1158 = insertelement <8 x i32> %t1155, i32 %t1160, i32 5
  call void asm sideeffect "; use $0", "s"(i64 %a19)
  %t1161 = insertelement <4 x i32> %t29, i32 %a6, i32 1
  %t1163 = ptrtoint ptr addrspace(1) %a24 to i64
  %t1162 = and i64 %t1163, %a27
  %t1165 = lshr i64 %a3, 32
  %t1166 = trunc i64 %t1165 to i32
  %t1164 = add i32 %a25, %t1166
  %t1167 = ptrtoint ptr addrspace(1) %a13 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t1167)
  %t1168 = add i32 %t1154, 1
  %t1169 = icmp ult i32 %t1168, %a25
  br i1 %t1169, label %b105, label %b106
b106:
  %t1170 = insertelement <4 x i32> %t297, i32 %t988, i32 2
  %t1171 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t1172 = trunc i64 %a19 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1172)
  %t1173 = add i32 %t1132, 1
  %t1174 = icmp ult i32 %t1173, %t3
  br i1 %t1174, label %b101, label %b102
b102:
  %t1175 = extractelement <8 x i32> %t913, i32 4
  %t1177 = ptrtoint ptr addrspace(1) %a10 to i64
  %t1178 = lshr i64 %t1177, 32
  %t1179 = trunc i64 %t1178 to i32
  %t1176 = icmp eq i32 %t1179, 9
  br i1 %t1176, label %b107, label %b108
b107:
  %t1180 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  br label %b109
b109:
  %t1181 = phi i32 [ 0, %b107 ], [ %t1204, %b109 ]
  %t1182 = phi <8 x i32> [ %t913, %b107 ], [ %t913, %b109 ]
  %t1183 = phi i64 [ %a16, %b107 ], [ %a17, %b109 ]
  %t1184 = phi <4 x i32> [ %t1180, %b107 ], [ %t297, %b109 ]
  call void asm sideeffect "; use $0", "s"(i64 %a19)
  %t1185 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1186 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1185, 2
  call void asm sideeffect "; use $0", "s"(i32 %t1186)
  %t1187 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1185, 8
  call void asm sideeffect "; use $0", "s"(i32 %t1187)
  %t1188 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1185, 1
  %t1189 = and i64 %a23, %a14
  call void asm sideeffect "; use $0", "s"(i64 %a17)
  %t1190 = insertelement <8 x i32> %t1182, i32 %a7, i32 5
  %t1191 = trunc i64 %a14 to i32
  %t1192 = ptrtoint ptr addrspace(1) %a24 to i64
  %t1193 = trunc i64 %t1192 to i32
  %t1194 = insertelement <4 x i32> poison, i32 %t1175, i32 0
  %t1195 = insertelement <4 x i32> %t1194, i32 201704, i32 1
  %t1196 = insertelement <4 x i32> %t1195, i32 %t1191, i32 2
  %t1197 = insertelement <4 x i32> %t1196, i32 %t1193, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t1197)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t1182)
  %t1198 = trunc i64 %a4 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1198)
  %t1199 = call { i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1200 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t1199, 4
  call void asm sideeffect "; use $0", "s"(i32 %t1200)
  %t1201 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t1199, 5
  call void asm sideeffect "; use $0", "s"(i32 %t1201)
  %t1202 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %t1199, 3
  call void asm sideeffect "; use $0", "s"(i32 %t1202)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t1190)
  %t1203 = insertelement <4 x i32> %t297, i32 %t988, i32 0
  %t1204 = add i32 %t1181, 1
  %t1205 = icmp ult i32 %t1204, %t919
  br i1 %t1205, label %b109, label %b110
b110:
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  br label %b108
b108:
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  %t1206 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1207 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1206, 14
  call void asm sideeffect "; use $0", "s"(i32 %t1207)
  %t1208 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1206, 15
  call void asm sideeffect "; use $0", "s"(i32 %t1208)
  %t1209 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1206, 9
  call void asm sideeffect "; use $0", "s"(i32 %t1209)
  br label %b111
b111:
  %t1210 = phi i32 [ 0, %b108 ], [ %t1251, %b116 ]
  %t1212 = ptrtoint ptr addrspace(1) %a10 to i64
  %t1213 = lshr i64 %t1212, 32
  %t1214 = trunc i64 %t1213 to i32
  %t1211 = sub i32 %t3, %t1214
  %t1216 = ptrtoint ptr addrspace(1) %a24 to i64
  %t1217 = trunc i64 %t1216 to i32
  %t1215 = and i32 %t1217, %t3
  %t1219 = trunc i64 %a5 to i32
  %t1218 = icmp eq i32 %t1219, 6
  br i1 %t1218, label %b113, label %b114
b113:
  call void asm sideeffect "; use $0", "s"(i32 %a21)
  %t1220 = extractelement <4 x i32> %t29, i32 3
  br label %b114
b114:
  %t1221 = ptrtoint ptr addrspace(1) %a9 to i64
  %t1222 = lshr i64 %t1221, 32
  %t1223 = trunc i64 %t1222 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1223)
  %t1224 = xor i64 %t799, %a17
  %t1225 = ptrtoint ptr addrspace(1) %a0 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t1225)
  %t1226 = extractelement <4 x i32> %t297, i32 1
  call void asm sideeffect "; use $0", "s"(i64 %a16)
  br label %b115
b115:
  %t1227 = phi i32 [ 0, %b114 ], [ %t1249, %b115 ]
  %t1228 = phi i64 [ %a17, %b114 ], [ %a18, %b115 ]
  %t1229 = phi i64 [ %a18, %b114 ], [ %a11, %b115 ]
  %t1230 = phi i64 [ %a3, %b114 ], [ %a5, %b115 ]
  %t1231 = insertelement <4 x i32> %t1131, i32 %a15, i32 2
  %t1232 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1233 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1232, 5
  call void asm sideeffect "; use $0", "s"(i32 %t1233)
  %t1234 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1232, 15
  call void asm sideeffect "; use $0", "s"(i32 %t1234)
  %t1235 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1232, 13
  call void asm sideeffect "; use $0", "s"(i32 %t1235)
  %t1236 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t1237 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  %t1239 = trunc i64 %a16 to i32
  %t1238 = and i32 %t1239, %t612
  %t1240 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t1241 = and i64 %a12, %t799
  call void asm sideeffect "; use $0", "s"(i64 %t799)
  call void asm sideeffect "; use $0", "s"(i32 %t612)
  %t1243 = ptrtoint ptr addrspace(1) %a13 to i64
  %t1242 = add i64 %t799, %t1243
  %t1244 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1245 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1244, 5
  call void asm sideeffect "; use $0", "s"(i32 %t1245)
  %t1246 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1244, 1
  call void asm sideeffect "; use $0", "s"(i32 %t1246)
  %t1247 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1244, 8
  call void asm sideeffect "; use $0", "s"(i32 %t1247)
  call void asm sideeffect "; use $0", "s"(i64 %a23)
  %t1248 = sub i32 %a7, %t1226
  %t1249 = add i32 %t1227, 1
  %t1250 = icmp ult i32 %t1249, %t986
  br i1 %t1250, label %b115, label %b116
b116:
  %t1251 = add i32 %t1210, 1
  %t1252 = icmp ult i32 %t1251, %t3
  br i1 %t1252, label %b111, label %b112
b112:
  %t1254 = trunc i64 %a5 to i32
  %t1253 = sub i32 %t612, %t1254
  %t1255 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t1096)
  %t1256 = add i32 %t996, 1
  %t1257 = icmp ult i32 %t1256, %a7
  br i1 %t1257, label %b91, label %b92
b92:
  %t1258 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1259 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1258, 0
  call void asm sideeffect "; use $0", "s"(i32 %t1259)
  %t1260 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1258, 3
  call void asm sideeffect "; use $0", "s"(i32 %t1260)
  %t1261 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1258, 10
  call void asm sideeffect "; use $0", "s"(i32 %t1261)
  %t1262 = extractelement <16 x i32> %t30, i32 12
  %t1263 = lshr i64 %a5, 32
  %t1264 = trunc i64 %t1263 to i32
  %t1265 = trunc i64 %t799 to i32
  %t1266 = ptrtoint ptr addrspace(1) %a13 to i64
  %t1267 = trunc i64 %t1266 to i32
  %t1268 = insertelement <4 x i32> poison, i32 %t1264, i32 0
  %t1269 = insertelement <4 x i32> %t1268, i32 931483, i32 1
  %t1270 = insertelement <4 x i32> %t1269, i32 %t1265, i32 2
  %t1271 = insertelement <4 x i32> %t1270, i32 %t1267, i32 3
  %t1272 = add i64 %a1, %a18
  %t1273 = ptrtoint ptr addrspace(1) %a24 to i64
  %t1274 = trunc i64 %t1273 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1274)
  %t1275 = call <4 x i32> asm sideeffect "; def $0", "=s"()
  %t1276 = extractelement <8 x i32> %t296, i32 3
  %t1277 = ptrtoint ptr addrspace(1) %a26 to i64
  %t1278 = trunc i64 %t1277 to i32
  %t1279 = ptrtoint ptr addrspace(1) %a26 to i64
  %t1280 = lshr i64 %t1279, 32
  %t1281 = trunc i64 %t1280 to i32
  %t1282 = trunc i64 %a2 to i32
  %t1283 = lshr i64 %a2, 32
  %t1284 = trunc i64 %t1283 to i32
  %t1285 = insertelement <4 x i32> poison, i32 %t1282, i32 0
  %t1286 = insertelement <4 x i32> %t1285, i32 %t1284, i32 1
  %t1287 = insertelement <4 x i32> %t1286, i32 %t1281, i32 2
  %t1288 = insertelement <4 x i32> %t1287, i32 %t919, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t1288)
  %t1290 = trunc i64 %a27 to i32
  %t1289 = icmp eq i32 %t1290, 0
  br i1 %t1289, label %b117, label %b118
b117:
  call void asm sideeffect "; use $0", "s"(i32 %a22)
  %t1292 = trunc i64 %a4 to i32
  %t1291 = icmp eq i32 %t1292, 3
  br i1 %t1291, label %b119, label %b120
b119:
  %t1293 = lshr i64 %a20, 32
  %t1294 = trunc i64 %t1293 to i32
  %t1295 = ptrtoint ptr addrspace(1) %a9 to i64
  %t1296 = lshr i64 %t1295, 32
  %t1297 = trunc i64 %t1296 to i32
  %t1298 = ptrtoint ptr addrspace(1) %a0 to i64
  %t1299 = lshr i64 %t1298, 32
  %t1300 = trunc i64 %t1299 to i32
  %t1301 = lshr i64 %a14, 32
  %t1302 = trunc i64 %t1301 to i32
  %t1303 = ptrtoint ptr addrspace(1) %a13 to i64
  %t1304 = trunc i64 %t1303 to i32
  %t1305 = lshr i64 %t1303, 32
  %t1306 = trunc i64 %t1305 to i32
  %t1307 = insertelement <8 x i32> poison, i32 %t1304, i32 0
  %t1308 = insertelement <8 x i32> %t1307, i32 %t1306, i32 1
  %t1309 = insertelement <8 x i32> %t1308, i32 937203, i32 2
  %t1310 = insertelement <8 x i32> %t1309, i32 %t612, i32 3
  %t1311 = insertelement <8 x i32> %t1310, i32 %t1297, i32 4
  %t1312 = insertelement <8 x i32> %t1311, i32 86339, i32 5
  %t1313 = insertelement <8 x i32> %t1312, i32 %t1300, i32 6
  %t1314 = insertelement <8 x i32> %t1313, i32 %t1302, i32 7
  %t1315 = trunc i64 %t799 to i32
  %t1316 = lshr i64 %t799, 32
  %t1317 = trunc i64 %t1316 to i32
  %t1318 = insertelement <2 x i32> poison, i32 %t1315, i32 0
  %t1319 = insertelement <2 x i32> %t1318, i32 %t1317, i32 1
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t1314)
  %t1320 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1321 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1320, 2
  %t1322 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1320, 15
  %t1323 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1320, 1
  %t1324 = and i64 %a2, %a12
  %t1326 = ptrtoint ptr addrspace(1) %a26 to i64
  %t1327 = trunc i64 %t1326 to i32
  %t1325 = icmp eq i32 %t1327, 4
  br i1 %t1325, label %b121, label %b122
b121:
  %t1328 = trunc i64 %a20 to i32
  %t1329 = insertelement <4 x i32> poison, i32 %t1328, i32 0
  %t1330 = insertelement <4 x i32> %t1329, i32 352861, i32 1
  %t1331 = insertelement <4 x i32> %t1330, i32 889742, i32 2
  %t1332 = insertelement <4 x i32> %t1331, i32 679422, i32 3
  %t1333 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1334 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1333, 7
  call void asm sideeffect "; use $0", "s"(i32 %t1334)
  %t1335 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1333, 5
  call void asm sideeffect "; use $0", "s"(i32 %t1335)
  %t1336 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1333, 3
  br label %b122
b122:
  %t1337 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1338 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1337, 16
  call void asm sideeffect "; use $0", "s"(i32 %t1338)
  %t1339 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1337, 11
  call void asm sideeffect "; use $0", "s"(i32 %t1339)
  %t1340 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1337, 23
  br label %b120
b120:
  %t1341 = lshr i64 %a4, 32
  %t1342 = trunc i64 %t1341 to i32
  %t1343 = insertelement <2 x i32> poison, i32 855163, i32 0
  %t1344 = insertelement <2 x i32> %t1343, i32 %t1342, i32 1
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t1275)
  %t1345 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t30)
  br label %b123
b123:
  %t1346 = phi i32 [ 0, %b120 ], [ %t1426, %b130 ]
  %t1347 = phi <4 x i32> [ %t29, %b120 ], [ %t1275, %b130 ]
  %t1348 = phi i64 [ %a23, %b120 ], [ %a27, %b130 ]
  %t1349 = add i64 %a14, %a3
  br label %b125
b125:
  %t1350 = phi i32 [ 0, %b123 ], [ %t1367, %b125 ]
  %t1351 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t1352 = add i64 %a2, %a8
  %t1353 = lshr i64 %a4, 32
  %t1354 = trunc i64 %t1353 to i32
  %t1355 = ptrtoint ptr addrspace(1) %a24 to i64
  %t1356 = trunc i64 %t1355 to i32
  %t1357 = lshr i64 %t1355, 32
  %t1358 = trunc i64 %t1357 to i32
  %t1359 = insertelement <2 x i32> poison, i32 %t1356, i32 0
  %t1360 = insertelement <2 x i32> %t1359, i32 %t1358, i32 1
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t1271)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t296)
  %t1361 = xor i32 %a7, %a25
  %t1362 = insertelement <2 x i32> %t1344, i32 %a21, i32 0
  %t1364 = lshr i64 %a23, 32
  %t1365 = trunc i64 %t1364 to i32
  %t1363 = mul i32 %t980, %t1365
  %t1366 = trunc i64 %a2 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1366)
  %t1367 = add i32 %t1350, 1
  %t1368 = icmp ult i32 %t1367, %t988
  br i1 %t1368, label %b125, label %b126
b126:
  br label %b127
b127:
  %t1369 = phi i32 [ 0, %b126 ], [ %t1385, %b127 ]
  %t1370 = phi i64 [ %t1349, %b126 ], [ %a20, %b127 ]
  %t1371 = phi i64 [ %a5, %b126 ], [ %a20, %b127 ]
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t913)
  %t1372 = lshr i64 %t1371, 32
  %t1373 = trunc i64 %t1372 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1373)
  call void asm sideeffect "; use $0", "s"(i64 %t1272)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t913)
  call void asm sideeffect "; use $0", "s"(<8 x i32> %t913)
  %t1374 = ptrtoint ptr addrspace(1) %a13 to i64
  %t1375 = trunc i64 %t1374 to i32
  %t1376 = trunc i64 %a3 to i32
  %t1377 = trunc i64 %a20 to i32
  %t1378 = trunc i64 %a4 to i32
  %t1379 = lshr i64 %a4, 32
  %t1380 = trunc i64 %t1379 to i32
  %t1381 = insertelement <4 x i32> poison, i32 %t1378, i32 0
  %t1382 = insertelement <4 x i32> %t1381, i32 %t1380, i32 1
  %t1383 = insertelement <4 x i32> %t1382, i32 %t1376, i32 2
  %t1384 = insertelement <4 x i32> %t1383, i32 %t1377, i32 3
  %t1385 = add i32 %t1369, 1
  %t1386 = icmp ult i32 %t1385, %a7
  br i1 %t1386, label %b127, label %b128
b128:
  %t1387 = lshr i64 %a11, 32
  %t1388 = trunc i64 %t1387 to i32
  %t1389 = trunc i64 %t1272 to i32
  %t1390 = lshr i64 %t1272, 32
  %t1391 = trunc i64 %t1390 to i32
  %t1392 = insertelement <2 x i32> poison, i32 %t1389, i32 0
  %t1393 = insertelement <2 x i32> %t1392, i32 %t1391, i32 1
  %t1394 = lshr i64 %a12, 32
  %t1395 = trunc i64 %t1394 to i32
  %t1396 = ptrtoint ptr addrspace(1) %a9 to i64
  %t1397 = lshr i64 %t1396, 32
  %t1398 = trunc i64 %t1397 to i32
  %t1399 = insertelement <2 x i32> poison, i32 %t1395, i32 0
  %t1400 = insertelement <2 x i32> %t1399, i32 %t1398, i32 1
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t1400)
  call void asm sideeffect "; use $0", "s"(<2 x i32> %t1400)
  call void asm sideeffect "; use $0", "s"(i32 %t3)
  br label %b129
b129:
  %t1401 = phi i32 [ 0, %b128 ], [ %t1422, %b129 ]
  %t1402 = phi i32 [ %a21, %b128 ], [ %a15, %b129 ]
  %t1403 = phi ptr addrspace(1) [ %a13, %b128 ], [ %a13, %b129 ]
  %t1404 = trunc i64 %a2 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1404)
  %t1405 = extractelement <4 x i32> %t1271, i32 0
  %t1406 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1407 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1406, 19
  %t1408 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1406, 4
  call void asm sideeffect "; use $0", "s"(i32 %t1408)
  %t1409 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1406, 15
  call void asm sideeffect "; use $0", "s"(i32 %t1409)
  call void asm sideeffect "; use $0", "s"(<16 x i32> %t1345)
  %t1411 = lshr i64 %a5, 32
  %t1412 = trunc i64 %t1411 to i32
  %t1410 = insertelement <8 x i32> %t296, i32 %t1412, i32 0
  %t1413 = lshr i64 %a11, 32
  %t1414 = trunc i64 %t1413 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1414)
  %t1415 = extractelement <2 x i32> %t1393, i32 0
  %t1416 = ptrtoint ptr addrspace(1) %a9 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t1416)
  %t1417 = mul i32 %t919, %a6
  %t1418 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "; def", "=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s,=s"()
  %t1419 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1418, 7
  call void asm sideeffect "; use $0", "s"(i32 %t1419)
  %t1420 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1418, 12
  %t1421 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %t1418, 8
  call void asm sideeffect "; use $0", "s"(i32 %t1421)
  %t1422 = add i32 %t1401, 1
  %t1423 = icmp ult i32 %t1422, %a21
  br i1 %t1423, label %b129, label %b130
b130:
  %t1424 = ptrtoint ptr addrspace(1) %a9 to i64
  %t1425 = trunc i64 %t1424 to i32
  call void asm sideeffect "; use $0", "s"(i32 %t1425)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t297)
  call void asm sideeffect "; use $0", "s"(i64 %a18)
  %t1426 = add i32 %t1346, 1
  %t1427 = icmp ult i32 %t1426, %a22
  br i1 %t1427, label %b123, label %b124
b124:
  br label %b118
b118:
  %t1428 = lshr i64 %a12, 32
  %t1429 = trunc i64 %t1428 to i32
  %t1430 = trunc i64 %a11 to i32
  %t1431 = insertelement <4 x i32> poison, i32 %t1429, i32 0
  %t1432 = insertelement <4 x i32> %t1431, i32 275284, i32 1
  %t1433 = insertelement <4 x i32> %t1432, i32 %a25, i32 2
  %t1434 = insertelement <4 x i32> %t1433, i32 %t1430, i32 3
  call void asm sideeffect "; use $0", "s"(<4 x i32> %t1434)
  %t1436 = ptrtoint ptr addrspace(1) %a24 to i64
  %t1437 = lshr i64 %t1436, 32
  %t1438 = trunc i64 %t1437 to i32
  %t1435 = icmp eq i32 %t1438, 2
  br i1 %t1435, label %b131, label %b132
b131:
  %t1439 = call <16 x i32> asm sideeffect "; def $0", "=s"()
  %t1440 = ptrtoint ptr addrspace(1) %a26 to i64
  call void asm sideeffect "; use $0", "s"(i64 %t1440)
  br label %b132
b132:
  call void asm sideeffect "; use $0", "s"(i32 %a25)
  ret void
}
attributes #0 = { nounwind "amdgpu-num-sgpr"="56" "amdgpu-waves-per-eu"="1,8" "amdgpu-flat-work-group-size"="1,64" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" }
