//
// Four corners of a sheet pass through; each edge is divided by its length, the inside by the mean.
// Written in assembly for this project:  unshade asm sheet.h.asm -o sheet.h.dxbc
//
// Buffer Definitions: 
//
// cbuffer Division
// {
//
//   float density;                     // Offset:    0 Size:     4
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// Division                          cbuffer      NA          NA            cb0      1 
//
//
//
// Patch Constant signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_TessFactor            0   x           0 QUADEDGE   float   x   
// SV_TessFactor            1   x           1 QUADEDGE   float   x   
// SV_TessFactor            2   x           2 QUADEDGE   float   x   
// SV_TessFactor            3   x           3 QUADEDGE   float   x   
// SV_InsideTessFactor      0   x           4  QUADINT   float   x   
// SV_InsideTessFactor      1   x           5  QUADINT   float   x   
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
// POSITION                 0   xyz         0     NONE   float   xyz 
//
// Tessellation Domain   # of control points
// -------------------- --------------------
// Quadrilateral                           4
//
// Tessellation Output Primitive  Partitioning Type 
// ------------------------------ ------------------
// Clockwise Triangles            Integer           
//
hs_5_0
hs_decls 
dcl_input_control_point_count 4
dcl_output_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 0, 2, 0, 0},
                              { 0, 1, 0, 0},
                              { 1, 3, 0, 0},
                              { 2, 3, 0, 0} }
dcl_constantbuffer CB0[1], immediateIndexed
hs_fork_phase 
dcl_hs_fork_phase_instance_count 4
dcl_input vForkInstanceID
dcl_input vicp[4][0].xyz
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_temps 2
dcl_indexrange o0.x 4
mov r0.x, vForkInstanceID.x
mov r0.y, icb[r0.x + 0].x
mov r0.z, icb[r0.x + 0].y
add r1.xyz, -vicp[r0.y + 0][0].xyzx, vicp[r0.z + 0][0].xyzx
dp3 r0.y, r1.xyzx, r1.xyzx
sqrt r0.y, r0.y
mul r0.y, r0.y, cb0[0].x
max r0.y, r0.y, l(1.000000)
min o[r0.x + 0].x, r0.y, l(64.000000)
ret 
hs_join_phase 
dcl_input vpc0.x
dcl_input vpc1.x
dcl_input vpc2.x
dcl_input vpc3.x
dcl_output_siv o4.x, finalQuadUInsideTessFactor
dcl_output_siv o5.x, finalQuadVInsideTessFactor
dcl_temps 1
add r0.x, vpc1.x, vpc3.x
mul o4.x, r0.x, l(0.500000)
add r0.x, vpc0.x, vpc2.x
mul o5.x, r0.x, l(0.500000)
ret 
// Approximately 15 instruction slots used
