"""Registers that a program declares, reads and writes, in the terms of `model`.

    inputs      v and t registers, vPos and vFace, with their usages      outputs   o registers
    resources   s registers, each a texture with its sampler              banks     c, i, b, bump

Usages are names of semantics: TEXCOORD2. Before Shader Model 3 the registers between the stages
have fixed ones: v and oD are colours, t and oT texture coordinates.

Source: the pages of the assembly language on registers, by version.
"""

from collections.abc import Collection

from ...enums import member_of
from ...model import Dimension, Resource, ResourceKind, ReturnType, Stage, Statistics
from ...model.facts import ProgramFacts, ProgramPort, ProgramResource, RegisterBank
from ...vocab.slots import Direction, Place, ResourceClass, ResourceSlot, port_slot
from ...vocab.words import ComponentType, SystemValue
from .code import Code
from .constants import CONSTANT_SETS, constant_table
from .instruction import Instruction, Operand
from .reading import components_read
from .registers import NamedRegister
from .tables.tokens import DeclarationUsage, RegisterType, TextureKind, Version

__all__ = ["BANKS", "BANK_SLOTS", "STAGE_ROWS", "facts_of", "place_of", "sampler_resource"]

COLOURS = 16  # the location of COLOR0, after those of the texture coordinates
COMPONENTS = "xyzw"
STAGES = 8
STAGE_ROWS = 2  # the matrix; scale, offset
NO_FILE = -1  # states of the texture stages, which bump mapping of ps_1_x reads
BANKS = (  # letter, file, type of a component, components, registers
    ("c", RegisterType.CONST, "float", 4, 256),
    ("i", RegisterType.CONSTINT, "int", 4, 16),
    ("b", RegisterType.CONSTBOOL, "bool", 1, 16),
    ("bump", NO_FILE, "float", 4, STAGE_ROWS * STAGES),
)
BANK_SLOTS = {
    letter: ResourceSlot(ResourceClass.REGISTER_BANK, number)
    for number, (letter, *_) in enumerate(BANKS)
}
DIMENSIONS = {
    TextureKind.D2: Dimension.D2, TextureKind.CUBE: Dimension.CUBE,
    TextureKind.VOLUME: Dimension.D3,
}  # fmt: skip
INPUTS = frozenset({RegisterType.INPUT, RegisterType.MISCTYPE})
OUTPUTS = frozenset({
    RegisterType.RASTOUT, RegisterType.ATTROUT, RegisterType.OUTPUT, RegisterType.COLOROUT,
    RegisterType.DEPTHOUT,
})  # fmt: skip
RASTER = ("POSITION", "FOG", "PSIZE")  # usages of oPos, oFog, oPts
RASTER_VALUES = {"POSITION": SystemValue.POSITION, "PSIZE": SystemValue.POINT_SIZE}
SAMPLES = frozenset({"texld", "texldp", "tex", "texbem", "texbeml"})
ROWS = {"m4x4": 4, "m4x3": 3, "m3x4": 4, "m3x3": 3, "m3x2": 2}  # registers of the last source
# Components of the rows of `bump` that are read, and instructions that write the depth.
BUMPED = {"texbem": ("xyzw",), "bem": ("xyzw",), "texbeml": ("xyzw", "xy")}
DEPTHS = frozenset({"texdepth", "texm3x2depth"})
# Texture instructions of ps_1_x that sample at their source, and those that do not sample.
BY_SOURCE = frozenset({"texreg2ar", "texreg2gb", "texreg2rgb"})
WITHOUT_SAMPLER = frozenset({
    "texkill", "texcoord", "texm3x2pad", "texm3x3pad", "texm3x2depth", "texdp3", "texm3x3",
    "texdepth",
})  # fmt: skip


def facts_of(code: Code) -> ProgramFacts:
    """Return the facts of a program."""
    use = _RegisterUse(code)
    version = code.version
    stage = Stage.PIXEL if version.is_pixel else Stage.VERTEX
    table = constant_table(code)
    names = {
        (CONSTANT_SETS.get(each.register_set), each.register): each.name  # type: ignore[call-overload]
        for each in (table.constants if table is not None else ())
    }
    return ProgramFacts(
        code="d3d9",
        entry_point="main",
        stage=stage,
        model=version.model,
        profile=version.profile,
        creator=None if table is None else table.creator,
        inputs=[use.port(each, stage, Direction.INPUT) for each in use.inputs],
        outputs=[use.port(each, stage, Direction.OUTPUT) for each in use.outputs],
        resources=[
            sampler_resource(number, kind, names.get(("s", number)))
            for number, kind in sorted(use.samplers.items())
        ],
        banks=[
            RegisterBank(
                label=letter,
                slot=BANK_SLOTS[letter],
                scalar=scalar,
                columns=columns,
                count=count,
                reads=use.reads.get(letter, {}),
                relative_from=use.relative.get(letter),
            )
            for letter, file, scalar, columns, count in BANKS
            if file != NO_FILE or letter in use.reads
        ],
        temp_registers=len(use.temporaries),
        statistics=_statistics(code, len(use.temporaries)),
    )


def _statistics(code: Code, temporaries: int) -> Statistics:
    names = [each.name for each in code.instructions if each.op is not None]
    kinds = [each.op.kind for each in code.instructions if each.op is not None]
    conditions = [each.op.name for each in code.instructions if each.op is not None]
    return Statistics(
        computed=True,
        instructions=sum(kind not in ("declaration", "literal") for kind in kinds),
        temp_registers=temporaries,
        defines=kinds.count("literal"),
        declarations=kinds.count("declaration"),
        moves=names.count("mov") + names.count("mova"),
        texture_samples=sum(name in SAMPLES for name in names),
        texture_bias=names.count("texldb"),
        texture_gradients=names.count("texldd"),
        texture_loads=names.count("texldl"),
        static_flow_control=sum(name in ("if", "loop", "rep", "callnz") for name in conditions),
        dynamic_flow_control=sum(name in ("ifc", "breakc", "breakp") for name in conditions),
    )


def place_of(
    register: NamedRegister, usage: tuple[str, int], direction: Direction
) -> tuple[Place, SystemValue | None]:
    """Return the place of an input or output, and its system value.

    What a vertex shader outputs and a pixel shader reads has the number of its usage, by which the
    runtime joins them: TEXCOORD3 is 3, COLOR1 is 17, all others follow.
    """
    file, number = register.place
    pixel = register.version.is_pixel
    if file == RegisterType.MISCTYPE:
        value = SystemValue.POSITION if number == 0 else SystemValue.IS_FRONT_FACE
        return value, value
    if file == RegisterType.DEPTHOUT:
        return SystemValue.DEPTH, SystemValue.DEPTH
    if file == RegisterType.COLOROUT or (pixel and file == RegisterType.TEMP):
        return number, SystemValue.TARGET
    if not pixel and direction is Direction.INPUT:
        return number, None
    name, index = usage
    if not pixel and index == 0 and name in RASTER_VALUES:
        return RASTER_VALUES[name], RASTER_VALUES[name]
    if name in ("TEXCOORD", "COLOR"):
        return index + (COLOURS if name == "COLOR" else 0), None
    known = DeclarationUsage.__members__.get(name, len(DeclarationUsage))
    return 2 * COLOURS + COLOURS * int(known) + index, None


def sampler_resource(
    number: int, kind: Dimension | None = None, name: str | None = None
) -> ProgramResource:
    """Return the resource of a sampler, named after its register if it has no other name."""
    return ProgramResource(
        label=f"s{number}",
        resource=Resource(
            name=name or f"s{number}",
            kind=ResourceKind.COMBINED_SAMPLER,
            register_class="s",
            register=number,
            dimension=kind,
            return_type=ReturnType.FLOAT,
            components=4,
            declared=name is None,
        ),
    )


class _RegisterUse:
    """The registers of a program, in the order in which they are declared or first used."""

    def __init__(self, code: Code) -> None:
        self.version = code.version
        self.usages: dict[tuple[int, int], tuple[str, int]] = {}
        self.inputs: dict[tuple[int, int], set[str]] = {}
        self.outputs: dict[tuple[int, int], set[str]] = {}
        self.used: dict[tuple[int, int], set[str]] = {}
        self.samplers: dict[int, Dimension | None] = {}
        self.reads: dict[str, dict[int, str]] = {}
        self.relative: dict[str, int] = {}
        self.temporaries: set[tuple[int, int]] = set()
        self.loaded: set[tuple[int, int]] = set()  # t registers that are given a texel alone
        self.defined = {
            _place(each.destination)
            for each in code.instructions
            if each.op is not None and each.op.kind == "literal" and each.destination is not None
        }
        for each in code.instructions:
            if each.declaration is not None:
                self._declare(each)
            elif each.op is None or each.op.kind != "literal":
                self._use(each)

    def _declare(self, instruction: Instruction) -> None:
        declared, operand = instruction.declaration, instruction.destination
        if declared is None or operand is None:
            return
        place = _place(operand)
        if place[0] == RegisterType.SAMPLER:
            kind = member_of(TextureKind, declared.texture)
            self.samplers[place[1]] = None if kind is None else DIMENSIONS.get(kind)
            return
        usage = member_of(DeclarationUsage, declared.usage)
        if usage is not None and (self.version.major >= 3 or not self.version.is_pixel):
            self.usages[place] = usage.name, declared.index
        bag = self.outputs if place[0] in OUTPUTS else self.inputs
        bag.setdefault(place, set()).update(operand.components)

    def _use(self, instruction: Instruction) -> None:
        if self.version.is_pixel and self.version.major == 1:
            self._use_stage(instruction)
        read = components_read(instruction, self.samplers)
        for operand in instruction.all_operands():
            if not isinstance(operand, Operand):
                continue
            place = _place(operand)
            if place[0] == RegisterType.TEMP:
                self.temporaries.add(place)
            if operand.is_destination and instruction.results:
                if place[0] in OUTPUTS or (place == (RegisterType.TEMP, 0) and self._returns()):
                    bag = self.outputs.setdefault(place, set())
                    if place not in self.usages:
                        bag.update(operand.components)
                    for each in self._reached(operand, place, self.outputs):
                        self.used.setdefault(each, set()).update(operand.components)
            else:
                letters = set(read.get(operand.at, operand.components))
                rows = ROWS.get(instruction.name, 1) if operand.at == _last(instruction) else 1
                self._read(operand, place, letters, rows)

    @staticmethod
    def _reached(
        operand: Operand, place: tuple[int, int], known: Collection[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Return the registers that an operand may mean: with an index, all of its file."""
        if not operand.token.relative:
            return [place]
        return [each for each in known if each[0] == place[0]]

    def _use_stage(self, instruction: Instruction) -> None:
        """Add the coordinates and the sampler of a texture instruction of ps_1_x, by its number."""
        op, destination = instruction.op, instruction.destination
        if op is None or destination is None:
            return
        number = destination.token.number
        for row, letters in enumerate(BUMPED.get(op.name, ())):
            self.reads.setdefault("bump", {})[STAGE_ROWS * number + row] = letters
        if op.name in DEPTHS:
            place = RegisterType.DEPTHOUT, 0
            self.outputs[place] = self.used[place] = {"x"}
        if op.kind != "texture" and op.name != "texkill":
            return
        if self.version.minor < 4 and destination.register.place[0] == RegisterType.ADDR:
            place = RegisterType.ADDR, number
            if op.name in BY_SOURCE:
                self.loaded.add(place)
            elif place not in self.inputs:
                self.inputs[place] = set(COMPONENTS)
                self.used[place] = set(destination.components)
        if op.name not in WITHOUT_SAMPLER:
            self.samplers.setdefault(number, None)

    def _returns(self) -> bool:
        """Return True if r0 is the colour: in pixel shaders of model 1."""
        return self.version.is_pixel and self.version.major == 1

    def _read(
        self, operand: Operand, place: tuple[int, int], letters: set[str], rows: int = 1
    ) -> None:
        """Add a source, and as many registers from it on as are rows of a matrix."""
        if place in self.loaded:
            return
        if place[0] in INPUTS or (self.version.is_pixel and place[0] == RegisterType.ADDR):
            if place not in self.usages or self.version.major < 2:
                self.inputs.setdefault(place, set()).update(letters)
            for each in self._reached(operand, place, self.inputs):
                self.used.setdefault(each, set()).update(letters)
        elif place[0] == RegisterType.SAMPLER:
            self.samplers.setdefault(place[1], None)
        for letter, file, *_ in BANKS:
            if place[0] != file:
                continue
            if operand.token.relative:
                self.relative[letter] = min(place[1], self.relative.get(letter, place[1]))
            for number in range(place[1], place[1] + rows):
                if (file, number) in self.defined:
                    continue
                known = self.reads.setdefault(letter, {})
                both = letters | set(known.get(number, ""))
                known[number] = _ordered(both) if letter != "b" else ""

    def port(self, place: tuple[int, int], stage: Stage, direction: Direction) -> ProgramPort:
        """Return the port of a register."""
        register = NamedRegister(*place, self.version)
        usage = self.usages.get(place) or _fixed(place, self.version)
        found = (self.inputs if direction is Direction.INPUT else self.outputs)[place]
        where, value = place_of(register, usage, direction)
        return ProgramPort(
            label=str(register),
            slot=port_slot(stage, direction, where),
            components=_ordered(found),
            system_value=value,
            component_type=ComponentType.FLOAT32,
            used=_ordered(self.used.get(place, set())),
            name=usage[0],
            index=usage[1],
        )


def _last(instruction: Instruction) -> int:
    """Return the position of the last source."""
    return instruction.sources[-1].at if instruction.sources else 0


def _place(operand: Operand | None) -> tuple[int, int]:
    assert operand is not None
    return operand.register.place


def _ordered(letters: set[str]) -> str:
    return "".join(each for each in COMPONENTS if each in letters)


def _fixed(place: tuple[int, int], version: Version) -> tuple[str, int]:
    """Return the usage of a register that has no declared one."""
    file, number = place
    if file == RegisterType.RASTOUT and number < len(RASTER):
        return RASTER[number], 0
    if file == RegisterType.MISCTYPE:
        return ("VPOS", "VFACE")[min(number, 1)], 0
    if file == RegisterType.DEPTHOUT:
        return "DEPTH", 0
    if file in (RegisterType.COLOROUT, RegisterType.ATTROUT, RegisterType.TEMP):
        return "COLOR", number
    if file == RegisterType.INPUT and version.is_pixel:
        return "COLOR", number
    return "TEXCOORD", number
