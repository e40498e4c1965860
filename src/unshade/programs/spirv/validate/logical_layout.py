"""The order of instructions: sections of a module, functions, blocks, and places in a block.

    LayoutSection       sections of a module, in their order
    GraphPart     parts of a graph of SPV_ARM_graph, in their order

Source: SPIR-V specification, section 2.4 (Logical Layout of a Module).
"""

from enum import Enum, auto

from ....enums import IntEnum
from ..tables.grammar import grammar
from ..tables.numbers import Opcode, StorageClass
from ..tables.opcode_groups import VARIABLES
from ..tables.sections import TERMINATORS
from .ids import is_debug_set, is_non_semantic
from .instruction import Inst
from .state import CONSTANTS, TYPES, State

__all__ = ["LayoutWalk"]


class LayoutSection(IntEnum):
    """A section of a module."""

    CAPABILITIES = auto()
    EXTENSIONS = auto()
    IMPORTS = auto()
    MEMORY_MODEL = auto()
    ADDRESS_MODE = auto()  # of sampled images
    ENTRY_POINTS = auto()
    MODES = auto()
    SOURCES = auto()
    NAMES = auto()
    PROCESSING = auto()
    ANNOTATIONS = auto()
    TYPES = auto()
    DECLARATIONS = auto()
    DEFINITIONS = auto()
    GRAPHS = auto()


class GraphPart(Enum):
    """The place in a graph after an instruction."""

    OUTSIDE = auto()
    BEGINNING = auto()
    INPUTS = auto()
    BODY = auto()
    OUTPUTS = auto()


OPCODES = {
    LayoutSection.CAPABILITIES: (Opcode.Capability, Opcode.ConditionalCapabilityINTEL),
    LayoutSection.EXTENSIONS: (Opcode.Extension, Opcode.ConditionalExtensionINTEL),
    LayoutSection.IMPORTS: (Opcode.ExtInstImport,),
    LayoutSection.MEMORY_MODEL: (Opcode.MemoryModel,),
    LayoutSection.ADDRESS_MODE: (Opcode.SamplerImageAddressingModeNV,),
    LayoutSection.ENTRY_POINTS: (Opcode.EntryPoint, Opcode.ConditionalEntryPointINTEL),
    LayoutSection.MODES: (Opcode.ExecutionMode, Opcode.ExecutionModeId),
    LayoutSection.SOURCES: (
        Opcode.SourceContinued, Opcode.Source, Opcode.SourceExtension, Opcode.String,
    ),
    LayoutSection.NAMES: (Opcode.Name, Opcode.MemberName),
    LayoutSection.PROCESSING: (Opcode.ModuleProcessed,),
    LayoutSection.ANNOTATIONS: (
        Opcode.AliasDomainDeclINTEL, Opcode.AliasScopeDeclINTEL, Opcode.AliasScopeListDeclINTEL,
        *(each.code for each in grammar().core.by_code.values() if each.group == "Annotation"),
    ),
    LayoutSection.TYPES: (Opcode.TypeForwardPointer, *TYPES, *CONSTANTS),
    LayoutSection.GRAPHS: (
        Opcode.GraphEntryPointARM, Opcode.GraphARM, Opcode.GraphInputARM,
        Opcode.GraphSetOutputARM, Opcode.GraphEndARM,
    ),
}  # fmt: skip
SECTIONS = {opcode: section for section, opcodes in OPCODES.items() for opcode in opcodes}
FREE = frozenset({Opcode.Line, Opcode.NoLine, Opcode.Undef, Opcode.PoisonKHR})
EXT = (Opcode.ExtInst, Opcode.ExtInstWithForwardRefsKHR)
# Instructions that do not belong into a block, or end it, or may be of a set with other places.
PLACED = frozenset({
    *SECTIONS, *EXT, *TERMINATORS, Opcode.AbortKHR, Opcode.Function, Opcode.FunctionParameter,
    Opcode.FunctionEnd, Opcode.Label,
})  # fmt: skip
# Instructions of no section or of several, or of one whose instructions depend on each other.
UNSETTLED = frozenset({
    *FREE, *VARIABLES, *EXT, Opcode.Function, *OPCODES[LayoutSection.MEMORY_MODEL],
    *OPCODES[LayoutSection.GRAPHS],
})  # fmt: skip
# Instructions whose place in a block matters, or that do not count.
ADJACENT = frozenset({
    *EXT, Opcode.Function, Opcode.FunctionParameter, Opcode.Label, Opcode.Line, Opcode.NoLine,
    Opcode.Phi, Opcode.Variable, Opcode.UntypedVariableKHR, Opcode.LoopMerge,
    Opcode.SelectionMerge,
})  # fmt: skip
# Debug instructions that describe a place in a function.
LOCAL = frozenset({
    "DebugScope", "DebugNoScope", "DebugDeclare", "DebugValue", "DebugLine", "DebugNoLine",
    "DebugFunctionDefinition",
})  # fmt: skip


class LayoutWalk:
    """The check of the order of the instructions of a module, which are entered in that order."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.in_blocks = _BlockWalk(state)
        self.section = LayoutSection.CAPABILITIES
        self.function: Inst | None = None
        self.block = False
        self.blocks = 0
        self.graph = GraphPart.OUTSIDE

    def report(self, inst: Inst, message: str) -> None:
        self.state.report("spirv.layout", inst, message)

    def enter(self, inst: Inst) -> None:
        """Check the place of an instruction."""
        code = inst.code
        if self.block and code not in PLACED and self.section == LayoutSection.DEFINITIONS:
            pass  # an instruction in a block
        elif code not in UNSETTLED and SECTIONS.get(code) == self.section:
            pass  # another instruction of a section
        elif self.section == LayoutSection.GRAPHS or self._graph(inst):
            self._in_graphs(inst)
        elif self.section >= LayoutSection.DECLARATIONS or inst.code == Opcode.Function:
            self._in_functions(inst)
        else:
            self._in_module(inst)
        self.in_blocks.enter(inst)

    def finish(self) -> None:
        """Check what is missing at the end."""
        if next(self.state.of(Opcode.MemoryModel), None) is None:
            self.state.report("spirv.layout", None, "expected OpMemoryModel")
        if self.function is not None:
            self.state.report("spirv.layout", None, "expected OpFunctionEnd")
        if self.graph != GraphPart.OUTSIDE:
            self.state.report("spirv.layout", None, "expected OpGraphEndARM")
        _check_continued(self.state)

    def _graph(self, inst: Inst) -> bool:
        return SECTIONS.get(inst.code) == LayoutSection.GRAPHS

    # -- before the functions --------------------------------------------------------------------

    def _section_of(self, inst: Inst) -> LayoutSection:
        if inst.code in FREE or inst.code in VARIABLES or inst.code in EXT:
            at_types = self.section == LayoutSection.TYPES
            outside = is_non_semantic(inst) or is_debug_set(inst.set)
            if (inst.code in EXT and outside) or inst.code in (Opcode.Line, Opcode.NoLine):
                return max(LayoutSection.TYPES, self.section)
            if at_types and inst.code not in EXT:
                return LayoutSection.TYPES
            if inst.code == Opcode.Undef or inst.code in VARIABLES:
                return (
                    LayoutSection.TYPES
                    if self.section < LayoutSection.TYPES
                    else LayoutSection.DEFINITIONS
                )
            return LayoutSection.DEFINITIONS
        return SECTIONS.get(inst.code, LayoutSection.DEFINITIONS)

    def _in_module(self, inst: Inst) -> None:
        if inst.code in EXT and not self._extended(inst):
            return
        section = self._section_of(inst)
        if section < self.section:
            self.report(inst, "an instruction of an earlier section")
        elif section > self.section:
            if self.section < LayoutSection.MEMORY_MODEL < section:
                self.report(inst, "expected OpMemoryModel first")
            self.section = section
            if section == LayoutSection.DEFINITIONS:
                self._in_functions(inst)
        elif section == LayoutSection.MEMORY_MODEL:
            self.report(inst, "a second memory model")

    def _extended(self, inst: Inst) -> bool:
        """Check an instruction of an extended set that is before the functions."""
        if is_debug_set(inst.set):
            op = inst.operands[1].op
            if op is not None and op.name in LOCAL:
                self.report(inst, "expected it in a function")
            elif self.section < LayoutSection.TYPES:
                self.report(inst, "expected it among or after the types")
            return False
        if is_non_semantic(inst):
            if self.section < LayoutSection.TYPES:
                self.report(inst, "expected it among or after the types")
            return False
        return True

    # -- functions -------------------------------------------------------------------------------

    def _in_functions(self, inst: Inst) -> None:
        code = inst.code
        if self.section < LayoutSection.DECLARATIONS:
            if self.section < LayoutSection.MEMORY_MODEL:
                self.report(inst, "expected OpMemoryModel first")
            self.section = LayoutSection.DECLARATIONS
        section = SECTIONS.get(code, LayoutSection.DEFINITIONS)
        if section < LayoutSection.DECLARATIONS:
            self.report(inst, "an instruction of an earlier section")
            return
        match code:
            case Opcode.Function:
                if self.function is not None:
                    self.report(inst, "a function in a function")
                self.function, self.block, self.blocks = inst, False, 0
            case Opcode.FunctionParameter:
                if self.function is None:
                    self.report(inst, "expected it in a function")
                elif self.blocks:
                    self.report(inst, "expected it before the first block")
            case Opcode.FunctionEnd:
                self._end(inst)
            case Opcode.Label:
                if self.function is None:
                    self.report(inst, "expected it in a function")
                elif self.block:
                    self.report(inst, "expected a branch at the end of the block before")
                self.block, self.blocks = True, self.blocks + 1
                self.section = LayoutSection.DEFINITIONS
            case Opcode.Line | Opcode.NoLine:
                pass
            case _:
                self._in_block(inst)

    def _end(self, inst: Inst) -> None:
        if self.function is None:
            self.report(inst, "expected it in a function")
        elif self.block:
            self.report(inst, "expected a branch at the end of the block")
        elif not self.blocks and self.section == LayoutSection.DEFINITIONS:
            self.report(inst, "expected declarations before definitions of functions")
        self.function, self.block = None, False

    def _in_block(self, inst: Inst) -> None:
        if inst.code in EXT and is_debug_set(inst.set):
            op = inst.operands[1].op
            if op is None or op.name not in LOCAL:
                self.report(inst, "expected it before the functions")
            elif self.function is None:
                self.report(inst, "expected it in a function")
            return
        if inst.code in EXT and is_non_semantic(inst):
            if self.function is not None and not self.block:
                self.report(inst, "expected it in a block")
            return
        if self.function is not None and not self.blocks:
            self.report(inst, "expected a label at the start of the function")
        elif not self.block:
            self.report(inst, "expected it in a block")
        if inst.code in TERMINATORS or inst.code == Opcode.AbortKHR:
            self.block = False

    # -- graphs ----------------------------------------------------------------------------------

    def _in_graphs(self, inst: Inst) -> None:
        self.section = LayoutSection.GRAPHS
        match inst.code:
            case Opcode.GraphARM:
                if self.graph != GraphPart.OUTSIDE:
                    self.report(inst, "a graph in a graph")
                self.graph = GraphPart.BEGINNING
            case Opcode.GraphInputARM:
                if self.graph not in (GraphPart.BEGINNING, GraphPart.INPUTS):
                    self.report(inst, "expected it at the beginning of a graph")
                self.graph = GraphPart.INPUTS
            case Opcode.GraphSetOutputARM:
                if self.graph == GraphPart.OUTSIDE:
                    self.report(inst, "expected it in a graph")
                self.graph = GraphPart.OUTPUTS
            case Opcode.GraphEndARM:
                if self.graph != GraphPart.OUTPUTS:
                    self.report(inst, "expected outputs of the graph first")
                self.graph = GraphPart.OUTSIDE
            case Opcode.GraphEntryPointARM:
                if self.graph != GraphPart.OUTSIDE:
                    self.report(inst, "an entry point in a graph")
            case Opcode.CompositeExtract | Opcode.ExtInst | Opcode.Undef | Opcode.Line:
                if inst.code == Opcode.ExtInst and is_non_semantic(inst):
                    return
                if self.graph == GraphPart.OUTSIDE:
                    self.report(inst, "expected it in a graph")
                elif self.graph == GraphPart.OUTPUTS:
                    self.report(inst, "expected it before the outputs of the graph")
                self.graph = GraphPart.BODY
            case Opcode.NoLine:
                pass
            case _:
                if SECTIONS.get(inst.code) != LayoutSection.TYPES or inst.code not in CONSTANTS:
                    self.report(inst, "expected an instruction of graphs")


class _BlockWalk:
    """The check of the places in a block of variables, phis and merges."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.entry = self.phi = self.fresh = False

    def enter(self, inst: Inst) -> None:
        """Check the place of an instruction."""
        if inst.code not in ADJACENT:
            self.entry = self.phi = False
            return
        match inst.code:
            case Opcode.Function | Opcode.FunctionParameter:
                self.fresh = True
            case Opcode.Label:
                self.entry, self.phi, self.fresh = self.fresh, not self.fresh, False
            case Opcode.Line | Opcode.NoLine:
                pass
            case Opcode.ExtInst | Opcode.ExtInstWithForwardRefsKHR:
                if not is_debug_set(inst.set) or is_non_semantic(inst):
                    self.entry = self.phi = False
            case Opcode.Phi:
                if not self.phi:
                    self.state.report("spirv.phi-place", inst)
            case Opcode.Variable | Opcode.UntypedVariableKHR:
                if inst.word(0) == StorageClass.Function and not self.entry:
                    self.state.report("spirv.variable-place", inst)
            case Opcode.LoopMerge | Opcode.SelectionMerge:
                self.entry = self.phi = False
                after = self.state.after(inst)
                second = Opcode.Branch if inst.code == Opcode.LoopMerge else Opcode.Switch
                if after is not None and after.code not in (Opcode.BranchConditional, second):
                    self.state.report("spirv.merge-place", inst)


def _check_continued(state: State) -> None:
    before = -1
    if next(state.of(Opcode.SourceContinued), None) is None:
        return
    for inst in state.insts:
        if inst.code == Opcode.SourceContinued and before not in (
            Opcode.Source,
            Opcode.SourceContinued,
        ):
            state.report("spirv.layout", inst, "expected it after OpSource")
        before = inst.code
