"""Ids: defined once, below the bound, before their use, and of the kind that a place takes.

    an operand may precede its definition   branches, names, decorations, entry points, phis, …
    an operand is a type                    only in types, debug information and a few others
    all others are values                   with a type of their own

Source: SPIR-V specification, sections 2.3 and 2.4 (the last paragraphs, on forward references).
"""

from ..operands import EXTENDED
from ..tables.numbers import Opcode
from ..tables.opcode_groups import DEBUG_SETS
from .instruction import Inst
from .state import TYPES, State

__all__ = ["IdWalk"]

# The first of its operands, result and type included, that may be defined later.
FORWARD = {
    **dict.fromkeys(
        (
            Opcode.ExecutionMode, Opcode.ExecutionModeId, Opcode.EntryPoint, Opcode.Name,
            Opcode.MemberName, Opcode.SelectionMerge, Opcode.Decorate, Opcode.MemberDecorate,
            Opcode.MemberDecorateIdEXT, Opcode.DecorateId, Opcode.DecorateString,
            Opcode.MemberDecorateString, Opcode.Branch, Opcode.LoopMerge,
            Opcode.ConditionalEntryPointINTEL, Opcode.ConditionalCapabilityINTEL,
            Opcode.ConditionalExtensionINTEL, Opcode.TypeForwardPointer,
            Opcode.ExtInstWithForwardRefsKHR, Opcode.GraphEntryPointARM,
        ),
        range(1 << 16),
    ),
    **dict.fromkeys(
        (
            Opcode.GroupDecorate, Opcode.GroupMemberDecorate, Opcode.BranchConditional,
            Opcode.Switch,
        ),
        range(1, 1 << 16),
    ),
    Opcode.FunctionCall: range(2, 3),
    Opcode.ConstantFunctionPointerINTEL: range(2, 3),
    Opcode.Phi: range(2, 1 << 16),
    Opcode.EnqueueKernel: range(8, 9),
    Opcode.GetKernelNDrangeSubGroupCount: range(3, 4),
    Opcode.GetKernelNDrangeMaxSubGroupSize: range(3, 4),
    Opcode.GetKernelWorkGroupSize: range(2, 3),
    Opcode.GetKernelPreferredWorkGroupSizeMultiple: range(2, 3),
    Opcode.CooperativeMatrixPerElementOpEXT: range(3, 4),
    Opcode.CooperativeMatrixReduceEXT: range(4, 5),
    Opcode.CooperativeMatrixLoadTensorNV: range(7, 1 << 16),
}  # fmt: skip
NOWHERE = range(0)
DEBUG = frozenset({
    Opcode.Name, Opcode.MemberName, Opcode.Source, Opcode.SourceContinued,
    Opcode.SourceExtension, Opcode.String, Opcode.Line, Opcode.NoLine, Opcode.ModuleProcessed,
})  # fmt: skip
DECORATIONS = frozenset({
    Opcode.Decorate, Opcode.DecorateId, Opcode.MemberDecorate, Opcode.MemberDecorateIdEXT,
    Opcode.GroupDecorate, Opcode.GroupMemberDecorate, Opcode.DecorateString,
    Opcode.MemberDecorateString,
})  # fmt: skip
# Those without a result, whose ids may all be defined later.
ANNOTATING = frozenset(code for code in DEBUG | DECORATIONS if FORWARD.get(code) == range(1 << 16))
UNTYPED = frozenset({
    Opcode.UntypedVariableKHR, Opcode.UntypedAccessChainKHR, Opcode.UntypedInBoundsAccessChainKHR,
    Opcode.UntypedPtrAccessChainKHR, Opcode.UntypedInBoundsPtrAccessChainKHR,
})  # fmt: skip
# Instructions that take a type where others take a value.
TYPED = UNTYPED | {
    Opcode.SizeOf, Opcode.CooperativeMatrixLengthNV, Opcode.CooperativeMatrixLengthKHR,
    Opcode.UntypedArrayLengthKHR, Opcode.Function, Opcode.AsmINTEL, Opcode.ConstantSizeOfEXT,
    Opcode.BufferPointerEXT, Opcode.UntypedImageTexelPointerEXT, Opcode.AbortKHR,
}  # fmt: skip
NESTED_TYPED = UNTYPED | {Opcode.CooperativeMatrixLengthNV, Opcode.CooperativeMatrixLengthKHR}
# Instructions that take ids without a type: labels, sets, functions.
UNVALUED = UNTYPED | DEBUG | DECORATIONS | {
    Opcode.ExtInst, Opcode.ExtInstWithForwardRefsKHR, Opcode.ExtInstImport,
    Opcode.SelectionMerge, Opcode.LoopMerge, Opcode.Function, Opcode.SizeOf,
    Opcode.CooperativeMatrixLengthNV, Opcode.CooperativeMatrixLengthKHR, Opcode.Phi,
    Opcode.UntypedArrayLengthKHR, Opcode.AsmINTEL, Opcode.AliasScopeDeclINTEL,
    Opcode.AliasScopeListDeclINTEL, Opcode.AbortKHR, Opcode.Branch, Opcode.BranchConditional,
    Opcode.Switch,
}  # fmt: skip


def is_debug_set(name: str) -> bool:
    """Return True for the extended instruction sets with debug information."""
    return name in DEBUG_SETS[:2] or name.startswith(DEBUG_SETS[2])


def is_non_semantic(inst: Inst) -> bool:
    """Return True for an instruction of a set without meaning."""
    return inst.set.startswith("NonSemantic.")


class IdWalk:
    """The check of all ids of a module, whose instructions are entered in order."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.bound = state.module.bound
        self.announced: set[int] = set()  # by OpTypeForwardPointer
        self.defined: set[int] = set()  # of a module whose instructions are kept
        self.types: set[int] = set()  # those of them that are types
        self.values: set[int] = set()  # and those that any instruction takes as a value

    def enter(self, inst: Inst) -> None:
        """Check the ids of an instruction."""
        if not self.state.kept:
            self._check(inst)
            return
        if inst.code in ANNOTATING and self._all_later(inst):
            return
        places, result = inst.places, inst.id
        new = 0 < result < self.bound and result not in self.defined
        if (
            places is None
            or not (new or not places.result)
            or (places.result_type and inst.type not in self.types)
            or not self._all_fit(inst)
            or inst.code in DEFERRING
        ):
            self._check(inst)
        if new:
            self.defined.add(result)
            if inst.code in TYPES:
                self.types.add(result)
            elif inst.type and not is_non_semantic(inst):
                self.values.add(result)

    def _all_later(self, inst: Inst) -> bool:
        """Return True if all operands that are ids are defined later, as those of names mostly."""
        position_of, position, bound = self.state.position_of, inst.position, self.bound
        return all(id_ < bound and position_of(id_) > position for id_ in inst.ids())

    def _all_fit(self, inst: Inst) -> bool:
        """Return True if all operands that are ids are values, or types of a type."""
        ids = inst.ids()
        if self.values.issuperset(ids):
            return True
        return inst.code in TYPES and all(each in self.types or each in self.values for each in ids)

    def _check(self, inst: Inst) -> None:
        state, bound = self.state, self.bound
        later = False
        for number, id_, kind in inst.all_ids():
            if not id_:
                state.report("spirv.id-zero", inst)
            elif id_ >= bound:
                state.report("spirv.bound", inst, f"expected an id below {bound}, got {id_}")
            position = state.position_of(id_)
            is_defined = 0 <= position < inst.position
            if kind == "IdResult":
                if is_defined:
                    state.report("spirv.defined-twice", inst, f"id {id_} is defined twice")
            elif is_defined:
                _check_kind(state, inst, kind, id_)
            elif kind != "IdResultType" and number in _forward(inst):
                later = True
                if position < 0:
                    state.report("spirv.undefined", inst, f"id {id_} is not defined")
                elif inst.code in TYPES and id_ not in self.announced:
                    state.report("spirv.forward", inst, f"id {id_} is defined later")
            elif position >= 0:
                state.report("spirv.forward", inst, f"id {id_} is defined later")
            elif id_:
                state.report("spirv.undefined", inst, f"id {id_} is not defined")
        if inst.code == Opcode.ExtInstWithForwardRefsKHR:
            if not later:
                state.report("spirv.forward", inst, "expected an id that is defined later")
            if not is_non_semantic(inst):
                state.report("spirv.ext-inst-forward", inst)
        elif inst.code == Opcode.TypeForwardPointer:
            self.announced.add(inst.words[1])


DEFERRING = frozenset({Opcode.ExtInstWithForwardRefsKHR, Opcode.TypeForwardPointer})


def _forward(inst: Inst) -> range:
    if inst.code in TYPES:
        return range(1 << 16)
    if inst.set == "OpenCL.DebugInfo.100":
        return range(4, 1 << 16)
    return FORWARD.get(inst.code, NOWHERE)


def _nested(inst: Inst) -> int:
    return inst.word(0) if inst.code == Opcode.SpecConstantOp else 0


def _takes_type(inst: Inst) -> bool:
    return (
        inst.code in TYPES
        or inst.code in TYPED
        or inst.code in DEBUG
        or inst.code in DECORATIONS
        or is_debug_set(inst.set)
        or is_non_semantic(inst)
        or _nested(inst) in NESTED_TYPED
    )


def _takes_value(inst: Inst) -> bool:
    return not (
        inst.code in UNVALUED
        or is_debug_set(inst.set)
        or is_non_semantic(inst)
        or _nested(inst) in NESTED_TYPED - UNTYPED
    )


def _check_kind(state: State, inst: Inst, kind: str, id_: int) -> None:
    code = state.code(id_)
    if kind == "IdResultType":
        if code not in TYPES:
            state.report("spirv.not-a-type", inst, f"id {id_} is not a type")
        return
    if code in TYPES:
        if not _takes_type(inst):
            state.report("spirv.not-a-value", inst, f"id {id_} is a type")
        return
    if code not in EXTENDED and state.type_of(id_):
        return
    definition = state.definitions[id_]
    if not definition.type and _takes_value(inst) and _takes_value(definition):
        state.report("spirv.not-a-value", inst, f"id {id_} has no type")
    elif definition.set and is_non_semantic(definition) and not is_non_semantic(inst):
        state.report("spirv.non-semantic-operand", inst, f"id {id_} has no meaning")
