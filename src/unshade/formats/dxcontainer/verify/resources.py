"""Checks of RDEF and IFCE, alone and against the program's declarations.

RDEF  tex  texture 2d, bind point 3      SHEX  dcl_resource_texture2d (float,…) t3
      Params  cbuffer, 48 bytes                dcl_constantbuffer CB0[3], immediateIndexed
"""

from collections.abc import Iterator

from ....model import ResourceKind, Stage
from ....model.facts import ProgramFacts, ProgramResource
from ....tuples import NamedTuple
from ....vocab.d3d import BufferType, InputType
from ....wire import Record
from ..part import DxPart
from ..parts.ifce import ClassLinkage
from ..parts.rdef import RdefBinding, RdefSizes, RdefTarget, ResourceDefinition
from .places import ContainerFindings, Problem, registers, undefined

I = InputType  # noqa: E741
TARGETS: dict[str, RdefTarget] = {
    Stage.PIXEL: RdefTarget.PIXEL,
    Stage.VERTEX: RdefTarget.VERTEX,
    Stage.GEOMETRY: RdefTarget.GEOMETRY,
    Stage.HULL: RdefTarget.HULL,
    Stage.DOMAIN: RdefTarget.DOMAIN,
    Stage.COMPUTE: RdefTarget.COMPUTE,
}
SIZES = {
    (5, 0): (60, 24, 32, 40, 36, 12),
    (5, 1): (60, 24, 40, 40, 36, 12),
}
FIELDS = ("header_size", "buffer_size", "binding_size", "variable_size", "type_size", "member_size")
# Register class and form of the declaration for each kind of binding.
DECLARED_AS: dict[int, tuple[str, str]] = {
    I.CBUFFER: ("b", ""),
    I.TBUFFER: ("t", "typed"),
    I.TEXTURE: ("t", "typed"),
    I.SAMPLER: ("s", ""),
    I.UAV_RWTYPED: ("u", "typed"),
    I.STRUCTURED: ("t", "structured"),
    I.UAV_RWSTRUCTURED: ("u", "structured"),
    I.BYTEADDRESS: ("t", "raw"),
    I.UAV_RWBYTEADDRESS: ("u", "raw"),
    I.UAV_APPEND_STRUCTURED: ("u", "structured"),
    I.UAV_CONSUME_STRUCTURED: ("u", "structured"),
    I.UAV_RWSTRUCTURED_WITH_COUNTER: ("u", "structured"),
}
FORMS: dict[str, str] = {
    ResourceKind.TEXTURE: "typed",
    ResourceKind.TYPED_BUFFER: "typed",
    ResourceKind.RAW_BUFFER: "raw",
    ResourceKind.STRUCTURED_BUFFER: "structured",
}
ROW = 16  # bytes
COMPARISON = 2  # flag of a sampler's binding
MANY = 1024  # maximum number of bindings and declarations that are compared


def check_resources(found: ContainerFindings) -> None:
    """Check RDEF and IFCE of a container."""
    part = found.first("RDEF")
    rdef = part.reading.value if part is not None else None
    if part is not None and isinstance(rdef, ResourceDefinition):
        found.problems(part, part.reading.result(_problems))
        if found.declared is not None:
            _check_target(found, part, rdef, found.declared)
            if not found.declared.interfaces:  # resources of classes have other registers there
                _check_bindings(found, part, found.declared)
    ifce = found.first("IFCE", "ICFE")
    linkage = None if ifce is None else ifce.reading.value
    if ifce is not None and isinstance(linkage, ClassLinkage):
        total = (
            rdef.sizes.interface_slots
            if isinstance(rdef, ResourceDefinition) and rdef.sizes
            else None
        )
        _check_interfaces(found, ifce, linkage, total)


# ---------------------------------------------------------------- RDEF alone


def _problems(rdef: ResourceDefinition) -> list[Problem]:
    """Return the violations of RDEF alone."""
    found = [] if rdef.sizes is None else _wrong_sizes(rdef.sizes, (rdef.major, rdef.minor))
    buffers = {buffer.name for buffer in rdef.buffers}
    taken: dict[tuple[str, int], list[tuple[int, int, int]]] = {}
    for i, binding in enumerate(rdef.bindings):
        path = f"bindings[{i}]"
        found += _undefined(binding, path)
        if binding.kind in (I.CBUFFER, I.TBUFFER) and binding.name not in buffers:
            found.append(("rdef.buffer", f"unknown buffer {binding.name!r}", f"{path}.name"))
        kind = DECLARED_AS.get(binding.kind)
        if kind is not None:
            place = kind[0], binding.space or 0
            taken.setdefault(place, []).append((*_registers(binding), i))
    for ranges in taken.values():
        ranges.sort()
        end, furthest = -1, 0
        for first, last, number in ranges:
            if first <= end:
                names = f"{rdef.bindings[furthest].name} and {rdef.bindings[number].name}"
                message = f"{names} share register {first}"
                found.append(("rdef.overlap", message, f"bindings[{number}].bind_point"))
            if last > end:
                end, furthest = last, number
    for i, buffer in enumerate(rdef.buffers):
        found += _undefined(buffer, f"buffers[{i}]")
        for j, variable in enumerate(buffer.variables):
            path = f"buffers[{i}].variables[{j}]"
            found += _undefined(variable.type, f"{path}.type", "variable_class")
            if buffer.kind == BufferType.INTERFACE_POINTERS:
                continue  # offsets and sizes are numbers of slots
            if variable.offset + variable.size > buffer.size:
                end = variable.offset + variable.size
                message = f"{variable.name} ends at {end}, {buffer.name} at {buffer.size}"
                found.append(("rdef.variable", message, f"{path}.offset"))
    return found


def _undefined(record: Record, path: str, *names: str) -> Iterator[Problem]:
    for name, message in undefined(record, *names):
        yield "rdef.enumeration", message, f"{path}.{name}"


def _wrong_sizes(sizes: RdefSizes, model: tuple[int, int]) -> list[Problem]:
    found = []
    for name, size in zip(FIELDS, SIZES.get(model, ()), strict=False):
        if getattr(sizes, name) != size:
            message = f"expected {name} {size}, got {getattr(sizes, name)}"
            found.append(("rdef.sizes", message, f"sizes.{name}"))
    return found


def _registers(binding: RdefBinding) -> tuple[int, int]:
    count = binding.bind_count
    return binding.bind_point, binding.bind_point + count - 1 if count else 0xFFFF_FFFF


# ---------------------------------------------------------------- RDEF and the program


def _check_target(
    found: ContainerFindings, part: DxPart, rdef: ResourceDefinition, declared: ProgramFacts
) -> None:
    model = f"{rdef.major}.{rdef.minor}"
    if model != declared.model:
        message = f"expected model {declared.model}, as the program has, got {model}"
        found.part("rdef.target", part, message, "major")
    target = TARGETS.get(declared.stage)
    if target is not None and rdef.target != target:
        message = f"expected stage 0x{target:04x}, as the program has, got 0x{rdef.target:04x}"
        found.part("rdef.target", part, message, "target")


class DeclarableBinding(NamedTuple):
    """A binding of RDEF that the program may declare."""

    number: int
    record: RdefBinding
    place: tuple[str, int]  # register class, space
    first: int
    last: int
    form: str
    size: int | None  # of the constant buffer, in bytes


def _bindings(rdef: ResourceDefinition) -> list[DeclarableBinding]:
    sizes = {buffer.name: buffer.size for buffer in rdef.buffers}
    found = []
    for i, each in enumerate(rdef.bindings):
        wanted = DECLARED_AS.get(each.kind)
        if wanted is not None:
            letter, form = wanted
            size = sizes.get(each.name) if each.kind == I.CBUFFER else None
            place = letter, each.space or 0
            found.append(DeclarableBinding(i, each, place, *_registers(each), form, size))
    return found


def _check_bindings(found: ContainerFindings, part: DxPart, declared: ProgramFacts) -> None:
    bound: dict[tuple[str, int], list[tuple[int, ProgramResource]]] = {}
    for at, one in enumerate(declared.resources):
        place = one.resource.register_class, one.resource.space
        bound.setdefault(place, []).append((at, one))
    bindings = part.reading.value.bindings
    if max(len(bindings), *map(len, bound.values()), 0) > MANY:
        return
    reached = {each.resource: each.size for each in declared.constant_buffers}
    matched: set[int] = set()
    for binding in part.reading.result(_bindings):
        there = []
        for at, each in bound.get(binding.place, ()):
            lower, upper = registers(each.resource)
            if lower <= binding.last and binding.first <= upper:
                there.append((at, each))
        path = f"bindings[{binding.number}]"
        if not there:
            found.part("rdef.unused", part, f"{binding.record.name} is not declared", path)
        for at, each in there:
            matched.add(at)
            _check_form(found, part, binding.record, each, binding.form, path)
            if binding.size is not None:
                size = binding.size, reached.get(at, 0) // ROW
                _check_size(found, part, binding.record, each, size, path)
    for at, each in enumerate(declared.resources):
        if at not in matched:
            found.declaration("rdef.undeclared", f"{each.label} has no binding", each.path)


def _check_form(
    found: ContainerFindings,
    part: DxPart,
    binding: RdefBinding,
    declared: ProgramResource,
    form: str,
    path: str,
) -> None:
    its_form = FORMS.get(declared.resource.kind, "")
    # vkd3d's compiler describes raw buffers as typed ones.
    if its_form != form and (form, its_form) != ("typed", "raw"):
        message = f"{binding.name} is {form}, the declaration of {declared.label} is {its_form}"
        found.part("rdef.kind", part, message, f"{path}.kind")
        return
    if binding.kind != I.SAMPLER:
        return
    compares = bool(binding.flags & COMPARISON)
    expected = declared.resource.comparison
    if expected and not compares and found.by_vkd3d:  # vkd3d's compiler never sets the flag
        expected = False
    if expected != compares:
        kinds = "a comparison sampler", "an ordinary one"
        one, other = kinds if compares else kinds[::-1]
        message = f"{binding.name} is {one}, {declared.label} is declared as {other}"
        found.part("rdef.kind", part, message, f"{path}.flags")


def _check_size(
    found: ContainerFindings,
    part: DxPart,
    binding: RdefBinding,
    declared: ProgramResource,
    size: tuple[int, int],
    path: str,
) -> None:
    """Compare sizes; `size` holds the bytes in RDEF and the rows in the declaration."""
    rows = (size[0] + ROW - 1) // ROW
    if size[1] > rows:
        message = (
            f"{declared.label} is declared with {size[1]} registers, {binding.name} has {rows}"
        )
        found.part("rdef.buffer-size", part, message, f"{path}.name")


# ---------------------------------------------------------------- IFCE


def _check_interfaces(
    found: ContainerFindings, part: DxPart, ifce: ClassLinkage, stated: int | None
) -> None:
    total = sum(slot.span for slot in ifce.slots)
    if total != ifce.slot_total:
        message = f"expected {total} slots, the sum of the variables, got {ifce.slot_total}"
        found.part("ifce.total", part, message, "slot_total")
    if stated is not None and stated != ifce.slot_total:
        message = f"expected {stated} slots, as RDEF states, got {ifce.slot_total}"
        found.part("ifce.total", part, message, "slot_total")
    classes = range(len(ifce.classes))  # by position: the stored class numbers may all be 0
    for i, slot in enumerate(ifce.slots):
        for j, number in enumerate(slot.type_ids):
            if number not in classes:
                path = f"slots[{i}].type_ids[{j}]"
                found.part("ifce.class", part, f"no such class: {number}", path)
        if found.declared is not None:
            for j, number in enumerate(slot.table_ids):
                if number not in found.declared.function_tables:
                    path = f"slots[{i}].table_ids[{j}]"
                    found.part("ifce.table", part, f"ft{number} is not declared", path)
    for i, instance in enumerate(ifce.instances):
        if instance.type not in classes:
            message = f"{instance.name}: no such class: {instance.type}"
            found.part("ifce.class", part, message, f"instances[{i}].type")
