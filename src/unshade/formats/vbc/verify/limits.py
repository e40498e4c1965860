"""Checks of the records alone: limits of VSL's compiler and of Vega's loader.

Source: the constants of VSL's compiler and its type parser, c110b1b; Vega's loader, 48214ce.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from ....enums import member_of
from ....rule import Findings
from ..records import (
    BaseType,
    BufferInfo,
    DescriptorTableSizes,
    SlotBinding,
    StageVariable,
    SubpassForm,
    SubpassInput,
    TexelInfo,
    TexelRank,
    TexelType,
    UniformBlock,
    VbcFile,
)
from ..spelling import NAMES

__all__ = ["check_limits", "size_of"]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}", re.ASCII)
LOCATIONS, OUTPUTS, SLOTS, SUBPASSES = 16, 8, 32, 4
INPUT_ARRAY, MEMBER_ARRAY, BLOCK = 16, 64, 1024
COMPONENT = 4  # bytes
NUMERIC = (BaseType.SIGNED, BaseType.UNSIGNED, BaseType.FLOAT)
BINDINGS = range(BaseType.SAMPLER, BaseType.RW_TEXELS + 1)
WIDE = (TexelType.SIGNED, TexelType.UNSIGNED, TexelType.FLOAT)
READ_ONLY = (BaseType.SAMPLER, BaseType.RO_TEXELS)
TEXELS = (BaseType.RO_TEXELS, BaseType.RW_TEXELS)


class Typed(Protocol):
    """A record with a numeric type."""

    base: int
    rows: int
    columns: int
    count: int


def check_limits(record: VbcFile, form: SubpassForm, found: Findings) -> None:
    """Check every record of a file."""
    _interface(record.inputs, "inputs", found)
    _interface(record.outputs, "outputs", found)
    _bindings(record, found)
    _uniform(record, found)
    _subpasses(record, form, found)
    _loader(record, found)


def size_of(each: Typed) -> int:
    """Return the bytes of a member: nothing is padded."""
    return COMPONENT * each.rows * each.columns * each.count


def _padding(raw: bytes, path: str, found: Findings) -> None:
    if any(raw):
        found.add("vbc.padding", f"expected zeros, got {raw.hex(' ')}", f"{path}.unused")


# -- inputs and outputs --------------------------------------------------------------------------


def _interface(rows: Iterable[StageVariable], name: str, found: Findings) -> None:
    taken: dict[int, int] = {}
    is_input = name == "inputs"
    rule, most = ("vbc.input", LOCATIONS) if is_input else ("vbc.output", OUTPUTS)
    for at, each in enumerate(rows):
        path = f"VBC.{name}[{at}]"
        _padding(each.unused, path, found)
        if not _typed(each, NUMERIC, path, found):
            continue
        matrix, array = each.columns > 1, each.count > 1
        if is_input and (each.count > INPUT_ARRAY or (matrix and array)):
            problem = f"at most {INPUT_ARRAY} elements, and no matrices in an array"
            found.add(rule, f"expected {problem}", path)
        if not is_input and (matrix or array or each.rows == 3):
            found.add(rule, "expected a scalar, or a vector of 2 or 4 components", path)
        for location in range(each.location, each.location + each.columns * each.count):
            if location >= most:
                message = f"expected a location below {most}, got {location}"
                found.add(rule, message, f"{path}.location")
                break
            if location in taken:
                message = f"location {location} is also that of {name}[{taken[location]}]"
                found.add(rule, message, f"{path}.location")
                break
            taken[location] = at


def _typed(each: Typed, allowed: Iterable[BaseType], path: str, found: Findings) -> bool:
    """Check a type; return True if it is possible."""
    allowed = list(allowed)
    if each.base not in allowed:
        names = ", ".join(base.name for base in allowed)
        found.add("vbc.base-type", f"expected {names}, got {_base(each.base)}", f"{path}.base")
        return False
    is_vector = each.columns == 1 and 1 <= each.rows <= 4
    is_matrix = each.base == BaseType.FLOAT and 2 <= each.columns <= 4 and 2 <= each.rows <= 4
    if not (is_vector or is_matrix) or not each.count:
        shape = f"{each.rows} rows, {each.columns} columns, {each.count} elements"
        found.add("vbc.dimensions", f"{BaseType(each.base).name} of {shape}", path)
        return False
    return True


def _base(number: int) -> str:
    known = member_of(BaseType, number)
    return str(number) if known is None else known.name


# -- bindings ------------------------------------------------------------------------------------


def _bindings(record: VbcFile, found: Findings) -> None:
    taken: dict[int, int] = {}
    for at, each in enumerate(record.bindings):
        path = f"VBC.bindings[{at}]"
        if each.slot >= SLOTS:
            found.add("vbc.slot", f"expected a slot below {SLOTS}, got {each.slot}", f"{path}.slot")
        elif each.slot in taken:
            message = f"slot {each.slot} is also that of bindings[{taken[each.slot]}]"
            found.add("vbc.slot", message, f"{path}.slot")
        taken.setdefault(each.slot, at)
        _mask(record, each.stages, f"{path}.stages", found)
        if each.base not in BINDINGS:
            message = f"expected SAMPLER to RW_TEXELS, got {_base(each.base)}"
            found.add("vbc.base-type", message, f"{path}.base")
        elif isinstance(each.data, BufferInfo):
            _padding(each.data.unused, f"{path}.data", found)
            if each.data.size % COMPONENT or not COMPONENT <= each.data.size <= BLOCK:
                message = f"expected a multiple of 4 up to {BLOCK}, got {each.data.size}"
                found.add("vbc.element-size", message, f"{path}.data.size")
        else:
            problem = next(_texel_problems(each, each.data), None)
            if problem is not None:
                found.add("vbc.texel", problem, f"{path}.data")


def _texel_problems(binding: SlotBinding, texel: TexelInfo) -> Iterator[str]:
    is_buffer = binding.base in TEXELS
    if texel.rank > TexelRank.BUFFER or is_buffer != (texel.rank == TexelRank.BUFFER):
        yield f"expected rank {'BUFFER' if is_buffer else 'D1 to CUBE'}, got {texel.rank}"
    if member_of(TexelType, texel.type) is None:
        yield f"expected a type of texels from 0 to {max(TexelType)}, got {texel.type}"
    elif binding.base in READ_ONLY:
        if texel.type not in WIDE or (texel.size, texel.count) != (COMPONENT, 4):
            yield "expected 4 components of 4 bytes, SIGNED, UNSIGNED or FLOAT"
    else:
        sizes = (COMPONENT,) if texel.type in WIDE else (1, 2)
        if texel.size not in sizes:
            yield f"expected {' or '.join(map(str, sizes))} bytes a component, got {texel.size}"
        if texel.count not in (1, 2, 4):
            yield f"expected 1, 2 or 4 components, got {texel.count}"


def _mask(record: VbcFile, mask: int, path: str, found: Findings) -> None:
    there = sum(1 << at for at, name in enumerate(NAMES) if getattr(record, name))
    if mask & ~there:
        found.add("vbc.stages", f"0x{mask & ~there:x} is no stage of the file", path)


# -- uniform block, subpass inputs ---------------------------------------------------------------


def _uniform(record: VbcFile, found: Findings) -> None:
    block: UniformBlock = record.uniform
    if not block.size:
        return
    _mask(record, block.stages, "VBC.uniform.stages", found)
    if block.size % COMPONENT or block.size > BLOCK:
        message = f"expected a multiple of 4 up to {BLOCK}, got {block.size}"
        found.add("vbc.uniform", message, "VBC.uniform.size")
    if not block.members:
        found.add("vbc.uniform", "expected at least one member", "VBC.uniform")
    end = 0
    for at, each in sorted(enumerate(block.members), key=lambda pair: pair[1].offset):
        path = f"VBC.uniform.members[{at}]"
        if not NAME.fullmatch(each.name):
            found.add("vbc.name", f"expected a name of 1 to 32 letters, got {each.name!r:.80}",
                      f"{path}.name")  # fmt: skip
        if not _typed(each, (BaseType.BOOLEAN, *NUMERIC), path, found):
            continue
        if each.count > MEMBER_ARRAY:
            message = f"expected at most {MEMBER_ARRAY} elements, got {each.count}"
            found.add("vbc.uniform", message, f"{path}.count")
        if each.offset % COMPONENT or each.offset < end:
            problem = f"expected a multiple of 4 from {end} on, got {each.offset}"
            found.add("vbc.uniform", problem, f"{path}.offset")
        end = max(end, each.offset + size_of(each))
        if end > block.size:
            message = f"the member ends at {end}, the block at {block.size}"
            found.add("vbc.uniform", message, path)


def _subpasses(record: VbcFile, form: SubpassForm, found: Findings) -> None:
    if len(record.subpasses) > SUBPASSES:
        message = f"expected at most {SUBPASSES}, got {len(record.subpasses)}"
        found.add("vbc.subpass", message, "VBC.subpasses")
    for at, each in enumerate(record.subpasses):
        path = f"VBC.subpasses[{at}]"
        if isinstance(each, SubpassInput):
            _padding(each.unused, path, found)
            if each.type not in WIDE or each.count != 4:
                message = "expected 4 components of type SIGNED, UNSIGNED or FLOAT"
                found.add("vbc.subpass", message, path)
        elif each.index != at:
            found.add("vbc.subpass", f"expected index {at}, got {each.index}", f"{path}.index")


def _loader(record: VbcFile, found: Findings) -> None:
    there = [name for name in NAMES if getattr(record, name)]
    if there != ["vert", "frag"]:
        message = f"expected stages vert and frag, got {', '.join(there) or 'none'}"
        found.add("vbc.loader", message, "VBC.vert_words")
    if record.tables != DescriptorTableSizes():
        found.add("vbc.loader", "expected tables of the default sizes", "VBC.tables")
    for at, member in enumerate(record.uniform.members):
        if member.base == BaseType.BOOLEAN:
            path = f"VBC.uniform.members[{at}].base"
            found.add("vbc.loader", "a member of type BOOLEAN", path)
    for at, each in enumerate(record.bindings):
        data = each.data
        is_cube = isinstance(data, TexelInfo) and data.rank == TexelRank.CUBE
        if each.base == BaseType.IMAGE and is_cube:
            found.add("vbc.loader", "an image of rank CUBE", f"VBC.bindings[{at}].data.rank")
