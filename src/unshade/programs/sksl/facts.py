"""Facts about a program for `reflect`: stage, inputs, outputs, uniforms, children, functions.

    uniform float2 size;        variable of the uniforms, at offset 0
    uniform half4 tint;         … at offset 8: four bytes a component, without gaps
    uniform shader image;       child 0
    half4 main(float2 p)        input p, the position; output, the colour

Offsets follow Skia's runtime effects: uniforms follow each other in the order of their
declaration, each component takes four bytes, halves and bools too, and nothing is aligned to more.

Source: SkRuntimeEffect.cpp of Skia's milestone 104, and facts measured with skia-python.
"""

from collections.abc import Iterator, Sequence
from itertools import count as counted

from ...errors import LimitError
from ...limits import DEFAULT
from ...model import (
    BufferKind,
    ComponentType,
    ConstantBuffer,
    Dimension,
    ResourceKind,
    ReturnType,
    Stage,
    Statistics,
    SystemValue,
    Variable,
)
from ...model.facts import ProgramFacts, ProgramPort, ProgramResource
from ...model.resources import Resource
from ...tuples import NamedTuple
from ...vocab.slots import Direction, port_slot
from ...vocab.words import DescriptorType
from .layout import STD140, STD430, TIGHT, MemoryRules
from .tables.enumerations import Builtin, LayoutFlag, ModifierFlag, SkslProgramKind
from .text.upstream import typed
from .tree import (
    ArrayDataType,
    DataType,
    Expression,
    FunctionDeclaration,
    FunctionDefinition,
    GlobalDeclaration,
    InterfaceBlock,
    NumberKind,
    ProgramUnit,
    SharedFunction,
    Statement,
    StructDataType,
    TranslationUnit,
    TreeNode,
    TypeKind,
    VariableSymbol,
    walk,
)

__all__ = [
    "BlockUniforms",
    "InterfacePort",
    "blocks_of",
    "definitions_of",
    "facts_of",
    "function_lines",
    "interface_of",
    "stage_of",
    "uniform_blocks",
]

LETTERS = "xyzw"
VERTEX = (SkslProgramKind.VERTEX, SkslProgramKind.GRAPHITE_VERTEX, SkslProgramKind.MESH_VERTEX)
COMPONENT_TYPES = {
    (NumberKind.FLOAT, 32): ComponentType.FLOAT32,
    (NumberKind.FLOAT, 16): ComponentType.FLOAT16,
    (NumberKind.SIGNED, 32): ComponentType.SINT32,
    (NumberKind.SIGNED, 16): ComponentType.SINT16,
    (NumberKind.UNSIGNED, 32): ComponentType.UINT32,
    (NumberKind.UNSIGNED, 16): ComponentType.UINT16,
    (NumberKind.BOOL, 1): ComponentType.UINT32,
}
MEANINGS: dict[int, SystemValue] = {
    Builtin.MAIN_COORDS: SystemValue.POSITION,
    Builtin.FRAG_COORD: SystemValue.POSITION,
    Builtin.POSITION: SystemValue.POSITION,
    Builtin.CLOCKWISE: SystemValue.IS_FRONT_FACE,
    Builtin.VERTEX_ID: SystemValue.VERTEX_ID,
    Builtin.INSTANCE_ID: SystemValue.INSTANCE_ID,
    Builtin.FRAG_COLOR: SystemValue.TARGET,
}


def stage_of(kind: SkslProgramKind) -> Stage:
    """Return the stage of a kind of program; runtime effects run for each pixel."""
    return Stage.VERTEX if kind in VERTEX else Stage.PIXEL


def facts_of(unit: ProgramUnit) -> ProgramFacts:
    """Return the facts about a program's main."""
    found = ProgramFacts(
        code="sksl",
        entry_point="main",
        stage=stage_of(unit.kind),
        model=unit.language.directive,
        profile=unit.kind.name.lower(),
    )
    uniforms = uniforms_of(unit)
    found.resources = list(_children(unit))
    if uniforms.variables:
        found.constant_buffers = [uniforms]
    for block in uniform_blocks(unit):
        if block.resource is not None:
            block.buffer.resource = len(found.resources)
            found.resources.append(
                ProgramResource(label=block.name, resource=block.resource, path=block.path)
            )
        found.constant_buffers.append(block.buffer)
    inputs, outputs = interface_of(unit)
    found.inputs = [each.port for each in inputs]
    found.outputs = [each.port for each in outputs]
    found.statistics = _statistics(unit)
    return found


def definitions_of(unit: ProgramUnit) -> dict[FunctionDeclaration, FunctionDefinition]:
    """Return the functions of a program with their bodies, shared ones included."""
    found = (
        each.definition if isinstance(each, SharedFunction) else each for each in unit.elements
    )
    return {each.declaration: each for each in found if isinstance(each, FunctionDefinition)}


def _main(unit: ProgramUnit) -> FunctionDeclaration | None:
    names = (each for each in unit.elements if isinstance(each, FunctionDefinition))
    return next((each.declaration for each in names if each.declaration.name == "main"), None)


def _globals(unit: ProgramUnit) -> Iterator[tuple[str, VariableSymbol]]:
    """Yield the global variables, with the path of the declaration."""
    for index, each in enumerate(unit.elements):
        if isinstance(each, GlobalDeclaration):
            yield f"elements[{index}]", each.declaration.variable


# -- uniforms and children ---------------------------------------------------------------------


def _is_uniform(variable: VariableSymbol) -> bool:
    return variable.modifiers.has(ModifierFlag.UNIFORM)


def _is_child(variable: VariableSymbol) -> bool:
    return variable.type.resolved.kind is TypeKind.CHILD


def uniforms_of(unit: ProgramUnit) -> ConstantBuffer:
    """Return the layout of the uniforms."""
    made = ConstantBuffer(name="uniforms", kind=BufferKind.UNIFORMS, size=0)
    left = DEFAULT.members
    for _, variable in _globals(unit):
        if _is_uniform(variable) and not _is_child(variable):
            left -= variable.type.resolved.spread
            if left < 0:
                raise LimitError("members", DEFAULT.members, "more members of structures")
            described = TIGHT.describe(variable.type)
            size = TIGHT.size(variable.type)
            made.variables.append(
                Variable(name=variable.name, offset=made.size, size=size, type=described)
            )
            made.size += size
    return made


def _children(unit: ProgramUnit) -> Iterator[ProgramResource]:
    number = 0
    for path, variable in _globals(unit):
        if _is_uniform(variable) and _is_child(variable):
            place = variable.type.resolved.name == "shader"
            resource = Resource(
                name=variable.name,
                kind=ResourceKind.CHILD,
                register=number,
                dimension=Dimension.D2 if place else None,
                return_type=ReturnType.FLOAT if place else None,
            )
            yield ProgramResource(label=variable.name, resource=resource, path=path)
            number += 1


# -- interface blocks --------------------------------------------------------------------------


class BlockUniforms(NamedTuple):
    """An interface block of uniforms; `resource` is None for push constants."""

    name: str
    variable: VariableSymbol
    type: StructDataType
    rules: MemoryRules
    buffer: ConstantBuffer
    resource: Resource | None
    path: str

    def misplaced(self) -> Iterator[str]:
        """Yield the errors in the offsets that the source gives to members."""
        for field, expected in self.rules.misplaced(self.type):
            given = field.modifiers.layout.offset
            yield f"{self.name}: expected an offset of {field.name} that is {expected}, got {given}"


def blocks_of(unit: ProgramUnit) -> Iterator[tuple[str, InterfaceBlock, StructDataType, int]]:
    """Yield the interface blocks: path, block, type of an instance, number of instances."""
    left = DEFAULT.members
    for index, each in enumerate(unit.elements):
        if isinstance(each, InterfaceBlock):
            type_, count = each.variable.type.resolved, 1
            left -= type_.spread
            if left < 0:
                raise LimitError("members", DEFAULT.members, "more members of interface blocks")
            if isinstance(type_, ArrayDataType):
                type_, count = type_.component.resolved, max(type_.columns, 0)
            if isinstance(type_, StructDataType):
                yield f"elements[{index}]", each, type_, count


def uniform_blocks(unit: ProgramUnit) -> Iterator[BlockUniforms]:
    """Yield the blocks of uniforms, each with its layout and its binding.

    Blocks without a binding get the first free binding of their set.
    """
    uniform = [each for each in blocks_of(unit) if _is_uniform(each[1].variable)]
    layouts = [each.variable.modifiers.layout for _, each, _, _ in uniform]
    given = {(max(each.set, 0), each.binding) for each in layouts}
    for path, each, type_, count in uniform:
        layout = each.variable.modifiers.layout
        pushed = bool(layout.flags & LayoutFlag.PUSH_CONSTANT)
        rules = STD430 if pushed else STD140
        name = each.instance_name or each.type_name
        buffer = ConstantBuffer(
            name=name,
            kind=BufferKind.PUSH_CONSTANTS if pushed else BufferKind.CONSTANT_BUFFER,
            size=rules.size(type_),
            layout=rules.name,
            variables=[
                Variable(
                    name=one.name, offset=one.offset, size=rules.size(member.type), type=one.type
                )
                for one, member in zip(rules.members(type_), type_.members, strict=True)
            ],
        )
        resource = None
        if not pushed:
            space, binding = max(layout.set, 0), layout.binding
            if binding < 0:
                binding = next(number for number in counted() if (space, number) not in given)
                given.add((space, binding))
            resource = Resource(
                name=name,
                kind=ResourceKind.CONSTANT_BUFFER,
                descriptor=DescriptorType.UNIFORM_BUFFER,
                register=binding,
                space=space,
                count=count,
            )
        yield BlockUniforms(name, each.variable, type_, rules, buffer, resource, path)


# -- inputs and outputs ------------------------------------------------------------------------


def component_letters(type_: DataType) -> str:
    """Return the letters of the components of a type; for a matrix, of a column."""
    type_ = type_.resolved
    count = type_.columns if type_.is_vector else type_.rows
    return LETTERS[: max(1, min(count, len(LETTERS)))]


class InterfacePort(NamedTuple):
    """An input or output, the type of its values, and its variable (None: the result of main)."""

    port: ProgramPort
    type: DataType
    variable: VariableSymbol | None
    scalars: range | None = None  # those of the variable, if it is a block

    @property
    def component_type(self) -> ComponentType:
        """The type of the components."""
        return component_type(self.type)


def interface_of(unit: ProgramUnit) -> tuple[list[InterfacePort], list[InterfacePort]]:
    """Return the inputs and outputs: global variables, main's parameters, and its result."""
    stage = stage_of(unit.kind)
    inputs: list[InterfacePort] = []
    outputs: list[InterfacePort] = []
    for flag, direction, ports in (
        (ModifierFlag.IN, Direction.INPUT, inputs),
        (ModifierFlag.OUT, Direction.OUTPUT, outputs),
    ):
        there = [each for each in _globals(unit) if each[1].modifiers.has(flag)]
        locations = _locations([variable for _, variable in there])
        for (path, variable), location in zip(there, locations, strict=True):
            ports.append(_port(stage, direction, variable, location, path))
        for path, block, type_, copies in blocks_of(unit):
            if block.variable.modifiers.has(flag):
                first = block.variable.modifiers.layout.location
                first = _next(ports) if first < 0 else first
                ports.extend(_block_ports(stage, direction, block, type_, copies, path, first))
    main = _main(unit)
    if main is not None:
        for each in main.parameters:
            flags = each.modifiers.flags & (ModifierFlag.IN | ModifierFlag.OUT)
            if flags != ModifierFlag.OUT:
                inputs.append(_port(stage, Direction.INPUT, each, _next(inputs)))
            if flags & ModifierFlag.OUT:
                outputs.append(_port(stage, Direction.OUTPUT, each, _next(outputs)))
        if main.returns.resolved.kind is not TypeKind.VOID:
            outputs.append(_result(stage, main.returns))
    return inputs, outputs


def _block_ports(
    stage: Stage,
    direction: Direction,
    block: InterfaceBlock,
    type_: StructDataType,
    count: int,
    path: str,
    location: int,
) -> Iterator[InterfacePort]:
    """Yield a port for each member of each instance of a block, from a location on."""
    at = 0
    for number in range(count):
        index = f"[{number}]" if block.array_size else ""
        prefix = f"{block.instance_name}{index}." if block.instance_name else ""
        for each in type_.members:
            layout = each.modifiers.layout
            location = max(layout.location, location)
            meaning = MEANINGS.get(layout.builtin)
            port = ProgramPort(
                label=prefix + each.name,
                slot=port_slot(stage, direction, location if meaning is None else meaning),
                components=component_letters(each.type),
                system_value=meaning,
                path=path,
            )
            size = each.type.resolved.slots
            yield InterfacePort(port, each.type, block.variable, range(at, at + size))
            at += size
            location += meaning is None


def _locations(variables: Sequence[VariableSymbol]) -> Iterator[int]:
    """Yield the location of each variable: its own, or the first free location."""
    given = {each.modifiers.layout.location for each in variables}
    others = (number for number in counted() if number not in given)
    for each in variables:
        layout = each.modifiers.layout
        alone = layout.location < 0 and layout.builtin not in MEANINGS
        yield next(others) if alone else max(layout.location, 0)


def _next(ports: list[InterfacePort]) -> int:
    """Return the location after the last location of some ports."""
    used = (each.port.slot.location for each in ports)
    return 1 + max((each for each in used if each is not None), default=-1)


def _port(
    stage: Stage, direction: Direction, variable: VariableSymbol, location: int, path: str = ""
) -> InterfacePort:
    layout = variable.modifiers.layout
    meaning = MEANINGS.get(layout.builtin)
    slot = port_slot(stage, direction, location if meaning is None else meaning)
    port = ProgramPort(
        label=variable.name,
        slot=slot._replace(index=max(layout.index, 0)),
        components=component_letters(variable.type),
        system_value=meaning,
        path=path,
    )
    return InterfacePort(port, variable.type, variable)


def _result(stage: Stage, type_: DataType) -> InterfacePort:
    meaning = SystemValue.TARGET if stage is Stage.PIXEL else SystemValue.POSITION
    port = ProgramPort(
        label="main",
        slot=port_slot(stage, Direction.OUTPUT, meaning),
        components=component_letters(type_),
        system_value=meaning,
    )
    return InterfacePort(port, type_, None)


def component_type(type_: DataType) -> ComponentType:
    """Return the type of the components; for structs and other types, unknown."""
    type_ = type_.resolved
    return COMPONENT_TYPES.get((type_.number, type_.bits), ComponentType.UNKNOWN)


# -- functions and counts ----------------------------------------------------------------------


def function_lines(unit: TranslationUnit) -> list[str]:
    """Return the signatures of the functions that a program defines."""
    found = []
    for each in walk(unit):
        if isinstance(each, FunctionDefinition):
            declared = each.declaration
            parameters = ", ".join(_parameter(one) for one in declared.parameters)
            found.append(f"{typed(declared.returns, declared.name)}({parameters})")
    return found


def _parameter(variable: VariableSymbol) -> str:
    flags = variable.modifiers.flags
    word = {16: "in ", 32: "out ", 48: "inout "}.get(flags & 48, "")
    return word + typed(variable.type, variable.name)


def _statistics(unit: ProgramUnit) -> Statistics:
    nodes: list[TreeNode] = list(walk(unit))
    return Statistics(
        computed=True,
        instructions=sum(isinstance(each, Statement | Expression) for each in nodes),
        declarations=sum(isinstance(each, GlobalDeclaration) for each in nodes),
    )
