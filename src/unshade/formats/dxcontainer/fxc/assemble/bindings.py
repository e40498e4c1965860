"""Resource Bindings: the rows of the table as records.

    // Name                                 Type  Format         Dim      ID      HLSL Bind  Count
    // tex                               texture  float4        2d      T0      t0,space1      1

Type, format and dimension together determine the kind of resource. Two facts are not in the table:
whether the source contains a `register()` for the resource, and the stride of a structured buffer,
which is the size of the entry of Buffer Definitions with the same name.
"""

import re
from collections.abc import Sequence

from .....isa.source import Scanner
from .....vocab.d3d import BufferType, InputType, ResourceReturnType, SrvDimension
from ...parts.rdef import RdefBinding, RdefBuffer
from ..listing.bindings import (
    BEFORE_10,
    COMPARISON,
    NO_LIMIT,
    NOT_APPLICABLE,
    SINCE_10,
    WITH_ID,
)
from ..listing.columns import ColumnTable
from ..listing.names import (
    COMPARISON_SAMPLER,
    DIMENSIONS,
    FORMATS,
    MULTISAMPLED,
    RESOURCES,
    BindingWords,
)
from .comments import NAME, Comments, chosen, number, reading

FORMAT_WORDS = reading(FORMATS)
DIMENSION_WORDS = reading(DIMENSIONS)
FORMAT = re.compile(r"(<?[a-z]+>?)([1-4]?)(?!\w)")
SHAPE = re.compile(r"(\w+?)(?:(?<=MS)([0-9]{1,9}))?(?!\w)", re.ASCII)
SPACE = "space"
LETTERS = {
    letters: re.compile(f"{letters}(?=[0-9])")
    for resource in RESOURCES.values()
    for letters in (resource.register, resource.register.upper(), SPACE)
}

# By the words of a row; None for words that depend on return type and dimension.
Words = tuple[str, str | None, str | None]
KINDS: dict[Words, tuple[InputType, BindingWords]] = {
    (resource.type, resource.format, resource.dimension): (InputType(kind), resource)
    for kind, resource in RESOURCES.items()
}
KINDS[COMPARISON_SAMPLER.type, COMPARISON_SAMPLER.format, COMPARISON_SAMPLER.dimension] = (
    InputType.SAMPLER,
    COMPARISON_SAMPLER,
)
TYPES = {words[0]: words[0] for words in KINDS}
OF_ELEMENTS = {
    InputType.STRUCTURED,
    InputType.UAV_RWSTRUCTURED,
    InputType.UAV_APPEND_STRUCTURED,
    InputType.UAV_CONSUME_STRUCTURED,
    InputType.UAV_RWSTRUCTURED_WITH_COUNTER,
}
OF_BYTES = {InputType.BYTEADDRESS, InputType.UAV_RWBYTEADDRESS}


def read(comments: Comments, model: tuple[int, int]) -> tuple[ColumnTable, list[RdefBinding]]:
    """Read the table after its title; return its form and its rows."""
    forms = (SINCE_10, BEFORE_10) if model < (5, 1) else (WITH_ID, SINCE_10, BEFORE_10)
    table = comments.heads(*forms)
    found: list[RdefBinding] = []
    for scanner in comments.rows():
        with comments.mistakes:
            found.append(_row(scanner, table))
    if model >= (5, 1) and table is not WITH_ID:
        _number(found)
    return table, found


def _row(scanner: Scanner, table: ColumnTable) -> RdefBinding:
    found = RdefBinding(name=scanner.take(NAME, "the name of a resource"))
    type_ = chosen(scanner, "type of resources", TYPES)
    format_, shape = [*scanner.rest.split()[:2], "", ""][:2]
    meant = KINDS.get((type_, format_, shape)) or KINDS.get((type_, None, None))
    if meant is None:
        _, form, dimension = next(each for each in KINDS if each[0] == type_)
        raise scanner.expected(f"{form} {dimension} after {type_}")
    found.kind, resource = meant
    if resource is COMPARISON_SAMPLER:
        found.flags = COMPARISON
    if resource.format is None:
        _typed(scanner, found)
    else:
        scanner.expect(format_)
        scanner.expect(shape)
        if found.kind in OF_ELEMENTS or found.kind in OF_BYTES:
            found.return_type, found.dimension = ResourceReturnType.MIXED, SrvDimension.BUFFER
    if table is BEFORE_10:
        found.bind_point = number(scanner, "a slot")
        found.bind_count = number(scanner, "a number of elements")
    else:
        _places(scanner, found, resource.register, table is WITH_ID)
    scanner.finish()
    return found


def _typed(scanner: Scanner, found: RdefBinding) -> None:
    """Read the return type and the dimension of a typed resource."""
    start = scanner.at
    form = scanner.match(FORMAT)
    if form is None:
        raise scanner.expected("a format such as float4")
    if form[1] not in FORMAT_WORDS:
        raise scanner.unknown("format", form[1], start, FORMAT_WORDS)
    found.return_type = FORMAT_WORDS[form[1]]
    found.flags |= (int(form[2] or 1) - 1) << 2
    start = scanner.at
    shape = scanner.match(SHAPE)
    if shape is None:
        raise scanner.expected("a dimension such as 2d")
    found.dimension = DIMENSION_WORDS.get(shape[1], 0)
    multisampled = found.dimension in MULTISAMPLED
    if not found.dimension or (shape[2] and not multisampled):
        raise scanner.unknown("dimension", shape[0], start, DIMENSION_WORDS)
    found.sample_count = int(shape[2] or 0) if multisampled else NOT_APPLICABLE


def _places(scanner: Scanner, found: RdefBinding, register: str, ranged: bool) -> None:
    """Read ID, register, space and count."""
    if ranged:
        found.id = _numbered(scanner, register.upper(), "an ID")
    found.bind_point = _numbered(scanner, register, "a register")
    if ranged and scanner.accept(","):
        found.space = _numbered(scanner, SPACE, "a space")
    # An unbounded range of constant buffers has its count as a number.
    if not (ranged and scanner.accept(NO_LIMIT)):
        found.bind_count = number(scanner, "a number of registers")


def _numbered(scanner: Scanner, letters: str, what: str) -> int:
    """Read the number after a prefix: 3 of `t3`."""
    wanted = f"{what} such as {letters}0"
    scanner.take(LETTERS[letters], wanted)
    return number(scanner, wanted)


def _number(bindings: Sequence[RdefBinding]) -> None:
    """Number the bindings of each register class, for tables without IDs."""
    counts: dict[str, int] = {}
    for binding in bindings:
        letter = RESOURCES[binding.kind].register
        binding.id = counts.get(letter, 0)
        counts[letter] = binding.id + 1


def complete(bindings: Sequence[RdefBinding], buffers: Sequence[RdefBuffer]) -> None:
    """Set the stride of structured buffers, which the table lacks, to the size of the buffers."""
    strides = {
        buffer.name: buffer.size
        for buffer in buffers
        if buffer.kind == BufferType.RESOURCE_BIND_INFO
    }
    for binding in bindings:
        if binding.kind in OF_ELEMENTS:
            binding.sample_count = strides.get(binding.name, 0)
