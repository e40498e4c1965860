"""Arguments that two kernels have in common, drawn from a seed.

Rows of inputs are joined by semantic, else by built-in, else by location; bindings by name, else by
slot, and constant buffers else by the names of their variables. Variables are drawn one by one, so
that two layouts get the same values; a buffer that one kernel has as registers gets their bytes.
Of a bank whose registers and variables overlap, the variables that both have hold.
"""

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...errors import UsageError
from ...ir.lowered import Form
from ...ir.textures import Shape
from ...model import TypeClass, TypeDescription
from ...model.resources import Variable
from ...vm.launch import Array
from ...vocab.slots import FIRST_BINDINGS, REGISTER_LETTERS, MemoryPart, ResourceClass
from ...vocab.words import COUNTED_FROM, Stage, SystemValue
from ..binding.bindings import Binding
from ..binding.layout import element_type, scalar_dtype, whole_size, write
from ..binding.sampler import Sampler, Texture
from ..binding.texels import accepted
from ..kernels import Kernel
from ..signature import ZERO, KernelSignature, SignatureRow
from .numbers import NumberSource

MOST_POINTS = 32  # of a patch, and of one whose size a shader does not state
SIDE = 8  # texels of a texture along each axis
ELEMENTS = 256  # of a structured or raw buffer
CLASSES = {FIRST_BINDINGS[letter]: kind for kind, letter in REGISTER_LETTERS.items()}
MEMORY = frozenset({Form.STRUCTURED, Form.RAW})
WORDS = "first", "second"
_BY_NAME = {Form.CONSTANTS: "bound by name", Form.STRUCTURED: "bound by the names of members"}
Numbers = Callable[[np.dtype[Any], tuple[int, ...]], Array]  # of a type, in an array of a shape


@dataclass(slots=True)
class Common:
    """The common interface of two kernels, and the parts that only one of them has."""

    rows: list[tuple[SignatureRow, SignatureRow]] = field(default_factory=list)
    lonely: list[tuple[int, SignatureRow]] = field(default_factory=list)  # of the first or second
    bindings: list[tuple[Binding, Binding]] = field(default_factory=list)
    # Samplers of one kernel, each with the texture that has the sampler in the other.
    samplers: list[tuple[int, Binding, Binding]] = field(default_factory=list)
    alone: list[tuple[int, Binding]] = field(default_factory=list)  # of the first (0) or second (1)
    uncovered: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)


def common(first: Kernel, second: Kernel) -> Common:
    """Return the common interface.

    Raises:
        UsageError: Inputs that both ask for have other types.
    """
    found = Common()
    _join_inputs(found, first, first.inputs, second.inputs)
    if first.stage is Stage.DOMAIN:
        shift = _before(first, second) - _before(second, first)
        _join_inputs(found, first, first.patch_constants, second.patch_constants, shift)
    left = list(second.bindings)
    for each in first.bindings:
        pair = _same(each, left)
        if pair is None:
            found.alone.append((0, each))
            continue
        left.remove(pair)
        if each.form is not pair.form and not {each.form, pair.form} <= MEMORY:
            raise UsageError(
                f"bindings differ: {each.where} is {each.form} of the first, {pair.form} of the"
                " second"
            )
        found.bindings.append((each, pair))
        moved = _moved(each, pair)
        if moved:
            found.assumed.append(
                f"{each.where} and {pair.where} are {_BY_NAME[each.form]}: {', '.join(moved)}"
                f" {'has' if len(moved) == 1 else 'have'} other bytes in the second"
            )
    found.alone += ((1, each) for each in left)
    _join_samplers(found)
    _join_others(found)
    found.uncovered += (f"only the {WORDS[which]} uses {each.where}" for which, each in found.alone)
    return found


def _join_inputs(
    found: Common, kernel: Kernel, rows: KernelSignature, partners: KernelSignature, shift: int = 0
) -> None:
    """Join the rows that two kernels read; locations of the second are larger by `shift`."""
    others = [row for row in partners if row.needed]
    for row in rows:
        if not row.needed:
            continue
        partner = _partner(row, others, shift)
        if partner is None:
            found.lonely.append((0, row))
            found.uncovered.append(f"only the first reads the input {row.label}")
            continue
        others.remove(partner)
        if not _same_numbers(row, partner) or not _same_points(kernel, row, partner):
            raise UsageError(f"inputs differ: {row} of the first, {partner} of the second")
        found.rows.append((row, partner))
    found.lonely += ((1, row) for row in others)
    found.uncovered += [f"only the second reads the input {row.label}" for row in others]


def _before(kernel: Kernel, other: Kernel) -> int:
    """Return how many locations of the other kernel precede its constants of the patch.

    In Direct3D they have registers of their own, in Vulkan the locations after the control points.
    """
    if any(row.by_register for row in kernel.patch_constants):
        return 0
    if not all(row.by_register for row in other.patch_constants):
        return 0
    return 1 + max(
        (-1 if row.location is None else row.location for row in kernel.inputs), default=-1
    )


def _join_others(found: Common) -> None:
    """Join bindings of one kind that are left over: of the same number, or alone of their kind.

    Compilers drop names, and number registers of Direct3D and descriptors of Vulkan in their ways.
    """
    kinds: dict[Hashable, tuple[list[Binding], list[Binding]]] = {}
    for which, each in found.alone:
        kinds.setdefault(_kind(each), ([], []))[which].append(each)
    for ones, others in kinds.values():
        for each in [*ones]:
            numbered = [x for x in others if _number(x) is not None and _number(x) == _number(each)]
            only = others if len(ones) == len(others) == 1 else []
            for partner in (numbered or only)[:1]:
                ones.remove(each)
                others.remove(partner)
                found.alone.remove((0, each))
                found.alone.remove((1, partner))
                found.bindings.append((each, partner))
                found.assumed.append(f"{each.where} and {partner.where} are one")


def _kind(binding: Binding) -> Hashable:
    """Return what two bindings need in common to be one."""
    form = Form.RAW if binding.form in MEMORY else binding.form
    resource = binding.resource
    return form, binding.writable, resource.shape, resource.layered, resource.multisampled


def _number(binding: Binding) -> tuple[int, int] | None:
    """Return space and number of a binding; None for others than data."""
    slot = binding.slot
    if slot is None or slot.part is not MemoryPart.DATA or slot.kind is ResourceClass.PUSH:
        return None
    return slot.space, slot.number


def _join_samplers(found: Common) -> None:
    """Join the samplers that only one kernel has with the other's combined textures."""
    for which, each in [*found.alone]:
        if each.form is not Form.SAMPLER or each.slot is None:
            continue
        for pair in found.bindings:
            own, other = pair[which], pair[1 - which]
            if not other.combined or own.combined or own.slot is None:
                continue
            names = {f"{name}_sampler" for name in (own.label, other.label) if name}
            places = [(slot.space, slot.number, slot.element) for slot in (own.slot, each.slot)]
            if names & {*each.names} or (own.is_descriptor and places[0] == places[1]):
                found.samplers.append((which, each, other))
                found.alone.remove((which, each))
                break


def _same_numbers(row: SignatureRow, partner: SignatureRow) -> bool:
    """Return True if two rows take the same numbers; built-ins are signed in some languages."""
    one, other = row.dtype, partner.dtype
    whole = one.kind in "iu" and other.kind in "iu" and one.itemsize == other.itemsize
    return one == other or (whole and row.meaning is not None)


def _same_points(kernel: Kernel, row: SignatureRow, partner: SignatureRow) -> bool:
    """Return True if two rows have the same points; a patch of GLSL may have no size of its own."""
    sizes = {row.points, partner.points}
    of_patch = kernel.stage in (Stage.HULL, Stage.DOMAIN)
    return len(sizes) == 1 or (of_patch and MOST_POINTS in sizes and 0 not in sizes)


def _partner(row: SignatureRow, others: list[SignatureRow], shift: int = 0) -> SignatureRow | None:
    names = {_plain(each) for each in row.names}
    for other in others:
        if names & {_plain(each) for each in other.names}:
            return other
    if row.meaning is not None and row.meaning is not SystemValue.TARGET:
        built_in = [x for x in others if x.meaning is row.meaning]
        same = next((x for x in built_in if len(x.ports) == len(row.ports)), None)
        if same is not None:
            return same
        if len(built_in) == 1:  # of another width: a position of two components
            return built_in[0]
    location = _location(row)
    if location is None:
        return None
    places = location + shift, tuple(row.components)
    return next((x for x in others if (_location(x), tuple(x.components)) == places), None)


def _location(row: SignatureRow) -> int | None:
    """Return the location of a row; 0 for the colour of a language that has only one."""
    return 0 if row.location is None and row.meaning is SystemValue.TARGET else row.location


def _plain(name: str) -> str:
    """Return a name without the prefix that sources give to their outputs."""
    return name.casefold().removeprefix("out_")


def _same(binding: Binding, others: list[Binding]) -> Binding | None:
    if binding.label:
        for other in others:
            if binding.label in other.called:
                return other
    for other in others:
        if binding.slot is not None and binding.slot == other.slot:
            return other
        if binding.name == other.name or binding.name in other.called:
            return other
    names = _members(binding)
    by_members = (x for x in others if x.form is binding.form and names & _members(x))
    register = _register(binding)
    by_register = (x for x in others if register is not None and register == _register(x))
    return next(by_members, None) or next(by_register, None)


def _register(binding: Binding) -> tuple[ResourceClass, int, int] | None:
    """Return class, number and space of a register of HLSL; None for other descriptors.

    For a descriptor, the result is the register that HLSL compilers map to the descriptor for
    unshade.
    """
    slot = binding.slot
    if slot is None or slot.part is not MemoryPart.DATA:
        return None
    if not binding.is_descriptor:
        return slot.kind, slot.number, slot.space
    if slot.kind is ResourceClass.PUSH:
        return None
    span = FIRST_BINDINGS["t"]
    first, number = slot.number // span * span, slot.number % span
    kind = CLASSES.get(first)
    expected = {Form.CONSTANTS: ResourceClass.CONSTANTS, Form.SAMPLER: ResourceClass.SAMPLER}
    memory = ResourceClass.READ, ResourceClass.WRITE
    if kind != expected.get(binding.form, kind if kind in memory else None):
        return None
    return None if kind is None else (kind, number, slot.space)


def _members(binding: Binding) -> frozenset[str]:
    """Return the names of the variables of a constant buffer."""
    if binding.form is not Form.CONSTANTS or binding.members is None:
        return frozenset()
    return frozenset(each.name for each in binding.members.variables)


def inputs_of(
    found: Common, source: NumberSource, lanes: int
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Return the inputs of both kernels: a row for each lane."""
    one: dict[str, Array] = {}
    two: dict[str, Array] = {}
    for first, second in found.rows:
        width = max(len(first.ports), len(second.ports))
        most = max(first.points, second.points)
        points = (most,) if most else ()
        array = source.numbers(first.dtype, (lanes, *points, width))
        if first.meaning is SystemValue.IS_FRONT_FACE and first.dtype.kind in "iu":
            array = -(array & 1)  # all bits, or none
        for row, given in ((first, one), (second, two)):
            part = array[:, : row.points] if row.points else array
            given[row.label] = part.astype(row.dtype)[..., : len(row.ports)]
    for which, row in found.lonely:
        if row.meaning in ZERO:  # the other counts from there, or has none
            continue
        points = (row.points,) if row.points else ()
        (one, two)[which][row.label] = source.numbers(row.dtype, (lanes, *points, len(row.ports)))
    count_from_first(found.rows, one, two)
    return one, two


def count_from_first(
    rows: Iterable[tuple[SignatureRow, SignatureRow]], one: dict[str, Array], two: dict[str, Array]
) -> None:
    """Count vertices and instances of Vulkan from the first, those of Direct3D from 0."""
    by_meaning = {first.meaning: (first, second) for first, second in rows}
    for number, base in COUNTED_FROM.items():
        if number not in by_meaning or base not in by_meaning:
            continue
        pair, given = by_meaning[number], (one, two)
        if pair[0].by_register == pair[1].by_register:
            continue
        at = 0 if pair[0].by_register else 1
        row, own = pair[at], given[at]
        added = own[by_meaning[base][at].label].astype(row.dtype)
        own[row.label] = own[row.label] + added


def bindings_of(found: Common, source: NumberSource) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return values for the bindings of both kernels; arrays that are written are not shared."""
    one: dict[str, Any] = {}
    two: dict[str, Any] = {}
    for first, second in found.bindings:
        mine, theirs = _values(first, second, source)
        one[first.name] = mine
        two[second.name] = theirs
    for which, each in found.alone:
        mine, _ = _values(each, each, source)
        (one, two)[which][each.name] = mine
    for which, each, texture in found.samplers:
        sampler = _sampler(source)
        own, other = (one, two) if which == 0 else (two, one)
        own[each.name] = sampler
        other[texture.name] = Texture(other[texture.name], sampler=sampler)
    return one, two


def _values(first: Binding, second: Binding, source: NumberSource) -> tuple[Any, Any]:
    match first.form:
        case Form.SAMPLER:
            sampler = _sampler(source)
            return sampler, sampler
        case Form.COUNTER:
            return 0, 0
        case Form.CONSTANTS if first.members is not None and second.members is not None:
            if not _members(first) & _members(second):
                return _registers_of(first, second, source)
            types = {each.name: each.type for each in first.members.variables}
            mine = {name: _value(type, source.numbers) for name, type in types.items()}
            renamed = _renamed(first.members.variables, second.members.variables)
            theirs = {}
            for each in second.members.variables:
                own = renamed.get(each.name, each.name)
                theirs[each.name] = mine[own] if own in mine else _value(each.type, source.numbers)
            return _named_last(mine, theirs), _named_last(theirs, mine)
        case Form.CONSTANTS:
            size = max(first.resource.size, second.resource.size, 16)
            words = source.numbers(np.dtype("<f4"), (-(-size // 4),)).tobytes()
            return words[: max(first.resource.size, 16)], words[: max(second.resource.size, 16)]
        case Form.STRUCTURED | Form.RAW:
            return _memory(first, second, source)
        case Form.CHILD:
            raise UsageError(f"{first.where}: children are not compared")
    made = _texels(first, min(first.channels, second.channels), source)
    return made, made.copy()


def _renamed(first: Sequence[Variable], second: Sequence[Variable]) -> dict[str, str]:
    """Return the variable of the first kernel in the place of each that only the second names."""
    names = [{each.name for each in variables} for variables in (first, second)]
    alone = [
        {
            (each.offset, whole_size(each.type), each.type.spelling()): each.name
            for each in variables
        }
        for variables in (
            [each for each in first if each.name not in names[1]],
            [each for each in second if each.name not in names[0]],
        )
    ]
    return {name: alone[0][place] for place, name in alone[1].items() if place in alone[0]}


def _moved(first: Binding, second: Binding) -> list[str]:
    """Return the names of members whose bytes differ for equal values: places, order, types."""
    if first.form is Form.STRUCTURED:
        return _moved_members(first.dtype, second.dtype)
    if first.form is not Form.CONSTANTS or first.members is None or second.members is None:
        return []
    others = {each.name: each for each in second.members.variables}
    found = []
    for one in first.members.variables:
        other = others.get(one.name)
        if other is None:
            continue
        value = _value(one.type, _counting())
        end = max(each.offset + whole_size(each.type) for each in (one, other))
        places = []
        for each, where in ((one, first.where), (other, second.where)):
            data = np.zeros(end, np.uint8)
            try:
                write(data, each.offset, each.type, value, where)
            except UsageError:  # types of other shapes; the call tells
                return []
            places.append(data.tobytes())
        if places[0] != places[1]:
            found.append(one.name)
    return found


def _moved_members(one: np.dtype[Any] | None, other: np.dtype[Any] | None) -> list[str]:
    """Return the names of the members of elements whose bytes differ for equal values."""
    if one is None or other is None or one.names is None or not alike(one, other):
        return []
    found = []
    for name in one.names:
        mine = np.zeros(2, one)  # the second tells the size of an element
        _fill(mine[name], _counting())
        theirs = by_name(mine, other)
        if mine.tobytes().rstrip(b"\0") != theirs.tobytes().rstrip(b"\0"):
            found.append(name)
    return found


def _counting() -> Numbers:
    """Return a function of numbers that are all different, in place of seeded ones."""
    given = itertools.count(1)

    def numbers(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
        made = [next(given) for _ in range(math.prod(shape))]
        return np.array(made).reshape(shape).astype(dtype)

    return numbers


def _named_last(values: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with those that both kernels have last, so that they hold.

    A register of a bank is also part of the variable that is in it.
    """
    return dict(sorted(values.items(), key=lambda each: each[0] in others))


def _registers_of(first: Binding, second: Binding, source: NumberSource) -> tuple[bytes, bytes]:
    """Return the bytes of the buffer of one kernel, which the other has as registers."""
    sizes = [max(each.resource.size, 16) for each in (first, second)]
    named = max(first, second, key=lambda each: len(_members(each)))
    data = np.zeros(max(sizes), np.uint8)
    assert named.members is not None
    for each in named.members.variables:
        if each.offset + whole_size(each.type) <= len(data):
            write(data, each.offset, each.type, _value(each.type, source.numbers), named.where)
    whole = data.tobytes()
    return whole[: sizes[0]], whole[: sizes[1]]


def _value(type: TypeDescription, numbers: Numbers) -> Any:
    """Return a value of a variable, as a dict of a constant buffer contains it."""
    if type.elements:
        return _nested(type.elements, element_type(type), numbers)
    if type.members:
        return {each.name: _value(each.type, numbers) for each in type.members}
    dtype = scalar_dtype(type)
    if type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
        return numbers(dtype, (type.rows, type.columns)).tolist()
    shape = (type.columns,) if type.columns > 1 else ()
    found = numbers(dtype, shape)
    if type.scalar == "bool":  # one as often as the other: numbers are seldom zero
        found = found & 1
    return found.tolist()


def _nested(sizes: list[int], type: TypeDescription, numbers: Numbers) -> list[Any]:
    size, *rest = sizes
    if rest:
        return [_nested(rest, type, numbers) for _ in range(size)]
    return [_value(type, numbers) for _ in range(size)]


def _memory(first: Binding, second: Binding, source: NumberSource) -> tuple[Any, Any]:
    """Return the memory of a buffer: equal numbers, each component of its declared type."""
    if first.form is Form.RAW and second.form is Form.STRUCTURED:
        theirs, mine = _memory(second, first, source)
        return mine, theirs
    if first.form is Form.STRUCTURED and first.dtype is not None:
        made = np.zeros(ELEMENTS, first.dtype)
        _fill(made, source.numbers)
        if second.dtype == first.dtype:
            return made, made.copy()
        if second.form is Form.RAW:
            return made, made.view(np.uint8).reshape(-1).copy()
        if second.dtype is not None:
            if alike(first.dtype, second.dtype):
                return made, by_name(made, second.dtype)
            size = made.nbytes - made.nbytes % second.dtype.itemsize
            data = made.view(np.uint8).reshape(-1)[:size]
            return made, data.view(second.dtype.base).reshape(-1, *second.dtype.shape).copy()
    stride = max(first.resource.stride, 4)
    words = source.numbers(np.dtype("<f4"), (ELEMENTS * -(-stride // 4),))
    if source.is_whole:  # indices rather than floats
        words = source.numbers(np.dtype("<u4"), words.shape).view("<f4")
    data = words.view(np.uint8)[: ELEMENTS * stride]
    return data.copy(), data.copy()


def alike(one: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Return True for elements with the same members, whose places and types may differ."""
    if one.shape != other.shape:
        return False
    one, other = one.base, other.base
    if one.names is None or other.names is None:
        return one.names == other.names
    return {*one.names} == {*other.names} and all(alike(one[x], other[x]) for x in one.names)


def by_name(array: Array, dtype: np.dtype[Any]) -> Array:
    """Return the values of elements in elements of another type with the same members."""
    made = np.zeros(len(array), dtype)
    _copy(array, made)
    return made


def _fill(array: Array, numbers: Numbers) -> None:
    if array.dtype.names is None:
        array[...] = numbers(array.dtype, array.shape)
        return
    for name in array.dtype.names:
        _fill(array[name], numbers)


def _copy(source: Array, target: Array) -> None:
    if source.dtype.names is None or target.dtype.names is None:
        kinds = source.dtype.kind, target.dtype.kind
        if source.dtype.itemsize == target.dtype.itemsize and "f" in kinds:
            source = source.view(target.dtype)  # words of a float: the same bits
        target[...] = source
        return
    for name in source.dtype.names:
        _copy(source[name], target[name])


def _texels(binding: Binding, channels: int, source: NumberSource) -> Array:
    resource = binding.resource
    shape: tuple[int, ...] = {
        Shape.BUFFER: (SIDE * SIDE,), Shape.D1: (SIDE,), Shape.D2: (SIDE, SIDE),
        Shape.D3: (SIDE, SIDE, SIDE), Shape.CUBE: (6, SIDE, SIDE),
    }[resource.shape or Shape.BUFFER]  # fmt: skip
    if resource.layered:
        shape = (12, *shape[1:]) if resource.shape is Shape.CUBE else (2, *shape)
    if resource.multisampled:
        shape = (*shape, 4)
    kinds = accepted(resource.returns, binding.atomic)
    dtype = np.dtype("float32" if "float32" in kinds else kinds[-1])
    return source.numbers(dtype, (*shape, channels))


def _sampler(source: NumberSource) -> Sampler:
    filters = [str(each) for each in source.chance.choice(["linear", "point"], 3)]
    addresses = [
        str(each) for each in source.chance.choice(["wrap", "mirror", "clamp", "border"], 3)
    ]
    return Sampler(filters, addresses, comparison="less_equal")


def outputs_of(first: Kernel, second: Kernel) -> tuple[dict[str, str], list[str]]:
    """Return the labels of outputs in the second kernel by those in the first, and a phrase for
    each output that only one of them has.
    """
    labels: dict[str, str] = {}
    alone: list[str] = []
    for mine, theirs in (
        (first.outputs, second.outputs),
        (first.program.primitives, second.program.primitives),
    ):
        others = list(theirs)
        for row in mine:
            partner = _partner(row, others)
            if partner is None:
                alone.append(f"only the first writes {row.label}")
            else:
                others.remove(partner)
                labels[row.label] = partner.label
        alone += (f"only the second writes {row.label}" for row in others)
    return labels, alone


def shared_labels(found: Common) -> Mapping[str, str]:
    """Return the labels of written bindings in the second kernel, by those in the first."""
    return {
        first.names[-1]: second.names[-1]
        for first, second in found.bindings
        if first.writable or second.writable
    }
