"""Text that holds every word of a module: the native text with numeric ids, and the header.

    ; unshade spirv exact 1
    ; header 0x00010500 0x0008000b 24 0 little     version, generator, bound, schema, byte order
    %2 = OpTypeVoid
    OpUnknown(5, 4) 1 1717920867 6750208     an instruction that its text does not keep
    ; trailing 0a0b

Padding of strings, unknown opcodes and operands that the grammar does not explain have no text of
their own; such instructions are words.
"""

import re
from collections.abc import Sequence

from ...dialect import Heading
from ...errors import AssembleError
from ...isa.source import ErrorList, Source
from .assembler.lines import read_lines
from .assembler.reader import Assembler
from .module import Instruction, Module
from .text.printer import line_writer
from .text.shapes import LineStyle

__all__ = ["HEADING", "code_lines", "read_code", "read_exact", "write_exact"]

HEADING = Heading("spirv", "exact", 1)
HEADER = re.compile(
    r"; header 0x([0-9a-f]{1,8}) 0x([0-9a-f]{1,8}) (\d{1,10}) (\d{1,10}) (little|big)\s*\Z"
)
TRAILING = re.compile(r"; trailing ((?:[0-9a-f]{2})*)\s*\Z")


def write_exact(module: Module) -> str:
    """Return the exact text of a module."""
    header = f"0x{module.version:08x} 0x{module.generator:08x} {module.bound} {module.schema}"
    lines = [HEADING.line(";"), f"; header {header} {module.order}", *code_lines(module)]
    if module.trailing:
        lines.append(f"; trailing {module.trailing.hex()}")
    return "".join(f"{line}\n" for line in lines)


def code_lines(module: Module) -> list[str]:
    """Return a line for each instruction, from which `read_code` makes the same words."""
    writer = line_writer(module, True, LineStyle(indent=False))
    lines = writer.lines(module.words())
    for at in writer.unexplained:
        lines[at] = _words(module.instructions[at])
    if _reads_as(lines, module.instructions):
        return lines
    return _checked(lines, module.instructions)


def read_code(lines: Sequence[str], name: str = "") -> list[Instruction]:
    """Return the instructions of such lines; AssembleError for an invalid line."""
    found = read_lines(lines)
    if found is not None:
        return found
    errors = ErrorList()
    made = Assembler(Source("\n".join(lines), name), preserve=True)
    made.run(errors)
    errors.check()
    return [*made.instructions]


def read_exact(source: Source) -> Module:
    """Return the module that an exact text describes."""
    header = HEADER.match(source.lines[1]) if len(source.lines) > 1 else None
    if header is None:
        wanted = "; header 0x00010000 0x00000000 1 0 little"
        raise source.error(f"expected the header of the module, such as {wanted!r}", 2)
    version, generator = (int(header[at], 16) for at in (1, 2))
    bound, schema = int(header[3]), int(header[4])
    for name, value in (("bound", bound), ("schema", schema)):
        if value >> 32:
            raise source.error(f"expected a {name} of 32 bits, got {value}", 2)
    trailing = b""
    for number, line in enumerate(source.lines if "\n; trailing" in source.text else (), 1):
        found = TRAILING.match(line)
        if found is not None:
            trailing = bytes.fromhex(found[1])
        elif line.startswith("; trailing"):
            raise source.error("expected the bytes after the module in hexadecimal", number)
    errors = ErrorList()
    made = Assembler(source, preserve=True)
    made.run(errors)
    errors.check()
    return Module(
        made.instructions,
        version=version,
        generator=generator,
        bound=bound,
        schema=schema,
        order=header[5],
        trailing=trailing,
    )


def _words(instruction: Instruction) -> str:
    code, *words = instruction.words
    return " ".join([f"OpUnknown({code & 0xFFFF}, {code >> 16})", *map(str, words)])


def _reads_as(lines: Sequence[str], instructions: Sequence[Instruction]) -> bool:
    try:
        return read_code(lines) == list(instructions)
    except AssembleError:
        return False


def _checked(lines: list[str], instructions: Sequence[Instruction]) -> list[str]:
    """Return the lines, with words for each that does not read as its instruction."""
    made: list[str] = []
    state = Assembler(Source(""), preserve=True)
    for line, instruction in zip(lines, instructions, strict=True):
        good = state.reads(line, instruction)
        made.append(line if good else _words(instruction))
        if not good:
            state.define(instruction)
    return made
