"""Checks of operands: what may stand where, with which components, and whether it is declared.

The table of operations has a letter for each operand, REGISTERS a row for each register file; the
two together say what fits. An operand that was in order once is not looked at again in its phase.
"""

from ....vocab.d3d import MinPrecision
from ..instruction import Instruction
from ..operands import Operand
from ..ops import OPS, Op
from ..spellings import REGISTERS as NAMES
from ..spellings import word
from ..tokens import (
    Components,
    ExtendedOperand,
    Modifier,
    OperandModifier,
    OperandType,
    SelectionMode,
)
from .declared import Declared, shown
from .registers import REGISTERS, STAGE_SETS, Register

T = OperandType


USES = {"D": "w", "N": "w", **dict.fromkeys("fiudcx", "r")}
LITERALS = (T.IMMEDIATE32, T.IMMEDIATE64)
BOUND = frozenset((T.SAMPLER, T.RESOURCE, T.UNORDERED_ACCESS_VIEW, T.CONSTANT_BUFFER))
PORTS = frozenset((
    T.INPUT, T.OUTPUT, T.INPUT_CONTROL_POINT, T.OUTPUT_CONTROL_POINT, T.INPUT_PATCH_CONSTANT,
))  # fmt: skip
UNDECLARED = frozenset(
    (T.IMMEDIATE32, T.IMMEDIATE64, T.NULL, T.RASTERIZER, T.THIS_POINTER, T.LABEL)
)

QUERIES = frozenset(OPS[name].code for name in ("resinfo", "bufinfo"))
SAMPLES = frozenset(OPS[name].code for name in ("samplepos", "sampleinfo"))
STORES = frozenset(OPS[name].code for name in ("store_raw", "store_structured"))
STORE_TYPED = OPS["store_uav_typed"].code
# Component i of the result depends on component i of each source.
DOTS = {OPS["dp2"].code: 3, OPS["dp3"].code: 7, OPS["dp4"].code: 15}
COMPONENTWISE = frozenset(
    row.code
    for row in OPS
    if row.kind in ("float", "int", "uint", "bit") and row.operands[:1] in ("D", "N")
) - {OPS[name].code for name in (
    "dp2", "dp3", "dp4", "itod", "utod", "eval_snapped", "eval_sample_index", "msad",
)}  # fmt: skip
DOUBLE_RESULTS = frozenset(
    row.code
    for row in OPS
    if (
        row.kind == "double"
        and row.name not in ("deq", "dge", "dlt", "dne", "dtof", "dtoi", "dtou")
    )
    or row.name in ("itod", "utod")
)
DOUBLE_MASKS = (3, 12, 15)
PRECISIONS = (
    MinPrecision.FLOAT_16,
    MinPrecision.FLOAT_2_8,
    MinPrecision.SINT_16,
    MinPrecision.UINT_16,
)
INTEGER_KINDS = ("int", "uint", "bit")


def check_operands(declared: Declared, instruction: Instruction, row: Op) -> None:
    """All operands of an operation that is no declaration."""
    operands = instruction.operands
    letters = row.operands
    code = row.code
    needed = DOTS.get(code, 0)
    if code in COMPONENTWISE:
        for letter, operand in zip(letters, operands, strict=True):
            if letter not in "DN":
                break
            if operand.token & 3 == Components.FOUR:
                needed |= operand.token >> 4 & 15
    seen = declared.phase.seen
    for i, operand in enumerate(operands):
        indices = operand.indices
        count = len(indices)
        if count == 0:
            key: object = code, i, operand.token, operand.extended, needed
        elif count == 1 and indices[0].relative is None:
            key = code, i, operand.token, operand.extended, needed, indices[0].immediate
        elif count == 2 and indices[0].relative is None and indices[1].relative is None:
            first, second = indices[0].immediate, indices[1].immediate
            key = code, i, operand.token, operand.extended, needed, first, second
        else:
            key = None
        if key is not None and key in seen:
            continue
        before = declared.report.total
        check_operand(declared, operand, letters[i], row, needed, f"operands[{i}]")
        if key is not None and declared.report.total == before:
            seen.add(key)


def check_operand(
    declared: Declared, operand: Operand, letter: str, row: Op, needed: int, where: str
) -> None:
    """One operand; `needed` are the components of the result."""
    kind = operand.token >> 12 & 255
    register = REGISTERS.get(kind)
    if register is None or not _fits(letter, kind, register, row):
        message = f"{word(NAMES, kind)} cannot be operand {where[9:-1]} of {row.name}"
        declared.add("tpf.operand-kind", message, where)
        return
    if declared.kind not in STAGE_SETS[register.stages]:
        declared.add("tpf.register-stage", f"{shown(operand)} does not exist in this stage", where)
    if kind == T.NULL:
        if letter == "D" and "N" not in row.operands:
            declared.add("tpf.null-destination", f"the only result of {row.name} is dropped", where)
        return
    if operand.extended:
        _check_modifier(declared, operand, letter, row, where)
    components = operand.token & 3
    if kind in LITERALS:
        if not operand.literal:
            declared.add("tpf.literal", f"a literal of component code {components}", where)
        return
    read = _check_components(declared, operand, letter, row, needed, where)
    if _check_indices(declared, operand, register, where):
        _check_declared(declared, operand, kind, letter, read, where)


def _fits(letter: str, kind: int, register: Register, row: Op) -> bool:
    if USES.get(letter, letter) in register.uses:
        return True
    if letter == "T":
        if kind == T.UNORDERED_ACCESS_VIEW:
            return row.code in QUERIES
        return kind == T.RASTERIZER and row.code in SAMPLES
    return False


def _check_modifier(declared: Declared, operand: Operand, letter: str, row: Op, where: str) -> None:
    for i, token in enumerate(operand.extended):
        if token & 63 != ExtendedOperand.MODIFIER or i:
            declared.add("tpf.extended", f"operand token of kind {token & 63}", where)
            return
        modifier = OperandModifier.modifier.of(token)
        if modifier not in Modifier._value2member_map_:
            declared.add("tpf.control-value", f"modifier {modifier} has no meaning", where)
        elif modifier and letter not in "fiudxcv":
            declared.add("tpf.modifier", f"{shown(operand)} is no number", where)
        elif modifier & Modifier.ABS and row.kind in INTEGER_KINDS and letter in "iu":
            declared.add("tpf.modifier", f"{row.name} has no absolute value", where)
        precision = OperandModifier.min_precision.of(token)
        if precision and precision not in PRECISIONS:
            declared.add("tpf.control-value", f"minimum precision {precision}", where)
        elif precision and not (declared.flags or 0) >> 16 & 1:
            declared.add("tpf.feature", "minimum precision is not in dcl_globalFlags", where)


def _check_components(
    declared: Declared, operand: Operand, letter: str, row: Op, needed: int, where: str
) -> int:
    """The components that are read or written, as a mask; 0 where that is not known."""
    token = operand.token
    mode = token >> 2 & 3
    four = token & 3 == Components.FOUR
    if letter in "DN" or (letter in "UW" and row.kind == "mem" and row.operands[0] == letter):
        if not four:
            return 1
        mask = token >> 4 & 15
        if mode != SelectionMode.MASK or not mask:
            declared.add("tpf.mask", f"{shown(operand)} is not written by components", where)
        elif row.code in STORES and mask & (mask + 1):
            declared.add("tpf.mask", "a store that leaves a gap or does not begin at x", where)
        elif row.code == STORE_TYPED and mask != 15:
            declared.add("tpf.mask", "a store to a typed view that is not of xyzw", where)
        elif letter == "D" and row.code in DOUBLE_RESULTS and mask not in DOUBLE_MASKS:
            declared.add("tpf.double-mask", f"{row.name} writes half of a double", where)
        return mask
    if not four:
        return 1
    if mode == SelectionMode.SELECT_1:
        return 1 << (token >> 4 & 3)
    # vkd3d's compiler writes conditions as swizzles of one component: if_nz r1.yyyy.
    scalar = token >> 4 & 255 in (0, 0x55, 0xAA, 0xFF)
    if mode != SelectionMode.SWIZZLE or (letter == "c" and not scalar):
        what = "selects no single component" if letter == "c" else "has no swizzle"
        declared.add("tpf.components", f"{shown(operand)} {what}", where)
        return 0
    read = 0
    for i in range(4):
        if needed >> i & 1:
            read |= 1 << (token >> 4 + 2 * i & 3)
    return read if letter in "fiuxv" else 0


def _check_indices(declared: Declared, operand: Operand, register: Register, where: str) -> bool:
    """Whether the number of indices is right, so that they can be looked up."""
    indices = operand.indices
    count = len(indices)
    allowed = register.ranged if declared.ranged else register.indices
    if count not in allowed:
        message = f"{shown(operand)} has {count} indices, {allowed[0]} were expected"
        declared.add("tpf.index-count", message, where)
        return False
    for i, index in enumerate(indices):
        if index.representation in (1, 4):
            declared.add("tpf.index-representation", "an index of 64 bits", f"{where}.indices[{i}]")
        if index.relative is None:
            continue
        inner = f"{where}.indices[{i}].relative"
        if count - 1 - i not in register.relative:
            declared.add("tpf.relative-index", f"{shown(operand)} cannot be calculated", inner)
        _check_relative(declared, index.relative, inner)
    return True


def _check_relative(declared: Declared, operand: Operand, where: str) -> None:
    kind = operand.type
    register = REGISTERS.get(kind)
    scalar = operand.components == Components.ONE or (
        operand.components == Components.FOUR and operand.mode == SelectionMode.SELECT_1
    )
    if register is None or "r" not in register.uses or kind in LITERALS or not scalar:
        declared.add("tpf.relative-operand", f"{shown(operand)} is no scalar", where)
    elif _check_indices(declared, operand, register, where):
        mask = 1 << operand.select if operand.components == Components.FOUR else 1
        _check_declared(declared, operand, kind, "i", mask, where)


def _check_declared(
    declared: Declared, operand: Operand, kind: int, letter: str, mask: int, where: str
) -> None:
    """Whether the register is declared, and its indices and components with it."""
    indices = operand.indices
    phase = declared.phase
    number = indices[0].immediate if indices else 0
    fixed = not indices or indices[0].relative is None
    if kind == T.TEMP:
        if phase.temps is None:
            declared.add("tpf.undeclared-register", f"r{number} without dcl_temps", where)
        elif number >= phase.temps:
            message = f"r{number}, dcl_temps declares {phase.temps}"
            declared.add("tpf.index-range", message, where)
    elif kind in PORTS:
        _check_port(declared, operand, kind, mask, where)
    elif kind == T.INDEXABLE_TEMP:
        array = phase.arrays.get(number)
        if array is None:
            declared.add("tpf.undeclared-register", f"x{number} is not declared", where)
            return
        if indices[1].relative is None and indices[1].immediate >= array[0]:
            message = f"{shown(operand)}, dcl_indexableTemp declares {array[0]}"
            declared.add("tpf.index-range", message, where)
        if mask >> array[1]:
            message = f"x{number} is declared with {array[1]} components"
            declared.add("tpf.undeclared-component", message, where)
    elif kind in BOUND:
        if fixed:
            _check_bound(declared, operand, kind, number, where)
    elif kind == T.IMMEDIATE_CONSTANT_BUFFER:
        if declared.icb is None:
            declared.add("tpf.undeclared-register", "icb without a constant table", where)
        elif fixed and number >= declared.icb:
            message = f"icb[{number}], the table has {declared.icb} rows"
            declared.add("tpf.index-range", message, where)
    elif kind == T.THREAD_GROUP_SHARED_MEMORY:
        if number not in declared.bound.get(kind, ()):
            declared.add("tpf.undeclared-register", f"g{number} is not declared", where)
    elif kind == T.STREAM:
        if number not in declared.streams:
            declared.add("tpf.undeclared-register", f"m{number} is not declared", where)
    elif kind == T.FUNCTION_BODY:
        if number not in declared.bodies:
            declared.add("tpf.undeclared-register", f"fb{number} is not declared", where)
    elif kind == T.INTERFACE:
        known = declared.interfaces.get(number)
        if known is None:
            declared.add("tpf.undeclared-register", f"fp{number} is not declared", where)
        elif indices[1].relative is None and indices[1].immediate >= known[0]:
            message = f"{shown(operand)}, the interface has {known[0]} elements"
            declared.add("tpf.index-range", message, where)
    elif kind not in UNDECLARED:
        known_mask = phase.masks.get(kind, {}).get(-1)
        if known_mask is None:
            declared.add("tpf.undeclared-register", f"{shown(operand)} is not declared", where)
        elif operand.components == Components.FOUR and mask & ~known_mask and kind in VECTORS:
            message = f"{shown(operand)} is declared without {_letters(mask & ~known_mask)}"
            declared.add("tpf.undeclared-component", message, where)


VECTORS = frozenset((
    T.INPUT_DOMAIN_POINT, T.INPUT_THREAD_ID, T.INPUT_THREAD_GROUP_ID, T.INPUT_THREAD_ID_IN_GROUP,
))  # fmt: skip


def _letters(mask: int) -> str:
    return "".join(letter for i, letter in enumerate("xyzw") if mask >> i & 1)


def _check_port(declared: Declared, operand: Operand, kind: int, mask: int, where: str) -> None:
    """v, o, vicp, vocp, vpc: the register is the last index, the vertex stands before it."""
    phase = declared.phase
    masks = phase.masks.get(kind)
    if not masks:
        declared.add("tpf.undeclared-register", f"{shown(operand)} is not declared", where)
        return
    *outer, last = operand.indices
    vertices = phase.vertices.get(kind, 0)
    if bool(outer) != bool(vertices):
        message = f"{shown(operand)} has {len(operand.indices)} indices, not as it was declared"
        declared.add("tpf.index-count", message, where)
        return
    if outer and outer[0].relative is None and outer[0].immediate >= vertices:
        message = f"{shown(operand)}, {vertices} vertices are declared"
        declared.add("tpf.index-range", message, where)
    number = last.immediate
    if last.relative is not None:
        ranges = phase.ranges.get(kind, ())
        if not any(first <= number < first + count for first, count in ranges):
            message = f"{shown(operand)} is in no dcl_indexrange"
            declared.add("tpf.relative-index", message, where)
        return
    known = masks.get(number)
    if known is None:
        declared.add("tpf.undeclared-register", f"{shown(operand)} is not declared", where)
    elif mask & ~known:
        message = f"{shown(operand)} is declared without {_letters(mask & ~known)}"
        declared.add("tpf.undeclared-component", message, where)


def _check_bound(declared: Declared, operand: Operand, kind: int, number: int, where: str) -> None:
    found = declared.bound.get(kind, {}).get(number)
    if found is None:
        name = word(NAMES, kind)
        declared.add("tpf.undeclared-register", f"{name}{number} is not declared", where)
        return
    indices = operand.indices
    if declared.ranged:
        index = indices[1]
        if index.relative is None and not found.lower <= index.immediate <= found.upper:
            message = f"{shown(operand)}, the range is {found.lower} to {found.upper}"
            declared.add("tpf.range-index", message, where)
    if kind == T.CONSTANT_BUFFER:
        index = indices[-1]
        if index.relative is None and index.immediate >= found.size:
            message = f"{shown(operand)}, the buffer has {found.size} rows"
            declared.add("tpf.index-range", message, where)
