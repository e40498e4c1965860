"""LLVM assembly to a container: alone, or with a donor that supplies the other parts.

Comments, dxc's tables among them, are not read. Without a donor, the container contains the program
only. With a donor, the program that its listing shows is replaced (choice.py). If that is ILDB, a
copy of DXIL with debug information, DXIL is replaced, too. (The hash of the bitcode follows it,
derived.py.)
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ....dialect import checked_heading, no_options, only_source
from ....errors import UsageError
from ....isa.source import Source
from ....programs.dxil.code import Code
from ....programs.dxil.editing import strip_debug, strip_reflection
from ....programs.dxil.exact import EXACT as PROGRAM
from ....programs.dxil.exact import read_code
from ....programs.dxil.reassembly import reassembled
from ..choice import listed_part, running_part
from ..part import DxPart
from .listing import EXACT, decoded

if TYPE_CHECKING:
    from ..shader import DxContainer

__all__ = ["assemble", "is_assembly"]

if TYPE_CHECKING:
    Container = TypeVar("Container", bound="DxContainer")
else:  # a class in quotes would be compiled
    Container = TypeVar("Container")

STATEMENT = re.compile(
    r'^(?:target (?:datalayout|triple) = "|define [^\n]*@|; unshade (?:dxcontainer|dxil) exact )',
    re.MULTILINE,
)


def is_assembly(text: str) -> bool:
    """Return True if a text is LLVM assembly and not a listing of fxc."""
    return STATEMENT.search(text) is not None


def assemble(
    cls: type[Container],
    sources: Sequence[Source],
    donor: "DxContainer | None" = None,
    *,
    strict: bool = False,
    **options: Any,
) -> Container:
    """Return the container that the text describes.

    Values whose numbers are not consecutive are renumbered, or refused if `strict`.

    Raises:
        AssembleError: The text is malformed.
        FormatError: The donor's program is malformed.
        UsageError: There is not exactly one source, or the donor does not contain DXIL.
    """
    no_options("DXIL", options)
    source = only_source(sources)
    is_exact = checked_heading(source, ";", EXACT, PROGRAM) is not None
    if donor is None:
        code = read_code(source, strict=strict)
        made = cls()
        made.parts.append(DxPart("DXIL", code.encode()))
        return made
    listed = listed_part(donor.parts, exact=is_exact)
    if listed is None:
        raise UsageError("expected a donor with DXIL, got none")
    old = decoded(listed, donor)
    new = reassembled(old, source, exact=is_exact, strict=strict)
    shader = cls.loads(donor.to_bytes(), donor.limits)
    if new is None:
        return shader
    at = next(i for i, part in enumerate(donor.parts) if part is listed)
    running = running_part(shader.parts)
    shader.parts[at].value = new.encode()
    if running is not None and running is not shader.parts[at]:
        running.value = _stripped_like(running, decoded(listed, donor), new)
    return shader


def _stripped_like(running: DxPart, before: Code, code: Code) -> bytes:
    """Return a program stripped as DXIL is, at least of debug information.

    dxc removes names, too, unless it is called with -Qkeep_reflect_in_dxil.
    """
    keeps_names = _stripped(before, False) == running.data
    return _stripped(code, not keeps_names)


def _stripped(code: Code, names: bool) -> bytes:
    made = Code.decode(code.encode(), code.limits)
    strip_debug(made.module)
    if names:
        strip_reflection(made.module)
    made.rewrite()
    return made.encode()
