"""Layout of blocks: offsets and strides of uniform, storage and push constant memory.

    uniform blocks     arrays, structures and matrices aligned to 16    (extended)
    storage blocks     vectors of 3 aligned like vectors of 4           (standard)
    scalar             everything aligned to its components

Sources: SPIR-V specification, section 2.16.2; Vulkan specification, "Offset and Stride Assignment".
"""

from functools import partial

from ....tuples import NamedTuple
from ..tables.numbers import Capability, Decoration, Opcode, StorageClass
from ..tables.opcode_groups import VARIABLES
from .instruction import Inst
from .state import State
from .types import ARRAYS

__all__ = ["check_block_layouts"]

S = StorageClass
CHAINS = {
    Opcode.UntypedAccessChainKHR: 1,
    Opcode.UntypedInBoundsAccessChainKHR: 1,
    Opcode.UntypedPtrAccessChainKHR: 1,
    Opcode.UntypedInBoundsPtrAccessChainKHR: 1,
}
DEPTH = 64


class _LayoutRules(NamedTuple):
    """Return how a storage class lays out blocks: "scalar", "standard" or "extended"."""

    kind: str
    relaxed: bool  # vectors at offsets of their components


class _Matrix(NamedTuple):
    """The layout of a member's matrices."""

    stride: int | None
    by_rows: bool
    stated: bool


class _BlockLayout:
    """The layout of the types of one storage class; reports violations."""

    def __init__(self, state: State, rules: _LayoutRules) -> None:
        self.state = state
        self.types = state.types
        self.rules = rules
        self.checked: set[int] = set()
        self._alignments: dict[tuple[int, _Matrix | None], int] = {}
        self._sizes: dict[tuple[int, _Matrix | None], int] = {}

    # -- alignment and size ----------------------------------------------------------------------

    def alignment(self, type_: int, matrix: _Matrix | None = None, depth: int = DEPTH) -> int:
        """Return the alignment of a type in bytes; 1 for types without layout."""
        key = type_, matrix
        if key not in self._alignments:
            self._alignments[key] = 1  # while it is looked at: types may be cyclic
            self._alignments[key] = self._align(type_, matrix, depth) if depth else 1
        return self._alignments[key]

    def _align(self, type_: int, matrix: _Matrix | None, depth: int) -> int:
        types = self.types
        if types.pointer(type_) is not None:
            return 8
        found = types.numeric(type_)
        scalar = self.rules.kind == "scalar"
        if found is not None:
            size = max(1, found.width // 8)
            if found.form == "s" or scalar:
                return size
            rows = found.columns if matrix is not None and matrix.by_rows else found.size
            count = rows if found.form == "m" else found.size
            return self._rounded(size * (2 if count == 2 else 4), found.form == "m")
        code = types.code(type_)
        if code in ARRAYS:
            return self._rounded(self.alignment(types.part(type_), matrix, depth - 1), True)
        if code == Opcode.TypeStruct:
            inner = [
                self.alignment(each, self.matrix(type_, at), depth - 1)
                for at, each in enumerate(types.members(type_))
            ]
            return self._rounded(max(inner, default=1), True)
        return 1

    def _rounded(self, alignment: int, aggregate: bool) -> int:
        if aggregate and self.rules.kind == "extended":
            return -(-alignment // 16) * 16
        return alignment

    def size(self, type_: int, matrix: _Matrix | None = None, depth: int = DEPTH) -> int:
        """Return the size of a type in bytes without padding at its end; 0 if it is not known."""
        key = type_, matrix
        if key not in self._sizes:
            self._sizes[key] = 0
            self._sizes[key] = self._measure(type_, matrix, depth) if depth else 0
        return self._sizes[key]

    def _measure(self, type_: int, matrix: _Matrix | None, depth: int) -> int:
        types = self.types
        if types.pointer(type_) is not None:
            return 8
        found = types.numeric(type_)
        if found is not None:
            bytes_ = max(1, found.width // 8)
            if found.form != "m":
                return bytes_ * max(1, found.size)
            stride = matrix.stride if matrix is not None and matrix.stride else 0
            if matrix is not None and matrix.by_rows:
                return (found.size - 1) * stride + found.columns * bytes_
            return (found.columns - 1) * stride + found.size * bytes_
        code = types.code(type_)
        if code == Opcode.TypeArray:
            count = self.state.integer(types.words(type_)[3]) or 1
            stride = self.state.index.decoration_word(Decoration.ArrayStride, type_) or 0
            return (count - 1) * stride + self.size(types.part(type_), matrix, depth - 1)
        if code == Opcode.TypeStruct:
            members = types.members(type_)
            ends = [
                (self.offset(type_, at) or 0) + self.size(each, self.matrix(type_, at), depth - 1)
                for at, each in enumerate(members)
            ]
            return max(ends, default=0)
        return 0

    def offset(self, struct: int, member: int) -> int | None:
        """Return the offset of a member, or None."""
        return self.state.index.decoration_word(Decoration.Offset, struct, member)

    def matrix(self, struct: int, member: int) -> _Matrix:
        """Return the layout of the matrices in a member."""
        index = self.state.index
        rows = index.decoration(Decoration.RowMajor, struct, member) is not None
        columns = index.decoration(Decoration.ColMajor, struct, member) is not None
        stride = index.decoration_word(Decoration.MatrixStride, struct, member)
        return _Matrix(stride, rows, rows or columns)

    # -- checks ----------------------------------------------------------------------------------

    def check(self, inst: Inst, type_: int, depth: int = DEPTH) -> None:
        """Check a type and its nested types; findings refer to the instruction that uses it."""
        if type_ in self.checked:
            return
        if not depth:
            self.state.skipped("members of nested structures", inst)
            return
        self.checked.add(type_)
        code = self.types.code(type_)
        if code in ARRAYS:
            self._check_array(inst, type_)
            self.check(inst, self.types.part(type_), depth - 1)
        elif code == Opcode.TypeStruct:
            self._check_struct(inst, type_)
            for each in self.types.members(type_):
                self.check(inst, each, depth - 1)

    def _report(self, inst: Inst, type_: int, message: str) -> None:
        place = self.state.definitions.get(type_, inst)
        self.state.report("spirv.block-layout", place, message)

    def _check_array(self, inst: Inst, type_: int, matrix: _Matrix | None = None) -> None:
        stride = self.state.index.decoration_word(Decoration.ArrayStride, type_)
        if self.state.decorated(Decoration.ArrayStrideIdEXT, type_):
            return
        if stride is None:
            self._report(inst, type_, "expected ArrayStride")
            return
        element = self.types.part(type_)
        alignment = self.alignment(type_, matrix)
        if stride % alignment:
            message = f"the stride {stride} is not a multiple of {alignment}"
            self._report(inst, type_, message)
        size = self.size(element, matrix)
        if stride < size:
            self._report(inst, type_, f"the stride {stride} is less than the size {size}")

    def _check_struct(self, inst: Inst, type_: int) -> None:
        members = self.types.members(type_)
        places: list[tuple[int, int]] = []
        for at in range(len(members)):
            if self.state.index.decoration(Decoration.OffsetIdEXT, type_, at) is not None:
                return
            offset = self.offset(type_, at)
            matrix = self.matrix(type_, at)
            if offset is None or offset == 0xFFFFFFFF:
                self._report(inst, type_, f"member {at}: expected Offset")
                continue
            self._check_offset(inst, type_, at, offset, matrix)
            self._check_matrix(inst, type_, at, matrix)
            places.append((offset, at))
        places.sort()
        end = 0
        for offset, at in places:
            if offset < end:
                message = f"member {at} at offset {offset} overlaps the one before it"
                self._report(inst, type_, message)
            member = members[at]
            size = self.size(member, self.matrix(type_, at))
            aggregate = self.types.code(member) in (*ARRAYS, Opcode.TypeStruct)
            if aggregate and self.rules.kind == "extended":
                size = -(-size // 16) * 16  # nothing follows in the padding
            end = max(end, offset + size)

    def _check_offset(self, inst: Inst, type_: int, at: int, offset: int, matrix: _Matrix) -> None:
        member = self.types.words(type_)[2 + at]
        found = self.types.numeric(member)
        alignment = self.alignment(member, matrix)
        vector = found is not None and found.form == "v"
        if vector and self.rules.relaxed and found is not None:
            alignment = max(1, found.width // 8)
        if offset % alignment:
            message = f"member {at} at offset {offset} is not aligned to {alignment}"
            self._report(inst, type_, message)
        elif vector and self.rules.relaxed and self.rules.kind != "scalar":
            size = self.size(member)
            first, last = offset // 16, (offset + size - 1) // 16
            if (size <= 16 and first != last) or (size > 16 and offset % 16):
                message = f"member {at} at offset {offset} straddles 16 bytes"
                self._report(inst, type_, message)

    def _check_matrix(self, inst: Inst, type_: int, at: int, matrix: _Matrix) -> None:
        member = self.types.unarrayed(self.types.words(type_)[2 + at])
        found = self.types.numeric(member)
        if found is None or found.form != "m":
            return
        if matrix.stride is None:
            self._report(inst, type_, f"member {at}: expected MatrixStride")
        elif not matrix.stated:
            self._report(inst, type_, f"member {at}: expected RowMajor or ColMajor")
        else:
            alignment = self.alignment(member, matrix)
            count = found.columns if matrix.by_rows else found.size
            size = max(1, found.width // 8) * count
            if matrix.stride % alignment or matrix.stride < size:
                message = f"member {at}: the stride {matrix.stride} does not fit"
                self._report(inst, type_, message)


def _rules(state: State, storage: int, buffer: bool) -> _LayoutRules | None:
    options = state.options
    relaxed = options.relax_block_layout or (state.vulkan and state.environment.api >= (1, 1))
    scalar = options.scalar_block_layout
    if storage == S.Workgroup:
        if not state.has(Capability.WorkgroupMemoryExplicitLayoutKHR):
            return None
        scalar = scalar or options.workgroup_scalar_block_layout
    kind = "standard"
    if storage == S.Uniform and not buffer and not options.uniform_buffer_standard_layout:
        kind = "extended"
    return _LayoutRules("scalar" if scalar else kind, relaxed)


# Decorations that lay out a type.
LAYING_OUT = frozenset({
    Decoration.Block, Decoration.BufferBlock, Decoration.Offset, Decoration.OffsetIdEXT,
    Decoration.ArrayStride, Decoration.ArrayStrideIdEXT, Decoration.MatrixStride,
    Decoration.RowMajor, Decoration.ColMajor,
})  # fmt: skip
PLAIN = (S.Workgroup, S.UniformConstant, S.Function, S.Private)


def _check_plain(state: State, inst: Inst, storage: int, type_: int) -> None:
    """Check that neither memory private to the module nor an array of resources has a layout."""
    types = state.types
    resources = storage in (S.Uniform, S.StorageBuffer)
    found = resources and types.code(type_) in ARRAYS and _is_strided(state, type_)
    older = storage in (S.Function, S.Private) and not state.at_least(5)
    block = storage == S.Workgroup and state.decorated(Decoration.Block, type_)
    if storage in PLAIN and not older and not block:
        found = type_ in types.containing(
            "layout", partial(_has_layout, state), partial(_inside, state)
        )
    if found:
        vuid = "VUID-StandaloneSpirv-None-10684"
        message = "the type has a layout, which this storage class does not have"
        state.report("spirv.block-layout", inst, message, vuid)


def _inside(state: State, type_: int) -> tuple[int, ...]:
    """Return the parts of a type, including the target of a pointer to plain memory."""
    pointer = state.types.pointer(type_)
    if pointer is None:
        return state.types.parts(type_)
    return (pointer[1],) if pointer[0] in PLAIN and pointer[1] else ()


def _is_strided(state: State, type_: int) -> bool:
    return state.decorated(Decoration.ArrayStride, type_)


def _has_layout(state: State, type_: int) -> bool:
    uses = [*state.index.decorations.get(type_, ())]
    pointer = state.types.pointer(type_)
    if pointer is not None and pointer[0] not in PLAIN:
        return False
    for inner in state.index.members.get(type_, {}).values():
        uses += inner
    return any(each.number in LAYING_OUT for each in uses)


LAID_OUT = (S.Uniform, S.StorageBuffer, S.PushConstant, S.PhysicalStorageBuffer, S.Workgroup)


def check_block_layouts(state: State) -> None:
    """Check the layout of all externally visible memory."""
    if not state.shader or state.options.skip_block_layout:
        return
    if state.has(Capability.DescriptorHeapEXT):
        return  # constants that are specialised say where members are
    layouts: dict[_LayoutRules, _BlockLayout] = {}
    for inst in state.of(*VARIABLES, *CHAINS, Opcode.TypePointer):
        found = _used(state, inst)
        if found is None:
            continue
        storage, type_ = found
        if inst.code in VARIABLES and state.vulkan:
            _check_plain(state, inst, storage, type_)
        block = state.types.unarrayed(type_) if inst.code in VARIABLES else type_
        buffer = state.decorated(Decoration.BufferBlock, block)
        known = buffer or state.decorated(Decoration.Block, block)
        if not known and (inst.code in VARIABLES or not _is_laid_out(state, block)):
            continue
        rules = _rules(state, storage, buffer) if storage in LAID_OUT else None
        if rules is not None:
            layout = layouts.setdefault(rules, _BlockLayout(state, rules))
            layout.check(inst, block)


def _is_laid_out(state: State, type_: int) -> bool:
    """Return True if a type is decorated with any layout."""
    uses = state.index.members.get(type_, {})
    offsets = any(each.number == Decoration.Offset for inner in uses.values() for each in inner)
    return offsets or state.decorated(Decoration.ArrayStride, type_)


def _used(state: State, inst: Inst) -> tuple[int, int] | None:
    """Return the storage class and the type that an instruction assigns to memory, if any."""
    types = state.types
    if inst.code == Opcode.Variable:
        found = types.pointer(inst.type)
    elif inst.code == Opcode.UntypedVariableKHR:
        found = (inst.word(0), inst.word(1))
    elif inst.code in CHAINS:
        pointer = types.pointer(state.operand_type(inst, 1))
        untyped = pointer is not None and not pointer[1]
        found = (pointer[0], inst.word(0)) if pointer is not None and untyped else None
    elif inst.code == Opcode.TypePointer and inst.words[2] == S.PhysicalStorageBuffer:
        found = (inst.words[2], inst.words[3])
        if types.code(inst.words[3]) != Opcode.TypeStruct:
            return None
        if not state.decorated(Decoration.Block, inst.words[3]):
            return None
    else:
        return None
    return found if found is not None and found[1] else None
