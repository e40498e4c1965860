//
// A sheet between four corners, bulging in its middle.
// Written in assembly for this project:  unshade asm sheet.d.asm -o sheet.d.dxbc
//
// Buffer Definitions: 
//
// cbuffer Camera
// {
//
//   float4x4 view_projection;          // Offset:    0 Size:    64
//   float height;                      // Offset:   64 Size:     4
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
// Patch Constant signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_TessFactor            0   x           0 QUADEDGE   float       
// SV_TessFactor            1   x           1 QUADEDGE   float       
// SV_TessFactor            2   x           2 QUADEDGE   float       
// SV_TessFactor            3   x           3 QUADEDGE   float       
// SV_InsideTessFactor      0   x           4  QUADINT   float       
// SV_InsideTessFactor      1   x           5  QUADINT   float       
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz 
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// TEXCOORD                 0   xy          1     NONE   float   xy  
//
// Tessellation Domain   # of control points
// -------------------- --------------------
// Quadrilateral                           4
//
ds_5_0
dcl_input_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[5], immediateIndexed
dcl_input vDomain.xy
dcl_input vicp[4][0].xyz
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_temps 3
add r0.xyz, -vicp[0][0].xyzx, vicp[1][0].xyzx
mad r0.xyz, vDomain.xxxx, r0.xyzx, vicp[0][0].xyzx
add r1.xyz, -vicp[2][0].xyzx, vicp[3][0].xyzx
mad r1.xyz, vDomain.xxxx, r1.xyzx, vicp[2][0].xyzx
add r1.xyz, -r0.xyzx, r1.xyzx
mad r0.xyz, vDomain.yyyy, r1.xyzx, r0.xyzx
add r1.xy, -vDomain.xyxx, l(1.000000, 1.000000, 0.000000, 0.000000)
mul r1.xy, r1.xyxx, vDomain.xyxx
mul r1.x, r1.x, r1.y
mul r1.x, r1.x, l(16.000000)
mad r0.y, r1.x, cb0[4].x, r0.y
mov r0.w, l(1.000000)
dp4 o0.x, r0.xyzw, cb0[0].xyzw
dp4 o0.y, r0.xyzw, cb0[1].xyzw
dp4 o0.z, r0.xyzw, cb0[2].xyzw
dp4 o0.w, r0.xyzw, cb0[3].xyzw
mov o1.xy, vDomain.xyxx
ret 
// Approximately 18 instruction slots used
