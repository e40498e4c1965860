"""LLVM's YAML of DirectX containers, as yaml2obj reads and obj2yaml prints it.

    --- !dxcontainer
    Header:
      Hash:            [ 0x0, 0x25, … ]
      …
    Parts:
      - Name:            PSV0
        Size:            240
        PSVInfo:
          Version:         3

The output is the text of obj2yaml 19; the input is the text of yaml2obj 19, with the keys that
later versions add for ILDB, ILDN, VERS and RTS0. The text holds less than the container: parts that
are unknown to LLVM are printed as sizes, and tables of texts are laid out by LLVM's rules. Comments
at the start list the parts that cannot be made again from the text.

Source: LLVM 19, ObjectYAML/DXContainerYAML.cpp and DXContainerEmitter.cpp, checked against its
programs.
"""

from typing import TYPE_CHECKING, Any

from ....errors import FormatError, LimitError, UnsupportedError
from .container import document, read_container
from .style import emitted

if TYPE_CHECKING:
    from ..shader import DxContainer

__all__ = ["from_scalars", "to_text"]


def to_text(shader: "DxContainer") -> str:
    """Return a container as LLVM's YAML.

    Raises:
        UnsupportedError: The YAML cannot represent the container, or lacks a name for a value.
    """
    found = document(shader)
    notes = "".join(f"# {line}\n" for line in _losses(shader, found))
    return f"{notes}--- !dxcontainer\n{emitted(found)}...\n"


def from_scalars(data: Any) -> "DxContainer":
    """Return the container that LLVM's YAML describes.

    Args:
        data: The plain data of the document, in which all scalars are texts.

    Raises:
        FormatError: The data does not describe a container.
        LimitError: Sizes in the text exceed a limit.
    """
    return read_container(data)


def _losses(shader: "DxContainer", shown: dict[str, Any]) -> list[str]:
    """Return a line for each part that a document does not represent completely."""
    try:
        made = read_container(shown)
    except (FormatError, LimitError) as error:
        raise UnsupportedError(f"LLVM's YAML cannot hold this container: {error}") from None
    found = []
    for part, again in zip(shader.parts, made.parts, strict=True):
        data, other = part.data, again.data
        if data == other:
            continue
        if any(other):
            found.append(f"{part.name}: LLVM lays it out differently, in {len(other)} bytes")
        else:
            found.append(f"{part.name}: its {len(data)} bytes are not in this text")
    if shader.trailing:
        found.append(f"{len(shader.trailing)} bytes after the container are not in this text")
    if found:
        found.append("The hash belongs to the container that was printed.")
    return found
