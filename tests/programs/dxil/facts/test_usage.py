"""Resources that the code refers to, by handles of every kind."""

import pytest

from tests.programs.dxil.modules import part
from unshade.isa.source import Source
from unshade.programs.dxil.assembler import assemble
from unshade.programs.dxil.facts import facts_of
from unshade.programs.dxil.facts.usage import used_resources
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
