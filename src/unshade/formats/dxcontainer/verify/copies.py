"""Checks of parts that repeat the DXIL program: ILDB, STAT and its hash.

    ILDB    the same program, with debug information
    STAT    the same program, without function bodies
    HASH    MD5 of the bitcode of DXIL; with the flag for the source, of ILDB

Parts that cannot be compared, such as Aon9, are known to be outdated only while the shader that was
edited is in memory.

Source: DXC lib/DxilContainer/DxilContainerAssembler.cpp (SerializeDxilContainerForModule).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ..choice import STRANGE, running_part, strangers
from ..derived import INCLUDES_SOURCE, hash_of
from ..parts.hash import DxilShaderHash
from .places import ContainerFindings

if TYPE_CHECKING:
    from ..container import Container

__all__ = ["check_copies", "outdated_parts"]

RULES_OF = {"ILDB": "dxil.debug-program", "STAT": "dxil.reflection-program"}
REMOVED = frozenset(("RTS0", "RDAT"))  # dxc takes these out of the module after hashing it


def outdated_parts(container: "Container", names: Mapping[str, str]) -> list[Diagnostic]:
    """Report parts that repeat the program in its state before an edit, with their contents.

    For ILDB, the finding reports that the programs differ.
    """
    found = ContainerFindings(container)
    for name, holds in names.items():
        part = container.parts.get(name)
        if part is not None and name not in RULES_OF:
            message = f"{holds} is that of the program before it was edited"
            found.part("part.outdated", part, message)
    return found.diagnostics()


def check_copies(found: ContainerFindings) -> None:
    """Compare ILDB, STAT and HASH with the program that runs."""
    if "DXIL" not in found.present:
        return  # a PDB, whose HASH is that of the container it belongs to
    parts = found.container.parts
    for each in strangers(parts):
        found.part(RULES_OF[each.name], each, STRANGE[each.name])
    part = found.first("HASH")
    value = None if part is None else part.reading.value
    running = running_part(parts)
    if part is None or not isinstance(value, DxilShaderHash) or running is None:
        return
    source = bool(value.flags & INCLUDES_SOURCE)
    expected = hash_of(parts, value.flags)
    if expected is None or expected == value.digest or (source and found.present & REMOVED):
        return
    message = f"expected {expected.hex()}, got {value.digest.hex()}"
    found.part("hash.source" if source else "hash.program", part, message, "digest")
