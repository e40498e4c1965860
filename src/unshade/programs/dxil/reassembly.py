"""A program assembled from the edited listing of another program.

    old program + edited text  ->  the text's module, in what surrounds the old one

Information that a text lacks comes from the old program: names of the kinds of attached metadata,
flags of fast maths, the versions of the header, bytes around the bitcode, and whether its writer
sorted constants. A text that is equivalent to the old program changes no bit.
"""

from ...isa.source import Source
from .code import Code
from .editing.instructions import keep_flags
from .exact import read_code
from .model.module import DxilModule
from .text import is_same_text

__all__ = ["reassembled"]


def reassembled(old: Code, source: Source, *, exact: bool, strict: bool) -> Code | None:
    """Return the program of an edited text, or None if it is the old one.

    Args:
        old: The program whose listing was edited; it is not changed.
        source: The text.
        exact: The text is in the dialect `exact`.
        strict: Refuse values whose numbers are not consecutive, instead of renumbering them.

    Raises:
        AssembleError: The text is malformed.
        FormatError: The old program is malformed.
    """
    code = read_code(source, old.limits, _kinds(old.module), strict)
    if exact:
        same = code.encode() == old.encode()
    else:
        same = is_same_text(code.module, old.module, old.limits)
        _keep_flags(old.module, code.module)
    if same:
        return None
    data = old.encode()
    again = Code.decode(data, old.limits)
    again.rewrite()
    sorts = again.encode() == data
    made = Code(old.version, old.dxil_version, old.bitcode, old.limits)
    made.gap, made.trailing = old.gap, old.trailing
    made.module = code.module
    made.rewrite(keeps_uses=not sorts)
    return made


def _kinds(module: DxilModule) -> list[str]:
    return [module.kinds.get(number, "") for number in range(len(module.kinds))]


def _keep_flags(old: DxilModule, new: DxilModule) -> None:
    """Keep fast-math flags that the text cannot express."""
    functions = {each.name: each for each in old.functions}
    for function in new.functions:
        theirs = functions[function.name].instructions if function.name in functions else []
        mine = function.instructions
        if len(theirs) != len(mine):
            continue
        for one, other in zip(theirs, mine, strict=True):
            keep_flags(one, other)
