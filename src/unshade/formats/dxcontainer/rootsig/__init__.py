"""Root signatures in HLSL's language for root signatures.

    RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT),
    CBV(b0, space=1),
    DescriptorTable(SRV(t0, numDescriptors=unbounded), visibility=SHADER_VISIBILITY_PIXEL),
    StaticSampler(s0, filter=FILTER_MIN_MAG_MIP_LINEAR)

Arguments with their default values are left out. The text does not contain the version, which is an
option of compilers. Numbers without a name are written as numbers, which compilers do not read.

Source: "Specifying Root Signatures in HLSL" of Microsoft's documentation; flags of static samplers,
heaps and mesh shaders: d3d12.h. Checked on HLSL that was compiled by fxc and dxc.
"""

from .printing import to_text
from .reading import from_text

__all__ = ["from_text", "to_text"]
