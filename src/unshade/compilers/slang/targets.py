"""Render targets of pixel shaders, by the numbers of their semantics.

    struct O { float4 a : SV_Target0; float4 b : SV_Target2; };      locations 0 and 2

Slang numbers the outputs of a pixel shader in the order of their declaration: b would be location
1, and be written to another target than fxc, dxc and glslang write it to. The reflection names the
semantics; the decorations of the module are set by them.
"""

import ctypes
import struct
from collections.abc import Iterator
from ctypes import c_char_p, c_int, c_size_t, c_uint32, c_void_p

STRUCT = 1  # SlangTypeKind
PIXEL = 5  # SlangStage
OUTPUT = 6  # SlangParameterCategory: what a stage varies
SEMANTIC = "SV_TARGET"
EXPLICIT = "vk::"  # begins attributes such as [[vk::location(1)]]
DEPTH = 32  # of structures in structures
HEADER = 5  # words before the instructions of SPIR-V
OP_ENTRY_POINT, OP_FUNCTION, OP_VARIABLE, OP_DECORATE = 15, 54, 59, 71
FRAGMENT, LOCATION, STORAGE_OUTPUT = 4, 30, 3

CALLS = (
    ("spGetReflection", c_void_p, [c_void_p]),
    ("spReflection_getEntryPointCount", c_size_t, [c_void_p]),
    ("spReflection_getEntryPointByIndex", c_void_p, [c_void_p, c_size_t]),
    ("spReflectionEntryPoint_getStage", c_int, [c_void_p]),
    ("spReflectionEntryPoint_getName", c_char_p, [c_void_p]),
    ("spReflectionEntryPoint_getResultVarLayout", c_void_p, [c_void_p]),
    ("spReflectionEntryPoint_getParameterCount", c_uint32, [c_void_p]),
    ("spReflectionEntryPoint_getParameterByIndex", c_void_p, [c_void_p, c_uint32]),
    ("spReflectionVariableLayout_GetTypeLayout", c_void_p, [c_void_p]),
    ("spReflectionVariableLayout_GetOffset", c_size_t, [c_void_p, c_int]),
    ("spReflectionVariableLayout_GetSemanticName", c_char_p, [c_void_p]),
    ("spReflectionVariableLayout_GetSemanticIndex", c_size_t, [c_void_p]),
    ("spReflectionTypeLayout_getKind", c_uint32, [c_void_p]),
    ("spReflectionTypeLayout_GetFieldCount", c_uint32, [c_void_p]),
    ("spReflectionTypeLayout_GetFieldByIndex", c_void_p, [c_void_p, c_uint32]),
)


def targets_of(library: ctypes.CDLL, request: c_void_p) -> dict[str, dict[int, int]]:
    """Return the number of the target for each location that Slang assigns, by entry point."""
    reflection = library.spGetReflection(request)
    found: dict[str, dict[int, int]] = {}
    for at in range(library.spReflection_getEntryPointCount(reflection)):
        entry = library.spReflection_getEntryPointByIndex(reflection, at)
        if library.spReflectionEntryPoint_getStage(entry) != PIXEL:
            continue
        outputs = [library.spReflectionEntryPoint_getResultVarLayout(entry)]
        count = library.spReflectionEntryPoint_getParameterCount(entry)
        outputs += [
            library.spReflectionEntryPoint_getParameterByIndex(entry, number)
            for number in range(count)
        ]
        name = library.spReflectionEntryPoint_getName(entry) or b""
        places = (place for each in outputs if each for place in _targets(library, each, 0, 0))
        found[name.decode("utf-8", "replace")] = dict(places)
    return found


def _targets(
    library: ctypes.CDLL, variable: int, first: int, depth: int
) -> Iterator[tuple[int, int]]:
    """Yield the location and the number of the target of each output in a variable."""
    location = first + library.spReflectionVariableLayout_GetOffset(variable, OUTPUT)
    type = library.spReflectionVariableLayout_GetTypeLayout(variable)
    if library.spReflectionTypeLayout_getKind(type) == STRUCT and depth < DEPTH:
        for at in range(library.spReflectionTypeLayout_GetFieldCount(type)):
            each = library.spReflectionTypeLayout_GetFieldByIndex(type, at)
            yield from _targets(library, each, location, depth + 1)
        return
    name = library.spReflectionVariableLayout_GetSemanticName(variable) or b""
    if name.decode("utf-8", "replace").upper() == SEMANTIC:
        yield location, library.spReflectionVariableLayout_GetSemanticIndex(variable)


def located(data: bytes, targets: dict[str, dict[int, int]]) -> bytes:
    """Return a module whose outputs have the locations of their targets.

    An output that two entry points share with other targets keeps its location.
    """
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    wanted: dict[int, set[int]] = {}  # new locations by variable
    outputs = set()
    decorations: dict[int, int] = {}  # the word of a location by variable
    entries = []
    for at, opcode, length in _instructions(words):
        if opcode == OP_ENTRY_POINT and words[at + 1] == FRAGMENT:
            entries.append((at, length))
        elif opcode == OP_DECORATE and words[at + 2] == LOCATION:
            decorations[words[at + 1]] = at + 3
        elif opcode == OP_VARIABLE and words[at + 3] == STORAGE_OUTPUT:
            outputs.add(words[at + 2])
    for at, length in entries:
        raw = struct.pack(f"<{length - 3}I", *words[at + 3 : at + length])
        name = raw.partition(b"\0")[0]
        known = targets.get(name.decode("utf-8", "replace"), {})
        for variable in words[at + 4 + len(name) // 4 : at + length]:
            place = decorations.get(variable)
            if variable in outputs and place is not None and words[place] in known:
                wanted.setdefault(variable, set()).add(known[words[place]])
    for variable, numbers in wanted.items():
        if len(numbers) == 1:
            (words[decorations[variable]],) = numbers
    return struct.pack(f"<{len(words)}I", *words)


def _instructions(words: list[int]) -> Iterator[tuple[int, int, int]]:
    """Yield place, opcode and length of the instructions before the first function."""
    at = HEADER
    while at < len(words) and words[at] >> 16:
        length, opcode = divmod(words[at], 1 << 16)
        if opcode == OP_FUNCTION:
            return
        yield at, opcode, length
        at += length
