"""ISGN, OSGN, PCSG, OSG5, ISG1, OSG1, PSG1: the signatures of a stage, row by row.

    +0  u32 count   +4  u32 offset of the first row (8)   rows …   names …, padded to 4 bytes

A row has 24 bytes. In OSG5 and the *1 parts it begins with the stream (28 bytes), in the *1 parts
it also ends with the minimum precision (32 bytes): OSG5 is `streamed`, the *1 parts are `streamed`
and `precise`. Equal names are stored once. fxc pads with 0xAB,
dxc with 0 or not at all. Source: DXC DxilContainer.h, LLVM DXContainer.h; the layout of fxc and dxc
was checked on files.
"""

from ....vocab.d3d import D3DMinPrecision, D3DName, RegisterComponentType
from ....wire import Array, CString, Nested, Record, derived, field, pointer, u8, u16, u32
from ....wire.codegen import Arguments
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind


class SignatureElement(Record, params=("precise", "streamed")):
    """A register, or some of its components, with a semantic."""

    stream: u32 = field("stream of a geometry shader, 0 to 3", default=0, when="streamed")
    name: str = pointer("semantic name, as written in the source", CString(), default="")
    index: u32 = field("semantic index")
    system_value: u32 = field(
        "system value; fxc stores 0 for the render targets of a pixel shader", enum=D3DName
    )
    component_type: u32 = field("type of the components", enum=RegisterComponentType)
    register: u32 = field("register number; 0xFFFFFFFF if outside the register file (oDepth, …)")
    mask: u8 = field("components that exist; bit 0 is x")
    rw_mask: u8 = field("inputs: components that are read; outputs: components never written")
    padding: u16 = field("padding: 0, or uninitialised memory of the compiler", default=0)
    min_precision: u32 = field(
        "minimum precision",
        enum=D3DMinPrecision,
        default=0,
        when="streamed and precise",
    )


class ProgramSignature(
    Record,
    params=("precise", "streamed"),
    source="DXC DxilContainer.h (DxilProgramSignature)",
):
    """A signature part: its rows in file order."""

    count: u32 | None = derived("number of rows", "len(elements)")
    elements: list[SignatureElement] = pointer(
        "rows",
        Array(Nested(SignatureElement, precise="precise", streamed="streamed"), count="count"),
    )


def arguments_of(name: str, _: object = None) -> Arguments:
    """Return the arguments of the record for a part of this name."""
    return ("precise", name.endswith("1")), ("streamed", name[-1] in "15")


KIND = RecordKind(ProgramSignature, for_data=arguments_of, for_value=arguments_of)
LLVM = LlvmForm("Signature", "signatures:FORM")
# Newer parts hold more and come first; a file has one part of each line.
INPUTS = ("ISG1", "ISGN")
OUTPUTS = ("OSG1", "OSG5", "OSGN")
PATCH_CONSTANTS = ("PSG1", "PCSG")
PARTS = {
    "ISGN": PartDescription("input signature", Category.INTERFACE, KIND),
    "OSGN": PartDescription("output signature", Category.INTERFACE, KIND),
    "PCSG": PartDescription("patch constant signature", Category.INTERFACE, KIND),
    "OSG5": PartDescription("output signature with streams", Category.INTERFACE, KIND),
    "ISG1": PartDescription("input signature", Category.INTERFACE, KIND, llvm=LLVM),
    "OSG1": PartDescription("output signature", Category.INTERFACE, KIND, llvm=LLVM),
    "PSG1": PartDescription("patch constant signature", Category.INTERFACE, KIND, llvm=LLVM),
}
