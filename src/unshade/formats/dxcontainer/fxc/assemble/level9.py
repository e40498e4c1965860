"""The code of feature level 9 in a listing, assembled into the donor's Aon9.

The tables of registers before it are the donor's: they say how a runtime sets the constants.
"""

from typing import TYPE_CHECKING

from .....errors import FormatError, LimitError
from .....isa.source import ErrorList, Source
from .....programs.d3d9.assembler import assemble
from .....programs.d3d9.code import Code
from ...parts.level9 import Level9Program

if TYPE_CHECKING:
    from ...shader import DxContainer

__all__ = ["put", "tokens_of"]


def tokens_of(source: Source, lines: range | None, donor: "DxContainer") -> bytes | None:
    """Return the tokens that the lines of feature level 9 describe; None if there are no lines.

    Args:
        source: The listing.
        lines: The numbers of the lines with the code, from 1; None if the listing has none.
        donor: The container whose tokens are kept where its listing is the same.

    Raises:
        AssembleError: The code is malformed, or the donor has no readable code of that level.
    """
    if lines is None:
        return None
    value = _program_of(donor)
    if value is None:
        raise source.error("expected a donor with Aon9 for the code of feature level 9", lines[0])
    errors = ErrorList()
    found = assemble(source, errors, _code_of(value), lines)
    errors.check()
    return found.encode()


def put(shader: "DxContainer", tokens: bytes) -> None:
    """Replace the tokens of the first Aon9, and its version; nothing is done if they are equal."""
    value = _program_of(shader)
    if value is None or value.tokens == tokens:
        return
    value.size += len(tokens) - len(value.tokens)
    value.tokens = tokens


def _program_of(shader: "DxContainer") -> Level9Program | None:
    part = shader.parts.get("Aon9")
    value = None if part is None else part.value
    return value if isinstance(value, Level9Program) else None


def _code_of(value: Level9Program) -> Code | None:
    try:
        return Code.decode(value.tokens)
    except (FormatError, LimitError):
        return None
