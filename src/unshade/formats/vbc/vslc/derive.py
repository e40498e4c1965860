"""The reflection of a program, derived from its modules.

    entry points           stages
    Input, Output          vertex inputs, fragment outputs, by Location
    set 0                  sizes of the tables; bindings, by the slots of the indices (`slots.py`)
    set 1, binding 0       uniform block
    set 2                  subpass inputs

Optimised modules contain neither the names of members nor anything that no stage uses.
"""

from collections.abc import Iterator, Mapping

from ....programs.spirv.index import ModuleIndex
from ....programs.spirv.program import Program
from ....programs.spirv.tables.numbers import Decoration, Dim, Opcode, StorageClass
from ....tuples import NamedTuple
from ..records import (
    BaseType,
    BufferInfo,
    SlotBinding,
    StageVariable,
    SubpassInput,
    UniformMember,
)
from ..spelling import NAMES
from .contract import ARRAYS, RESOURCES, is_storage_buffer, push_constant_problem, resource_problem
from .slots import CHAINS, SlotFinder
from .types import byte_size, image_of, numeric_type, texel_info

__all__ = ["Derived", "DerivedBinding", "DerivedUniform", "derive"]

TABLES = ("samplers", "images", "buffers", "ro_texels", "rw_texels")  # by binding of set 0
STORAGE = 2  # operand Sampled of OpTypeImage: used without a sampler, for reads and writes
PER_VERTEX_INPUT, PER_VERTEX_OUTPUT = ("tesc", "tese", "geom"), ("tesc",)  # arrays of vertices
MOST_LOCATIONS = 256


class DerivedBinding(NamedTuple):
    """A binding that one stage uses."""

    stage: str
    binding: SlotBinding  # with only this stage


class DerivedUniform(NamedTuple):
    """The uniform block as one stage declares it; unnamed members have an empty name."""

    stage: str
    used: bool
    size: int  # bytes up to the end of the last member
    members: list[UniformMember]


class Derived:
    """The sections of a file as the modules describe them.

    Attributes:
        inputs: Vertex inputs.
        outputs: Fragment outputs.
        tables: Sizes of the descriptor arrays, by stage and name of the table.
        bindings: By stage, in the order of the slots.
        uniforms: The uniform block of each stage that declares one.
        subpasses: By stage and index.
        subpass_names: By index: the variable and its stage in words.
        read, written: Base types by stage and location, of the inputs and outputs of a stage.
        unknown: Stages with an index whose slot is not known.
        foreign: By stage, variables that Vega does not bind: the rule, and a text that names each.
    """

    def __init__(self) -> None:
        self.inputs: list[StageVariable] = []
        self.outputs: list[StageVariable] = []
        self.tables: dict[tuple[str, str], int] = {}
        self.bindings: list[DerivedBinding] = []
        self.uniforms: list[DerivedUniform] = []
        self.subpasses: dict[tuple[str, int], SubpassInput] = {}
        self.subpass_names: dict[int, str] = {}
        self.read: dict[str, dict[int, str]] = {}
        self.written: dict[str, dict[int, str]] = {}
        self.unknown: set[str] = set()
        self.foreign: list[tuple[str, str, str]] = []

    def merged(self) -> list[SlotBinding]:
        """Return the bindings with the stages of all modules, by slot; the first type counts."""
        found: dict[int, SlotBinding] = {}
        for _, each in self.bindings:
            known = found.setdefault(
                each.slot, SlotBinding(slot=each.slot, base=each.base, data=each.data)
            )
            known.stages |= each.stages
        return [found[slot] for slot in sorted(found)]


def derive(modules: Mapping[str, Program]) -> Derived:
    """Return the declarations derived from the modules, by the names of their stages."""
    found = Derived()
    for stage in NAMES:
        if stage in modules:
            _Stage(stage, ModuleIndex(modules[stage].module), found).read()
    return found


class _Stage:
    """The module of one stage."""

    def __init__(self, stage: str, index: ModuleIndex, found: Derived) -> None:
        self.stage = stage
        self.bit = 1 << NAMES.index(stage)
        self.index = index
        self.found = found
        self.used = self._used()

    def read(self) -> None:
        """Read every variable of the module."""
        slots = SlotFinder(self.index)
        tables: set[int] = set()
        self.found.read[self.stage], self.found.written[self.stage] = {}, {}
        for number, found in self.index.definitions.items():
            if found.opcode != Opcode.Variable or len(found.words) < 4:
                continue
            storage = found.words[3]
            kind = self.index.pointee(number)
            if kind is None:
                continue
            if storage == StorageClass.Input:
                self._locations(number, kind, self.found.read[self.stage], PER_VERTEX_INPUT)
                if self.stage == "vert":
                    self.found.inputs += self._interface(number, kind)
            elif storage == StorageClass.Output:
                self._locations(number, kind, self.found.written[self.stage], PER_VERTEX_OUTPUT)
                if self.stage == "frag":
                    self.found.outputs += self._interface(number, kind)
            if storage == StorageClass.PushConstant:
                self._foreign("vbc.push-constants", number, push_constant_problem(self.index, kind))
            space = self.index.decoration_word(Decoration.DescriptorSet, number)
            binding = self.index.decoration_word(Decoration.Binding, number)
            if binding is None:
                continue
            if storage in RESOURCES:
                problem = resource_problem(self.index, number, kind, storage, space, binding)
                self._foreign("vbc.resource", number, problem)
            if space == 0:
                if self.index.opcode_of(kind) in ARRAYS:
                    tables.add(number)
                self._table(kind, binding)
            elif space == 1 and binding == 0 and storage == StorageClass.Uniform:
                self._uniform(number, kind)
            elif space == 2:
                self._subpass(number, kind, binding)
        self._bindings(tables, slots)

    def _foreign(self, rule: str, number: int, problem: str | None) -> None:
        """Note a resource that a function refers to, and why Vega does not bind it."""
        if problem is not None and number in self.used:
            self.found.foreign.append((self.stage, rule, f"{self._name(number)}: {problem}"))

    def _name(self, number: int) -> str:
        """Return the name of a variable, or of its block, or its id."""
        names = self.index.names
        return names.get(number) or names.get(self.index.pointee(number) or 0) or f"%{number}"

    def _used(self) -> set[int]:
        """Return the ids that instructions of functions refer to."""
        used: set[int] = set()
        for body in self.index.functions.values():
            for each in self.index.decoded[body.start : body.end]:
                used.update(word.words[0] for word in each.operands if word.is_id)
        return used

    def _interface(self, number: int, kind: int) -> Iterator[StageVariable]:
        location = self.index.decoration_word(Decoration.Location, number)
        found = numeric_type(self.index, kind)
        if location is not None and found is not None:
            yield StageVariable(location=location, **found.fields())

    def _locations(
        self, number: int, kind: int, into: dict[int, str], per_vertex: tuple[str, ...]
    ) -> None:
        """Note the base type at each location of an input or output."""
        location = self.index.decoration_word(Decoration.Location, number)
        if location is None:
            return
        outer = self.index.definitions.get(kind)
        patch = self.index.decoration(Decoration.Patch, number)
        arrayed = self.stage in per_vertex and patch is None
        if arrayed and outer is not None and outer.opcode == Opcode.TypeArray:
            kind = outer.words[2]
        found = numeric_type(self.index, kind)
        if found is not None:
            for at in range(min(found.columns * found.elements, MOST_LOCATIONS)):
                into[location + at] = found.base.name

    def _table(self, kind: int, binding: int) -> None:
        found = self.index.definitions.get(kind)
        size = None
        if found is not None and found.opcode == Opcode.TypeArray:
            size = self.index.integer(found.words[3])
        if size is not None and binding < len(TABLES):
            key = self.stage, TABLES[binding]
            self.found.tables[key] = max(size, self.found.tables.get(key, 0))

    def _uniform(self, number: int, kind: int) -> None:
        """Read the uniform block: its members, or the members of the single structure in it."""
        inner = self.index.definitions.get(kind)
        if inner is None or inner.opcode != Opcode.TypeStruct:
            return
        if len(inner.words) == 3:
            only = self.index.definitions.get(inner.words[2])
            if only is not None and only.opcode == Opcode.TypeStruct:
                kind, inner = inner.words[2], only
        names = self.index.member_names.get(kind, {})
        members, end = [], 0
        for at, each in enumerate(inner.words[2:]):
            offset = self.index.decoration_word(Decoration.Offset, kind, at)
            found = numeric_type(self.index, each)
            stride = self.index.decoration_word(Decoration.MatrixStride, kind, at)
            size = byte_size(self.index, each, stride)
            if offset is not None and found is not None and size is not None:
                name = names.get(at, "")
                members.append(UniformMember(name=name, offset=offset, **found.fields()))
                end = max(end, offset + size)
        made = DerivedUniform(self.stage, number in self.used, end, members)
        if self.found.uniforms and self.found.uniforms[-1].stage == self.stage:
            # Several variables are one block of memory, which is as large as the largest.
            before = self.found.uniforms.pop()
            made = max(before, made, key=lambda each: each.size)
            made = made._replace(used=before.used or number in self.used)
        self.found.uniforms.append(made)

    def _subpass(self, number: int, kind: int, binding: int) -> None:
        image = image_of(self.index, kind)
        if image is None or image[1] != Dim.SubpassData:
            return
        texel = texel_info(self.index, image, stored=False)
        if texel is not None:
            self.found.subpasses[self.stage, binding] = SubpassInput(type=texel.type)
            self.found.subpass_names[binding] = f"{self._name(number)} of {self.stage}"

    def _bindings(self, tables: set[int], slots: SlotFinder) -> None:
        known: dict[int, SlotBinding] = {}
        for body in self.index.functions.values():
            for at in range(body.start, body.end):
                each = self.index.module.instructions[at]
                if self.index.decoded[at].problem or each.opcode not in CHAINS:
                    continue
                words = each.words
                if words[3] not in tables or len(words) < 5:
                    continue
                slot = slots.slot(words[4])
                made = self._binding(words[3]) if slot is not None else None
                if slot is None:
                    self.found.unknown.add(self.stage)
                elif made is None:  # of a kind that VBC does not have
                    continue
                else:
                    made.slot = slot
                    known.setdefault(slot, made)
        self.found.bindings += [DerivedBinding(self.stage, known[slot]) for slot in sorted(known)]

    def _binding(self, variable: int) -> SlotBinding | None:
        """Return the binding that an element of a table is; None if VBC lacks the kind."""
        kind = self.index.pointee(variable) or 0
        found = self.index.definitions.get(kind)
        if found is not None and found.opcode in ARRAYS:
            kind = found.words[2]
            found = self.index.definitions.get(kind)
        if found is None:
            return None
        if found.opcode == Opcode.TypeStruct:
            return self._buffer(variable, kind, found.words[2:])
        image = image_of(self.index, kind)
        if image is None:
            return None
        stored = image[5] == STORAGE
        texel = texel_info(self.index, image, stored=stored)
        if texel is None:
            return None
        if image[1] == Dim.Buffer:
            base = BaseType.RW_TEXELS if stored else BaseType.RO_TEXELS
        else:
            base = BaseType.IMAGE if stored else BaseType.SAMPLER
        return SlotBinding(base=base, stages=self.bit, data=texel)

    def _buffer(self, variable: int, kind: int, members: tuple[int, ...]) -> SlotBinding | None:
        storage = self.index.definitions[variable].words[3]
        if not members or not is_storage_buffer(self.index, kind, storage):
            return None
        size = self.index.decoration_word(Decoration.ArrayStride, members[-1])
        if size is None or size > 0xFFFF:
            return None
        constant = self.index.decoration(Decoration.NonWritable, variable) or all(
            self.index.decoration(Decoration.NonWritable, kind, at) for at in range(len(members))
        )
        base = BaseType.RO_BUFFER if constant else BaseType.RW_BUFFER
        return SlotBinding(base=base, stages=self.bit, data=BufferInfo(size=size))
