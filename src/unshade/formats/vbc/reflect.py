"""Reflection of VBC files.

    vert            facts of the module; inputs of the file, bindings by slot, the uniform block
    frag            the same; outputs of the file, subpass inputs
    the whole       bindings that no stage uses, by their masks

The file contains the names of the uniform block's members, and unused inputs and outputs;
everything else comes from the facts of the modules. Bindings are not named in the file: a binding
is identified by its slot, an element of one of the tables in set 0.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...model import (
    BufferKind,
    ComponentType,
    ConstantBuffer,
    Reflection,
    SignatureParameter,
    Stage,
    SystemValue,
    TypeClass,
    TypeDescription,
    Variable,
)
from ...model.from_facts import reflection_of
from ...model.reflection import COMPONENTS
from ...model.resources import Resource
from ...vocab.numbers import word
from ...vocab.words import Dimension, ResourceKind, ReturnType
from .program import STAGE_WORDS, Program
from .records import (
    BaseType,
    BufferInfo,
    SlotBinding,
    StageVariable,
    SubpassInput,
    TexelInfo,
    TexelRank,
    TexelType,
    UniformMember,
)
from .spelling import NAMES

if TYPE_CHECKING:
    from .shader import Vbc

__all__ = ["identity", "reflect"]

COMPONENT = 4  # bytes
SCALARS: dict[int, str] = {
    BaseType.BOOLEAN: "bool",
    BaseType.SIGNED: "int",
    BaseType.UNSIGNED: "uint",
    BaseType.FLOAT: "float",
}
TYPES: dict[int, ComponentType] = {
    BaseType.SIGNED: ComponentType.SINT32,
    BaseType.UNSIGNED: ComponentType.UINT32,
    BaseType.FLOAT: ComponentType.FLOAT32,
}
KINDS: dict[int, ResourceKind] = {
    BaseType.SAMPLER: ResourceKind.COMBINED_SAMPLER,
    BaseType.IMAGE: ResourceKind.TEXTURE,
    BaseType.RO_BUFFER: ResourceKind.STRUCTURED_BUFFER,
    BaseType.RW_BUFFER: ResourceKind.STRUCTURED_BUFFER,
    BaseType.RO_TEXELS: ResourceKind.TYPED_BUFFER,
    BaseType.RW_TEXELS: ResourceKind.TYPED_BUFFER,
}
WRITABLE = (BaseType.IMAGE, BaseType.RW_BUFFER, BaseType.RW_TEXELS)
RANKS: dict[int, Dimension] = {
    TexelRank.D1: Dimension.D1,
    TexelRank.D2: Dimension.D2,
    TexelRank.D3: Dimension.D3,
    TexelRank.D1_ARRAY: Dimension.D1_ARRAY,
    TexelRank.D2_ARRAY: Dimension.D2_ARRAY,
    TexelRank.CUBE: Dimension.CUBE,
    TexelRank.BUFFER: Dimension.BUFFER,
}
RETURNS: dict[int, ReturnType] = {
    TexelType.SIGNED: ReturnType.SINT,
    TexelType.UNSIGNED: ReturnType.UINT,
    TexelType.FLOAT: ReturnType.FLOAT,
    TexelType.UNORM: ReturnType.UNORM,
    TexelType.SNORM: ReturnType.SNORM,
}
UNIFORM_SET, SUBPASS_SET = 1, 2


def identity(file: "Vbc") -> Reflection:
    """Return a reflection with only the stage and the entry point of each module."""
    return Reflection(format=file.format, code="spirv", entry_points=list(_stages(file)))


def reflect(file: "Vbc") -> Reflection:
    """Return the reflection of a file."""
    record = file.record
    whole = Reflection(format=file.format, code="spirv")
    modules = file.modules()
    for name, program in modules.items():
        bit = 1 << NAMES.index(name)
        found = _module(file, name, program)
        if name == "vert":
            found.inputs = _stated(record.inputs, found.inputs, "in")
        if name == "frag":
            found.outputs = _stated(record.outputs, found.outputs, "out", SystemValue.TARGET)
            _add(found, _subpasses(file))
        found.resources += [_resource(each) for each in record.bindings if each.stages & bit]
        if record.uniform.size and record.uniform.stages & bit:
            _describe(found, file)
        whole.entry_points.append(found)
    used = sum(1 << NAMES.index(name) for name in modules)
    whole.resources = [_resource(each) for each in record.bindings if not each.stages & used]
    if record.uniform.size and not record.uniform.stages & used:
        _describe(whole, file)
    if "vert" not in modules:
        whole.inputs = _stated(record.inputs, [], "in")
    if "frag" not in modules:
        whole.outputs = _stated(record.outputs, [], "out", SystemValue.TARGET)
        whole.resources += _subpasses(file)
    for name in NAMES:
        if getattr(record, name) and name not in modules:
            whole.notes.append(f"the module of {name} is not SPIR-V")
    whole.complete = not whole.notes
    return whole


def _module(file: "Vbc", name: str, program: Program) -> Reflection:
    """Return the reflection of a module's entry point of a stage."""
    for facts in program.all_facts():
        if facts.stage == STAGE_WORDS[name]:
            found = reflection_of(facts, file.format)
            found.creator, found.compile_flags = program.generator, program.processing
            return found
    found = Reflection(
        format=file.format,
        code=program.language,
        stage=Stage(STAGE_WORDS[name]),
        model=program.version,
        notes=[f"the module of {name} has no entry point of that stage"],
    )
    found.complete = False
    return found


def _stages(file: "Vbc") -> Iterator[Reflection]:
    for name, program in file.modules().items():
        entries = [entry for entry, stage in program.entry_points if stage == STAGE_WORDS[name]]
        yield Reflection(
            format=file.format,
            code=program.language,
            stage=Stage(STAGE_WORDS[name]),
            model=program.version,
            entry_point=entries[0] if entries else None,
        )


def _add(found: Reflection, resources: Iterable[Resource]) -> None:
    """Add resources that the module does not declare."""
    known = {(each.space, each.register) for each in found.resources if not each.register_class}
    found.resources += [each for each in resources if (each.space, each.register) not in known]


def _describe(found: Reflection, file: "Vbc") -> None:
    """Add the uniform block, or replace its layout by the file's, which contains names."""
    _add(found, [_uniform()])
    at = next(
        at
        for at, each in enumerate(found.resources)
        if (each.space, each.register, each.register_class) == (UNIFORM_SET, 0, "")
    )
    block = _block(file, at)
    for number, each in enumerate(found.constant_buffers):
        if each.resource == at:
            found.constant_buffers[number] = block
            return
    found.constant_buffers.append(block)


# -- inputs and outputs --------------------------------------------------------------------------


def _stated(
    rows: Iterable[StageVariable],
    derived: Iterable[SignatureParameter],
    prefix: str,
    value: SystemValue | None = None,
) -> list[SignatureParameter]:
    """Return a row for each location in the file, with the facts of the module.

    Built-in values, which the file does not have, follow.
    """
    derived = list(derived)
    known = {each.register: each for each in derived}
    found = []
    for each in rows:
        components = COMPONENTS[: each.rows]
        for at in range(max(each.columns * each.count, 1)):
            port = known.get(each.location + at)
            found.append(
                SignatureParameter(
                    semantic=f"{prefix}{each.location}" if port is None else port.semantic,
                    index=at if port is None else port.index,
                    register=each.location + at,
                    components=components,
                    used=components if port is None else port.used,
                    component_type=TYPES.get(each.base, ComponentType.UNKNOWN),
                    system_value=value,
                    by_register=True,
                )
            )
    return [*found, *(each for each in derived if each.register is None)]


# -- resources -----------------------------------------------------------------------------------


def _resource(each: SlotBinding) -> Resource:
    data = each.data
    texels = data if isinstance(data, TexelInfo) else None
    return Resource(
        name=f"slot{each.slot}",
        kind=word(KINDS, each.base),
        writable=each.base in WRITABLE,
        register_class="slot",
        register=each.slot,
        dimension=word(RANKS, texels.rank) if texels else None,
        return_type=word(RETURNS, texels.type) if texels else None,
        components=texels.count if texels else None,
        stride=data.size if isinstance(data, BufferInfo) else None,
        declared=True,
    )


def _subpasses(file: "Vbc") -> Iterator[Resource]:
    """Yield the subpass inputs; objects do not have the type."""
    for at, each in enumerate(file.record.subpasses):
        typed = each if isinstance(each, SubpassInput) else None
        index = at if isinstance(each, SubpassInput) else each.index
        yield Resource(
            name=f"subpass{index}",
            kind=ResourceKind.TEXTURE,
            register=index,
            space=SUBPASS_SET,
            dimension=Dimension.D2,
            return_type=word(RETURNS, typed.type) if typed else None,
            components=typed.count if typed else None,
            declared=True,
        )


def _uniform() -> Resource:
    return Resource(
        name="uniform",
        kind=ResourceKind.CONSTANT_BUFFER,
        register=0,
        space=UNIFORM_SET,
        declared=True,
    )


def _block(file: "Vbc", resource: int) -> ConstantBuffer:
    block = file.record.uniform
    members = sorted(block.members, key=lambda each: each.offset)
    return ConstantBuffer(
        name="uniform",
        kind=BufferKind.CONSTANT_BUFFER,
        resource=resource,
        size=block.size,
        variables=[
            Variable(
                name=each.name,
                offset=each.offset,
                size=COMPONENT * each.rows * each.columns * each.count,
                type=_type(each),
            )
            for each in members
        ],
    )


def _type(each: UniformMember) -> TypeDescription:
    scalar = SCALARS.get(each.base, f"unknown_{each.base}")
    size = COMPONENT * each.rows * each.columns
    is_matrix = each.columns > 1
    kind = TypeClass.VECTOR if each.rows > 1 else TypeClass.SCALAR
    return TypeDescription(
        type_class=TypeClass.MATRIX_COLUMNS if is_matrix else kind,
        scalar=scalar,
        rows=each.rows if is_matrix else 1,
        columns=each.columns if is_matrix else each.rows,
        elements=[each.count] if each.count > 1 else [],
        size=size,
        strides=[size] if each.count > 1 else [],
        matrix_stride=COMPONENT * each.rows if is_matrix else None,
    )
