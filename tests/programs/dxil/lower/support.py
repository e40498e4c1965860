"""Shaders from the bodies of their functions, and their results.

A compute shader of one group has the raw buffer `%in` (t0) and the written one `%out` (u1). Bodies
are LLVM assembly; declarations of the functions that they call are added.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.kernels import kernel_of
from tests.oracle.verify import verify
from unshade.ir.lowered import Lowered
from unshade.ir.specialisation import Specialisation
from unshade.isa.source import Source
from unshade.programs.dxil import Code
from unshade.programs.dxil.assembler import assemble
from unshade.programs.dxil.bitstream import Bitstream
from unshade.programs.dxil.lower import lower
from unshade.run import engines
from unshade.vm.launch import Array

ENGINES = ("lockstep", "jit")
LAYOUT = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64"
TYPES = """
%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.fouri32 = type { i32, i32, i32, i32 }
%dx.types.i32c = type { i32, i1 }
%dx.types.twoi32 = type { i32, i32 }
%dx.types.splitdouble = type { i32, i32 }
%struct.Buffer = type { i32 }
"""
HANDLES = """
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 1, i1 false)
  %lane = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %at = shl i32 %lane, 2
"""
METADATA = """
!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.resources = !{{!2}}
!dx.entryPoints = !{{!7}}
!0 = !{{i32 1, i32 6}}
!1 = !{{!"cs", i32 6, i32 {model}}}
!2 = !{{!3, !5, null, null}}
!3 = !{{!4}}
!4 = !{{i32 0, %struct.Buffer* {view}, !"in", i32 0, i32 0, i32 1, i32 11, i32 0, null}}
!5 = !{{!6}}
!6 = !{{i32 0, %struct.Buffer* undef, !"out", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false,
  i1 false, null}}
!7 = !{{void ()* @main, !"main", null, !2, !8}}
!8 = !{{i32 4, !9{more}}}
!9 = !{{i32 {x}, i32 {y}, i32 {z}}}
"""
CALL = re.compile(r"call ([^@]+?) @([\w.]+)\(([^)]*)\)")


def code_of(text: str) -> Code:
    """Return the program of a text."""
    module = assemble(Source(text, ""))
    code = Code(0x5_0066, 0x106, Bitstream([]))
    code.module = module
    return code


def declarations(text: str) -> str:
    """Return declarations of the functions that a text calls and does not define."""
    found = {}
    for result, name, arguments in CALL.findall(text):
        types = []
        for each in re.split(r",\s*(?![^{]*\})", arguments.strip()):
            kind = re.match(r"(%[\w.]+\*?|[\w]+\*?|<[^>]*>)", each)
            if kind is not None:
                types.append(kind[1])
        found[name] = f"declare {result.strip()} @{name}({', '.join(types)})"
    return "\n".join(each for name, each in found.items() if f"@{name}(" not in _defined(text))


def _defined(text: str) -> str:
    return " ".join(re.findall(r"define [^{]+", text))


def compute_text(
    body: str,
    *,
    threads: int | tuple[int, int, int] = 1,
    model: int = 6,
    more: str = "",
    before: str = "",
    attributes: str = "",
    after: str = "",
    view: str = "undef",
) -> str:
    """Return the text of a compute shader of Shader Model 6; `model` is the minor version.

    `before` are globals and functions, `more` its properties, and `view` is the variable of `%in`.
    """
    x, y, z = (threads, 1, 1) if isinstance(threads, int) else threads
    main = f"define void @main() #0 {{\n{HANDLES}{body}\n  ret void\n}}"
    return "\n".join([
        f'target datalayout = "{LAYOUT}"', 'target triple = "dxil-ms-dx"', TYPES, before, main,
        declarations(main + before), f"attributes #0 = {{ nounwind {attributes} }}",
        METADATA.format(x=x, y=y, z=z, model=model, more=more, view=view), after,
    ])  # fmt: skip


def compute(body: str, **options: Any) -> Code:
    """Return a compute shader; the options are those of `compute_text`."""
    return code_of(compute_text(body, **options))


def lowered(code: Code, **options: Any) -> Lowered:
    """Return a verified kernel."""
    found = lower(code, "main", Specialisation(**options))
    verify(found.kernel)
    return found


def run(
    code: Code, given: Sequence[int] = (0,), size: int = 4, groups: int = 1, **options: Any
) -> Array:
    """Return the words that a shader writes, the same on both engines."""
    results = []
    for engine in ENGINES:
        kernel = kernel_of(lowered(code, **options), None, engines.choose(engine, False))
        bound = {
            "t0": np.array(given, "<u4"),
            "u1": np.zeros(size, "<u4"),
        }
        names = {each.name for each in kernel.bindings}
        made = kernel.dispatch(
            (groups, 1, 1), **{name: each for name, each in bound.items() if name in names}
        )
        results.append(made["u1"].view("<u4"))
    np.testing.assert_array_equal(results[0], results[1])
    found: Array = results[0]
    return found


def load(name: str, byte: int | str = "%at", type: str = "i32") -> str:
    """Return the text of a load from the input."""
    short = {"i32": "i32", "float": "f32"}[type]
    return f"""
  %{name}.r = call %dx.types.ResRet.{short} @dx.op.rawBufferLoad.{short}(i32 139, \
%dx.types.Handle %in, i32 {byte}, i32 undef, i8 1, i32 4)
  %{name} = extractvalue %dx.types.ResRet.{short} %{name}.r, 0"""


def store(value: str, byte: int | str = "%at", type: str = "i32") -> str:
    """Return the text of a store to the output."""
    short = {"i32": "i32", "float": "f32"}[type]
    nothing = ", ".join([f"{type} undef"] * 3)
    return f"""
  call void @dx.op.rawBufferStore.{short}(i32 140, %dx.types.Handle %out, i32 {byte}, i32 undef, \
{type} {value}, {nothing}, i8 1, i32 4)"""
