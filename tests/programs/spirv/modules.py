"""SPIR-V modules of our own, made by hand."""

import struct
from pathlib import Path

from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.module import Module

SAXPY = Path(__file__).with_name("saxpy.spvasm")
DEBUGGED = Path(__file__).with_name("debugged.spvasm")

MAGIC = 0x07230203


def module(*words: int, version: int = 0x10000, bound: int = 16, order: str = "<") -> bytes:
    """Return a module with these words after the header."""
    return struct.pack(f"{order}{5 + len(words)}I", MAGIC, version, 0, bound, 0, *words)


def words_of(text: str) -> tuple[int, ...]:
    """Return the words of a literal string."""
    raw = text.encode() + b"\0"
    raw += bytes(-len(raw) % 4)
    return struct.unpack(f"<{len(raw) // 4}I", raw)


def op(code: int, *operands: int) -> tuple[int, ...]:
    """Return an instruction."""
    return (len(operands) + 1 << 16 | code, *operands)


CAPABILITY = op(17, 1)
MEMORY_MODEL = op(14, 0, 1)
VOID = op(19, 2)


def one_of_each() -> dict[str, bytes]:
    """Return modules of different kinds."""
    shader = (*CAPABILITY, *MEMORY_MODEL)
    entry = op(15, 5, 1, *words_of("main"))
    code = (*op(33, 3, 2), *op(54, 2, 1, 0, 3), *op(248, 4), *op(253), *op(56))
    named = op(5, 1, *words_of("main"))
    return {
        "saxpy": assemble(Source(SAXPY.read_text(encoding="utf-8"))).to_bytes(),
        "debugged": debugged().to_bytes(),
        "little": module(*shader, *entry, *VOID, *code),
        "big": module(*shader, *entry, *VOID, *code, order=">"),
        "named": module(*shader, *entry, *named, *VOID, *code),
        "padded string": module(*shader, *entry, *op(5, 1, 0x4400_6E61), *VOID, *code),
        "unknown": module(*shader, *entry, *op(4000, 7, 8), *VOID, *code),
    }


def debugged() -> Module:
    """Return a module with debug information of both kinds."""
    return assemble(Source(DEBUGGED.read_text(encoding="utf-8")))
