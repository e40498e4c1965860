"""Resources that the code refers to, by handles of every kind."""

import pytest

from tests.programs.dxil.modules import part
from unshade.isa.source import Source
from unshade.programs.dxil.assembler import assemble
from unshade.programs.dxil.facts import facts_of
from unshade.programs.dxil.facts.usage import constant_reads, used_resources
from unshade.programs.dxil.program import Program
from unshade.programs.dxil.shaderinfo import read_shader

TEXT = """
%dx.types.Handle = type {{ i8* }}
%dx.types.ResBind = type {{ i32, i32, i32, i8 }}
%view = type {{ i32 }}
@view = external constant %view
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1)
declare %dx.types.Handle @dx.op.createHandleForLib.view(i32, %view)
define void @main() {{
  {code}
  ret void
}}
!dx.resources = !{{!0}}
!0 = !{{!1, null, null, null}}
!1 = !{{!2, !3}}
!2 = !{{i32 0, %view* undef, !"a", i32 5, i32 4, i32 4, i32 12, i32 0, null}}
!3 = !{{i32 1, %view* @view, !"b", i32 0, i32 0, i32 -1, i32 12, i32 0, null}}
"""
HANDLE = "%h = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 {}, i32 0, i1 false)"
BINDING = (
    "%h = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, "
    "%dx.types.ResBind {}, i32 0, i1 false)"
)


@pytest.mark.parametrize(
    ("code", "used"),
    [
        ("", set()),
        (HANDLE.format(1), {(0, 1)}),
        (BINDING.format("{ i32 6, i32 7, i32 5, i8 0 }"), {(0, 0)}),
        (BINDING.format("{ i32 8, i32 8, i32 5, i8 0 }"), set()),
        (BINDING.format("{ i32 999, i32 999, i32 0, i8 0 }"), {(0, 1)}),
        (BINDING.format("{ i32 999, i32 999, i32 0, i8 1 }"), set()),
        (BINDING.format("zeroinitializer"), {(0, 1)}),
        (BINDING.format("undef"), set()),
        ("%v = load %view, %view* @view", {(0, 1)}),
    ],
)
def test_used_resources(code: str, used: set[tuple[int, int]]) -> None:
    module = assemble(Source(TEXT.format(code=code)))
    (function,) = [each for each in module.functions if each.blocks]
    resources = read_shader(module).resources.all
    assert used_resources(resources, function.instructions) == used


def test_facts_say_what_is_used() -> None:
    assert [each.resource.used for each in facts_of(Program.decode(part())).resources] == [True] * 3
    statistics = facts_of(Program.decode(part(b"STAT")))
    assert [each.resource.used for each in statistics.resources] == [None] * 3


CONSTANTS = """
%dx.types.Handle = type {{ i8* }}
%dx.types.CBufRet.f32 = type {{ float, float, float, float }}
%dx.types.ResProps = type {{ i32, i32 }}
%P = type {{ i32 }}
@P = external constant %P
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare %dx.types.Handle @dx.op.createHandleForLib.P(i32, %P)
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResProps)
declare %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32, %dx.types.Handle, i32)
declare i64 @dx.op.cbufferLoad.i64(i32, %dx.types.Handle, i32, i32)
define void @main(i32 %n) {{
  %h = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 0, i1 false)
  {code}
  ret void
}}
!dx.resources = !{{!0}}
!0 = !{{null, null, !1, null}}
!1 = !{{!2}}
!2 = !{{i32 0, %P* @P, !"P", i32 0, i32 0, i32 1, i32 64, null}}
"""
LEGACY = "%r = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, {}, i32 {})"
HERE = "%dx.types.Handle %h"
ANNOTATED = (
    "%a = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %h, "
    "%dx.types.ResProps { i32 13, i32 64 })\n"
)
FOR_LIB = (
    "%v = load %P, %P* @P\n%b = call %dx.types.Handle @dx.op.createHandleForLib.P(i32 160, %P %v)\n"
)


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("", {}),
        (LEGACY.format(HERE, 1), {(2, 0): set()}),
        (
            LEGACY.format(HERE, 1) + "\n%f = extractvalue %dx.types.CBufRet.f32 %r, 2",
            {(2, 0): {24, 25, 26, 27}},
        ),
        (
            ANNOTATED + LEGACY.format("%dx.types.Handle %a", 0)
            + "\n%f = extractvalue %dx.types.CBufRet.f32 %r, 0",
            {(2, 0): {0, 1, 2, 3}},
        ),
        (
            FOR_LIB + LEGACY.format("%dx.types.Handle %b", 0)
            + "\n%f = extractvalue %dx.types.CBufRet.f32 %r, 1",
            {(2, 0): {4, 5, 6, 7}},
        ),
        (
            "%d = call i64 @dx.op.cbufferLoad.i64(i32 58, %dx.types.Handle %h, i32 8, i32 8)",
            {(2, 0): set(range(8, 16))},
        ),
        (LEGACY.format(HERE, "%n"), {(2, 0): None}),
        (
            LEGACY.format(HERE, 2)
            + "\n%s = insertvalue %dx.types.CBufRet.f32 %r, float 0.0, 1",
            {(2, 0): set(range(32, 48))},
        ),
        ("%s = select i1 true, %dx.types.Handle %h, %dx.types.Handle %h", {(2, 0): None}),
        ("%v = load i32, i32* getelementptr (%P, %P* @P, i32 0, i32 0)\n%w = add i32 %v, 1",
         {(2, 0): None}),
    ],
)  # fmt: skip
def test_constant_reads(code: str, read: dict[tuple[int, int], set[int] | None]) -> None:
    module = assemble(Source(CONSTANTS.format(code=code)))
    (function,) = [each for each in module.functions if each.blocks]
    resources = read_shader(module).resources.all
    assert constant_reads(resources, list(function.instructions)) == read
