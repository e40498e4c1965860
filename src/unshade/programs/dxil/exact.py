"""The exact dialect: LLVM assembly, with comments for information that it lacks.

    ; unshade dxil exact 1            heading, if the text describes a program alone
    ;! program 0x60005 0x105          version token and DXIL version of the header
    ;! kinds dbg tbaa …               names of the kinds of attached metadata, by number
    ;! keeps-uses                     constants are not sorted, as dxc writes with orders of uses
    ;! part 06000500…                 the whole part, if the rules of LLVM's writer give another
    %5 = fadd fast(29) float …        flags of fast maths that `fast` does not tell apart

The text without these comments is assembled to the same program, but with the usual kinds.
"""

import re
from collections.abc import Sequence

from ...dialect import Heading
from ...errors import AssembleError, FormatError
from ...isa.source import Source
from ...limits import DEFAULT, Limits
from .bare import versions
from .bitstream import Bitstream
from .code import Code
from .model import DxilModule
from .text import is_same_text, module_lines
from .text.spelling import metadata_identifier

__all__ = ["EXACT", "exact_lines", "read_code"]

EXACT = Heading("dxil", "exact", 1)

MARK = ";!"
PROGRAM, KINDS, KEEPS_USES, PART = "program", "kinds", "keeps-uses", "part"
BYTES_OF_LINE = 48
_DIRECTIVE = re.compile(rf"^{MARK}[ \t]*(\S+)[ \t]*(.*?)[ \t\r]*$", re.MULTILINE | re.ASCII)


def exact_lines(code: Code) -> list[str]:
    """Return the lines of the text, without heading.

    Raises:
        FormatError: The program cannot be read.
        LimitError: The text is longer than the limits of `code` allow.
    """
    module = code.module
    numbers = range(len(module.kinds))
    kinds = [metadata_identifier(module.kinds.get(number, "")) for number in numbers]
    lines = [
        f"{MARK} {PROGRAM} 0x{code.version:x} 0x{code.dxil_version:x}",
        f"{MARK} {KINDS} {' '.join(kinds)}",
    ]
    text = module_lines(module, code.limits, exact=True)
    wanted = code.encode()
    for more in ([], [f"{MARK} {KEEPS_USES}"]):
        try:
            made = read_code(Source("\n".join([*lines, *more, *text, ""])), code.limits)
            if made.encode() == wanted:
                return [*lines, *more, *text]
        except (AssembleError, FormatError):
            break
    part = wanted.hex()
    step = 2 * BYTES_OF_LINE
    lines += [f"{MARK} {PART} {part[at : at + step]}" for at in range(0, len(part), step)]
    return [*lines, *text]


def read_code(
    source: Source,
    limits: Limits = DEFAULT,
    kinds: Sequence[str] | None = None,
    strict: bool = False,
) -> Code:
    """Return the program of a text in either dialect.

    Args:
        source: The text.
        limits: Bounds on the program.
        kinds: Names of the kinds of attached metadata, unless the text contains them.
        strict: Refuse values whose numbers are not consecutive.

    Raises:
        AssembleError: The text is malformed.
    """
    from .assembler import assemble
    from .assembler.tokens import unescaped

    directives: dict[str, str] = {}
    for match in _DIRECTIVE.finditer(source.text):
        name, value = match[1], match[2]
        if name not in (PROGRAM, KINDS, KEEPS_USES, PART):
            raise _error(source, match, f"unknown directive {name!r:.40}")
        directives[name] = directives.get(name, "") + value if name == PART else value
    if KINDS in directives:
        kinds = [unescaped(each) for each in directives[KINDS].split()]
    module = assemble(source, limits, kinds, strict)
    if PART in directives:
        return _of_part(source, directives[PART], module, limits)
    if PROGRAM in directives:
        words = directives[PROGRAM].split()
        try:
            version, dxil_version = (int(each, 16) & 0xFFFF_FFFF for each in words)
        except ValueError:
            problem = f"expected two hexadecimal numbers, got {directives[PROGRAM]!r:.40}"
            raise source.error(problem, 1) from None
    else:
        version, dxil_version = _versions(source, module)
    made = Code(version, dxil_version, Bitstream([]), limits)
    made.module = module
    made.rewrite(keeps_uses=KEEPS_USES in directives)
    return made


def _error(source: Source, match: re.Match[str], problem: str) -> AssembleError:
    line = source.text.count("\n", 0, match.start()) + 1
    return source.error(problem, line, 1, len(match[0]))


def _of_part(source: Source, digits: str, module: DxilModule, limits: Limits) -> Code:
    """Return the program of a whole part; if the text has changed, with the text's module."""
    try:
        made = Code.decode(bytes.fromhex(digits), limits)
        same = is_same_text(made.module, module, limits)
    except (ValueError, FormatError) as error:
        raise source.error(f"expected the bytes of a part: {error}", 1) from None
    if not same:
        made.module = module
        made.rewrite()
    return made


def _versions(source: Source, module: DxilModule) -> tuple[int, int]:
    """Return version token and DXIL version from the metadata."""
    try:
        return versions(module)
    except FormatError as error:
        problem = f"expected the metadata of a shader: {error.problem}"
        raise source.error(problem, len(source.lines)) from None
