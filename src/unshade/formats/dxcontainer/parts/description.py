"""The description of the parts of a name, from which `info`, `diff`, `strip` and `verify` work.

    PARTS = {"HASH": PartDescription("hash of the program", Category.DIGEST, HashKind(…), …)}

Each module of parts exports such a table by name (FourCC). No other module lists the names of all
parts, or of those with a property: the properties are fields of the description.

The runtime draws the line between `interface` and `reflection`: it loads a shader without RDEF, and
rejects one without the signatures that its stage needs. Other tools strip the same parts:

    D3DStripShader   REFLECTION_DATA  DEBUG_INFO  PRIVATE_DATA  ROOT_SIGNATURE
    takes            RDEF STAT        SDBG SPDB   PRIV          RTS0
    dxc -Qstrip_…    reflect          debug       priv          rootsignature
    takes            STAT             ILDB ILDN   PRIV          RTS0

STAT of a tokenized program holds counts and has a separate category, since a shader without names
may still need the counts. In a container without a program no part can be stripped: a root
signature or a debug file of dxc is then the purpose of the file.

Sources: DXC DxilContainer.h, LLVM DXContainerConstants.def, d3dcompiler.h (D3D_BLOB_PART,
D3DCOMPILER_STRIP_FLAGS) and its documentation; the parts that stripped files lack; DXC's options.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ....parts import Category
from ....program import Program
from ....stripping import Loss, Strippable, program_losses
from ....tuples import NamedTuple
from ....wire import Record, write
from .kind import PartKind

if TYPE_CHECKING:
    from ..part import DxPart

__all__ = ["ROOT_SIGNATURE", "UNKNOWN", "Category", "LlvmForm", "PartDescription", "Purpose"]

ROOT_SIGNATURE = "root-signature"  # the option of `strip` for the only interface part it can remove


class Purpose(NamedTuple):
    """The purpose of parts: title, category, and the loss when they are stripped."""

    title: str
    category: Category
    loss: str


class LlvmForm(NamedTuple):
    """The contents of a part in LLVM's YAML: their key, and the form that reads and shows them.

    The contents are the fields of the record; `keys` contains the keys of fields that differ from
    the names of the fields (`llvm_yaml/records.py`). Where that does not suffice, `form` names a
    `PartForm` as "module:name", relative to `llvm_yaml`.
    """

    key: str
    form: str = ""
    keys: Mapping[str, str] = {}
    printed: bool = True  # False: LLVM 19 prints only the size


class PartDescription(NamedTuple):
    """The properties of the parts of a name."""

    title: str
    category: Category
    kind: PartKind | None = None  # how to read them; None: they are kept as bytes
    loss: str = ""  # the loss if `strip` removes the part; empty: `strip` keeps it
    repeats: str = ""  # noun phrase for what it repeats of the program, with which it is not edited
    by_dxc: bool = False  # dxc alone writes them, which pads with zeros
    several: bool = False  # a container may have several
    sources: bool = False  # the value is a file with sources, or has `files()` and `arguments()`
    fields: Mapping[str, Category] = {}  # fields of another category, by path in plain data
    second: Purpose | None = None  # the purpose of those of the second kind of `EitherKind`
    llvm: LlvmForm | None = None  # None: LLVM's YAML holds only the size

    @property
    def purpose(self) -> Purpose:
        """Title, category, and the loss when they are stripped."""
        return Purpose(self.title, self.category, self.loss)


UNKNOWN = PartDescription("", Category.CONTAINER)


def losses(parts: "Iterable[DxPart]") -> list[Loss]:
    """Return the parts that `strip` can remove from a container with these parts."""
    found = list(parts)
    if not any(part.category is Category.CODE for part in found):
        return []
    lost: list[Loss] = []
    for part in found:
        if meaning := part.purpose.loss:
            lost.append(Loss(part.name, part.size, _stripped_as(part), meaning))
        elif part.category is Category.CODE and isinstance(part.value, Program):
            lost += program_losses(f"{part.name} ", part.value)
        elif part.category is Category.CODE and isinstance(part.value, Strippable):
            lost += program_losses(f"{part.name} ", part.value, _size)
    return lost


def _size(value: Strippable) -> int:
    assert isinstance(value, Record)
    return len(write(value))


def _stripped_as(part: "DxPart") -> str:
    interface = part.category is Category.INTERFACE
    return ROOT_SIGNATURE if interface else part.category.value
