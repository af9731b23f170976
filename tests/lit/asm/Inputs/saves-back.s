	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
	.type	k,@function
k:
	.file	1 "/src" "k.py"
	.loc	1 10 0
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	v_writelane_b32 v254, s4, 0
.LBB0_1:
	.loc	1 20 4                          ; k.py:20:4 @[ k.py:21:8 ]
	v_readlane_b32 s8, v254, 0
	s_mov_b32 s10, -1
	buffer_load_dword v1, v2, s[8:11], 0 offen
	.loc	1 30 0
	v_writelane_b32 v254, s8, 0
	s_cbranch_scc1 .LBB0_1
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
