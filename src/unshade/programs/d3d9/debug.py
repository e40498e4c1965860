"""DBUG: the comment with fxc's debug information of a Direct3D 9 program.

    +0   u32 size of this header, 0x28   +4  u32 name of the compiler
    +8   u32 unknown                     +12 u32 count, u32 offset   files
    +20  u32 count, u32 offset           the source line of each instruction
    +28  u32 count, u32 offset           variables
    +36  u32 name of the entry point

Offsets are relative to the first byte after the letters `DBUG`. A line has the offset of its
instruction from the start of the program. A variable has a scope (a function, a structure or a
buffer), a type, and the instructions that write it, with the component of the variable that each
component of the destination is.

Source: worked out from files and their listings; nothing is published.
"""

from ...errors import FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...wire import (
    U16,
    Array,
    CString,
    Nested,
    Record,
    array,
    derived,
    field,
    pointer,
    read,
    u16,
    u32,
)
from .code import Code
from .constants import ConstantType9

__all__ = ["DebugComment", "debug_info"]

NONE = 0xFFFF  # no file, no component
TAG = "DBUG"


class DebugCommentFile(Record):
    """A source file. 4 bytes."""

    name: str = pointer("path", CString(), default="")


class DebugLine(Record):
    """The source line of an instruction. 8 bytes."""

    line: u16 = field("line, from 1")
    file: u16 = field("number of the file; 0xffff for none")
    offset: u32 = field("offset of the instruction from the start of the program")


class DebugWrite(Record):
    """An instruction that writes a variable. 12 bytes."""

    instruction: u32 = field("number of the instruction")
    components: list[int] = array(
        "component of the variable for each of the destination; 0xffff for none", U16, count=4
    )


class WrittenVariable(Record):
    """A variable. 20 bytes."""

    scope: str | None = pointer("function, structure or buffer", CString(), null=0)
    name: str = pointer("name", CString(), default="")
    type: ConstantType9 = pointer("type", Nested(ConstantType9), share=True)
    count: u32 | None = derived("number of instructions", "len(writes)")
    writes: list[DebugWrite] = pointer(
        "instructions that write it", Array(Nested(DebugWrite), count="count"), loose=True
    )


class DebugComment(Record, source="files and their listings"):
    """The contents of a DBUG comment."""

    size: u32 = field("size of this header in bytes", default=0x28)
    creator: str = pointer("name of the compiler", CString(), default="")
    unknown_8: u32 = field("unknown; 0 in all files")
    file_count: u32 | None = derived("number of files", "len(files)")
    files: list[DebugCommentFile] = pointer(
        "files", Array(Nested(DebugCommentFile), count="file_count"), loose=True
    )
    line_count: u32 | None = derived("number of lines", "len(lines)")
    lines: list[DebugLine] = pointer(
        "source line of each instruction",
        Array(Nested(DebugLine), count="line_count"),
        loose=True,
    )
    variable_count: u32 | None = derived("number of variables", "len(variables)")
    variables: list[WrittenVariable] = pointer(
        "variables", Array(Nested(WrittenVariable), count="variable_count"), loose=True
    )
    entry: str | None = pointer("name of the entry point", CString(), null=0)


def debug_info(code: Code, limits: Limits = DEFAULT) -> DebugComment | None:
    """Return the debug information of a program; None if it has none, or a malformed one."""
    comment = code.comment(TAG)
    if comment is None:
        return None
    try:
        return read(DebugComment, comment.data[len(TAG) :], limits=limits)
    except (FormatError, LimitError):
        return None
