vs_9_x
; projection c0 to c3, which c4.x, colours c8 to c11
dcl_position v0
dcl_color v1
dcl_texcoord v2.xy
dcl oPos
dcl oD0
dcl oT0.xy
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
mova a0.x, c4.x
mul r0, v1, c8[a0.x]
mov oD0, r0
mov oT0.xy, v2
