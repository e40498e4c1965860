"""Modifiers and layouts of declarations.

    layout (location = 0, binding = 1) flat in      Modifiers(layout, flags)

Each has three forms in a file; the writer uses the shortest that fits:

    DefaultModifiers (17)   nothing                  DefaultLayout (16)   nothing
    Modifiers8Bit (38)      layout, u8 flags         BuiltinLayout (5)    i16 builtin
    Modifiers (39)          layout, u32 flags        Layout (37)          all fields
"""

from ....wire.types import I8, I16, I32, U32
from ..tables.enumerations import LayoutFlag, ModifierFlag
from .node import TreeNode, child, number

__all__ = ["ABSENT", "LayoutQualifier", "Modifiers"]

ABSENT = -1  # a layout's number that is not given


class LayoutQualifier(TreeNode, command=37):
    """The layout of a declaration; a number that is not given is -1."""

    flags: int = number(I32, "flags, and one for each number that the source gives", default=0)
    location: int = number(I8, "location of an input or output", default=ABSENT)
    offset: int = number(I16, "offset of a member in bytes", default=ABSENT)
    binding: int = number(I16, "binding of a resource", default=ABSENT)
    index: int = number(I8, "index of a colour output", default=ABSENT)
    set: int = number(I8, "descriptor set", default=ABSENT)
    builtin: int = number(I16, "meaning of a builtin variable", default=ABSENT)
    input_attachment: int = number(I8, "index of an input attachment", default=ABSENT)

    @property
    def is_default(self) -> bool:
        """True if nothing is given."""
        return not self.flags and all(
            getattr(self, each.name) == ABSENT for each in self.fields[1:]
        )

    @property
    def is_builtin_only(self) -> bool:
        """True if the compiler assigned a meaning and nothing else is given."""
        return not self.flags and all(
            each.name == "builtin" or getattr(self, each.name) == ABSENT for each in self.fields[1:]
        )

    def text(self) -> str:
        """Return the qualifier as upstream prints it; empty if nothing is given."""
        found = [
            f"{each.name} = {value}"
            for each in self.fields[1:]
            if (value := getattr(self, each.name)) >= 0
        ]
        found = [each.replace("input_attachment", "input_attachment_index") for each in found]
        flags = LayoutFlag(self.flags & 15)
        found += [
            each.name.lower() for each in LayoutFlag if each < 16 and each in flags if each.name
        ]
        return f"layout ({', '.join(found)})" if found else ""


class Modifiers(TreeNode, command=39):
    """The modifiers of a declaration."""

    layout: LayoutQualifier = child("LayoutQualifier", "the layout")
    flags: int = number(U32, "flags of ModifierFlag", default=0)

    @property
    def is_default(self) -> bool:
        """True if nothing is given."""
        return not self.flags and self.layout.is_default

    def has(self, flag: ModifierFlag) -> bool:
        """Return True if all bits of a flag are set."""
        return self.flags & flag == flag
