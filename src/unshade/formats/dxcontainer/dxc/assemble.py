"""LLVM assembly to a container: alone, or with a donor that supplies the other parts.

Comments are not read, dxc's tables neither. Alone, the container has the program only. With a
donor, the program that its listing shows is replaced: ILDB if it has one, else DXIL; in the dialect
`exact` DXIL, if it has one. A DXIL part that is ILDB without debug information and reflection
follows ILDB. (The hash of the bitcode follows it, derived.py.)
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ....dialect import checked_heading, no_options, only_source
from ....errors import UsageError
from ....isa.source import Source
from ....programs.dxil.code import Code
from ....programs.dxil.editing import strip_debug, strip_reflection
from ....programs.dxil.editing.instructions import keep_flags
from ....programs.dxil.exact import EXACT as PROGRAM
from ....programs.dxil.exact import read_code
from ....programs.dxil.model.module import DxilModule
from ....programs.dxil.text import is_same_text
from ..part import DxPart
from .listing import EXACT, PROGRAMS, first_part, program_of

if TYPE_CHECKING:
    from ..shader import DxContainer

__all__ = ["assemble", "is_assembly"]

Container = TypeVar("Container", bound="DxContainer")

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
        UsageError: There is not exactly one source, or the donor has no DXIL.
    """
    no_options("DXIL", options)
    source = only_source(sources)
    is_exact = checked_heading(source, ";", EXACT, PROGRAM) is not None
    if donor is None:
        code = read_code(source, strict=strict)
        made = cls()
        made.parts.append(DxPart("DXIL", code.encode()))
        return made
    order = PROGRAMS[::-1] if is_exact else PROGRAMS
    old = program_of(donor, *order)
    name = next((each for each in order if first_part(donor, each) is not None), "")
    if old is None:
        raise UsageError("expected a donor with DXIL, got none")
    code = read_code(source, donor.limits, _kinds(old.module), strict)
    shader = cls.loads(donor.to_bytes(), donor.limits)
    if is_exact:
        same = code.encode() == old.encode()
    else:
        same = is_same_text(code.module, old.module, donor.limits)
        _keep_flags(old.module, code.module)
    if same:
        return shader
    before = Code.decode(old.encode(), donor.limits)
    _replace(shader, name, before, code)
    if name == "ILDB":
        _replace_stripped(shader, before, code)
    return shader


def _kinds(module: DxilModule) -> list[str]:
    return [module.kinds.get(number, "") for number in range(len(module.kinds))]


def _keep_flags(old: DxilModule, new: DxilModule) -> None:
    """Keep flags of fast maths that the text does not tell apart."""
    functions = {each.name: each for each in old.functions}
    for function in new.functions:
        theirs = functions[function.name].instructions if function.name in functions else []
        mine = function.instructions
        if len(theirs) != len(mine):
            continue
        for one, other in zip(theirs, mine, strict=True):
            keep_flags(one, other)


def _replace(shader: "DxContainer", name: str, before: Code, code: Code) -> None:
    """Replace a program; its header and what surrounds the bitcode stay."""
    part = first_part(shader, name)
    assert part is not None
    data = before.encode()
    again = Code.decode(data, shader.limits)
    again.rewrite()
    sorts = again.encode() == data
    made = Code(before.version, before.dxil_version, before.bitcode, shader.limits)
    made.gap, made.trailing = before.gap, before.trailing
    made.module = code.module
    made.rewrite(keeps_uses=not sorts)
    part.value = made.encode()


def _replace_stripped(shader: "DxContainer", before: Code, code: Code) -> None:
    """Replace DXIL if it was ILDB without what only debuggers and reflection need."""
    part = first_part(shader, "DXIL")
    if part is None:
        return
    if _stripped(before, shader) == part.data:
        part.value = _stripped(code, shader)


def _stripped(code: Code, shader: "DxContainer") -> bytes:
    made = Code.decode(code.encode(), shader.limits)
    strip_debug(made.module)
    strip_reflection(made.module)
    made.rewrite()
    return made.encode()
