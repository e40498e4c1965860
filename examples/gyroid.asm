//
// A ball cut out of a gyroid over a chequered floor, by sphere tracing.
// Written in assembly for this project:  unshade asm gyroid.asm -o gyroid.dxbc
//
// Buffer Definitions: 
//
// cbuffer Frame
// {
//
//   float2 resolution;                 // Offset:    0 Size:     8
//   float time;                        // Offset:    8 Size:     4
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// Frame                             cbuffer      NA          NA            cb0      1 
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xy  
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1.000000, -1.000000, -1.000000, 0.000000},
                              { -1.000000, -1.000000, 1.000000, 0.000000},
                              { -1.000000, 1.000000, -1.000000, 0.000000},
                              { 1.000000, 1.000000, 1.000000, 0.000000} }
dcl_constantbuffer CB0[1], immediateIndexed
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 16
mad r0.xy, v0.xyxx, l(2.000000, 2.000000, 0.000000, 0.000000), -cb0[0].xyxx
div r0.xy, r0.xyxx, cb0[0].yyyy
mov r1.x, r0.xxxx
mov r1.y, -r0.yyyy
mov r1.z, l(2.100000)
dp3 r0.w, r1.xyzx, r1.xyzx
rsq r0.w, r0.wwww
mul r1.xyz, r0.wwww, r1.xyzx
mul r2.x, r1.yyyy, l(0.939373)
mad r2.y, r1.zzzz, l(-0.342898), r2.xxxx
mul r2.x, r1.yyyy, l(0.342898)
mad r1.z, r1.zzzz, l(0.939373), r2.xxxx
mov r1.y, r2.yyyy
mad r0.z, cb0[0].zzzz, l(0.350000), l(0.600000)
sincos r2.x, r2.y, r0.zzzz
mul r3.x, r1.zzzz, r2.xxxx
mad r3.x, r1.xxxx, r2.yyyy, r3.xxxx
mul r3.y, r1.xxxx, r2.xxxx
mad r1.z, r1.zzzz, r2.yyyy, -r3.yyyy
mov r1.x, r3.xxxx
mul r3.x, r2.xxxx, l(-4.200000)
mov r3.y, l(1.450000)
mul r3.z, r2.yyyy, l(-4.200000)
mov r4.x, l(2.000000)
mov r4.y, l(0)
mov r4.z, l(0.000000)
mov r4.w, l(0)
loop 
  ige r5.w, r4.yyyy, l(120)
  breakc_nz r5.w
  mad r5.xyz, r1.xyzx, r4.xxxx, r3.xyzx
  mul r8.xyz, r5.xyzx, l(4.600000, 4.600000, 4.600000, 0.000000)
  sincos r8.xyz, r9.xyz, r8.xyzx
  dp3 r7.x, r8.xyzx, r9.yzxy
  mad r7.x, |r7.xxxx|, l(0.140000), l(-0.035000)
  dp3 r8.x, r5.xyzx, r5.xyzx
  sqrt r8.x, r8.xxxx
  add r8.x, r8.xxxx, l(-1.500000)
  max r7.x, r7.xxxx, r8.xxxx
  lt r7.y, r7.xxxx, l(0.001500)
  if_nz r7.yyyy
    mov r4.w, l(-1)
    break 
  endif 
  lt r7.y, l(7.000000), r4.xxxx
  breakc_nz r7.y
  mad r7.z, r7.xxxx, r7.xxxx, l(0.004000)
  div r7.z, l(0.000150), r7.zzzz
  add r4.z, r4.zzzz, r7.zzzz
  mad r4.x, r7.xxxx, l(0.850000), r4.xxxx
  iadd r4.y, r4.yyyy, l(1)
endloop 
add r6.x, l(-1.650000), -r3.yyyy
div r6.x, r6.xxxx, r1.yyyy
mad r10.xyz, r1.yyyy, l(0.350000, 0.300000, 0.250000, 0.000000), l(0.190000, 0.230000, 0.320000, 0.000000)
lt r6.y, r1.yyyy, l(-0.010000)
if_nz r4.wwww
  mov r11.xyz, l(0.000000, 0.000000, 0.000000, 0.000000)
  mov r6.w, l(0)
  loop 
    ige r7.w, r6.wwww, l(4)
    breakc_nz r7.w
    mov r13.xyz, icb[r6.w + 0].xyzx
    mad r12.xyz, r13.xyzx, l(0.001000, 0.001000, 0.001000, 0.000000), r5.xyzx
    mul r8.xyz, r12.xyzx, l(4.600000, 4.600000, 4.600000, 0.000000)
    sincos r8.xyz, r9.xyz, r8.xyzx
    dp3 r7.x, r8.xyzx, r9.yzxy
    mad r7.x, |r7.xxxx|, l(0.140000), l(-0.035000)
    dp3 r8.x, r12.xyzx, r12.xyzx
    sqrt r8.x, r8.xxxx
    add r8.x, r8.xxxx, l(-1.500000)
    max r7.x, r7.xxxx, r8.xxxx
    mad r11.xyz, r13.xyzx, r7.xxxx, r11.xyzx
    iadd r6.w, r6.wwww, l(1)
  endloop 
  dp3 r0.w, r11.xyzx, r11.xyzx
  rsq r0.w, r0.wwww
  mul r11.xyz, r0.wwww, r11.xyzx
  dp3_sat r8.x, r11.xyzx, l(0.512148, 0.768221, -0.384111, 0.000000)
  dp3 r8.y, r11.xyzx, -r1.xyzx
  mov_sat r8.y, r8.yyyy
  add r8.y, l(1.000000), -r8.yyyy
  mul r8.z, r8.yyyy, r8.yyyy
  mul r8.y, r8.zzzz, r8.yyyy
  itof r8.w, r4.yyyy
  mad_sat r8.w, r8.wwww, l(-0.004000), l(1.000000)
  dp3 r9.x, r5.xyzx, r5.xyzx
  sqrt r9.x, r9.xxxx
  mul r9.y, cb0[0].zzzz, l(0.400000)
  mad r12.xyz, r9.xxxx, l(3.400000, 3.400000, 3.400000, 0.000000), l(2.000000, 3.100000, 4.200000, 0.000000)
  add r12.xyz, r12.xyzx, r9.yyyy
  sincos null, r12.xyz, r12.xyzx
  mad r12.xyz, r12.xyzx, l(0.480000, 0.400000, 0.500000, 0.000000), l(0.520000, 0.440000, 0.500000, 0.000000)
  mad r9.y, r8.xxxx, l(0.950000), l(0.160000)
  mad r9.z, r11.yyyy, l(0.140000), l(0.140000)
  add r9.y, r9.yyyy, r9.zzzz
  mul r12.xyz, r12.xyzx, r9.yyyy
  mad r12.xyz, r8.yyyy, l(0.300000, 0.420000, 0.550000, 0.000000), r12.xyzx
  mov r13.xyz, l(0.512148, 0.768221, -0.384111, 0.000000)
  add r13.xyz, r13.xyzx, -r1.xyzx
  dp3 r0.w, r13.xyzx, r13.xyzx
  rsq r0.w, r0.wwww
  mul r13.xyz, r0.wwww, r13.xyzx
  dp3_sat r9.z, r13.xyzx, r11.xyzx
  max r9.z, r9.zzzz, l(0.000100)
  log r9.z, r9.zzzz
  mul r9.z, r9.zzzz, l(60.000000)
  exp r9.z, r9.zzzz
  mad r12.xyz, r9.zzzz, l(0.900000, 0.850000, 0.750000, 0.000000), r12.xyzx
  mul r10.xyz, r12.xyzx, r8.wwww
else 
  if_nz r6.yyyy
    mad r5.xyz, r1.xyzx, r6.xxxx, r3.xyzx
    mul r8.xy, r5.xzxx, l(1.100000, 1.100000, 0.000000, 0.000000)
    round_ni r9.xy, r8.xyxx
    ftoi r9.xy, r9.xyxx
    xor r9.x, r9.yyyy, r9.xxxx
    and r9.x, r9.xxxx, l(1)
    movc r12.xyz, r9.xxxx, l(0.380000, 0.400000, 0.440000, 0.000000), l(0.090000, 0.100000, 0.130000, 0.000000)
    dp2 r9.y, r5.xzxx, r5.xzxx
    mul r9.z, r9.yyyy, l(-0.360000)
    exp r9.z, r9.zzzz
    mad r9.z, r9.zzzz, l(-0.800000), l(1.000000)
    mul r12.xyz, r12.xyzx, r9.zzzz
    mad r13.xz, r5.xxzx, l(1.000000, 0.000000, 1.000000, 0.000000), l(1.150000, 0.000000, -0.850000, 0.000000)
    dp2 r9.w, r13.xzxx, r13.xzxx
    mul r9.w, r9.wwww, l(-0.700000)
    exp r9.w, r9.wwww
    mad r9.w, r9.wwww, l(-0.550000), l(1.000000)
    mul r12.xyz, r12.xyzx, r9.wwww
    mul r9.y, r9.yyyy, l(-0.030000)
    exp r9.y, r9.yyyy
    add r12.xyz, r12.xyzx, -r10.xyzx
    mad r10.xyz, r9.yyyy, r12.xyzx, r10.xyzx
  endif 
endif 
mad r10.xyz, r4.zzzz, l(0.900000, 0.600000, 0.300000, 0.000000), r10.xyzx
dp2 r0.x, r0.xyxx, r0.xyxx
mad r0.x, r0.xxxx, l(-0.120000), l(1.080000)
mul r10.xyz, r10.xyzx, r0.xxxx
mad r11.xyz, r10.xyzx, l(0.250000, 0.250000, 0.250000, 0.000000), l(1.000000, 1.000000, 1.000000, 0.000000)
div r10.xyz, r10.xyzx, r11.xyzx
max r10.xyz, r10.xyzx, l(0.000000, 0.000000, 0.000000, 0.000000)
sqrt o0.xyz, r10.xyzx
mov o0.w, l(1.000000)
ret 
