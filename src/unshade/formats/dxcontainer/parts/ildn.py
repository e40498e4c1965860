"""ILDN: the name of the file with the debug information.

    +0 u16 flags   +2 u16 length   +4 name, NUL, padded with zeros to 4 bytes

dxc names the PDB by the hash of the program: 32 digits and `.pdb`. Source: DXC DxilContainer.h
(DxilShaderDebugName), checked on files.
"""

from ....wire import Record, derived, field, text, u16
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind


class DebugName(Record, source="DXC DxilContainer.h (DxilShaderDebugName)"):
    """The ILDN part."""

    flags: u16 = field("flags; 0 in all files", default=0)
    length: u16 | None = derived("length of the name without NUL", "bytes((name,)) - 1")
    name: str = text("file name")


PARTS = {
    "ILDN": PartDescription(
        "name of the debug file",
        Category.DEBUG,
        RecordKind(DebugName),
        loss="the name by which debuggers find the PDB",
        by_dxc=True,
        llvm=LlvmForm(
            "DebugName",
            keys={"flags": "Flags?", "length": "NameLength?", "name": "DebugName"},
            printed=False,
        ),
    )
}
