"""The validator: every violation of the rules of SPIR-V and of the APIs that take it.

    validate(module, "vulkan1.2", ValidatorOptions(scalar_block_layout=True))

Rules are in one table (`rules.py`), checks in one module for each group of rules. Validation
continues after a violation: definitions of an invalid instruction are used as far as possible.
"""

from dataclasses import fields

from ....dialect import only_options
from ....errors import Diagnostic
from ..index import index_of
from ..module import Module
from ..tables.numbers import Opcode
from ..text.printer import texts_at
from . import (
    atomics,
    capabilities,
    chains,
    composites,
    constants,
    control_flow,
    conversions,
    debug_information,
    declarations,
    decorations,
    derivatives,
    functions,
    glsl,
    groups,
    image_types,
    images,
    logical_pointers,
    memory,
    modes,
    non_semantic,
    opencl,
    operations,
    rays,
    reflection_sets,
    semantics,
    storage,
    variables,
)
from .bindings import check_bindings
from .block_layout import check_block_layouts
from .builtins import check_builtins
from .environment import DEFAULT_ENVIRONMENT, ValidatorOptions, environment
from .header import check_header, reading
from .ids import IdWalk
from .instruction import Check
from .interfaces import check_interfaces
from .logical_layout import LayoutWalk
from .rules import RULES
from .state import InstructionFinding, State

__all__ = ["RULES", "InstructionFinding", "ValidatorOptions", "reading", "validate", "verify"]

FAMILIES = (
    capabilities, semantics, operations, groups, modes, variables, declarations, functions, memory,
    chains, atomics, storage, glsl, opencl, conversions, composites, constants, reflection_sets,
    non_semantic, debug_information, derivatives, image_types, images,
    decorations, control_flow, rays, logical_pointers,
)  # fmt: skip


def _check_order(state: State) -> None:
    """Check ids and places, which depend on the instructions before."""
    ids, layout = IdWalk(state), LayoutWalk(state)
    for inst in state.insts:
        ids.enter(inst)
        layout.enter(inst)
    layout.finish()


WHOLE = (
    check_header, _check_order, modes.check_entry_points, declarations.check_types,
    functions.check_parameters, check_builtins, decorations.check_decorations,
    control_flow.check_control_flow, operations.check_small_uses, check_interfaces,
    check_block_layouts, check_bindings,
)  # fmt: skip


def _by_code() -> dict[int, list[Check]]:
    found: dict[int, list[Check]] = {}
    for family in FAMILIES:
        for code, checks in family.CHECKS.items():
            found.setdefault(code, []).extend(checks)
    return found


BY_CODE = _by_code()
# The layout of blocks depends on the features of a device; `verify` allows the loosest.
VERIFIED = ValidatorOptions(scalar_block_layout=True)
NAMES = [each.name for each in fields(ValidatorOptions) if isinstance(each.default, bool)]
EVERY = BY_CODE.pop(-1)  # checks that look at every instruction
CHECKS = {code: [*EVERY, *checks] for code, checks in BY_CODE.items()}


def validate(
    module: Module, target: str = DEFAULT_ENVIRONMENT, options: ValidatorOptions | None = None
) -> list[Diagnostic]:
    """Return the findings about a module, in file order.

    Args:
        module: The module; it is not changed.
        target: The environment it is for: spv1.6, vulkan1.3, opencl2.1, …
        options: Rules to relax, and limits.

    Returns:
        Findings of each rule, at most `unshade.rule.AT_MOST` a rule; offsets are in bytes from the
        start of the module. Violations in an instruction are of class `InstructionFinding`.

    Raises:
        UsageError: The target is unknown.
    """
    state = State(index_of(module), environment(target), options or ValidatorOptions())
    for whole in WHOLE:
        whole(state)
    for inst in state.insts:
        for check in CHECKS.get(inst.code, EVERY):
            check(state, inst)
        if inst.code == Opcode.SpecConstantOp and inst.word(0) not in chains.ACCESS_CHAINS:
            inner = inst.nested()
            for check in BY_CODE.get(inner.code, ()):
                check(state, inner)
    found = state.findings.diagnostics()
    _print(module, found)
    return found


def verify(module: Module, target: str = DEFAULT_ENVIRONMENT, **options: bool) -> list[Diagnostic]:
    """Return the findings of the rules that no compiler's modules violate; see `validate`.

    Args:
        module: The module; it is not changed.
        target: The environment that it is for.
        options: Fields of `ValidatorOptions`; by default, `scalar_block_layout` alone is true.

    Raises:
        UsageError: The target is unknown, or there is no such option.
    """
    only_options("spirv verify", options, NAMES)
    return validate(module, target, ValidatorOptions(**(vars(VERIFIED) | options)))


def _print(module: Module, found: list[Diagnostic]) -> None:
    """Fill in the text of the instructions."""
    wanted = [each for each in found if isinstance(each, InstructionFinding) and each.position >= 0]
    if not wanted:
        return
    texts = texts_at(module, {each.position for each in wanted})
    for each in wanted:
        each.instruction = texts[each.position]
