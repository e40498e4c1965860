"""Faults of the compilers by which the proof recompiles, each shown by the compiler's output.

A source that a compiler translates wrongly proves nothing. A fault is only taken as the reason of
a difference if the source has the words that the compiler is known to translate wrongly, and the
module that it made lacks what they mean.
"""

import re
from collections.abc import Callable

__all__ = ["compiler_fault"]

STRUCTURE = re.compile(r"^struct (\w+) \{\n((?:    .*;\n)+)\};", re.M)
MEMBER = re.compile(r"    (\w+) \w+((?:\[\d+\])*)(?: : .*)?;")
WORDS = re.compile(r"(?:float|int|uint|bool)(\d?)(?:x(\d))?$")


def several_streams(text: str, module: str) -> bool:
    """glslang emits the vertices of all streams to the first one; Slang refuses the source."""
    return len(re.findall(r"inout \w+Stream<", text)) > 1 and "OpEmitStreamVertex" not in module


def signed_limit_of_bytes(text: str, module: str) -> bool:
    """Slang takes a signed minimum or maximum in a buffer of bytes for an unsigned one."""
    signed = re.findall(r"\.Interlocked(?:Max|Min)\([^;]*, (?:int\(|-?\d+[,)])", text)
    return len(signed) > len(re.findall(r"= OpAtomicSM(?:ax|in) ", module))


def patch_constant_is_not_written(text: str, module: str) -> bool:
    """glslang forgets constants of a patch that depend on control points; Slang crashes."""
    for member in re.findall(r"^    constants\.(\w+)(?:\[\d+\]|\.\w+)? = ", text, flags=re.M):
        variable = rf"%_patchConstantOutput_{member}"
        declared = re.search(rf"OpDecorate {variable} Patch", module)
        if declared and not re.search(rf"(?:OpStore|OpAccessChain %\w+) {variable}\b", module):
            return True
    return False


def points_of_undefined_vertices(text: str, module: str) -> bool:
    """glslang computes the control points that constants of a patch read from no vertices."""
    undefined = re.findall(r"(%\w+) = OpUndef ", module)
    vertices = re.findall(r"= OpCompositeConstruct %Vertex (.*)$", module, flags=re.M)
    return "OutputPatch<" in text and any(set(each.split()) <= set(undefined) for each in vertices)


def element_of_another_size(text: str, module: str) -> bool:
    """glslang lays out the elements of a structured buffer as Vulkan does, not Direct3D."""
    for name, members in STRUCTURE.findall(text):
        stride = re.search(rf"OpDecorate %_runtimearr_{name} ArrayStride (\d+)", module)
        if stride is not None and 0 < _size(members) != int(stride[1]):
            return True
    return False


def _size(members: str) -> int:
    """Return the bytes of the members of a structure; 0 if one of them is a structure."""
    total = 0
    for type, arrays in MEMBER.findall(members):
        found = WORDS.match(type)
        if found is None:
            return 0
        count = int(found[1] or 1) * int(found[2] or 1)
        for each in re.findall(r"\d+", arrays):
            count *= int(each)
        total += 4 * count
    return total


def quads_of_a_row(text: str, module: str) -> bool:
    """Slang has quads of four lanes in a row in a thread group with several rows."""
    threads = re.search(r"^\[numthreads\(\d+, (\d+), ", text, flags=re.M)
    in_quads = re.search(r"QuadRead|ddx|ddy|\.Sample\(", text)
    rows = threads is not None and int(threads[1]) > 1
    return rows and in_quads is not None and "DerivativeGroupQuads" not in module


def helpers_take_no_part(text: str, module: str) -> bool:
    """Slang ignores `WaveOpsIncludeHelperLanes`."""
    return "[WaveOpsIncludeHelperLanes]" in text and "RequireFullQuads" not in module


def product_with_one_is_left_out(text: str, module: str) -> bool:
    """Slang takes x * 1.0 for x in `precise` code, which does not flush a subnormal number."""
    return len(re.findall(r"\* 1\.0\b", text)) > _with_constant("OpFMul", "1", module)


def sum_with_zero_is_left_out(text: str, module: str) -> bool:
    """Slang takes x + 0.0 for x in `precise` code, which makes no 0.0 of -0.0."""
    return len(re.findall(r"\+ 0\.0\b", text)) > _with_constant("OpFAdd", "0", module)


def _with_constant(operation: str, number: str, module: str) -> int:
    """Count the operations of a module with a number, or a vector of it."""
    constants = re.findall(
        rf"(%\w+) = OpConstant(?:Composite)? %\w+ "
        rf"(?:{number}|%float_{number}(?: %float_{number})*)$",
        module, flags=re.M,
    )  # fmt: skip
    return sum(len(re.findall(rf"{operation} %\w+ .*{each}\b", module)) for each in constants)


FAULTS: dict[Callable[[str, str], bool], str] = {
    several_streams: "vertices of several streams go to one",
    signed_limit_of_bytes: "a signed minimum or maximum in a buffer of bytes is unsigned",
    patch_constant_is_not_written: "a constant of the patch is not written",
    points_of_undefined_vertices: "control points are computed from undefined vertices",
    element_of_another_size: "the elements of a buffer have another size",
    quads_of_a_row: "the quads of a thread group are rows",
    helpers_take_no_part: "helper lanes take no part in operations of waves",
    product_with_one_is_left_out: "x * 1.0 does not flush a subnormal number",
    sum_with_zero_is_left_out: "x + 0.0 does not make 0.0 of -0.0",
}


def compiler_fault(text: str, module: str) -> str:
    """Return the fault of the compiler that a source and the module made of it show; "" if none."""
    return next((words for shows, words in FAULTS.items() if shows(text, module)), "")
