"""Words before the types of globals, functions and calls: linkage, visibility, convention."""

from ..model.values import GlobalValue
from ..tables.llvm_enumerations import LINKAGES, VISIBILITIES

__all__ = ["convention_text", "linkage_text"]

EXTERNAL = frozenset((0, 5, 6, 15))
STORAGE_CLASSES = {0: "", 1: "dllimport", 2: "dllexport"}
CONVENTIONS = {
    0: "",
    8: "fastcc",
    9: "coldcc",
    10: "ghccc",
    12: "webkit_jscc",
    13: "anyregcc",
    14: "preserve_mostcc",
    15: "preserve_allcc",
    64: "x86_stdcallcc",
    65: "x86_fastcallcc",
    66: "arm_apcscc",
    67: "arm_aapcscc",
    68: "arm_aapcs_vfpcc",
    69: "msp430_intrcc",
    70: "x86_thiscallcc",
    71: "ptx_kernel",
    72: "ptx_device",
    75: "spir_func",
    76: "spir_kernel",
    77: "intel_ocl_bicc",
    78: "x86_64_sysvcc",
    79: "x86_64_win64cc",
    80: "x86_vectorcallcc",
}


def convention_text(convention: int) -> str:
    """Return a calling convention followed by a blank; empty for the C convention."""
    name = CONVENTIONS.get(convention, f"cc{convention}")
    return f"{name} " if name else ""


def linkage_text(value: GlobalValue) -> str:
    """Return linkage, visibility and storage class, each with a blank after it."""
    storage = {5: 1, 6: 2}.get(value.linkage, value.dll_storage)
    words = (
        LINKAGES[value.linkage],
        VISIBILITIES[value.visibility],
        STORAGE_CLASSES.get(storage, ""),
    )
    return "".join(f"{each} " for each in words if each)
