"""The first lines of a listing: features, the name of the debug information, the hash.

    ;
    ; Note: shader requires additional functionality:
    ;       Wave level operations
    ;
    ; shader debug name: c86f914224d472f911ed8d102c617431.pdb
    ; shader hash: c86f914224d472f911ed8d102c617431 (includes source)

Source: listings of dxc.
"""

from ....isa.linked import LinkedLine
from ....vocab.features import FEATURES
from ..part import DxPart
from ..parts.hash import DxilShaderHash
from ..parts.ildn import DebugName

__all__ = ["debug_name_lines", "feature_lines", "hash_lines"]

OPTIONAL = ("Function uses derivatives", "Function requires visible group")
OPTIONAL_SHIFT = 40
INCLUDES_SOURCE = 1


def feature_lines(flags: int) -> list[str]:
    """Return the notes for the bits of SFI0."""
    if not flags:
        return []
    lines = [";", "; Note: shader requires additional functionality:"]
    lines += [
        LinkedLine(f";       {each.listed}", "flags")
        for bit, each in enumerate(FEATURES)
        if flags >> bit & 1
    ]
    lines.append(";")
    if flags >> OPTIONAL_SHIFT:
        # dxc names these by the lowest bits of all flags
        lines.append("; Note: shader has optional feature flags set:")
        lines += [
            LinkedLine(f";       {name}", "flags")
            for bit, name in enumerate(OPTIONAL)
            if flags >> bit & 1
        ]
        lines.append(";")
    return lines


def debug_name_lines(part: DxPart) -> list[str]:
    """Return the line for ILDN."""
    value = part.value
    if not isinstance(value, DebugName) or value.length is not None:  # not that of the name
        return ["; shader debug name present; corruption detected"]
    line = LinkedLine(f"; shader debug name: {value.name}", "name")
    return [line] if value.name else []


def hash_lines(part: DxPart) -> list[str]:
    """Return the line for HASH."""
    value = part.value
    if not isinstance(value, DxilShaderHash):
        return []
    source = " (includes source)" if value.flags & INCLUDES_SOURCE else ""
    return [LinkedLine(f"; shader hash: {value.digest.hex()}{source}", "digest", "flags")]
