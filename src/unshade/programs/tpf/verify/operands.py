"""Checks of operands: their kind, their components and indices, and their declarations.

An operand is valid if its letter in the table of operations and the row of its register file in
REGISTERS agree. For operands that were valid before, only the declaration is checked again.
"""

from collections.abc import Container

from ....enums import member_of
from ....vocab.d3d import D3DMinPrecision
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import Components, ExtendedOperand, Modifier, OperandType, SelectionMode
from ..tables.ops import OPS, Op
from ..tables.selection import mask_letters
from ..tables.spellings import REGISTERS as NAMES
from ..tables.spellings import word
from ..tables.tokens import OperandModifier
from .registers import PORTS, REGISTERS, STAGE_SETS, RegisterTraits
from .scope import ProgramScope, register_name
from .sound import UNREAD, OperandKey

T = OperandType
TEMP = int(T.TEMP)  # looked up for each operand

USES = {"D": "w", "N": "w", **dict.fromkeys("fiudcx", "r")}
LITERALS = (T.IMMEDIATE32, T.IMMEDIATE64)
BOUND = frozenset((T.SAMPLER, T.RESOURCE, T.UNORDERED_ACCESS_VIEW, T.CONSTANT_BUFFER))
UNDECLARED = frozenset(
    (T.IMMEDIATE32, T.IMMEDIATE64, T.NULL, T.RASTERIZER, T.THIS_POINTER, T.LABEL)
)

VECTORS = frozenset((
    T.INPUT_DOMAIN_POINT, T.INPUT_THREAD_ID, T.INPUT_THREAD_GROUP_ID, T.INPUT_THREAD_ID_IN_GROUP,
))  # fmt: skip

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
    D3DMinPrecision.FLOAT_16,
    D3DMinPrecision.FLOAT_2_8,
    D3DMinPrecision.SINT_16,
    D3DMinPrecision.UINT_16,
)
INTEGER_KINDS = ("int", "uint", "bit")
WHERE = [f"operands[{i}]" for i in range(max(len(row.operands) for row in OPS))]


def check_operands(
    scope: ProgramScope, instruction: Instruction, row: Op
) -> list[tuple[int, Operand, int]]:
    """Check all operands of an operation that is not a declaration.

    Return the registers with the components that are read or written, to look them up in the
    declarations of other programs.
    """
    registers: list[tuple[int, Operand, int]] = []
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
    sound = scope.sound.operands
    for i, operand in enumerate(operands):
        indices = operand.indices
        key: OperandKey | None
        count = len(indices) << 3 | len(operand.literal)
        key = code, i, operand.token, operand.extended, needed, count
        for index in indices:
            if index.kept or index.relative is not None:
                key = None
                break
        mask = None if key is None else sound.get(key)
        if mask is None:
            before = scope.findings.number
            mask = check_operand(scope, operand, letters[i], row, needed, WHERE[i])
            if key is not None and scope.findings.number == before:
                scope.sound.keep_operand(key, mask)
        if mask != UNREAD:
            kind = operand.token >> 12 & 255
            _check_declared(scope, operand, kind, letters[i], mask, WHERE[i])
            registers.append((kind, operand, mask))
    return registers


def check_operand(
    scope: ProgramScope, operand: Operand, letter: str, row: Op, needed: int, where: str
) -> int:
    """Check one operand; `needed` is a mask of the components that the result needs.

    Return a mask of the components that are read or written, 0 if they are unknown, and UNREAD for
    an operand that is not a register or cannot be looked up.
    """
    kind = operand.token >> 12 & 255
    register = REGISTERS.get(kind)
    if register is None or not _fits(letter, kind, register, row):
        name = register_name(operand) if register is not None else word(NAMES, kind)
        only = "read" if letter in "DN" else "written"
        why = f", which can only be {only}" if _other_way(letter, register) else ""
        message = f"{row.name}: operand {where[9:-1]} cannot be {name}{why}"
        scope.add("tpf.operand-kind", message, where)
        return UNREAD
    if scope.kind not in STAGE_SETS[register.stages]:
        message = f"{register_name(operand)} does not exist in this stage"
        scope.add("tpf.register-stage", message, where)
    if kind == T.NULL:
        if letter == "D" and "N" not in row.operands:
            scope.add("tpf.null-destination", f"{row.name}: the only destination is null", where)
        return UNREAD
    if operand.extended:
        _check_modifier(scope, operand, letter, row, where)
    components = operand.token & 3
    if kind in LITERALS:
        if not operand.literal:
            message = f"expected a literal of 1 or 4 components, got component code {components}"
            scope.add("tpf.literal", message, where)
        return UNREAD
    read = _check_components(scope, operand, letter, row, needed, where)
    return read if _check_indices(scope, operand, register, where) else UNREAD


def _fits(letter: str, kind: int, register: RegisterTraits, row: Op) -> bool:
    if USES.get(letter, letter) in register.uses:
        return True
    if letter == "T":
        if kind == T.UNORDERED_ACCESS_VIEW:
            return row.code in QUERIES
        return kind == T.RASTERIZER and row.code in SAMPLES
    return False


def _other_way(letter: str, register: RegisterTraits | None) -> bool:
    """Return True if the operand is written to a register that is only read, or read from one
    that is only written.
    """
    use = USES.get(letter)
    uses = "" if register is None else register.uses
    return use is not None and use not in uses and ("r" if use == "w" else "w") in uses


def _check_modifier(
    scope: ProgramScope, operand: Operand, letter: str, row: Op, where: str
) -> None:
    for i, token in enumerate(operand.extended):
        if token & 63 != ExtendedOperand.MODIFIER or i:
            message = f"expected one modifier token, got a token of kind {token & 63}"
            scope.add("tpf.extended", message, where)
            return
        modifier = OperandModifier.modifier.of(token)
        if member_of(Modifier, modifier) is None:
            scope.add("tpf.control-value", f"undefined modifier {modifier}", where)
        elif modifier and letter not in "fiudxcv":
            message = f"sign modifier on {register_name(operand)}, which is not a numeric source"
            scope.add("tpf.modifier", message, where)
        elif modifier & Modifier.ABS and row.kind in INTEGER_KINDS and letter in "iu":
            scope.add("tpf.modifier", f"{row.name}: absolute value of an integer", where)
        precision = OperandModifier.min_precision.of(token)
        if precision and precision not in PRECISIONS:
            scope.add("tpf.control-value", f"undefined minimum precision {precision}", where)
        elif precision and not (scope.flags or 0) >> 16 & 1:
            message = "minimum precision requires enable_minimum_precision in dcl_globalFlags"
            scope.add("tpf.feature", message, where)


def _check_components(
    scope: ProgramScope, operand: Operand, letter: str, row: Op, needed: int, where: str
) -> int:
    """Return a mask of the components that are read or written; 0 if unknown."""
    token = operand.token
    mode = token >> 2 & 3
    four = token & 3 == Components.FOUR
    if letter in "DN" or (letter in "UW" and row.kind == "mem" and row.operands[0] == letter):
        if not four:
            return 1
        mask = token >> 4 & 15
        if mode != SelectionMode.MASK or not mask:
            scope.add("tpf.mask", f"{register_name(operand)} has no write mask", where)
        elif row.code in STORES and mask & (mask + 1):
            message = f"{row.name}: expected x, xy, xyz or xyzw, got {mask_letters(mask)}"
            scope.add("tpf.mask", message, where)
        elif row.code == STORE_TYPED and mask != 15:
            message = f"{row.name}: expected xyzw, got {mask_letters(mask)}"
            scope.add("tpf.mask", message, where)
        elif letter == "D" and row.code in DOUBLE_RESULTS and mask not in DOUBLE_MASKS:
            message = f"{row.name}: expected xy, zw or xyzw, got {mask_letters(mask)}"
            scope.add("tpf.double-mask", message, where)
        return mask
    if not four:
        return 1
    if mode == SelectionMode.SELECT_1:
        return 1 << (token >> 4 & 3)
    # vkd3d's compiler writes conditions as swizzles of one component: if_nz r1.yyyy.
    scalar = token >> 4 & 255 in (0, 0x55, 0xAA, 0xFF)
    if mode != SelectionMode.SWIZZLE or (letter == "c" and not scalar):
        what = "does not select one component" if letter == "c" else "has no swizzle"
        scope.add("tpf.components", f"{register_name(operand)} {what}", where)
        return 0
    read = 0
    for i in range(4):
        if needed >> i & 1:
            read |= 1 << (token >> 4 + 2 * i & 3)
    return read if letter in "fiuxv" else 0


def _check_indices(
    scope: ProgramScope, operand: Operand, register: RegisterTraits, where: str
) -> bool:
    """Return True if the number of indices is right, so that the register can be looked up."""
    indices = operand.indices
    count = len(indices)
    allowed = register.ranged if scope.ranged else register.indices
    if count not in allowed:
        numbers = " or ".join(map(str, allowed))
        message = f"{register_name(operand)}: expected {numbers} indices, got {count}"
        scope.add("tpf.index-count", message, where)
        return False
    for i, index in enumerate(indices):
        if index.representation in (1, 4):
            scope.add("tpf.index-representation", "64-bit index", f"{where}.indices[{i}]")
        if index.relative is None:
            continue
        inner = f"{where}.indices[{i}].relative"
        if count - 1 - i not in register.relative:
            message = f"index {i} of {register_name(operand)} must be a constant"
            scope.add("tpf.relative-index", message, inner)
        _check_relative(scope, index.relative, inner)
    return True


def _check_relative(scope: ProgramScope, operand: Operand, where: str) -> None:
    kind = operand.type
    register = REGISTERS.get(kind)
    scalar = operand.components == Components.ONE or (
        operand.components == Components.FOUR and operand.mode == SelectionMode.SELECT_1
    )
    if register is None or "r" not in register.uses or kind in LITERALS or not scalar:
        message = f"expected a scalar register as index, got {register_name(operand)}"
        scope.add("tpf.relative-operand", message, where)
    elif _check_indices(scope, operand, register, where):
        mask = 1 << operand.select if operand.components == Components.FOUR else 1
        _check_declared(scope, operand, kind, "i", mask, where)


def _check_declared(
    scope: ProgramScope, operand: Operand, kind: int, letter: str, mask: int, where: str
) -> None:
    """Check that the register is declared, with its indices and components."""
    if kind in PORTS:
        _check_port(scope, operand, kind, mask, where)
        return
    indices = operand.indices
    number = indices[0].immediate if indices else 0
    fixed = not indices or indices[0].relative is None
    if kind == TEMP:
        temps = scope.phase.temps
        if temps is None:
            scope.add("tpf.undeclared-register", f"r{number} without dcl_temps", where)
        elif number >= temps:
            message = f"expected a register below r{temps}, got r{number}"
            scope.add("tpf.index-range", message, where)
    elif kind == T.INDEXABLE_TEMP:
        _check_array(scope, operand, number, mask, where)
    elif kind in BOUND:
        if fixed:
            _check_bound(scope, operand, kind, number, where)
    elif kind == T.IMMEDIATE_CONSTANT_BUFFER:
        if scope.icb is None:
            message = "icb without an immediate constant buffer"
            scope.add("tpf.undeclared-register", message, where)
        elif fixed and number >= scope.icb:
            message = f"expected a row below {scope.icb}, got icb[{number}]"
            scope.add("tpf.index-range", message, where)
    elif kind == T.INTERFACE:
        _check_interface(scope, operand, number, where)
    elif kind in (T.THREAD_GROUP_SHARED_MEMORY, T.STREAM, T.FUNCTION_BODY):
        _check_numbered(scope, kind, number, where)
    elif kind not in UNDECLARED:
        _check_single(scope, operand, kind, mask, where)


def _check_array(scope: ProgramScope, operand: Operand, number: int, mask: int, where: str) -> None:
    """Check an element of an array of temporaries: `x0[r0.x + 4]`."""
    array = scope.phase.arrays.get(number)
    if array is None:
        scope.add("tpf.undeclared-register", f"x{number} is not declared", where)
        return
    elements, components = array
    index = operand.indices[1]
    if index.relative is None and index.immediate >= elements:
        message = f"expected an element below {elements}, got {register_name(operand)}"
        scope.add("tpf.index-range", message, where)
    if mask >> components:
        message = f"x{number} is declared with {components} components, got {mask_letters(mask)}"
        scope.add("tpf.undeclared-component", message, where)


def _check_interface(scope: ProgramScope, operand: Operand, number: int, where: str) -> None:
    """Check an element of an interface: `fp0[2][1]`."""
    known = scope.interfaces.get(number)
    if known is None:
        scope.add("tpf.undeclared-register", f"fp{number} is not declared", where)
    elif operand.indices[1].relative is None and operand.indices[1].immediate >= known[0]:
        message = f"expected an element below {known[0]}, got {register_name(operand)}"
        scope.add("tpf.index-range", message, where)


def _check_numbered(scope: ProgramScope, kind: int, number: int, where: str) -> None:
    """Check shared memory, a stream or a function body: `g0`, `m0`, `fb0`."""
    known: Container[int] = scope.bound.get(kind, ())
    if kind == T.STREAM:
        known = scope.streams
    elif kind == T.FUNCTION_BODY:
        known = scope.bodies
    if number not in known:
        scope.add("tpf.undeclared-register", f"{word(NAMES, kind)}{number} is not declared", where)


def _check_single(scope: ProgramScope, operand: Operand, kind: int, mask: int, where: str) -> None:
    """Check a register without a number: `vPrim`, `vThreadID.xy`, `oDepth`."""
    known = scope.phase.masks.get(kind, {}).get(-1)
    if known is None:
        message = f"{register_name(operand)} is not declared"
        scope.add("tpf.undeclared-register", message, where)
    elif operand.components == Components.FOUR and mask & ~known and kind in VECTORS:
        message = f"{register_name(operand)}.{mask_letters(mask & ~known)} is not declared"
        scope.add("tpf.undeclared-component", message, where)


def _check_port(scope: ProgramScope, operand: Operand, kind: int, mask: int, where: str) -> None:
    """Check `v`, `o`, `vicp`, `vocp` or `vpc`; a vertex index precedes the register's index."""
    phase = scope.phase
    masks = phase.masks.get(kind)
    if not masks:
        message = f"{register_name(operand)} is not declared"
        scope.add("tpf.undeclared-register", message, where)
        return
    *outer, last = operand.indices
    vertices = phase.vertices.get(kind, 0)
    if bool(outer) != bool(vertices):
        expected, got = 2 if vertices else 1, len(operand.indices)
        message = f"{register_name(operand)}: declared with {expected} indices, used with {got}"
        scope.add("tpf.index-count", message, where)
        return
    if outer and outer[0].relative is None and outer[0].immediate >= vertices:
        message = f"expected a vertex below {vertices}, got {register_name(operand)}"
        scope.add("tpf.index-range", message, where)
    number = last.immediate
    if last.relative is not None:
        ranges = phase.ranges.get(kind, ())
        if not any(first <= number < first + count for first, count in ranges):
            message = f"{register_name(operand)} is not in a dcl_indexrange"
            scope.add("tpf.relative-index", message, where)
        return
    known = masks.get(number)
    if known is None:
        message = f"{register_name(operand)} is not declared"
        scope.add("tpf.undeclared-register", message, where)
    elif mask & ~known:
        message = f"{register_name(operand)}.{mask_letters(mask & ~known)} is not declared"
        scope.add("tpf.undeclared-component", message, where)


def _check_bound(scope: ProgramScope, operand: Operand, kind: int, number: int, where: str) -> None:
    found = scope.bound.get(kind, {}).get(number)
    if found is None:
        name = word(NAMES, kind)
        scope.add("tpf.undeclared-register", f"{name}{number} is not declared", where)
        return
    indices = operand.indices
    if scope.ranged:
        index = indices[1]
        if index.relative is None and not found.lower <= index.immediate <= found.upper:
            bounds = f"{found.lower} to {found.upper}"
            message = f"expected a register of {bounds}, got {register_name(operand)}"
            scope.add("tpf.range-index", message, where)
    if kind == T.CONSTANT_BUFFER:
        index = indices[-1]
        if index.relative is None and index.immediate >= found.size:
            message = f"expected a row below {found.size}, got {register_name(operand)}"
            scope.add("tpf.index-range", message, where)
