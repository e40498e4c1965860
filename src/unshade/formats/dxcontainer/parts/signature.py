"""ISGN, OSGN, PCSG, OSG5, ISG1, OSG1, PSG1: what a stage takes in and gives out, row by row.

    +0  u32 count   +4  u32 offset of the first row (8)   rows …   names …, filled up to 4 bytes

A row has 24 bytes; OSG5 and the *1 parts begin with the stream (28), the *1 parts end with the
minimum precision (32). Equal names share one place. fxc fills up with 0xAB, dxc with 0 or not at
all. Source: DXC DxilContainer.h, LLVM DXContainer.h; laid out as fxc and dxc do, checked on files.
"""

from ....vocab.d3d import D3DMinPrecision, D3DName, RegisterComponentType
from ....wire import Array, CString, Nested, Record, derived, field, pointer, u8, u16, u32
from ....wire.code import Arguments
from .kind import RecordKind


class SignatureElement(Record, params=("precise", "streamed")):
    """One register, or part of one, with its semantic."""

    stream: u32 = field("geometry shader stream, 0 to 3", default=0, when="streamed")
    name: str = pointer("semantic name, as written in the source", CString(), default="")
    index: u32 = field("semantic index")
    system_value: u32 = field(
        "meaning to the pipeline; fxc stores 0 for a pixel shader's targets", enum=D3DName
    )
    component_type: u32 = field("type of the components", enum=RegisterComponentType)
    register: u32 = field("register number; 0xFFFFFFFF outside the register file (oDepth, …)")
    mask: u8 = field("components that exist, bit 0 is x")
    rw_mask: u8 = field("inputs: components read; outputs: components never written")
    padding: u16 = field("fills the row up; 0, or what the compiler's memory held", default=0)
    min_precision: u32 = field(
        "least precision that the shader asks for",
        enum=D3DMinPrecision,
        default=0,
        when="streamed and precise",
    )


class ProgramSignature(
    Record,
    params=("precise", "streamed"),
    source="DXC DxilContainer.h (DxilProgramSignature)",
):
    """The rows of one signature, in the order of the file."""

    count: u32 | None = derived("number of rows", "len(elements)")
    elements: list[SignatureElement] = pointer(
        "the rows",
        Array(Nested(SignatureElement, precise="precise", streamed="streamed"), count="count"),
    )


def _arguments(name: str, _: object) -> Arguments:
    return ("precise", name.endswith("1")), ("streamed", name[-1] in "15")


PART = RecordKind(ProgramSignature, for_data=_arguments, for_value=_arguments)
