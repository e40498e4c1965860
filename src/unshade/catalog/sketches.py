"""Sketches of shaders: features that two versions of one source share.

    interface   the same key; names of variables, sizes of buffers, kinds of resources, thread group
    constants   0.299, 0.587, 0.114: another compiler keeps them
    operations  fmul, rsqrt, sample: not their order, which it does not keep
    labels      an operation with what it uses and what uses it, as in the key of the shape

A mark is 64 bits of the hash of such a word. A shader has few marks of each kind: those with the
smallest hashes, so that two shaders choose the same marks among the words that they share. The
words are those of `ir`, which do not depend on the instruction set.
"""

import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from operator import itemgetter
from typing import TYPE_CHECKING

from ..analysis.identities import labels, values_of
from ..ir.memory import Space
from ..tuples import NamedTuple

if TYPE_CHECKING:
    from ..ir.kernel import KernelIR, Value
    from ..model import Reflection

__all__ = ["KEY", "LABEL", "MARKS", "ShaderMark", "key_of", "marks_of"]

# The marks that a shader has at most, by kind; the keys of identities have one each.
MARKS = {"program": 1, "shape": 1, "interface": 1, "interface word": 16, "constant": 24,
         "operation": 24, "label": 24}  # fmt: skip
LABEL = "label"  # the kind of marks that only similar compilers have in common
# Operations by which compilers move values: every family has its own.
MOVES = frozenset({
    "load", "store", "bitcast", "asint", "asfloat", "get", "set", "select", "input", "output",
    "const", "return", "break", "and", "or", "not",
})  # fmt: skip
COMMON = frozenset({0.0, 1.0, 2.0})  # constants that nearly all shaders have
SMALL = 8  # and such integers
FLOATS = {16: ("<H", "<e"), 32: ("<I", "<f"), 64: ("<Q", "<d")}


KEY = "('0x' || shader[:15])::BIGINT"


class ShaderMark(NamedTuple):
    """A mark: its kind, its word, and its 64 bits as a signed number."""

    kind: str
    word: str
    mark: int


BY_MARK = itemgetter(2)


@lru_cache(1 << 14)  # most words are those of other shaders
def _mark(kind: str, word: str) -> ShaderMark:
    digest = blake2b(f"{kind}\0{word}".encode("utf-8", "replace"), digest_size=8).digest()
    return ShaderMark(kind, word, int.from_bytes(digest, "little", signed=True))


def key_of(shader: str) -> int:
    """Return the first 60 bits of the SHA-256 of a shader, which SQL computes by `KEY`."""
    return int(shader[:15], 16)


def marks_of(
    keys: dict[str, str | None],
    reflection: "Reflection | None",
    kernels: "Iterable[tuple[str, KernelIR]]",
) -> list[ShaderMark]:
    """Return the marks of a shader.

    Args:
        keys: The keys of its program, shape and interface.
        reflection: Its reflection, if there is one.
        kernels: The stage and the kernel of each entry point.
    """
    words: dict[str, set[str]] = {kind: set() for kind in MARKS}
    for kind in ("program", "shape", "interface"):
        words[kind] |= {each for each in (keys.get(kind),) if each is not None}
    if reflection is not None:
        for each in reflection.entry_points or [reflection]:
            words["interface word"].update(_interface_words(each))
    for _, kernel in kernels:
        values = values_of(kernel)
        words["operation"].update({each.op.name for each in values} - MOVES)
        words["constant"].update(_constants(values), _table_constants(kernel))
        words["label"].update([each.hex() for each in {*labels(kernel)}])
    found = []
    for kind, most in MARKS.items():
        made = [_mark(kind, each) for each in words[kind]]
        made.sort(key=BY_MARK)
        found += made[:most]
    return found


def _interface_words(reflection: "Reflection") -> Iterator[str]:
    yield f"stage {reflection.stage}"
    if reflection.thread_group is not None:
        yield f"group {reflection.thread_group}"
    for buffer in reflection.constant_buffers:
        yield f"size {buffer.size}"
        yield from (f"name {each.name}" for each in buffer.variables)
    for each in reflection.resources:
        yield f"resource {each.kind} {each.dimension} {each.writable}"
        if not each.declared:
            yield f"name {each.name}"


def _constants(values: "list[Value]") -> set[str]:
    """Return the constants, as numbers without a sign, which compilers move elsewhere."""
    constants = {
        (each.type, each.attr)
        for value in values
        for each in value.args
        if each.op.name == "const" and each.type.kind in "if"
    }
    return {
        word
        for type, attr in constants
        if (word := _constant(int(attr), type.bits, type.kind == "f")) is not None
    }


def _table_constants(kernel: "KernelIR") -> set[str]:
    """Return the constants in tables, which other compilers keep in instructions."""
    found = set()
    for memory in kernel.memories:
        if memory.space is Space.TABLE:
            whole = len(memory.data) // 4 * 4
            for (bits,) in struct.iter_unpack("<I", memory.data[:whole]):
                found.add(_constant(bits, 32, False))
    return {each for each in found if each is not None}


@lru_cache(1 << 14)  # most constants are those of other shaders
def _constant(bits: int, width: int, is_float: bool) -> str | None:
    """Return the word of a constant; None if nearly all shaders have it."""
    number = _as_float(bits, width)
    if is_float or (number is not None and 1e-6 < number < 1e9):
        return None if number is None or number in COMMON else f"{number:.5g}"
    return str(bits) if bits >= SMALL and bits != (1 << width) - 1 else None


def _as_float(bits: int, width: int) -> float | None:
    """Return the absolute value of the float with these bits; None if the number is huge."""
    if width not in FLOATS:
        return None
    whole, float_ = FLOATS[width]
    number = abs(float(struct.unpack(float_, struct.pack(whole, bits))[0]))
    return number if number < 1e30 else None
