"""The order of instructions: sections of a module, functions, blocks, and places in a block.

     0 capabilities      4 sampled image mode   8 names            12 function declarations
     1 extensions        5 entry points         9 processing       13 function definitions
     2 imports           6 execution modes     10 annotations      14 graphs
     3 memory model      7 sources             11 types

Source: SPIR-V specification, section 2.4 (Logical Layout of a Module).
"""

from ..tables.grammar import grammar
from ..tables.numbers import Opcode, StorageClass
from ..tables.sections import TERMINATORS
from .ids import is_debug_set, is_non_semantic
from .instruction import Inst
from .state import CONSTANTS, TYPES, State

__all__ = ["check_layout"]

(
    CAPABILITIES, EXTENSIONS, IMPORTS, MEMORY_MODEL, ADDRESS_MODE, ENTRY_POINTS, MODES, SOURCES,
    NAMES, PROCESSING, ANNOTATIONS, TYPE_SECTION, DECLARATIONS, DEFINITIONS, GRAPHS,
) = range(15)  # fmt: skip
SECTIONS = {
    Opcode.Capability: CAPABILITIES, Opcode.ConditionalCapabilityINTEL: CAPABILITIES,
    Opcode.Extension: EXTENSIONS, Opcode.ConditionalExtensionINTEL: EXTENSIONS,
    Opcode.ExtInstImport: IMPORTS, Opcode.MemoryModel: MEMORY_MODEL,
    Opcode.SamplerImageAddressingModeNV: ADDRESS_MODE,
    Opcode.EntryPoint: ENTRY_POINTS, Opcode.ConditionalEntryPointINTEL: ENTRY_POINTS,
    Opcode.ExecutionMode: MODES, Opcode.ExecutionModeId: MODES,
    Opcode.SourceContinued: SOURCES, Opcode.Source: SOURCES, Opcode.SourceExtension: SOURCES,
    Opcode.String: SOURCES, Opcode.Name: NAMES, Opcode.MemberName: NAMES,
    Opcode.ModuleProcessed: PROCESSING, Opcode.TypeForwardPointer: TYPE_SECTION,
    Opcode.AliasDomainDeclINTEL: ANNOTATIONS, Opcode.AliasScopeDeclINTEL: ANNOTATIONS,
    Opcode.AliasScopeListDeclINTEL: ANNOTATIONS,
    **{e.code: ANNOTATIONS for e in grammar().core.by_code.values() if e.group == "Annotation"},
    **dict.fromkeys(TYPES | CONSTANTS, TYPE_SECTION),
    Opcode.GraphEntryPointARM: GRAPHS, Opcode.GraphARM: GRAPHS, Opcode.GraphInputARM: GRAPHS,
    Opcode.GraphSetOutputARM: GRAPHS, Opcode.GraphEndARM: GRAPHS,
}  # fmt: skip
FREE = frozenset({Opcode.Line, Opcode.NoLine, Opcode.Undef, Opcode.PoisonKHR})
VARIABLES = (Opcode.Variable, Opcode.UntypedVariableKHR)
EXT = (Opcode.ExtInst, Opcode.ExtInstWithForwardRefsKHR)
# Debug instructions that describe a place in a function.
LOCAL = frozenset({
    "DebugScope", "DebugNoScope", "DebugDeclare", "DebugValue", "DebugLine", "DebugNoLine",
    "DebugFunctionDefinition",
})  # fmt: skip


class _LayoutWalk:
    def __init__(self, state: State) -> None:
        self.state = state
        self.section = CAPABILITIES
        self.function: Inst | None = None
        self.block = False
        self.blocks = 0
        self.graph = 0  # 0 outside, 1 at its beginning, 2 inputs, 3 body, 4 outputs

    def report(self, inst: Inst, message: str) -> None:
        self.state.report("spirv.layout", inst, message)

    def enter(self, inst: Inst) -> None:
        if self.section == GRAPHS or self._graph(inst):
            self._in_graphs(inst)
        elif self.section >= DECLARATIONS or inst.code == Opcode.Function:
            self._in_functions(inst)
        else:
            self._in_module(inst)

    def _graph(self, inst: Inst) -> bool:
        return SECTIONS.get(inst.code) == GRAPHS

    # -- before the functions --------------------------------------------------------------------

    def _section_of(self, inst: Inst) -> int:
        if inst.code in FREE or inst.code in VARIABLES or inst.code in EXT:
            at_types = self.section == TYPE_SECTION
            outside = is_non_semantic(inst) or is_debug_set(inst.set)
            if (inst.code in EXT and outside) or inst.code in (Opcode.Line, Opcode.NoLine):
                return max(TYPE_SECTION, self.section)
            if at_types and inst.code not in EXT:
                return TYPE_SECTION
            if inst.code == Opcode.Undef or inst.code in VARIABLES:
                return TYPE_SECTION if self.section < TYPE_SECTION else DEFINITIONS
            return DEFINITIONS
        return SECTIONS.get(inst.code, DEFINITIONS)

    def _in_module(self, inst: Inst) -> None:
        if inst.code in EXT and not self._extended(inst):
            return
        section = self._section_of(inst)
        if section < self.section:
            self.report(inst, "an instruction of an earlier section")
        elif section > self.section:
            if self.section < MEMORY_MODEL < section:
                self.report(inst, "expected OpMemoryModel first")
            self.section = section
            if section == DEFINITIONS:
                self._in_functions(inst)
        elif section == MEMORY_MODEL:
            self.report(inst, "a second memory model")

    def _extended(self, inst: Inst) -> bool:
        """Check an instruction of an extended set that is before the functions."""
        if is_debug_set(inst.set):
            op = inst.operands[1].op
            if op is not None and op.name in LOCAL:
                self.report(inst, "expected it in a function")
            elif self.section < TYPE_SECTION:
                self.report(inst, "expected it among or after the types")
            return False
        if is_non_semantic(inst):
            if self.section < TYPE_SECTION:
                self.report(inst, "expected it among or after the types")
            return False
        return True

    # -- functions -------------------------------------------------------------------------------

    def _in_functions(self, inst: Inst) -> None:
        code = inst.code
        if self.section < DECLARATIONS:
            if self.section < MEMORY_MODEL:
                self.report(inst, "expected OpMemoryModel first")
            self.section = DECLARATIONS
        section = SECTIONS.get(code, DEFINITIONS)
        if section < DECLARATIONS:
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
                self.section = DEFINITIONS
            case Opcode.Line | Opcode.NoLine:
                pass
            case _:
                self._in_block(inst)

    def _end(self, inst: Inst) -> None:
        if self.function is None:
            self.report(inst, "expected it in a function")
        elif self.block:
            self.report(inst, "expected a branch at the end of the block")
        elif not self.blocks and self.section == DEFINITIONS:
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
        self.section = GRAPHS
        match inst.code:
            case Opcode.GraphARM:
                if self.graph:
                    self.report(inst, "a graph in a graph")
                self.graph = 1
            case Opcode.GraphInputARM:
                if self.graph not in (1, 2):
                    self.report(inst, "expected it at the beginning of a graph")
                self.graph = 2
            case Opcode.GraphSetOutputARM:
                if not self.graph:
                    self.report(inst, "expected it in a graph")
                self.graph = 4
            case Opcode.GraphEndARM:
                if self.graph != 4:
                    self.report(inst, "expected outputs of the graph first")
                self.graph = 0
            case Opcode.GraphEntryPointARM:
                if self.graph:
                    self.report(inst, "an entry point in a graph")
            case Opcode.CompositeExtract | Opcode.ExtInst | Opcode.Undef | Opcode.Line:
                if inst.code == Opcode.ExtInst and is_non_semantic(inst):
                    return
                if not self.graph:
                    self.report(inst, "expected it in a graph")
                elif self.graph == 4:
                    self.report(inst, "expected it before the outputs of the graph")
                self.graph = 3
            case Opcode.NoLine:
                pass
            case _:
                if SECTIONS.get(inst.code) != TYPE_SECTION or inst.code not in CONSTANTS:
                    self.report(inst, "expected an instruction of graphs")


def check_layout(state: State) -> None:
    """Check the order of the instructions of a module."""
    walk = _LayoutWalk(state)
    for inst in state.insts:
        walk.enter(inst)
    if not any(inst.code == Opcode.MemoryModel for inst in state.insts):
        state.report("spirv.layout", None, "expected OpMemoryModel")
    if walk.function is not None:
        state.report("spirv.layout", None, "expected OpFunctionEnd")
    if walk.graph:
        state.report("spirv.layout", None, "expected OpGraphEndARM")
    _check_adjacency(state)
    _check_continued(state)


def _check_continued(state: State) -> None:
    before = -1
    for inst in state.insts:
        if inst.code == Opcode.SourceContinued and before not in (
            Opcode.Source,
            Opcode.SourceContinued,
        ):
            state.report("spirv.layout", inst, "expected it after OpSource")
        before = inst.code


def _check_adjacency(state: State) -> None:
    """Check the places in a block of variables, phis and merges."""
    entry = phi = fresh = False
    for inst in state.insts:
        match inst.code:
            case Opcode.Function | Opcode.FunctionParameter:
                fresh = True
            case Opcode.Label:
                entry, phi, fresh = fresh, not fresh, False
            case Opcode.Line | Opcode.NoLine:
                pass
            case Opcode.ExtInst | Opcode.ExtInstWithForwardRefsKHR:
                if not is_debug_set(inst.set) or is_non_semantic(inst):
                    entry = phi = False
            case Opcode.Phi:
                if not phi:
                    state.report("spirv.phi-place", inst)
            case Opcode.Variable | Opcode.UntypedVariableKHR:
                if inst.word(0) == StorageClass.Function and not entry:
                    state.report("spirv.variable-place", inst)
            case Opcode.LoopMerge | Opcode.SelectionMerge:
                entry = phi = False
                after = state.after.get(inst.position)
                second = Opcode.Branch if inst.code == Opcode.LoopMerge else Opcode.Switch
                if after is not None and after.code not in (Opcode.BranchConditional, second):
                    state.report("spirv.merge-place", inst)
            case _:
                entry = phi = False
