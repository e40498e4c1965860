"""Decompilation: kernels to source of a shading language.

    kernel tree ── recognise ── simplify ── kinds ── vectors ── placement ── lines ── text
                   operations.py           kinds.py  vectors.py placement.py statements.py
                                                                expressions.py      printer.py

No step depends on the format of the shader, and only the target (hlsl, glsl, spirv) depends on
the language:

    operations   library functions that lowering wrote out, recognised again
    kinds        float, int or uint of registers, by minimum cut
    vectors      lanes of one instruction, as groups; variables as vectors
    placement    which groups get a variable
    expressions  operands and results of groups, as source trees (tree.py)
    statements   control flow and effects, as lines
    resources    accesses to buffers, textures and shared memory
    interface    parameters, from the signature
    points       vertices and control points, which stages take and emit
    bookkeeping  statements of this library, removed
    local_arrays arrays at known places, as variables
    layout       members of buffers, from the reflection
    names        unique identifiers
    printer      the text, by the spellings of a target (spelling.py)
"""

from .shaders import decompile_shader, translated_text
from .source import STYLES, TARGETS, decompile

__all__ = ["STYLES", "TARGETS", "decompile", "decompile_shader", "translated_text"]
