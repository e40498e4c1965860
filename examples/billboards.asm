//
// Each point becomes a square that faces the camera; points without a size become nothing.
// Written in assembly for this project:  unshade asm billboards.asm -o billboards.dxbc
//
// Buffer Definitions: 
//
// cbuffer Camera
// {
//
//   float4x4 view_projection;          // Offset:    0 Size:    64
//   float3 right;                      // Offset:   64 Size:    12
//   float3 up;                         // Offset:   80 Size:    12
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// Camera                            cbuffer      NA          NA            cb0      1 
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz 
// SIZE                     0      w        0     NONE   float      w
// COLOR                    0   xyzw        1     NONE   float   xyzw
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// TEXCOORD                 0   xy          1     NONE   float   xy  
// COLOR                    0   xyzw        2     NONE   float   xyzw
//
gs_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { -1.000000, 1.000000, 0, 0},
                              { 1.000000, 1.000000, 1.000000, 0},
                              { -1.000000, -1.000000, 0, 1.000000},
                              { 1.000000, -1.000000, 1.000000, 1.000000} }
dcl_constantbuffer CB0[6], immediateIndexed
dcl_input v[1][0].xyz
dcl_input v[1][0].w
dcl_input v[1][1].xyzw
dcl_temps 3
dcl_inputprimitive point 
dcl_stream m0
dcl_outputtopology trianglestrip 
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output o2.xyzw
dcl_maxout 4
ge r0.x, l(0.000000), v[0][0].w
retc_nz r0.x
mov r0.x, l(0)
loop 
  uge r0.y, r0.x, l(4)
  breakc_nz r0.y
  mul r1.xy, v[0][0].wwww, icb[r0.x + 0].xyxx
  mad r2.xyz, r1.xxxx, cb0[4].xyzx, v[0][0].xyzx
  mad r2.xyz, r1.yyyy, cb0[5].xyzx, r2.xyzx
  mov r2.w, l(1.000000)
  dp4 o0.x, r2.xyzw, cb0[0].xyzw
  dp4 o0.y, r2.xyzw, cb0[1].xyzw
  dp4 o0.z, r2.xyzw, cb0[2].xyzw
  dp4 o0.w, r2.xyzw, cb0[3].xyzw
  mov o1.xy, icb[r0.x + 0].zwzz
  mov o2.xyzw, v[0][1].xyzw
  emit_stream m0
  iadd r0.x, r0.x, l(1)
endloop 
ret 
// Approximately 20 instruction slots used
