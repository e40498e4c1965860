"""Damaged listings, and what may come of assembling them: a program, or AssembleError."""

import random
from collections import Counter
from collections.abc import Callable

import unshade
from tests.examples import CONTAINERS
from tests.fixtures import blog_vs_4_0 as blog
from unshade.errors import AssembleError
from unshade.programs.tpf import Program

# What an example does not have: one line of each further form.
FORMS = """\
ps_5_1
dcl_globalFlags refactoringAllowed | enable11_1DoubleExtensions
dcl_constantbuffer CB0[0:*][3], dynamicIndexed, space=2
dcl_sampler S0[0:3], mode_comparison, space=0
dcl_resource_texture2dms(4) (unorm,snorm,<unused>,<0>) T0[0:3], space=1
dcl_uav_structured_glc_opc U0[0:0], 16, space=0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output oDepth {components=ZERO}
dcl_indexableTemp x0[8], 4
dcl_immediateConstantBuffer { { 1.000000, 0, -1, 0x7fc00001},
                              { 0, 1e-07, 0, 0} }
dcl_function_table ft0 = {fb0, fb1}
dcl_interface_dynamicindexed fp0[1][4] = {ft0}
dcl_hs_max_tessfactor l(64.000000)
printf "x is "%f"\\n", r0.x
undecipherable custom data {custom_class=COMMENT, payload=[0x6f6c6c61, 0x00000000]}
<unknown_235> 0x020000eb, 0xdeadbeef
add_sat [precise(xy)] r0.xy {min16f}, -|r1.xyxx {def32 as min16f}|, l(0.33333334, 1, inf, nan)
sample_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,<0>,<15>) r0.x, v0.xyxx, T0[0].xyzw, S0[0]
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, r1.x, l(0), t0
dmul r0.xy, r0.xyxy, d(0.500000l, 0x7ff8000000000001)
mov r0.x {mode=SELECT_1}, cb0[x0[r1.x + 4].y + 2].x {index1=IMMEDIATE64_PLUS_RELATIVE}
mov {words=[0x00000005]} r0.x, T0[r1.x + 1].xyzw { nonuniform }
fcall fp0[r0.x + 0][1]
switch r0.x
  case l(1)
  if_nz r0.x
    break // out
  else
    sync_uglobal_g_t
  endif
  default
endswitch
ret {unnamed=0x00800000}
"""

CHARACTERS = "[]{}()<>,.:=|-+xyzw0123456789rvlcb\"'/ \t\r\n_#@\\é\x00"
PIECES = (
    "{mode=3}", "{components=ONE}", "{words=[1,2]}", "{extended=[0x1]}", "{unnamed=0xff}", "<5>",
    "0x", "1e999", "nan", "// ", "ps_4_0\n", "endif\n", "loop\n", "l(", " { nonuniform }", "|",
)  # fmt: skip
NUMBERS = tuple(str(number) for number in (1 << 31, 1 << 32, 1 << 64, 10**30, 10**500))
Change = Callable[[str, int, random.Random], str]


def _lines(text: str, chance: random.Random, copy: bool) -> str:
    lines = text.split("\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one] = lines[two] if copy else ""
    return "\n".join(lines)


CHANGES: tuple[Change, ...] = (
    lambda text, at, _: text[:at] + text[at + 1 :],
    lambda text, at, chance: text[:at] + chance.choice(CHARACTERS) + text[at:],
    lambda text, at, _: text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
    lambda text, _, chance: _lines(text, chance, copy=False),
    lambda text, _, chance: _lines(text, chance, copy=True),
    lambda text, at, chance: text[:at] + chance.choice(NUMBERS) + text[at:],
    lambda text, at, chance: text[:at] + chance.choice(PIECES) + text[at:],
    lambda text, at, chance: text[:at] + chance.choice("[|-{(\"'") * chance.choice((3, 900))
    + text[at:],
    lambda text, at, chance: text[:at] + text[chance.randrange(len(text)) :][:20] + text[at:],
    lambda text, at, chance: text[:at] if chance.random() < 0.2 else text,
)  # fmt: skip


def listings() -> list[str]:
    """Return native and exact texts of our own programs."""
    shaders = [unshade.open(path) for path in CONTAINERS]
    programs = [shader.programs[0] for shader in (*shaders, unshade.loads(blog.build()))]
    return [FORMS, *(each.disassemble(form) for each in programs for form in ("native", "exact"))]


def check_places(error: AssembleError, text: str) -> None:
    """Check that each error has a place in the text."""
    assert str(error)
    for each in error.errors:
        assert 0 < each.line <= text.count("\n") + 1
        assert each.column > 0
        assert each.file == "damaged.asm"


def check(seed: int, count: int) -> Counter[str]:
    """Assemble `count` damaged listings; return the numbers of programs and of refusals.

    Any other exception goes through to the caller, with the text that caused it.
    """
    chance = random.Random(seed)
    texts = listings()
    weights = [1 / len(text) for text in texts]  # as many characters of each
    seen: Counter[str] = Counter()
    for _ in range(count):
        (text,) = chance.choices(texts, weights) if chance.random() < 0.67 else [FORMS]
        for _ in range(chance.choice((1, 1, 1, 2, 4, 10))):
            text = chance.choice(CHANGES)(text, chance.randrange(len(text) + 1), chance) or "x"
        try:
            Program.assemble(text, file="damaged.asm").encode()
            seen["program"] += 1
        except AssembleError as error:
            check_places(error, text)
            seen["refused"] += 1
        except Exception as error:
            error.add_note(f"the text: {text!r}")
            raise
    return seen
