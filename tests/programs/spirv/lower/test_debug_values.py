"""Variables of the source, inlined calls and scopes, from debug information."""

import numpy as np
import pytest

import unshade
from unshade.ir.locations import in_scope, local_name
from unshade.run.debugging.debugger import Debugger
from unshade.run.debugging.frames import calling, frames
from unshade.run.debugging.trace_view import number, text, watched

from .modules import shader

SET = """%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%file = OpString "light.hlsl"
%n_main = OpString "main"
%n_shade = OpString "shade"
%n_light = OpString "light"
%n_Light = OpString "Light"
%n_dir = OpString "dir"
%n_colour = OpString "colour"
%n_float = OpString "float"
%n_uint = OpString "uint"
%n_r = OpString "r"
%n_flags = OpString "flags"
%n_table = OpString "table\""""
NUMBERS = (5, 6, 7, 8, 9, 11, 32, 64, 96, 100, 131072)
VALUES = """\
%v2float = OpTypeVector %float 2
%f2 = OpConstant %float 2
%f3 = OpConstant %float 3
%pair = OpConstantComposite %v2float %f2 %f3
%none = OpUndef %v2float
%v2uint = OpTypeVector %uint 2
%p_pair = OpTypePointer Function %v2uint
%p_one = OpTypePointer Function %uint
%four = OpTypeArray %uint %c4
%p_four = OpTypePointer Function %four
"""
DEBUG = """\
%exp = OpExtInst %void %set DebugExpression
%source = OpExtInst %void %set DebugSource %file
%unit = OpExtInst %void %set DebugCompilationUnit %c1 %c4 %source %c5
%float_ = OpExtInst %void %set DebugTypeBasic %n_float %c32 %c3 %c0
%uint_ = OpExtInst %void %set DebugTypeBasic %n_uint %c32 %c6 %c0
%float2_ = OpExtInst %void %set DebugTypeVector %float_ %c2
%uint2_ = OpExtInst %void %set DebugTypeVector %uint_ %c2
%array_ = OpExtInst %void %set DebugTypeArray %float2_ %c2
%table_ = OpExtInst %void %set DebugTypeArray %uint_ %c4
%dir_ = OpExtInst %void %set DebugTypeMember %n_dir %float_ %source %c1 %c1 %c0 %c32 %c0
%colour_ = OpExtInst %void %set DebugTypeMember %n_colour %array_ %source %c1 %c1 %c32 %c96 %c0
%Light_ = OpExtInst %void %set DebugTypeComposite %n_Light %c1 %source %c1 %c1 %unit %n_Light \
%c96 %c0 %dir_ %colour_
%fn_ = OpExtInst %void %set DebugTypeFunction %c0 %void
%main_ = OpExtInst %void %set DebugFunction %n_main %fn_ %source %c1 %c1 %unit %n_main %c0 %c1
%shade_ = OpExtInst %void %set DebugFunction %n_shade %fn_ %source %c5 %c1 %unit %n_shade %c0 %c5
%block_ = OpExtInst %void %set DebugLexicalBlock %source %c8 %c1 %shade_
%light_ = OpExtInst %void %set DebugLocalVariable %n_light %Light_ %source %c6 %c1 %main_ %c0
%r_ = OpExtInst %void %set DebugLocalVariable %n_r %uint_ %source %c7 %c1 %shade_ %c0
%inner_ = OpExtInst %void %set DebugLocalVariable %n_r %uint_ %source %c9 %c1 %block_ %c0
%flags_ = OpExtInst %void %set DebugLocalVariable %n_flags %uint2_ %source %c2 %c1 %main_ %c0
%table__ = OpExtInst %void %set DebugLocalVariable %n_table %table_ %source %c3 %c1 %main_ %c0
%at = OpExtInst %void %set DebugInlinedAt %c11 %main_
"""
CODE = """\
%s0 = OpExtInst %void %set DebugScope %main_
%l0 = OpExtInst %void %set DebugLine %source %c6 %c6 %c1 %c1
%d0 = OpExtInst %void %set DebugDeclare %flags_ %flags %exp
%pf = OpAccessChain %p_one %flags %c1
OpStore %pf %x
%d1 = OpExtInst %void %set DebugDeclare %table__ %table %exp
%pt = OpAccessChain %p_one %table %i
OpStore %pt %x
%v0 = OpExtInst %void %set DebugValue %light_ %none %exp %c1 %c0
%v1 = OpExtInst %void %set DebugValue %light_ %pair %exp %c1 %c1
%v2 = OpExtInst %void %set DebugValue %light_ %pair %exp %c1 %c1
%v3 = OpExtInst %void %set DebugValue %light_ %f2 %exp %c0
%s1 = OpExtInst %void %set DebugScope %shade_ %at
%l1 = OpExtInst %void %set DebugLine %source %c7 %c7 %c1 %c1
%y = OpIAdd %uint %x %c1
%v4 = OpExtInst %void %set DebugValue %r_ %y %exp
%s2 = OpExtInst %void %set DebugScope %block_ %at
%l2 = OpExtInst %void %set DebugLine %source %c9 %c9 %c1 %c1
%z = OpIMul %uint %y %y
%v5 = OpExtInst %void %set DebugValue %inner_ %z %exp
%s3 = OpExtInst %void %set DebugScope %main_
%l3 = OpExtInst %void %set DebugLine %source %c11 %c11 %c1 %c1"""
VARIABLES = "%flags = OpVariable %p_pair Function\n%table = OpVariable %p_four Function"


def debugged() -> unshade.Shader:
    numbers = "\n".join(f"%c{each} = OpConstant %uint {each}" for each in NUMBERS)
    return shader(
        CODE, "%z", decorations="", variables=VARIABLES,
        globals=f"{numbers}\n{VALUES}{DEBUG}", entries=SET,
    )  # fmt: skip


def debugger(module: unshade.Shader | None = None) -> Debugger:
    found = unshade.kernel(module or debugged()).debug((1, 0, 0))
    found.dispatch(1, source=np.array([5, 2, 7, 8], "<u4"), target=np.zeros(4, "<u4"))
    return found


def values(found: Debugger, name: str) -> dict[str, float | int]:
    found.check_name(name)
    return {each.label or each.name: number(each) for _, each in found.trace.watch(name)}


def test_a_value_has_members_elements_and_components() -> None:
    assert values(debugger(), "light") == {
        "main::light.colour[1].x": 2.0,
        "main::light.colour[1].y": 3.0,
        "main::light.dir": 2.0,
    }
    assert values(debugger(), "light.colour.y") == {"main::light.colour[1].y": 3.0}


def test_a_value_that_is_repeated_is_set_once() -> None:
    found = [each.name for _, each in debugger().trace.watch("light.colour[1].x")]
    assert found == ["main::light.colour[1].x"]


def test_a_declared_variable_has_the_name_of_the_source() -> None:
    found = debugger()
    assert values(found, "flags") == {"main::flags.y": 2}
    ((_, each),) = found.trace.watch("flags")
    assert (each.path.steps[1:], each.type, each.kind) == ((".y",), "uint2", "uint")


def test_elements_of_a_declared_array_have_names() -> None:
    """A store at an index writes one element, even if the elements are separate variables."""
    found = debugger()
    assert values(found, "table") == {"main::table[1]": 2}
    assert values(found, "main::table[1]") == {"main::table[1]": 2}


def test_variables_of_one_name_are_told_apart() -> None:
    """A function and a block in it have a variable r each."""
    found = debugger()
    assert [(each.name, each.label, each.bits) for _, each in found.trace.watch("r")] == [
        ("shade::r", "shade::r", 3),
        ("shade::r@9", "shade::r", 9),
    ]
    assert [each.bits for _, each in found.trace.watch("shade::r@9")] == [9]
    assert len([*found.trace.watch("shade::r")]) == 2
    assert not [*found.trace.watch("main::r")]


def test_an_unknown_name_lists_variables_of_the_source() -> None:
    with pytest.raises(unshade.UsageError, match="did you mean main::light"):
        debugger().check_name("main::ligt")


def test_the_stack_of_an_inlined_call() -> None:
    found = debugger()
    stacks = {
        each.label: calling(frames(entry.location, entry.line))
        for entry, each in [*found.trace.watch("r"), *found.trace.watch("light.dir")]
    }
    called = "in shade, called from light.hlsl:11 in main"
    assert stacks == {"shade::r": called, "main::light.dir": "in main"}
    assert found.files.lines["light.hlsl"] == {6, 7, 9, 11}


def test_watched_lines_have_type_and_line_of_the_source() -> None:
    found = debugger()
    lines = text(watched(found, range(len(found.trace.entries)), ["r", "light.dir"]))
    assert [" ".join(each.split()[1:]) for each in lines] == [
        "Light main::light.dir 2.0 0x40000000 light.hlsl:6",
        "uint shade::r 3 0x00000003 light.hlsl:7 , in shade",
        "uint shade::r@9 shade::r 9 0x00000009 light.hlsl:9 , in shade",
    ]


def test_a_name_means_the_variable_of_the_active_function() -> None:
    found = unshade.kernel(debugged()).debug((1, 0, 0))
    lines = found.listing
    inside = next(at for at, line in enumerate(lines, 1) if "OpIMul" in line)
    lens = found.lens("r", inside)
    assert [str(each) for each in lens.components] == ["shade::r"]
    names = [local_name(each, "r", ".x") for each in ("main", "shade")]
    assert in_scope(names, "r", ["shade", "main"]) == names[1:]
    assert in_scope(names, "r", ["main"]) == names[:1]
    assert in_scope(names, "main::r", ["shade", "main"]) == names[:1]
    assert in_scope(names, "r", []) == names


ARRAY = """\
%pt = OpAccessChain %p_one %table %i
OpStore %pt %x
%pr = OpAccessChain %p_one %table {index}
%r = OpLoad %uint %pr"""


@pytest.mark.parametrize(("index", "findings"), [("%i", 0), ("%c0", 3)])
def test_an_element_of_a_small_array_is_one_place(index: str, findings: int) -> None:
    """Its elements are variables, and all of them take part in an access at an index."""
    module = shader(
        ARRAY.format(index=index), "%r", variables="%table = OpVariable %p_four Function",
        globals="%four = OpTypeArray %uint %c4\n%p_one = OpTypePointer Function %uint\n"
        "%p_four = OpTypePointer Function %four", decorations='OpName %table "table"',
    )  # fmt: skip
    found = debugger(module)
    assert [each.finding.count for each in found.findings] == [findings] * bool(findings)
    seen = {
        each.name for entry in found.trace.entries for each in (*entry.reads, *entry.writes)
        if "table" in each.name
    }  # fmt: skip
    assert seen == ({"%table[1]", "%table[0]"} if findings else {"%table[1]"})


def test_a_variable_without_a_place_keeps_its_name_and_type() -> None:
    """Optimisers drop DebugDeclare; the variable of the module has the name alone."""
    code = CODE.replace("%d1 = OpExtInst %void %set DebugDeclare %table__ %table %exp\n", "")
    numbers = "\n".join(f"%c{each} = OpConstant %uint {each}" for each in NUMBERS)
    module = shader(
        code, "%z", decorations='OpName %table "table"', variables=VARIABLES,
        globals=f"{numbers}\n{VALUES}{DEBUG}", entries=SET,
    )  # fmt: skip
    ((_, each),) = debugger(module).trace.watch("main::table")
    assert (each.label, each.type, each.bits) == ("main::table[1]", "uint[4]", 2)


OPENCL = """\
%ext = OpExtInstImport "OpenCL.DebugInfo.100"
%file = OpString "light.cl"
%n_main = OpString "main"
%n_shade = OpString "shade"
%n_uint = OpString "uint"
%n_r = OpString "r"
%n_Pair = OpString "Pair"
%n_first = OpString "first"
%n_rest = OpString "rest"
"""
LITERALS = """\
%c32 = OpConstant %uint 32
%c96 = OpConstant %uint 96
%exp = OpExtInst %void %ext DebugExpression
%source = OpExtInst %void %ext DebugSource %file
%unit = OpExtInst %void %ext DebugCompilationUnit 1 4 %source HLSL
%none = OpExtInst %void %ext DebugInfoNone
%uint_ = OpExtInst %void %ext DebugTypeBasic %n_uint %c32 Unsigned
%uint2_ = OpExtInst %void %ext DebugTypeVector %uint_ 2
%fn_ = OpExtInst %void %ext DebugTypeFunction FlagIsPublic %void
%main_ = OpExtInst %void %ext DebugFunction %n_main %fn_ %source 1 1 %unit %n_main FlagIsPublic 1 \
%main
%shade_ = OpExtInst %void %ext DebugFunction %n_shade %fn_ %source 5 1 %unit %n_shade FlagIsPublic \
5 %none
%first_ = OpExtInst %void %ext DebugTypeMember %n_first %uint_ %source 1 1 %Pair_ %c0 %c32 \
FlagIsPublic
%rest_ = OpExtInst %void %ext DebugTypeMember %n_rest %uint2_ %source 1 1 %Pair_ %c32 %c32 \
FlagIsPublic
%Pair_ = OpExtInst %void %ext DebugTypeComposite %n_Pair Structure %source 1 1 %unit %n_Pair \
%c96 FlagIsPublic %first_ %rest_
%r_ = OpExtInst %void %ext DebugLocalVariable %n_r %Pair_ %source 7 1 %shade_ FlagIsLocal
%at = OpExtInst %void %ext DebugInlinedAt 11 %main_
"""


def test_the_set_of_opencl_has_literals() -> None:
    code = """\
%s1 = OpExtInst %void %ext DebugScope %shade_ %at
OpLine %file 7 3
%y = OpIAdd %uint %x %c1
%v = OpExtInst %void %ext DebugValue %r_ %y %exp %c1 %c1"""
    found = debugger(shader(code, "%y", globals=LITERALS, entries=OPENCL))
    ((entry, each),) = found.trace.watch("shade::r")
    assert (each.label, each.type, each.bits) == ("shade::r.rest.y", "Pair", 3)
    assert [str(frame) for frame in frames(entry.location, entry.line)] == [
        "light.cl:7 in shade", "light.cl:11 in main",
    ]  # fmt: skip


PIECES = """\
%piece = OpExtInst %void %set DebugOperation %c9 %c32 %c64
%fragment = OpExtInst %void %set DebugExpression %piece
%cut = OpExtInst %void %set DebugOperation %c9 %c5 %c32
%inside = OpExtInst %void %set DebugExpression %cut
%plus = OpExtInst %void %set DebugOperation %c3 %c100
%push = OpExtInst %void %set DebugOperation %c8 %c11
%swap = OpExtInst %void %set DebugOperation %c5
%minus = OpExtInst %void %set DebugOperation %c2
%top = OpExtInst %void %set DebugOperation %c7
%sum = OpExtInst %void %set DebugExpression %plus %top
%difference = OpExtInst %void %set DebugExpression %push %swap %minus %top
%underflow = OpExtInst %void %set DebugExpression %minus
%other = OpExtInst %void %set DebugOperation %c6
%unknown = OpExtInst %void %set DebugExpression %other
"""


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("light", "%pair %fragment", {".colour[0].x": 2.0, ".colour[0].y": 3.0}),
        ("light", "%pair %inside", {}),
        ("r", "%y %sum", {"": 103}),
        ("r", "%y %difference", {"": 8}),
        ("r", "%y %underflow", {}),
        ("r", "%y %unknown", {}),
        ("light", "%pair %sum %c1 %c0", {}),
    ],
)
def test_expressions(name: str, value: str, expected: dict[str, float]) -> None:
    """A piece is found by its first bit; integers are added and subtracted on a stack.

    The bits of `Light`: 0 dir, 32 colour[0].x, 64 colour[0].y, 96 colour[1].x. `%y` is 3.
    """
    variable = {"light": "%light_", "r": "%r_"}[name]
    code = f"""%s1 = OpExtInst %void %set DebugScope %main_
%y = OpIAdd %uint %x %c1
%v0 = OpExtInst %void %set DebugValue {variable} {value}"""
    numbers = "\n".join(f"%c{each} = OpConstant %uint {each}" for each in NUMBERS)
    module = shader(
        code, "%y", decorations="", variables=VARIABLES,
        globals=f"{numbers}\n{VALUES}{DEBUG}{PIECES}", entries=SET,
    )  # fmt: skip
    found = debugger(module)
    whole = {"light": "main::light", "r": "shade::r"}[name]
    shown = {
        (each.label or each.name).removeprefix(whole): number(each)
        for _, each in found.trace.watch(name)
    }
    assert shown == expected
