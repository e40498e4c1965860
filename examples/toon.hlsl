// A surface in three tones, as on a comic page: vkd3d-compiler -p ps_3_0 -b d3dbc toon.hlsl
sampler2D paint;
float3 light;       // towards the lamp
float4 ink;         // of outlines
float2 tones;       // where the half tone and the shadow begin

float4 main(float2 uv : TEXCOORD0, float3 normal : TEXCOORD1, float3 eye : TEXCOORD2) : COLOR0
{
    float3 n = normalize(normal);
    float lit = dot(n, normalize(light));
    float edge = abs(dot(n, normalize(eye)));
    float4 colour = tex2D(paint, uv);
    float tone = 0.4 + 0.35 * step(tones.y, lit) + 0.25 * step(tones.x, lit);
    colour.rgb *= tone;
    return lerp(ink, colour, step(0.25, edge));
}
