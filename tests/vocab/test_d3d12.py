"""Names of Direct3D 12's numbers, as d3d12.h has them."""

import pytest

from unshade.vocab.d3d12 import PIPELINE_WORDS

pytestmark = pytest.mark.fast

SAMPLES = {
    "SrcBlend": {1: "ZERO", 2: "ONE", 11: "SRC_ALPHA_SAT", 14: "BLEND_FACTOR", 19: "INV_SRC1_ALPHA",
                 21: "INV_ALPHA_FACTOR"},
    "BlendOpAlpha": {1: "ADD", 3: "REV_SUBTRACT", 5: "MAX"},
    "LogicOp": {0: "CLEAR", 4: "NOOP", 11: "EQUIV", 15: "OR_INVERTED"},
    "StencilPassOp": {1: "KEEP", 4: "INCR_SAT", 8: "DECR"},
    "StencilFunc": {0: "NONE", 1: "NEVER", 4: "LESS_EQUAL", 8: "ALWAYS"},
    "FillMode": {2: "WIREFRAME", 3: "SOLID"},
    "CullMode": {1: "NONE", 3: "BACK"},
    "PrimitiveTopology": {0: "UNDEFINED", 4: "PATCH"},
    "DepthWriteMask": {0: "ZERO", 1: "ALL"},
    "RTFormat7": {0: "UNKNOWN", 28: "R8G8B8A8_UNORM", 87: "B8G8R8A8_UNORM", 115: "B4G4R4A4_UNORM"},
    "LineRasterizationMode": {3: "QUADRILATERAL_NARROW"},
    "InputSlotClass": {1: "PER_INSTANCE_DATA"},
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_words(name: str) -> None:
    words = PIPELINE_WORDS[name]
    assert {number: words.get(number) for number in SAMPLES[name]} == SAMPLES[name]
    assert len({*words.values()}) == len(words)
    assert 12 not in PIPELINE_WORDS["SrcBlend"]
