"""Errors of the assembler: what was found, what was expected, and a caret below the place.

A case is a source, with `«` and `»` around the characters that the caret is under, and the message.
"""

# ruff: noqa: E501
import pytest

from tests.programs.pica.assembling import refused, run
from unshade.programs.pica.assembler.rules import RULES

# fmt: off
LINES = {  # of a procedure
    "«movv» r0, r1": "unknown instruction 'movv'; did you mean mov?",
    "mov r0, r1 «r2»": "expected the end of the line, or ';' and a comment, got 'r2'",
    "mov r0«»": "expected ',', got the end of the line",
    "mov «,» r1": "expected a destination, o or r, got ','",
    "mov «R0», r1": "registers are lower case: r0 (picasso reads R0 as o0 or v0)",
    "mov r0, «C5»": "registers are lower case: c5 (picasso reads C5 as o5 or v5)",
    "mov r0, «r1x».y": "unknown register 'r1x' (picasso reads r1 and ignores the rest)",
    "mov r0, «c08»": "08 begins with 0 but is not an octal number",
    "mov r0, «r16»": "no such register: r16; a temporary register is r0 to r15",
    "mov «o16», r0": "no such register: o16; an output is o0 to o15",
    "mov r0, «c90[6]»": "no such register: c96; the last is c95",
    "mov r0, «posn»": "unknown register or name 'posn'; did you mean pos?",
    "mov «c1», r0": "c1 is a float uniform; only o and r can be written",
    "mov r0, «b1»": "b1 is a boolean uniform; only v, r and c can be read",
    "mov «-r0», r1": "a destination cannot have a sign",
    "mov r0, r1.«xyzwx»": "expected one to four components of xyzw, rgba or stpq, got 'xyzwx'",
    "mov r0, r1.«xq1»": "expected one to four components of xyzw, rgba or stpq, got 'xq1'",
    "mov r0, r1.«»": "expected components: x, y, z, w, got the end of the line",
    "mov r0, «r1._»": "a source needs components",
    "mov r0, c1[«-2»]": "an offset cannot be negative",
    "mov r0, c1[«x»]": "expected an offset or an address register (a0.x, a0.y, aL): a decimal number, got 'x'",
    "mov r0, c1[«0x2»]": "expected an offset or an address register (a0.x, a0.y, aL): a decimal number, got '0x2'",
    "mov r0, c1[a0.x«-»1]": "expected '+' after an address register, got '-' (picasso would ignore both)",
    "mov r0, c1[aL + «q»]": "expected an offset: a decimal number, got 'q'",
    "mov r0, c1[2«»": "expected ']', got the end of the line",
    "mov r0, c1[«9999999999»]": "the number 9999999999 has too many digits",
    "mov o1[«a0.x»], r0": "an address register is not allowed here",
    "add r0, r1, «c5»": "the second source of add cannot be c5, only v or r; swap the sources",
    "add r0, c1, «c5»": "the second source of add cannot be c5, only v or r; copy it with mov first",
    "mad r0, «c1», r1, r2": "the first source of mad cannot be c1, only v or r; copy it with mov first",
    "mad r0, r1, c1, «c2»": "the third source of mad cannot be c2, only v or r; copy it with mov first",
    "cmp r0, eq, eq, «c2»": "the second source of cmp cannot be c2, only v or r; copy it with mov first",
    "add r0, c1, «r2[a0.x]»": "the second source cannot have an address register",
    "add r0, v1, «v2»": "v1 and v2 in one instruction: the hardware reads only one input at a time; copy the other with mov first",
    "cmp r0, «equ», lt, r1": "unknown comparison 'equ'; did you mean eq?",
    "cmp r0, «6», lt, r1": "unknown comparison '6'",
    "mova «r0», r1": "expected a0.x, a0.y or a0.xy, got 'r0'",
    "mova «a0.yx», r1": "expected a0.x, a0.y or a0.xy, got a0.yx",
    "ifc «r0»": "expected a condition, cmp.x or cmp.y, got 'r0'",
    "ifc cmp.x && «cmp.x»": "cmp.x is tested twice",
    "ifc cmp.x «and» cmp.y": "expected the end of the line, or ';' and a comment, got 'and'",
    "ifu «!»b0": "ifu cannot invert its test; jmpu can",
    "callu «!»b0, main": "callu cannot invert its test; jmpu can",
    "ifu «i0»": "expected a boolean uniform, got i0",
    "ifu «b0.x»": "a boolean uniform has neither components nor a sign",
    "ifu «b16»": "no such register: b16; a boolean uniform is b0 to b15",
    "for «i8»": "no such register: i8; expected i0 to i3",
    "for «-i1»": "an integer uniform has neither components nor a sign",
    "setemit «3»": "expected a vertex, 0 to 2, got 3",
    "setemit «x»": "expected a vertex, got 'x'",
    "setemit 0, «prin»": "unknown flag of setemit 'prin'; did you mean prim?",
    "jmpc cmp.x, «nowhere»": "unknown label 'nowhere'; did you mean somewhere?",
    "jmpc cmp.x, «5000»": "expected a word of the program, 0 to 4095, got 5000",
    "call «hlper»": "unknown procedure 'hlper'; did you mean helper?",
    "call 5, «2000»": "expected a number of words, 0 to 1023, got 2000",
    "ifu b0, «x»": "expected a word of the program, got 'x'",
    "nop {«dst» 3}": "unknown field of nop 'dst'",
    "mova a0.x, r1 {dst «40»}": "expected a value of dst, 0 to 31",
    "nop {bits 1 «2»}": "expected ',' or '}', got '2'",
    "«mov» r0, r1 {desc 9}": "descriptor 9 differs from the operands",
    ".inst «0x123456789»": "expected a word of 32 bits, 0 to 4294967295, got 0x123456789",
    "«»,": "expected an instruction, a directive or a label, got ','",
    ".«»": "expected the name of a directive, got the end of the line",
    "«.fvek» a": "unknown directive '.fvek'; did you mean .fvec?",
    "«somewhere»: nop": "duplicate label 'somewhere'",
}
DECLARATIONS = {  # outside of all procedures
    ".alias «r0x» r1": "a name must not begin like a register, with a letter and a digit",
    ".alias «pos» r1": "the name 'pos' is already used for o0",
    ".alias x r1 «r2»": "expected the end of the line, or ';' and a comment, got 'r2'",
    ".fvec «2a»": "expected a name for the uniform, got '2a'",
    ".fvec a, «pos»": "the name 'pos' is already used for o0",
    ".fvec a[«0»]": "an array has at least one register",
    ".fvec a[«x»]": "expected a number of registers: a decimal number, got 'x'",
    ".fvec a,«»": "expected a name for the uniform, got the end of the line",
    ".fvec «a»[97]": "no room for 97 more c registers: a float uniform for a",
    ".ivec a[3], «b»[2]": "no room for 2 more i registers: an integer uniform for b",
    ".constf k«»": "expected '(' and four values, got the end of the line",
    ".constf k(1, 2, 3«)»": "expected ',', got ')'",
    ".constf k(1, 2, 3, 4«,» 5)": "expected ')', got ','",
    ".constf k(1, 2, 3, «x»)": "expected a number for w, got 'x'",
    ".constf k(«»,1,1,1)": "expected a number for x, got ','",
    ".constf k(1, 2, 3, 4) «x»": "expected the end of the line, or ';' and a comment, got 'x'",
    ".consti k(1, «2».5, 3, 4)": "expected a whole number for y, got '2'",
    ".consti k(1, «0x10», 3, 4)": "expected a whole number for y, got '0x10'",
    "«.constfa» (1, 2, 3, 4)": "a row outside an array; .constfa name[] comes first",
    ".constfa a«»\n.end": "expected '[' and ']', with or without a number of rows, got the end of the line",
    ".constfa a[«-1»]\n.end": "an array has at least one row",
    ".constfa «a»[]\n.end": "the array a has no rows",
    ".constfa a[1]\n.constfa (1, 2, 3, 4)\n«.constfa» (1, 2, 3, 4)\n.end": "the array already has 1 rows",
    ".constfa a[1]\n«nop»\n.end": "missing .end of the array before this instruction",
    "«.constfa» a[1]": "this .constfa has no .end",
    ".setf «i0»(1, 2, 3, 4)": "expected a float uniform, got i0",
    ".setf «c0.x»(1, 2, 3, 4)": "expected a whole register, without components or a sign",
    ".seti «i4»(1, 2, 3, 4)": "no such register: i4; expected i0 to i3",
    ".setb b0 «yes»": "unknown boolean 'yes'",
    ".in «-»": "expected a name for the input, got '-'",
    ".in a «r0»": "expected an input, v0 to v15, without components or a sign",
    ".out - «positon»": "unknown output 'positon'; did you mean position?",
    ".out - color «c0»": "expected an output register, o0 to o15",
    ".out - color.xy «o3»": "expected the end of the line (the mask belongs to the register), got 'o3'",
    ".out - color «o0.x»": "these components of o0 are already an output",
    ".out - color «o8»": "o8 can only be a dummy; other outputs are o0 to o6",
    ".entry «no»": "unknown procedure 'no'",
    "«.gsh» point c0": ".gsh must come before uniforms, constants, inputs and outputs",
    ".proc a\n.end\n.proc «a»\n.end": "duplicate procedure 'a'",
    ".proc«»\n.end": "expected a name for the procedure, got the end of the line",
    ".opdesc «1» x, xyzw, xyzw, xyzw": "expected descriptor 0, before all code, got descriptor 1",
    ".opdesc 0 «zx», xyzw, xyzw, xyzw": "expected components in their order, got zx",
    ".opdesc 0 x, «xyz», xyzw, xyzw": "expected four components, got xyz",
    ".opdesc 0 x, xyzw, xyzw, xyzw, «low»": "expected 'high' or 'bits', got 'low'",
    "«nop»": "an instruction outside a procedure",
    "«.end»": ".end without a block",
    "«.else»": ".else without an ifc or ifu before it",
    ".proc x\nfor i0\n«.else»\n.end\n.end": ".else without an ifc or ifu before it",
    ".proc x\nifu b0\n.else\n«.else»\n.end\n.end": "this block already has an .else",
    "«.proc» x": "this .proc has no .end",
    "«.proc» x\nifu b0\n.end": "this .proc has no .end",
}
# fmt: on
AROUND = ".out pos position\n{0}\n.proc main\nend\n.end\n.proc helper\nsomewhere: nop\n{1}\n.end"


def case(text: str, problem: str) -> tuple[str, str]:
    """Return the source without its marks, and the whole message for the place between them."""
    before, _, rest = text.partition("«")
    width = max(len(rest.partition("»")[0]), 1)
    start = before.rfind("\n") + 1
    line, column = before.count("\n") + 1, len(before) - start + 1
    source = text.replace("«", "").replace("»", "")
    blanks = "".join("\t" if c == "\t" else " " for c in before[start:])
    caret = f"{blanks}^{'~' * (width - 1)}"
    where = f"0.pica:{line}:{column}"
    return source, f"{where}: {problem}\n    {source.split(chr(10))[line - 1]}\n    {caret}"


def check(text: str, problem: str) -> None:
    source, message = case(text, problem)
    assert refused(source) == [message]


@pytest.mark.parametrize("line", LINES)
def test_refused_code(line: str) -> None:
    ends = "\nnop\n.end" if line.startswith(("if", "for")) and "," not in line else ""
    check(AROUND.format("", line + ends), LINES[line])


@pytest.mark.parametrize("line", DECLARATIONS)
def test_refused_declarations(line: str) -> None:
    check(AROUND.format(line, ""), DECLARATIONS[line])


# fmt: off
MODES = {
    "«dot» c0": "unknown geometry mode 'dot'",
    "point «r0»": "expected the first float uniform to be used for names, a c register",
    "variable c0 «256»": "expected a number of vertices, 0 to 255, got 256",
    "fixed c4 «c4» 3": "vertices from c4 would overwrite c4",
    "point c0\n«.gsh» point c0": "this is already a geometry shader; .gsh must come once, before setemit",
    "point c0\n.out - dummy «o7»": "a geometry shader has no o7; expected o0 to o6",
    "point c0\n.bool b[15], «x»": "no room for 1 more b registers: a boolean uniform for x",
}
# fmt: on


@pytest.mark.parametrize("mode", MODES)
def test_refused_geometry_modes(mode: str) -> None:
    check(f".gsh {mode}\n.proc main\nend\n.end", MODES[mode])


# ---------------------------------------------------------------- several


def places(*texts: str) -> list[str]:
    """Return file, line and column of each error."""
    return [error.split(" ")[0].rstrip(":") for error in refused(*texts)]


def test_conflicts_between_sources() -> None:
    first = ".fvec a, b[2]\n.proc main\nend\n.end"
    assert refused(first, ".bool a\n.fvec b\n.entry main") == [
        "1.pica:1:7: a is a float uniform in an earlier source\n    .bool a\n          ^",
        "1.pica:2:7: b has 2 registers in an earlier source\n    .fvec b\n          ^",
    ]


def test_no_entry() -> None:
    assert refused(".proc mian\nend\n.end") == [
        "0.pica:1:1: unknown procedure 'main'; did you mean mian?\n    .proc mian\n    ^"
    ]


def test_empty_source() -> None:
    assert refused("; nothing")[0].startswith(
        "0.pica:1:1: no source contains a declaration or code"
    )


def test_several_errors_in_one_run() -> None:
    text = ".proc main\nmov r0, q\nadd r0, r1\nnop\nxyz\nend\n.end"
    assert places(text) == ["0.pica:2:9", "0.pica:3:11", "0.pica:5:1"]


def test_refused_declarations_cause_no_further_errors() -> None:
    text = ".constf k(1, 2)\n.proc main\nmov r0, k\nifc cmp.z\nmov r0, k.x\n.end\nend\n.end"
    assert places(text) == ["0.pica:1:15", "0.pica:4:5"]


def test_a_missing_proc_is_reported_once() -> None:
    assert places("nop\nnop\nnop\n.end\n.proc main\nend\n.end") == ["0.pica:1:1"]


def test_a_misspelt_head_still_opens_its_block() -> None:
    text = ".proc main\nifuu b0\nnop\n.else\nnop\n.end\nfo i0\n.end\nnop\n.end"
    assert places(text) == ["0.pica:2:1", "0.pica:7:1"]


def test_at_most_twenty_errors() -> None:
    assert len(refused(".proc main\n" + "bad\n" * 50 + ".end")) == 20


def test_line_markers() -> None:
    text = '# 40 "shader.src"\n.proc main\nbad r0\n# 0 "x:y"\nworse\n.end'
    assert places(text) == ["shader.src:41:1", "x:y:1:1"]


# ---------------------------------------------------------------- too much


def test_too_many_words_of_a_vertex_shader() -> None:
    made = run(".proc main\n" + "nop\n" * 512 + "end\n.end")
    assert [(each.rule, each.place.line) for each in made.warnings] == [("pica.source-words", 514)]
    errors = refused(".proc main\n" + "nop\n" * 600 + ".end")
    assert [each.split("\n")[0] for each in errors] == [
        "0.pica:515:1: a vertex shader has at most 512 words"
    ]


@pytest.mark.slow
def test_too_many_words_of_a_geometry_shader() -> None:
    errors = refused(".gsh point c0\n.proc main\n" + "nop\n" * 4100 + ".end")
    assert [each.split("\n")[0] for each in errors] == [
        "0.pica:4099:1: a program has at most 4096 words"
    ]


def test_too_deep() -> None:
    text = ".proc main\n" + "ifu b0\n" * 32 + ".end\n" * 33
    assert refused(text) == [
        "0.pica:33:1: expected at most 32 nested blocks, got more\n    ifu b0\n    ^~~"
    ]


def sources(count: int) -> list[str]:
    letters = "xyzw"
    found = [f"r1.{a}{b}{c}{d}" for a in letters for b in letters for c in letters for d in letters]
    return found[:count]


def test_too_many_descriptors() -> None:
    body = "\n".join(f"mov r0, {each}" for each in sources(129))
    assert refused(f".proc main\n{body}\n.end") == [
        "0.pica:130:1: expected at most 128 operand descriptors, got more\n"
        "    mov r0, r1.zxxx\n    ^~~"
    ]


def test_too_many_descriptors_for_mad() -> None:
    body = "\n".join(f"mad r0, {each}, r2, r3" for each in sources(33))
    assert refused(f".proc main\n{body}\n.end") == [
        "0.pica:34:1: expected at most 32 descriptors of mad, got more\n"
        "    mad r0, r1.xzxx, r2, r3\n    ^~~"
    ]


def test_an_else_part_that_is_too_long() -> None:
    text = ".gsh point c0\n.proc main\nifu b0\nnop\n.else\n" + "nop\n" * 1024 + ".end\n.end"
    assert refused(text) == [
        "0.pica:1030:1: expected at most 1023 words, got 1024\n    .end\n    ^~~~"
    ]


# ---------------------------------------------------------------- warnings

PATH = "expected end on each path, got none on a path to here"
# fmt: off
WARNINGS = {
    ".proc main\nmov r0, «o1»\nend\n.end": ("output-read", "o1 is an output and cannot be read; this means v1"),
    ".proc main\nmov «v1.x», r0\nend\n.end": ("input-written", "v1 is an input and cannot be written; this means o1"),
    ".proc main\nmov «r0.yx», r1\nend\n.end": ("mask-order", "the order of components has no effect here"),
    ".out - «color».yx\n.proc main\nend\n.end": ("mask-order", "the order of components has no effect here"),
    ".proc main\nfor «i5»\nnop\nnop\n.end\nend\n.end": ("integer", "no such register: i5; the hardware uses i1"),
    ".proc main\nmov r0, «r1[a0.x]»\nend\n.end": ("address", "r1 cannot be addressed relatively, only c can"),
    ".setf c1(1.0«/128.0», 1, 1, 1)\n.proc main\nend\n.end": ("arithmetic", "constants are not computed: /128.0 is ignored"),
    ".fvec m[4], n\n.proc main\nmov r0, «m[4]»\nend\n.end": ("array", "m has 4 registers: m[4] is c4, past the end"),
    ".proc main\n«mov» r0, r1\n.end": ("end", PATH + ", where the program ends"),
    ".proc main\n«mov» r0, r1\n.end\n.proc x\nend\n.end": ("end", PATH + "; other code follows"),
    ".bool b\n.proc main\nifu b\nend\n.end\n«.end»": ("end", PATH + ", where the program ends"),
    ".proc main\ncall x\nend\n.end\n.entry y\n.proc x\nmov r0, r1\n.end\n.proc y\ncall x\n«.end»": ("end", PATH + ", where the program ends"),
    ".entry «main»\n.proc main\n.end": ("end", "the entry procedure 'main' has no instruction, and no end"),
    ".fvec «r3»\n.proc main\nend\n.end": ("shadow", "from here on, r3 is no longer the register"),
    ".proc main\nend\n.end\n.proc x\n" + "nop\n" * 256 + ".end\n.proc y\ncall «x»\nend\n.end": ("length", "256 words: hardware and emulators read 0"),
}
# fmt: on


@pytest.mark.parametrize("text", WARNINGS)
def test_warnings(text: str) -> None:
    rule, problem = WARNINGS[text]
    source, message = case(text, problem)
    (warning,) = run(source).warnings
    assert warning.rule == f"pica.source-{rule}"
    assert warning.diagnostic().message == message


ENDED = (
    ".proc main\ncall x\n.end\n.proc x\nmov r0, r1\nend\n.end",
    ".proc main\ncall x\n.end\n.proc x\ncall y\n.end\n.proc y\nend\n.end",
    ".bool b\n.proc main\nifu b\nend\n.else\nend\n.end\n.end",
    ".bool b\n.proc main\njmpu b, x\nend\nx: end\n.end",
    ".proc main\nend\nmov r0, r1\n.end",
    ".proc main\nend\n.end\n.proc unused\nmov r0, r1\n.end",
    ".nodvle\n.proc shared\nmov r0, r1\n.end",
)


@pytest.mark.parametrize("text", ENDED)
def test_paths_that_come_to_an_end(text: str) -> None:
    others = () if "main" in text else (".proc main\nend\n.end",)
    assert run(text, *others).warnings == []


def test_a_call_that_may_not_be_taken_does_not_end_the_shader() -> None:
    text = ".bool b\n.proc main\ncallu b, x\n.end\n.proc x\nend\n.end"
    (warning,) = run(text).warnings
    assert (warning.rule, warning.place.line) == ("pica.source-end", 4)


def test_every_warning_has_a_case() -> None:
    seen = {f"pica.source-{rule}" for rule, _ in WARNINGS.values()}
    assert seen | {"pica.source-words", "pica.source-nop"} == set(RULES)
