"""Purposes of parts, on which `info`, `diff` and `strip` are based.

    name: (title, category, what is lost when the part is stripped)

The runtime draws the line between `interface` and `reflection`: it loads a shader without RDEF, and
rejects one without the signatures that its stage needs. Other tools strip the same parts:

    D3DStripShader   REFLECTION_DATA  DEBUG_INFO  PRIVATE_DATA  ROOT_SIGNATURE
    takes            RDEF STAT        SDBG SPDB   PRIV          RTS0
    dxc -Qstrip_…    reflect          debug       priv          rootsignature
    takes            STAT             ILDB ILDN   PRIV          RTS0

STAT of a tokenized program holds counts and has a category of its own, since a shader without names
may still need the counts. In a container without a program no part can be stripped: a root
signature or a debug file of dxc is then the purpose of the file.

Sources: DXC DxilContainer.h, LLVM DXContainerConstants.def, d3dcompiler.h (D3D_BLOB_PART,
D3DCOMPILER_STRIP_FLAGS) and its documentation; the parts that stripped files lack; DXC's options.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ....parts import Category as C
from ....shader import Loss

if TYPE_CHECKING:
    from ..part import DxPart

Purpose = tuple[str, C, str]

# ruff: noqa: E501
# fmt: off
PURPOSES: dict[str, Purpose] = {
    "SHDR": ("program",                                C.CODE,        ""),
    "SHEX": ("program",                                C.CODE,        ""),
    "DXIL": ("program, DXIL",                          C.CODE,        ""),
    "Aon9": ("program, feature level 9",               C.CODE,        ""),
    "XNAP": ("XNA prepass shader",                     C.CODE,        ""),
    "XNAS": ("XNA shader",                             C.CODE,        ""),
    "LIBF": ("library functions",                      C.CODE,        ""),
    "ISGN": ("input signature",                        C.INTERFACE,   ""),
    "ISG1": ("input signature",                        C.INTERFACE,   ""),
    "OSGN": ("output signature",                       C.INTERFACE,   ""),
    "OSG5": ("output signature with streams",          C.INTERFACE,   ""),
    "OSG1": ("output signature",                       C.INTERFACE,   ""),
    "PCSG": ("patch constant signature",               C.INTERFACE,   ""),
    "PSG1": ("patch constant signature",               C.INTERFACE,   ""),
    "SFI0": ("required features",                      C.INTERFACE,   ""),
    "IFCE": ("interfaces",                             C.INTERFACE,   ""),
    "ICFE": ("interfaces",                             C.INTERFACE,   ""),
    "RTS0": ("root signature",                         C.INTERFACE,   "the root signature: the application must supply one"),
    "PSV0": ("pipeline state validation",              C.INTERFACE,   ""),
    "RDAT": ("runtime data",                           C.INTERFACE,   ""),
    "LIBH": ("library header",                         C.INTERFACE,   ""),
    "LFS0": ("library function signature",             C.INTERFACE,   ""),
    "RDEF": ("resource definitions",                   C.REFLECTION,  "names, types and layout of constants and resources"),
    "STAT": ("statistics",                             C.STATISTICS,  "counts that D3DReflect returns and listings print"),
    "ILDB": ("program, DXIL with debug information",   C.DEBUG,       "the program with lines and variables, for debuggers"),
    "ILDN": ("name of the debug file",                 C.DEBUG,       "the name by which debuggers find the PDB"),
    "SRCI": ("source",                                 C.DEBUG,       "sources and the compiler's arguments"),
    "PDBI": ("debug information",                      C.DEBUG,       "sources and the compiler's arguments"),
    "SDBG": ("debug information",                      C.DEBUG,       "sources, lines and variables, for debuggers"),
    "SDGB": ("debug information",                      C.DEBUG,       "sources, lines and variables, for debuggers"),
    "SPDB": ("debug information (PDB)",                C.DEBUG,       "sources, lines and variables, for debuggers"),
    "XHSH": ("hash of an Xbox shader",                 C.DIGEST,      ""),
    "DXBC": ("container, named by LLVM only",          C.CONTAINER,   ""),
    "VERS": ("compiler version",                       C.COMPILER,    ""),
    "HASH": ("hash of the program",                    C.DIGEST,      ""),
    "PRIV": ("private data",                           C.PRIVATE,     "data attached by the application; Direct3D does not read it"),
}
# The other meaning of a name with two: beside DXIL, STAT is the program without function bodies.
OTHERWISE: dict[str, Purpose] = {
    "STAT": ("program for reflection, DXIL",           C.REFLECTION,  "names and types; reflection is left with the program"),
}
# Parts that repeat the program, and what they hold: they are not edited with it.
COPIES: dict[str, str] = {
    "Aon9": "the code for feature level 9",
    "XNAP": "the code of a prepass",
    "XNAS": "the code for XNA",
    "ILDB": "the program with debug information",
    "SDBG": "lines and variables",
    "SDGB": "lines and variables",
    "SPDB": "lines and variables",
}
# Fields with another purpose than their part: (part, path in plain data).
FIELDS = {
    ("RDEF", "creator"): C.COMPILER,
    ("RDEF", "flags"): C.COMPILER,
}
# fmt: on
UNKNOWN: Purpose = ("", C.CONTAINER, "")
FOLLOWING = ("HASH", "PSV0")  # parts that follow from a program (derived.py)
ROOT_SIGNATURE = "root-signature"  # the option of `strip` for the only interface part it can remove


def losses(parts: "Iterable[DxPart]") -> list[Loss]:
    """Return what `strip` can remove from a container with these parts."""
    found = list(parts)
    if not any(part.category is C.CODE for part in found):
        return []
    return [
        Loss(part.name, part.size, _stripped_as(part), meaning)
        for part in found
        if (meaning := part.purpose[2])
    ]


def _stripped_as(part: "DxPart") -> str:
    return ROOT_SIGNATURE if part.category is C.INTERFACE else part.category.value
