"""Rules of Direct3D 12 for root signatures, and the checks of a root signature alone.

    DescriptorTable(SRV(t4, numDescriptors=4), CBV(b0, offset=9))     t4 to t7, offsets 0 to 3; b0, 9
    DescriptorTable(UAV(u0, numDescriptors=unbounded), SRV(t0))       nothing follows an unbounded range

The checks take the root signature of the model, so that anything with a root signature can use
them: a container that embeds one, a pipeline that is given one. Paths name the model's fields.
`rootsignature_bindings` checks a shader against a root signature.

Source, named at the end of each explanation:

    dxc     DirectXShaderCompiler, DxilRootSignatureValidator.cpp and DxilRootSignature.cpp
    LLVM    RootSignatureValidations.cpp, and clang's SemaHLSL.cpp, which calls it
    D3D12   DirectX-Specs: ResourceBinding, VulkanOn12 (version 1.2), Raytracing (local root
            signatures), HLSL_SM_6_6_DynamicResources; d3d12.h and its documentation

Three sentences of these sources are not enforced as rules. ResourceBinding forbids ranges of
different kinds that overlap in a table, and lets only the last range of a table be unbounded: dxc,
LLVM and the runtime accept both, and renderers that index the whole heap depend on it. LLVM's
proposal requires a comparison function of 1 to 8 for comparison filters only; other filters may
have 0.
"""
# ruff: noqa: E501

from collections.abc import Iterable, Iterator, Sequence
from math import isnan

from ..errors import Severity
from ..rule import Rule, table
from ..tuples import NamedTuple
from ..vocab.rootsignature import (
    DATA_FLAGS,
    DescriptorFlag,
    RootSignatureFlag,
    StaticSamplerFlag,
    flag_word,
)
from .rootsignature import RootParameter, RootRange, RootSignature, StaticSampler

__all__ = [
    "LETTERS",
    "RULES",
    "BoundRegisters",
    "RootProblem",
    "bound_registers",
    "check_root_signature",
]

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the root signature alone
    Rule("rts0.version",            E, "a root signature of an unknown version", "Versions are 1 (1.0), 2 (1.1) and 3 (1.2). Source: dxc, LLVM."),
    Rule("rts0.value",              E, "a root signature with an unknown enumeration value", "Kinds of parameters and ranges, visibilities, filters, address modes, comparisons and border colours are enumerations. Source: dxc, LLVM."),
    Rule("rts0.flags",              E, "a root signature with unknown flags", "Bits are set that no version defines: 0xFFF are known. Source: dxc, LLVM."),
    Rule("rts0.flags-version",      E, "flags that the version of the root signature does not have", "Descriptors and ranges have flags from version 1.1 on, static samplers from 1.2 on. The file has no place for them: it cannot be written. Source: dxc, LLVM."),
    Rule("rts0.local",              E, "a root signature is local where it may not be, or global", "LOCAL_ROOT_SIGNATURE is combined with no other flag and all its parameters are visible to ALL: its arguments come from shader records. A local subobject of a library has the flag; a global one, and the root signature of a shader that is not in a library, do not. Source: D3D12; dxc, of the flag."),
    Rule("rts0.size",               E, "a root signature of more than 64 words", "A table takes one word, a descriptor two, a constant one, a static sampler none; the limit is 64. A local root signature is limited by its shader record to 4,064 bytes. fxc and dxc accept more. Source: D3D12."),
    Rule("rts0.sampler-count",      E, "a root signature of more than 2,032 static samplers", "It is the limit of all root signatures of a device together. Source: D3D12."),
    Rule("rts0.register",           E, "a register beyond the last one", "Registers are 0 to 0xFFFFFFFE, and no range of a known number of descriptors ends after 0xFFFFFFFF. Source: LLVM; dxc, of ranges."),
    Rule("rts0.space",              E, "a reserved register space", "The spaces 0xFFFFFFF0 to 0xFFFFFFFF belong to drivers and the operating system. Source: D3D12, dxc, LLVM."),
    Rule("rts0.overlap",            E, "a root signature binds a register twice", "Registers of one class and space may be bound by several parameters, ranges or static samplers only if no stage sees more than one of them. Source: D3D12, dxc, LLVM."),
    Rule("rts0.table",              E, "a descriptor table of samplers and other descriptors", "Samplers are in a heap of their own. Source: D3D12, dxc, LLVM."),
    Rule("rts0.count",              E, "a range without descriptors", "A range has at least one descriptor. A table without ranges is accepted. Source: dxc, LLVM."),
    Rule("rts0.append",             E, "a range that is appended where nothing can follow", "A range without an offset follows the one before, which must not be unbounded or end at the last offset, 0xFFFFFFFF. Source: D3D12, dxc, LLVM."),
    Rule("rts0.offset",             E, "a range that ends beyond the last offset of a table", "The last descriptor of a range of a known number has an offset of at most 0xFFFFFFFF. Source: dxc, LLVM."),
    Rule("rts0.offset-text",        W, "a text gives the offset 4294967295 as a number", "The number is DESCRIPTOR_RANGE_OFFSET_APPEND: the range follows the one before. Only `assemble` reports it; in the file both are the same. Source: d3d12.h."),
    Rule("rts0.range-flags",        E, "a descriptor range with flags that exclude each other", "Only one of DATA_VOLATILE, DATA_STATIC_WHILE_SET_AT_EXECUTE and DATA_STATIC, and none for samplers, which point at no data; DESCRIPTORS_VOLATILE with neither DATA_STATIC nor DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS; no unknown bits. Source: D3D12, dxc, LLVM; the last pair not by dxc."),
    Rule("rts0.descriptor-flags",   E, "a root descriptor with flags that it cannot have", "At most one of DATA_VOLATILE, DATA_STATIC_WHILE_SET_AT_EXECUTE and DATA_STATIC, and no other bits. Source: dxc, LLVM."),
    Rule("rts0.visibility",         W, "a parameter is visible only to a stage that a flag denies", "A DENY flag keeps a stage from parameters that are visible to ALL; a parameter that only this stage sees contradicts it. Compilers do not check this. Source: D3D12."),
    Rule("rts0.sampler",            E, "a static sampler with a value out of range", "The maximum anisotropy is at most 16, the bias of the level of detail from -16 to 15.99, no level is NaN, and a comparison filter has a comparison function. Source: dxc, LLVM."),
    Rule("rts0.sampler-lod",        W, "a static sampler without a level of detail", "MaxLOD is not less than MinLOD. Compilers do not check this. Source: d3d12.h."),
    Rule("rts0.sampler-flags",      E, "a static sampler with flags that it cannot have", "Bits are UINT_BORDER_COLOR, which needs a border colour of unsigned integers, and NON_NORMALIZED_COORDINATES. Source: D3D12, LLVM."),
    Rule("rts0.non-normalized",     W, "a static sampler with non-normalized coordinates and a state that excludes them", "Minification and magnification use one filter, mip levels POINT, without comparison or anisotropy; MinLOD and MaxLOD are 0; AddressU and AddressV are CLAMP or BORDER. Otherwise sampling is undefined. Source: D3D12."),
    # ---- a shader against its root signature
    Rule("rts0.unbound",            E, "the root signature does not bind a register of the shader", "Direct3D 12 rejects a pipeline if a declared register is in no parameter or static sampler that is visible to its stage; an array of known size must be in one range, and an array of unknown size begin in one. Only a table can bind arrays. Before Shader Model 5.1 all registers are in space 0. Source: D3D12, dxc, LLVM."),
    Rule("rts0.denied",             E, "the root signature denies its stage all access", "A stage with bindings cannot have a root signature with the DENY flag of the stage. Source: dxc, LLVM."),
    Rule("rts0.descriptor",         E, "a root descriptor binds a resource that needs a descriptor in a table", "A root descriptor is an address: it can be of a constant buffer, a raw or structured buffer without a counter, or an acceleration structure, but not of a texture or a typed buffer. Source: D3D12, dxc, LLVM."),
    Rule("rts0.constants",          E, "the shader reads beyond its root constants", "Values after the last root constant are undefined; drivers reject or misread them. Compilers do not check this. Source: D3D12."),
    Rule("rts0.constants-size",     N, "a constant buffer is larger than its root constants", "The shader declares more than the root constants hold, but reads none of it as far as is known. Source: D3D12."),
    Rule("rts0.constants-indexed",  W, "the shader indexes root constants dynamically", "Root constants may not be stored one after the other, so that an array in them is accessed with constant indices only. Source: D3D12."),
    Rule("rts0.heap",               E, "the shader indexes a heap that the root signature does not open", "ResourceDescriptorHeap needs CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED, SamplerDescriptorHeap needs SAMPLER_HEAP_DIRECTLY_INDEXED. Source: D3D12, dxc."),
))
# fmt: on

LAST = 0xFFFF_FFFF  # last register, and last offset in a table
RESERVED_SPACE = 0xFFFF_FFF0
MAX_WORDS = 64
MAX_RECORD = 4096 - 32  # bytes of a shader record after its identifier
MAX_SAMPLERS = 2032
MAX_ANISOTROPY = 16
BIAS = (-16.0, 15.99)
VERSIONS = ("1.0", "1.1", "1.2")
UNKNOWN = "unknown_"  # before the number of an enumeration value without a name
LOCAL = flag_word(RootSignatureFlag.LOCAL_ROOT_SIGNATURE)
DENIED = {  # by stage
    name.split("_")[1].lower(): flag_word(flag)
    for name, flag in RootSignatureFlag.__members__.items()
    if name.startswith("DENY_")
}
DATA = tuple(map(flag_word, DATA_FLAGS))
VOLATILE = flag_word(DescriptorFlag.DESCRIPTORS_VOLATILE)
KEEPING = flag_word(DescriptorFlag.DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS)
UINT_BORDER = flag_word(StaticSamplerFlag.UINT_BORDER_COLOR)
NON_NORMALIZED = flag_word(StaticSamplerFlag.NON_NORMALIZED_COORDINATES)
UNIFORM_FILTERS = ("min_mag_mip_point", "min_mag_linear_mip_point")
EDGES = ("clamp", "border")
LETTERS = {"cbv": "b", "constants": "b", "srv": "t", "uav": "u", "sampler": "s"}


class RootProblem(NamedTuple):
    """A violation: the rule, the expected value, and the path of the field in the model.

    `binding` is the number of the affected binding of the shader, if any.
    """

    code: str
    message: str
    path: str
    binding: int | None = None


class BoundRegisters(NamedTuple):
    """Registers of one class and space that a parameter, range or static sampler binds.

    `kind` is the kind of the parameter, or `sampler` for a static sampler.
    """

    letter: str
    space: int
    first: int
    last: int
    visibility: str
    kind: str
    path: str
    constants: int | None = None  # their number, of root constants


Problems = Iterator[RootProblem]


def check_root_signature(root: RootSignature, local: bool | None = None) -> Problems:
    """Yield the violations of a root signature.

    Args:
        root: The root signature.
        local: True if it is used as a local one, False as a global one; None if not known.
    """
    if root.version not in VERSIONS:
        number = root.version.removeprefix(UNKNOWN)
        yield RootProblem("rts0.version", f"version {number}", "version")
    for flag in _unknown(root.flags):
        yield RootProblem("rts0.flags", f"bits {flag}", "flags")
    yield from _check_local(root, local)
    for i, parameter in enumerate(root.parameters):
        yield from _check_parameter(root, parameter, f"parameters[{i}]")
    for i, sampler in enumerate(root.samplers):
        yield from _check_sampler(root, sampler, f"samplers[{i}]")
    yield from _check_size(root)
    yield from _check_overlaps(bound_registers(root))


def bound_registers(root: RootSignature) -> list[BoundRegisters]:
    """Return the registers that a root signature binds; unknown kinds are left out."""
    found: list[BoundRegisters] = []
    for i, each in enumerate(root.parameters):
        path = f"parameters[{i}]"
        if each.register is None or each.space is None:
            found += _of_table(each, path)
        elif each.kind in LETTERS:
            place = LETTERS[each.kind], each.space, each.register, each.register
            found.append(BoundRegisters(*place, each.visibility, each.kind, path, each.count))
    for i, sampler in enumerate(root.samplers):
        place = "s", sampler.space, sampler.register, sampler.register
        found.append(BoundRegisters(*place, sampler.visibility, "sampler", f"samplers[{i}]"))
    return found


def _of_table(table: RootParameter, path: str) -> Iterator[BoundRegisters]:
    for i, each in enumerate(table.ranges):
        if each.count == 0 or each.kind not in LETTERS:
            continue
        last = LAST if each.count is None else min(each.register + each.count - 1, LAST)
        place = LETTERS[each.kind], each.space, each.register, last
        yield BoundRegisters(*place, table.visibility, "table", f"{path}.ranges[{i}]")


# -- the whole -----------------------------------------------------------------------------------


def _unknown(flags: Sequence[str]) -> list[str]:
    return [each for each in flags if each.startswith("0x")]


def _known(word: str, what: str, path: str) -> Problems:
    """Check the word for an enumeration value."""
    if word.startswith(UNKNOWN):
        message = f"expected {what}, got {word.removeprefix(UNKNOWN)}"
        yield RootProblem("rts0.value", message, path)


def _check_local(root: RootSignature, local: bool | None) -> Problems:
    is_local = LOCAL in root.flags
    if local is not None and local != is_local:
        wanted = "a local" if local else "a global"
        yield RootProblem("rts0.local", f"expected {wanted} root signature", "flags")
    if not is_local:
        return
    others = [each.upper() for each in root.flags if each != LOCAL]
    if others:
        message = f"expected {LOCAL.upper()} alone, got {' | '.join(others)}, too"
        yield RootProblem("rts0.local", message, "flags")
    seen = [(each.visibility, f"parameters[{i}]") for i, each in enumerate(root.parameters)]
    seen += [(each.visibility, f"samplers[{i}]") for i, each in enumerate(root.samplers)]
    for visibility, path in seen:
        if visibility != "all":
            message = f"expected visibility ALL of a local root signature, got {visibility}"
            yield RootProblem("rts0.local", message, f"{path}.visibility")


def _check_size(root: RootSignature) -> Problems:
    words = sum(each.cost for each in root.parameters)
    if LOCAL not in root.flags and words > MAX_WORDS:
        message = f"expected at most {MAX_WORDS} words, got {words}"
        yield RootProblem("rts0.size", message, "parameters")
    size = 0
    for each in root.parameters:  # addresses are aligned
        size += 4 * each.cost if each.kind == "constants" else 8 + size % 8
    if LOCAL in root.flags and size > MAX_RECORD:
        message = f"expected at most {MAX_RECORD} bytes of a local root signature, got {size}"
        yield RootProblem("rts0.size", message, "parameters")
    if len(root.samplers) > MAX_SAMPLERS:
        message = f"expected at most {MAX_SAMPLERS}, got {len(root.samplers)}"
        yield RootProblem("rts0.sampler-count", message, "samplers")


def _check_overlaps(bound: Sequence[BoundRegisters]) -> Problems:
    """Check that no stage sees two declarations of a register."""
    known: set[str] = set()
    ordered = sorted(bound, key=lambda each: each[:4])
    stages = {each.visibility for each in bound if not each.visibility.startswith(UNKNOWN)}
    for stage in sorted({"all", *stages}):
        before: BoundRegisters | None = None
        for each in ordered:
            if each.visibility not in ("all", stage):
                continue
            if before is None or before[:2] != each[:2]:
                before = each
                continue
            if each.first <= before.last and each.path not in known:
                known.add(each.path)
                message = (
                    f"{each.letter}{each.first} in space {each.space} is bound by {before.path}"
                )
                yield RootProblem("rts0.overlap", message, each.path)
            if each.last > before.last:
                before = each


# -- parameters ----------------------------------------------------------------------------------


def _check_register(register: int, space: int, path: str) -> Problems:
    if register >= LAST:
        message = f"expected a register up to {LAST - 1}, got {register}"
        yield RootProblem("rts0.register", message, f"{path}.register")
    if space >= RESERVED_SPACE:
        message = f"expected a space below 0x{RESERVED_SPACE:x}, got 0x{space:x}"
        yield RootProblem("rts0.space", message, f"{path}.space")


def _check_parameter(root: RootSignature, parameter: RootParameter, path: str) -> Problems:
    yield from _known(parameter.kind, "a kind of parameter", f"{path}.kind")
    yield from _known(parameter.visibility, "a visibility", f"{path}.visibility")
    denied = DENIED.get(parameter.visibility, "")
    if denied in root.flags:
        message = f"visible to {parameter.visibility}, which {denied.upper()} denies"
        yield RootProblem("rts0.visibility", message, f"{path}.visibility")
    if parameter.register is None or parameter.space is None:
        yield from _check_table(root, parameter.ranges, path)
        return
    yield from _check_register(parameter.register, parameter.space, path)
    flags = parameter.flags
    yield from _check_version(root, flags, "a root descriptor", "1.1", path)
    data = [each for each in flags if each in DATA]
    if len(data) > 1:
        message = f"expected at most one DATA flag, got {' | '.join(data).upper()}"
        yield RootProblem("rts0.descriptor-flags", message, f"{path}.flags")
    others = [each.upper() for each in flags if each not in DATA and not each.startswith("0x")]
    others += _unknown(flags)
    if others:
        message = f"expected no other flags than DATA flags, got {' | '.join(others)}"
        yield RootProblem("rts0.descriptor-flags", message, f"{path}.flags")


def _check_version(
    root: RootSignature, flags: Sequence[str], what: str, since: str, path: str
) -> Problems:
    if flags and root.version in VERSIONS and root.version < since:
        message = f"flags of {what} need version {since}, got {root.version}"
        yield RootProblem("rts0.flags-version", message, f"{path}.flags")


def _check_table(root: RootSignature, ranges: Sequence[RootRange], path: str) -> Problems:
    samplers = [each.kind == "sampler" for each in ranges]
    if any(samplers) and not all(samplers):
        yield RootProblem("rts0.table", "samplers and other descriptors in one table", path)
    for i, each in enumerate(ranges):
        where = f"{path}.ranges[{i}]"
        yield from _known(each.kind, "a kind of range", f"{where}.kind")
        yield from _check_register(each.register, each.space, where)
        yield from _check_version(root, each.flags, "a descriptor range", "1.1", where)
        yield from _check_range_flags(each, where)
        if each.count == 0:
            yield RootProblem("rts0.count", "a range without descriptors", f"{where}.count")
        if each.offset is None:
            yield RootProblem("rts0.append", "a range after an unbounded one", f"{where}.offset")
        elif each.offset > LAST:
            message = "a range after one that ends at the last offset"
            yield RootProblem("rts0.append", message, f"{where}.offset")
        if not each.count:
            continue
        last = each.register + each.count - 1
        if last > LAST and each.register < LAST:
            message = f"expected registers up to {LAST}, got {each.register} to {last}"
            yield RootProblem("rts0.register", message, f"{where}.count")
        elif last > LAST:
            message = f"expected one register from {each.register} on, got {each.count}"
            yield RootProblem("rts0.register", message, f"{where}.count")
        if each.offset is not None and each.offset <= LAST < each.offset + each.count - 1:
            message = f"expected offsets up to {LAST}, got {each.offset + each.count - 1}"
            yield RootProblem("rts0.offset", message, f"{where}.offset")


def _check_range_flags(each: RootRange, path: str) -> Problems:
    path += ".flags"
    given = " | ".join(each.flags).upper()
    data = [flag for flag in each.flags if flag in DATA]
    messages = []
    if unknown := _unknown(each.flags):
        messages.append(f"unknown bits {unknown[0]}")
    if data and each.kind == "sampler":
        messages.append(f"expected no DATA flag of samplers, got {given}")
    elif len(data) > 1:
        messages.append(f"expected at most one DATA flag, got {given}")
    if VOLATILE in each.flags and (DATA[2] in data or KEEPING in each.flags):
        other = DATA[2] if DATA[2] in data else KEEPING
        messages.append(f"expected {VOLATILE.upper()} or {other.upper()}, got both")
    for message in messages:
        yield RootProblem("rts0.range-flags", message, path)


# -- static samplers -----------------------------------------------------------------------------


def _check_sampler(root: RootSignature, sampler: StaticSampler, path: str) -> Problems:
    words = [
        (sampler.filter, "a filter", "filter"),
        *((mode, "an address mode", f"address[{i}]") for i, mode in enumerate(sampler.address)),
        (sampler.comparison, "a comparison function", "comparison"),
        (sampler.border_color, "a border colour", "border_color"),
        (sampler.visibility, "a visibility", "visibility"),
    ]
    for word, what, name in words:
        yield from _known(word, what, f"{path}.{name}")
    yield from _check_register(sampler.register, sampler.space, path)
    yield from _check_version(root, sampler.flags, "a static sampler", "1.2", path)
    for name, message in _sampler_values(sampler):
        yield RootProblem("rts0.sampler", message, f"{path}.{name}")
    if sampler.min_lod > sampler.max_lod:
        message = f"expected at least {sampler.min_lod:g}, got {sampler.max_lod:g}"
        yield RootProblem("rts0.sampler-lod", message, f"{path}.max_lod")
    if unknown := _unknown(sampler.flags):
        yield RootProblem("rts0.sampler-flags", f"unknown bits {unknown[0]}", f"{path}.flags")
    if UINT_BORDER in sampler.flags and not sampler.border_color.endswith("_uint"):
        message = f"expected a border colour of unsigned integers, got {sampler.border_color}"
        yield RootProblem("rts0.sampler-flags", message, f"{path}.border_color")
    if NON_NORMALIZED in sampler.flags:
        yield from _check_non_normalized(sampler, path)


def _sampler_values(sampler: StaticSampler) -> Iterable[tuple[str, str]]:
    if sampler.max_anisotropy > MAX_ANISOTROPY:
        message = f"expected at most {MAX_ANISOTROPY}, got {sampler.max_anisotropy}"
        yield "max_anisotropy", message
    if not BIAS[0] <= sampler.mip_lod_bias <= BIAS[1]:
        yield "mip_lod_bias", f"expected {BIAS[0]:g} to {BIAS[1]:g}, got {sampler.mip_lod_bias:g}"
    for name in ("min_lod", "max_lod"):
        if isnan(getattr(sampler, name)):
            yield name, "expected a number, got NaN"
    if sampler.filter.startswith("comparison_") and sampler.comparison == "none":
        yield "comparison", "expected a comparison function for a comparison filter, got none"


def _check_non_normalized(sampler: StaticSampler, path: str) -> Problems:
    plain = sampler.filter.removeprefix("minimum_").removeprefix("maximum_")
    wrong = []
    if plain not in UNIFORM_FILTERS:
        wrong.append((f"expected one filter with mip levels POINT, got {sampler.filter}", "filter"))
    for name in ("min_lod", "max_lod"):
        if (level := getattr(sampler, name)) != 0:
            wrong.append((f"expected 0, got {level:g}", name))
    for i, mode in enumerate(sampler.address[:2]):
        if mode not in EDGES:
            wrong.append((f"expected CLAMP or BORDER, got {mode}", f"address[{i}]"))
    for message, name in wrong:
        yield RootProblem("rts0.non-normalized", message, f"{path}.{name}")
