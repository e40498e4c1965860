"""SFI0: hardware features that a shader requires beyond its shader model, one bit each. 8 bytes.

Bit 1 differs from the flags of the reflection API: in D3D_SHADER_REQUIRES_* it means early
depth-stencil tests, which SFI0 does not record.

Source: LLVM DXContainerConstants.def, DXC RDAT_LibraryTypes.inl, d3d12shader.h (bit 27).
"""

from ....vocab.features import FEATURES
from ....wire import Record, field, u64
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind


class FeatureInfo(Record, source="LLVM DXContainerConstants.def"):
    """The SFI0 part."""

    flags: u64 = field("required features, one bit each")


def feature_names(flags: int) -> list[str]:
    """Return the names of the set bits; `bit N` for a bit without a name."""
    return [
        FEATURES[bit].name if bit < len(FEATURES) else f"bit {bit}"
        for bit in range(flags.bit_length())
        if flags >> bit & 1
    ]


PARTS = {
    "SFI0": PartDescription(
        "required features",
        Category.INTERFACE,
        RecordKind(FeatureInfo),
        llvm=LlvmForm("Flags", "programs:FEATURES_FORM"),
    )
}
