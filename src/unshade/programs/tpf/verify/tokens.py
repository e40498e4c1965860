"""Checks of opcode tokens and their extensions: stage, model, controls, lengths."""

from ....enums import member_of
from ..instruction import LONG, Instruction
from ..tables.enumerations import ExtendedOpcode
from ..tables.ops import OPS, Op
from ..tables.tokens import (
    EXTENDED_OPCODES,
    Arithmetic,
    CustomData,
    GlobalFlags,
    GsPrimitive,
    ReturnTypes,
    SampleControls,
    Sync,
)
from .scope import ProgramScope

# The bit of dcl_globalFlags that enables a feature named in the table of operations.
FEATURES = {
    "double": GlobalFlags.enable_double_precision,
    "double_extensions": GlobalFlags.enable_double_extensions,
    "shader_extensions": GlobalFlags.enable_shader_extensions,
}
COMPUTE = 5
SYNC = OPS["sync"].code
# Operations with resources that address no texel, so that an offset has no meaning.
NO_OFFSET = frozenset(OPS[name].code for name in (
    "resinfo", "bufinfo", "ld_raw", "ld_structured", "ld_raw_s", "ld_structured_s",
    "ld_uav_typed", "ld_uav_typed_s",
))  # fmt: skip
PATCHES = range(8, 40)  # dcl_inputprimitive: patches of 1 to 32 control points
# fxc appends an unexplained dword to these: samplepos of a texture, most forms with a status.
EXTRA = frozenset(
    row.code
    for row in OPS
    if row.name == "samplepos" or (row.kind in ("tex", "mem") and row.name.endswith("_s"))
)
BARRIERS = (
    Sync.shared_memory.mask << Sync.shared_memory.low | Sync.uav_group.mask << Sync.uav_group.low
)
THREADS = Sync.threads_in_group.mask << Sync.threads_in_group.low
GLOBAL = Sync.uav_global.mask << Sync.uav_global.low


def check_token(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    """Check the opcode token and its extensions alone."""
    token = instruction.token
    add = scope.add
    if scope.kind not in row.stages and row.code != SYNC:
        add("tpf.stage", f"{row.name} does not exist in this stage")
    if scope.model < row.since:
        since, model = (".".join(map(str, each)) for each in (row.since, scope.model))
        add("tpf.model", f"{row.name}: expected Shader Model {since} or later, got {model}")
    needed = FEATURES.get(row.needs)
    flags = scope.flags or 0
    if needed is not None and not needed.of(flags):
        add("tpf.feature", f"{row.name} requires {needed.name} in dcl_globalFlags")
    if row.needs == "debug":
        add("tpf.message", f"{row.name} requires the debug layer")
    if row.controls is CustomData:
        return
    if row.code == SYNC:
        _check_sync(scope, token)
    unnamed = token & ~row.controls.named_mask()
    if issubclass(row.controls, Arithmetic):
        if not row.saturate and Arithmetic.saturate.of(token):
            add("tpf.saturate", f"{row.name} cannot clamp its result")
        if not row.precise and Arithmetic.precise.of(token):
            add("tpf.precise", f"{row.name} has no arithmetic to keep precise")
    if unnamed:
        add("tpf.reserved-bits", f"{row.name}: reserved bits 0x{unnamed:x} are set")
    for f in row.controls.FIELDS:
        if f.enum is None or member_of(f.enum, f.of(token)) is not None:
            continue
        if row.controls is GsPrimitive and f.of(token) in PATCHES:
            continue
        add("tpf.control-value", f"{row.name}: undefined {f.name} {f.of(token)}", f.name)
    if instruction.extended and row.code not in LONG:
        _check_extended(scope, instruction, row)


def _check_sync(scope: ProgramScope, token: int) -> None:
    if not token & (BARRIERS | THREADS | GLOBAL):
        scope.add("tpf.sync", "sync without flags orders nothing")
    elif scope.kind != COMPUTE and token & (BARRIERS | THREADS):
        scope.add("tpf.sync", "sync of a thread group outside a compute shader")


def _check_extended(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    last = 0
    for i, word in enumerate(instruction.extended):
        where = f"extended[{i}]"
        kind = word & 63
        cls = EXTENDED_OPCODES.get(kind)
        if cls is None or not row.resource:
            scope.add("tpf.extended", f"extended token of kind {kind} after {row.name}", where)
            continue
        if kind <= last:
            message = f"extended token of kind {kind} after one of kind {last}"
            scope.add("tpf.extended", message, where)
        last = kind
        unnamed = word & ~cls.named_mask() & ~(1 << 31)
        if unnamed:
            scope.add("tpf.reserved-bits", f"reserved bits 0x{unnamed:x} are set", where)
        for f in cls.FIELDS:
            if f.enum is None or f.enum is ExtendedOpcode:
                continue
            if member_of(f.enum, f.of(word)) is None:
                message = f"undefined {f.name} {f.of(word)}"
                scope.add("tpf.control-value", message, f"{where}.{f.name}")
        if cls is SampleControls and row.code in NO_OFFSET:
            scope.add("tpf.texel-offset", f"{row.name} takes no offset", where)


def check_words(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    """Check the number of dwords after the operands, and the return types among them."""
    words = instruction.words
    names = row.dwords
    count = len(words)
    if names and names[-1].endswith("[]"):
        if count < len(names) - 1:
            scope.add("tpf.missing-dword", f"{row.name}: missing {names[count]}")
        return
    needed = len(names)
    if needed and names[-1] == "space" and not scope.ranged:
        needed -= 1
    if names[:1] == ("size",) and row.operands == "C" and not scope.ranged:
        needed = 0
    if count < needed:
        scope.add("tpf.missing-dword", f"{row.name}: missing {names[count]}")
    elif count > needed and not (row.code in EXTRA and count == 1):
        message = f"{row.name}: expected {needed} dwords after the operands, got {count}"
        scope.add("tpf.extra-dword", message)
    if count and names[:1] == ("return_type",):
        for f in ReturnTypes.FIELDS:
            if f.enum is not None and member_of(f.enum, f.of(words[0])) is None:
                message = f"undefined return type {f.of(words[0])}"
                scope.add("tpf.control-value", message, f"return_type.{f.name}")
