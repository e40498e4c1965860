"""The compute shader that calls a function of a source, once for each thread.

    StructuredBuffer<T> unshade_in_0;            an argument for each call
    RWStructuredBuffer<R> unshade_result;

    [numthreads(64, 1, 1)] void unshade_call(…) { … unshade_result[i] = f(a0, a1); … }

The shader is appended to the source, so that lines of the source keep their numbers. Buffers have
the scalar layout, which has C's rules without the padding of vectors; a bool is a uint in them.
Slang accepts this text in HLSL, in GLSL and in its own language.
"""

import re
from collections.abc import Sequence

from ...compilers.signatures import (
    VECTOR,
    DeclaredFunction,
    DeclaredParameter,
    DeclaredType,
)
from ...ir.parameters import ValueLayout, laid_out
from ...ir.types import BOOL, F16, F32, F64, I8, I16, I32, I64, Type

ENTRY = "unshade_call"
RESULT = "unshade_result"
COUNT = "unshade_count"
CONSTANTS = "unshade_call_data"
THREADS = 64
SPACE = 31  # a descriptor set that sources do not use
CALL = f"[[vk::binding(0, {SPACE})]] cbuffer {CONSTANTS}"  # how the wrapper begins
OPTIONS = ("-fvk-use-scalar-layout",)
RESOURCE = re.compile(
    r"(RW|RasterizerOrdered)?(Texture|Buffer\b|StructuredBuffer|ByteAddressBuffer)"
    r"|Sampler(Comparison)?State|Sampler(1D|2D|3D|Cube)|ConstantBuffer"
)
TYPES: dict[str, Type] = {
    "bool": BOOL, "float16": F16, "float32": F32, "float64": F64,
    "int8": I8, "uint8": I8, "int16": I16, "uint16": I16, "int32": I32, "uint32": I32,
    "int64": I64, "uint64": I64,
}  # fmt: skip


def wrapper(
    function: DeclaredFunction,
    given: Sequence[DeclaredParameter],
    resources: Sequence[tuple[int, DeclaredParameter]] = (),
) -> str:
    """Return the text that calls a function with these of its parameters; others have defaults.

    `resources` are parameters that `function` leaves out, by their positions among all.
    """
    buffers, before, arguments, after = [], [], [], []
    for number, each in enumerate(function.parameters):
        if each not in given and each.read:
            continue
        local = f"unshade_{number}"
        spelled = _stored(each.type)
        before.append(f"    {each.type.name} {local};")
        if each.read:
            buffers.append(f"StructuredBuffer<{spelled}> {input_name(number)};")
            before[-1] = f"    {each.type.name} {local} = {_cast(each.type, input_name(number))};"
        if each.written:
            buffers.append(f"RWStructuredBuffer<{spelled}> {output_name(number)};")
            after.append(f"    {output_name(number)}[{ENTRY}_id] = {_back(each.type, local)};")
        arguments.append(local)
    for at, each in resources:
        buffers.append(f"{each.type.name} {resource_name(at)};")
        arguments.insert(at, resource_name(at))
    call = f"{function.name}({', '.join(arguments)})"
    if function.result is not None:
        buffers.append(f"RWStructuredBuffer<{_stored(function.result)}> {RESULT};")
        call = f"{function.result.name} unshade_value = {call}"
        after.append(f"    {RESULT}[{ENTRY}_id] = {_back(function.result, 'unshade_value')};")
    bound = [f"[[vk::binding({at}, {SPACE})]] {text}" for at, text in enumerate(buffers, 1)]
    count = f"{CALL} {{ uint {COUNT}; }};"
    return "\n".join(
        [
            "", count, *bound, f'[shader("compute")] [numthreads({THREADS}, 1, 1)]',
            f"void {ENTRY}(uint3 {ENTRY}_thread : SV_DispatchThreadID)", "{",
            f"    uint {ENTRY}_id = {ENTRY}_thread.x;", f"    if ({ENTRY}_id >= {COUNT}) return;",
            *before, f"    {call};", *after, "}", "",
        ]
    )  # fmt: skip


def input_name(number: int) -> str:
    """Return the name of the buffer with the arguments of a parameter, by its position."""
    return f"unshade_in_{number}"


def output_name(number: int) -> str:
    """Return the name of the buffer that a parameter is written to."""
    return f"unshade_out_{number}"


def resource_name(number: int) -> str:
    """Return the name of a parameter that is a resource, by its position."""
    return f"unshade_bound_{number}"


def is_resource(type: DeclaredType) -> bool:
    """Return True for textures, samplers and buffers, which are bound."""
    return not type.is_value and RESOURCE.match(type.name) is not None


def _is_bool(type: DeclaredType) -> bool:
    return type.scalar == "bool"


def _stored(type: DeclaredType) -> str:
    """Return the type of an element of a buffer."""
    if not _is_bool(type):
        return type.name
    return "uint" if not type.shape else f"vector<uint, {type.shape[0]}>"


def _cast(type: DeclaredType, buffer: str) -> str:
    text = f"{buffer}[{ENTRY}_id]"
    return f"({type.name})({text})" if _is_bool(type) else text


def _back(type: DeclaredType, value: str) -> str:
    return f"({_stored(type)})({value})" if _is_bool(type) else value


def refusal(type: DeclaredType) -> str:
    """Return why arrays cannot hold values of a type, or "" if they can."""
    if not type.is_value:
        return f"{type} has no values that an array can hold"
    booleans = _is_bool(type) and bool(type.shape) and not VECTOR.fullmatch(type.name)
    if booleans or any(_holds_bool(each) for _, each in type.members):
        return f"{type} contains bool, which has no layout in memory"
    return ""


def _holds_bool(type: DeclaredType) -> bool:
    return _is_bool(type) or any(_holds_bool(each) for _, each in type.members)


def layout_of(type: DeclaredType) -> ValueLayout:
    """Return the layout of a type in a buffer; matrices are stored column after column."""
    members = [(name, layout_of(each)) for name, each in type.members]
    scalar = TYPES.get(type.scalar)
    unsigned = type.scalar.startswith("u")
    return laid_out(type.shape, scalar, members, unsigned=unsigned, transposed=type.matrix)
