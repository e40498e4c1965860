"""Programs that break a rule of `programs.tpf.verify`, one for each, and some that break none.

"tpf.jump": pixel(i("break"))          ps_5_0, declarations, break, mov o0.xyzw, r0.xyzw, ret
"""

from __future__ import annotations

import re
from collections.abc import Callable

from unshade.programs.tpf import Index, Instruction, Operand, Program
from unshade.programs.tpf.tables.ops import OPS, STAGES
from unshade.programs.tpf.tables.spellings import REGISTERS
from unshade.programs.tpf.tables.tokens import VersionToken

# ---------------------------------------------------------------- programs in a line each


def o(text: str, mode: str = "", relative: Operand | None = None) -> Operand:
    """`r0.xyz`, `cb0[4].xyzw`, `null`; mode m(ask), s(wizzle), 1 (component). A mask by default."""
    found = re.fullmatch(r"([a-zA-Z]+)(\d*)((?:\[\d+\])*)(?:\.([xyzw]+))?", text)
    assert found is not None, text
    name, number, rest, letters = found.groups()
    indices = [Index(int(each)) for each in [number, *re.findall(r"\d+", rest)] if each]
    if relative is not None:
        indices[-1] = Index(indices[-1].immediate, relative, 3)
    token = REGISTERS.index(name) << 12
    components = ["xyzw".index(letter) for letter in letters or ""]
    if letters and mode == "1":
        token |= 2 | 2 << 2 | components[0] << 4
    elif letters and mode == "s":
        components += components[-1:] * (4 - len(components))
        token |= 2 | 1 << 2 | sum(c << 4 + 2 * i for i, c in enumerate(components))
    elif letters:
        token |= 2 | sum(16 << c for c in components)
    elif mode == "1":
        token |= 1
    return Operand(token, indices=indices)


def s(text: str, relative: Operand | None = None) -> Operand:
    return o(text, "s", relative)


def one(text: str) -> Operand:
    return o(text, "1")


def lit(*words: int) -> Operand:
    return Operand(4 << 12 | (1 if len(words) == 1 else 2), literal=words)


def i(name: str, *operands: Operand, words: tuple[int, ...] = (), bits: int = 0) -> Instruction:
    return Instruction(OPS[name].code | bits, operands, words)


def extend(instruction: Instruction, *words: int) -> Instruction:
    instruction.extended = words
    return instruction


def with_modifier(operand: Operand, bits: int) -> Operand:
    operand.extended = (1 | bits,)
    return operand


def program(profile: str, *instructions: Instruction) -> Program:
    stage, major, minor = profile.split("_")
    version = VersionToken(major=int(major), minor=int(minor), kind=STAGES[stage])
    return Program(version, instructions)


RET = i("ret")
TYPED_2D = 3 << 11
LINEAR = 2 << 11
DEFAULT_FLOATS = (0x5555,)


def pixel(*code: Instruction, declare: tuple[Instruction, ...] = (), flags: int = 0) -> Program:
    return program(
        "ps_5_0",
        i("dcl_globalFlags", bits=1 << 11 | flags),
        i("dcl_constantbuffer", s("cb0[4].xyzw")),
        i("dcl_sampler", o("s0")),
        i("dcl_resource", o("t0"), words=DEFAULT_FLOATS, bits=TYPED_2D),
        i("dcl_input_ps", o("v1.xyz"), bits=LINEAR),
        i("dcl_output", o("o0.xyzw")),
        i("dcl_temps", words=(2,)),
        i("dcl_indexableTemp", words=(0, 4, 2)),
        *declare,
        *code,
        i("mov", o("o0.xyzw"), s("r0.xyzw")),
        RET,
    )


def compute(
    *code: Instruction,
    declare: tuple[Instruction, ...] = (),
    group: tuple[int, ...] = (8, 8, 1),
    profile: str = "cs_5_0",
) -> Program:
    ranged = profile == "cs_5_1"
    view = s("u0[0][0].xyzw") if ranged else o("u0")
    return program(
        profile,
        i("dcl_uav_structured", view, words=(16, 0) if ranged else (16,)),
        i("dcl_input", o("vThreadID.x")),
        i("dcl_temps", words=(1,)),
        *declare,
        i("dcl_thread_group", words=group),
        *code,
        RET,
    )


def geometry(*declare: Instruction) -> Program:
    return program(
        "gs_5_0",
        i("dcl_input", o("v3[0].xyz")),
        *declare,
        i("dcl_output", o("o0.xyzw")),
        RET,
    )


PRIMITIVE = i("dcl_inputprimitive", bits=3 << 11)
TOPOLOGY = i("dcl_outputtopology", bits=5 << 11)
MAXOUT = i("dcl_maxout", words=(3,))


def geometry_read(vertex: int) -> Program:
    found = geometry(PRIMITIVE, TOPOLOGY, MAXOUT, i("dcl_temps", words=(1,)))
    found.instructions.insert(-1, i("mov", o("r0.x"), one(f"v{vertex}[0].x")))
    return found


def hull(*phases: Instruction) -> Program:
    return program(
        "hs_5_0",
        i("hs_decls"),
        i("dcl_input_control_point_count", bits=3 << 11),
        i("dcl_output_control_point_count", bits=3 << 11),
        i("dcl_tessellator_domain", bits=2 << 11),
        i("dcl_tessellator_partitioning", bits=1 << 11),
        i("dcl_tessellator_output_primitive", bits=3 << 11),
        *phases,
    )


FORK = (
    i("hs_fork_phase"),
    i("dcl_output_siv", o("o0.x"), words=(17,)),
    i("mov", o("o0.x"), lit(0)),
    RET,
)


def label(number: int) -> Operand:
    return Operand(10 << 12, indices=[Index(number)])


def call(number: int) -> Instruction:
    return i("call", label(number))


def interface(tables: tuple[int, ...] = (0,), site: int = 0) -> Program:
    return pixel(
        i("fcall", Operand(19 << 12, indices=[Index(0), Index(0)]), words=(site,)),
        i("mov", o("o0.xyzw"), s("r0.xyzw")),
        RET,
        i("label", o("fb0")),
        declare=(
            i("dcl_function_body", words=(0,)),
            i("dcl_function_table", words=(0, 1, 0)),
            i("dcl_interface", words=(0, 1, 1 << 16 | len(tables), *tables)),
        ),
    )


def wide(operand: Operand) -> Operand:
    operand.indices[0].representation = 1
    return operand


def custom(kind: int, *payload: int) -> Instruction:
    return Instruction(53 | kind << 11, payload=payload)


def trailing() -> Program:
    found = pixel()
    found.trailing = bytes(4)
    return found


def many_blocks() -> Program:
    opened = [i("if", one("r0.x"))] * 65
    return pixel(*opened, *[i("endif")] * 65)


SAMPLE = o("r0.xyzw"), s("v1.xyxx"), s("t0.xyzw"), o("s0")
ADD = o("r0.xyz"), s("r1.xyzx"), s("cb0[3].xyzx")
COMPARE = i("dcl_sampler", o("s1"), bits=1 << 11)
STRUCTURED = i("dcl_resource_structured", o("t1"), words=(16,))
LOAD = o("r0.x"), lit(0), lit(0), s("t1.xxxx")
STORE = lit(0), lit(0), lit(0)
RAW_MEMORY = i("dcl_tgsm_raw", o("g0"), words=(64,))

SOUND: dict[str, Callable[[], Program]] = {
    "pixel": lambda: pixel(i("sample", *SAMPLE), i("add", *ADD)),
    "arrays": lambda: pixel(
        i("mov", o("x0[1].xy"), s("v1.xyxx")), i("mov", o("r0.x"), one("x0[3].y"))
    ),
    "blocks": lambda: pixel(
        i("loop"),
        i("breakc", one("r0.x")),
        i("if", one("r0.x")),
        i("continue"),
        i("else"),
        i("endif"),
        i("switch", one("r0.x")),
        i("case", lit(1)),
        i("break"),
        i("default"),
        i("break"),
        i("endswitch"),
        i("endloop"),
    ),
    "compute": lambda: compute(i("store_structured", o("u0.xy"), *STORE)),
    "compute 5.1": lambda: compute(i("store_structured", o("u0[0].xy"), *STORE), profile="cs_5_1"),
    "memory": lambda: compute(
        i("store_raw", o("g0.x"), lit(0), lit(0)), i("sync", bits=3 << 11), declare=(RAW_MEMORY,)
    ),
    "geometry": lambda: geometry(PRIMITIVE, TOPOLOGY, MAXOUT),
    "hull": lambda: hull(*FORK),
    "subroutine": lambda: pixel(
        call(1), i("mov", o("o0.xyzw"), s("r0.xyzw")), RET, i("label", label(1))
    ),
    "interface": interface,
    "double": lambda: pixel(i("dadd", o("r0.xy"), s("r1.xyxy"), s("r1.zwzw")), flags=1 << 12),
    "precision": lambda: pixel(
        i("mov", with_modifier(o("r0.x"), 1 << 14), one("r1.x")), flags=1 << 16
    ),
    "table": lambda: pixel(i("mov", o("r0.x"), one("icb1.x")), declare=(custom(3, *range(8)),)),
    "structured": lambda: pixel(
        extend(i("ld_structured", *LOAD), 2 | 12 << 6 | 16 << 11), declare=(STRUCTURED,)
    ),
}

# Each rule, and programs that break it.
BROKEN: dict[str, list[Callable[[], Program]]] = {
    "tpf.version": [
        lambda: program("ps_6_0", RET),
        lambda: Program(VersionToken(major=5, kind=9), [RET]),
    ],
    "tpf.trailing": [trailing],
    "tpf.missing-declaration": [
        lambda: program("cs_5_0", RET),
        lambda: geometry(PRIMITIVE, TOPOLOGY),
        lambda: geometry(PRIMITIVE, MAXOUT),
        lambda: program("ds_5_0", RET),
    ],
    "tpf.limit": [
        lambda: pixel(declare=(i("dcl_sampler", o("s16")),)),
        lambda: pixel(declare=(i("dcl_constantbuffer", s("cb1[4097].xyzw")),)),
        lambda: pixel(declare=(i("dcl_resource_structured", o("t1"), words=(6,)),)),
        lambda: pixel(declare=(i("dcl_indexableTemp", words=(1, 4096, 4)),)),
        lambda: pixel(declare=(i("dcl_indexableTemp", words=(1, 1, 5)),)),
        lambda: pixel(declare=(i("dcl_input_ps", o("v32.x"), bits=LINEAR),)),
        lambda: pixel(declare=(custom(3, *[0] * 4 * 4097),)),
        lambda: geometry(PRIMITIVE, TOPOLOGY, i("dcl_maxout", words=(1025,))),
        lambda: geometry(PRIMITIVE, TOPOLOGY, MAXOUT, i("dcl_stream", o("m4"))),
        lambda: hull(i("dcl_hs_max_tessfactor", words=(0x42C8_0000,)), *FORK),
        lambda: hull(i("dcl_input", o("vicp0[0].x")), *FORK),
        many_blocks,
    ],
    "tpf.thread-group": [
        lambda: compute(group=(0, 1, 1)),
        lambda: compute(group=(32, 33, 1)),
        lambda: compute(group=(1, 1, 65)),
        lambda: compute(group=(1, 1, 2), profile="cs_4_0"),
    ],
    "tpf.shared-memory": [
        lambda: compute(declare=(i("dcl_tgsm_raw", o("g0"), words=(32772,)),)),
        lambda: compute(declare=(i("dcl_tgsm_structured", o("g0"), words=(6, 10)),)),
    ],
    "tpf.unknown-opcode": [lambda: pixel(Instruction(107)), lambda: pixel(Instruction(300))],
    "tpf.stage": [
        lambda: pixel(i("emit")),
        lambda: compute(i("discard", one("r0.x"), bits=1 << 18)),
    ],
    "tpf.model": [
        lambda: program("ps_4_0", i("dcl_temps", words=(1,)), i("rcp", o("r0.x"), one("r0.x")), RET)
    ],
    "tpf.feature": [
        lambda: pixel(i("dadd", o("r0.xy"), s("r1.xyxy"), s("r1.zwzw"))),
        lambda: pixel(i("mov", with_modifier(o("r0.x"), 1 << 14), one("r1.x"))),
    ],
    "tpf.operand-count": [lambda: pixel(i("add", o("r0.x"), one("r1.x")))],
    "tpf.missing-dword": [
        lambda: pixel(declare=(i("dcl_resource", o("t1"), bits=TYPED_2D),)),
        lambda: pixel(declare=(i("dcl_interface", words=(0,)),)),
        lambda: compute(declare=(i("dcl_tgsm_structured", o("g0"), words=(4,)),)),
    ],
    "tpf.extra-dword": [
        lambda: pixel(Instruction(OPS["mov"].code, [o("r0.x"), one("r1.x")], (0,)))
    ],
    "tpf.saturate": [lambda: pixel(i("iadd", o("r0.x"), one("r1.x"), one("r1.x"), bits=1 << 13))],
    "tpf.precise": [lambda: pixel(i("resinfo", o("r0.xy"), lit(0), s("t0.xyzw"), bits=1 << 19))],
    "tpf.reserved-bits": [lambda: pixel(i("loop", bits=1 << 20), i("break"), i("endloop"))],
    "tpf.control-value": [
        lambda: pixel(declare=(i("dcl_resource", o("t1"), words=DEFAULT_FLOATS, bits=13 << 11),)),
        lambda: pixel(declare=(i("dcl_resource", o("t1"), words=(0x555F,), bits=TYPED_2D),)),
        lambda: pixel(extend(i("sample", *SAMPLE), 2 | 31 << 6)),
        lambda: pixel(i("mov", o("r0.x"), with_modifier(one("r1.x"), 9 << 6))),
        lambda: geometry(i("dcl_inputprimitive", bits=40 << 11), TOPOLOGY, MAXOUT),
        lambda: program("ds_5_0", i("dcl_tessellator_domain"), RET),
    ],
    "tpf.extended": [
        lambda: pixel(extend(i("add", *ADD), 1)),
        lambda: pixel(extend(i("sample", *SAMPLE), 3 | 0x5555 << 6, 2 | 3 << 6)),
        lambda: pixel(extend(i("sample", *SAMPLE), 5)),
        lambda: pixel(i("mov", o("r0.x"), Operand(one("r1.x").token, (2,), (), [Index(1)]))),
        lambda: pixel(extend(i("sample", *SAMPLE), 3 | 0x5555 << 6, 3 | 0x5555 << 6)),
    ],
    "tpf.texel-offset": [
        lambda: pixel(extend(i("resinfo", o("r0.xy"), lit(0), s("t0.xyzw")), 1 | 1 << 9))
    ],
    "tpf.custom-data": [
        lambda: pixel(declare=(custom(3, 1, 2, 3),)),
        lambda: pixel(declare=(custom(3, *range(4)), custom(3, *range(4)))),
        lambda: pixel(custom(4, 1)),
        lambda: pixel(custom(9)),
    ],
    "tpf.operand-kind": [
        lambda: pixel(i("mov", o("v1.xyz"), s("r0.xyzw"))),
        lambda: pixel(i("mov", o("cb0[0].xyz"), s("r0.xyzw"))),
        lambda: pixel(i("mov", o("r0.x"), s("t0.xxxx"))),
        lambda: pixel(i("mov", o("r0.x"), s("o0.xxxx"))),
        lambda: pixel(i("mov", o("r0.x"), Operand(99 << 12))),
        lambda: pixel(i("sample", o("r0.xyzw"), s("v1.xyxx"), s("r0.xyzw"), o("s0"))),
        lambda: pixel(declare=(i("dcl_input_ps", o("o1.x"), bits=LINEAR),)),
        lambda: pixel(declare=(i("dcl_output", o("r0.x")),)),
        lambda: pixel(declare=(i("dcl_sampler", o("t1")),)),
        lambda: pixel(declare=(i("dcl_indexrange", o("r0.x"), words=(2,)),)),
    ],
    "tpf.register-stage": [
        lambda: pixel(i("mov", o("r0.x"), one("vThreadID.x"))),
        lambda: compute(declare=(i("dcl_output", o("oDepth", "1")),)),
    ],
    "tpf.null-destination": [lambda: pixel(i("mov", o("null"), s("r0.xyzw")))],
    "tpf.mask": [
        lambda: pixel(i("mov", Operand(2, indices=[Index(0)]), s("r1.xyzw"))),
        lambda: pixel(i("mov", s("r0.xyzw"), s("r1.xyzw"))),
        lambda: pixel(declare=(i("dcl_input_ps", Operand(2 | 1 << 12, indices=[Index(2)])),)),
        lambda: compute(i("store_structured", o("u0.xz"), *STORE)),
        lambda: compute(
            i("store_uav_typed", o("u1.xy"), *STORE[:2]),
            declare=(i("dcl_uav_typed", o("u1"), words=DEFAULT_FLOATS, bits=TYPED_2D),),
        ),
    ],
    "tpf.components": [
        lambda: pixel(i("mov", o("r0.x"), o("r1.x"))),
        lambda: pixel(i("if", s("r0.xyzw")), i("endif")),
    ],
    "tpf.double-mask": [
        lambda: pixel(i("dadd", o("r0.x"), s("r1.xyxy"), s("r1.zwzw")), flags=1 << 12)
    ],
    "tpf.modifier": [
        lambda: pixel(i("mov", with_modifier(o("r0.x"), 1 << 6), one("r1.x"))),
        lambda: pixel(i("iadd", o("r0.x"), with_modifier(one("r1.x"), 2 << 6), one("r1.x"))),
    ],
    "tpf.literal": [lambda: pixel(i("mov", o("r0.x"), Operand(4 << 12)))],
    "tpf.index-count": [
        lambda: pixel(i("mov", o("r0.x"), s("r1[2].xxxx"))),
        lambda: pixel(i("mov", o("r0.x"), s("cb0.xxxx"))),
        lambda: pixel(i("mov", o("r0.x"), one("v1[0].x"))),
        lambda: pixel(declare=(i("dcl_sampler", o("s1[1]")),)),
    ],
    "tpf.index-representation": [
        lambda: pixel(i("mov", wide(o("r0.x")), one("r1.x"))),
        lambda: pixel(declare=(i("dcl_sampler", wide(o("s1"))),)),
    ],
    "tpf.relative-index": [
        lambda: pixel(i("mov", o("r0.x"), o("r0.x", "1", one("r1.x")))),
        lambda: pixel(i("mov", o("r0.x"), o("v1.x", "1", one("r1.x")))),
        lambda: pixel(declare=(i("dcl_sampler", o("s1", "", one("r1.x"))),)),
    ],
    "tpf.relative-operand": [
        lambda: pixel(i("mov", o("r0.x"), o("cb0[0].x", "1", s("r1.xyzw")))),
        lambda: pixel(i("mov", o("r0.x"), o("cb0[0].x", "1", lit(1)))),
    ],
    "tpf.order": [
        lambda: pixel(i("nop"), i("dcl_sampler", o("s1"))),
        lambda: pixel(i("nop"), custom(3, *range(4))),
    ],
    "tpf.redeclared": [
        lambda: pixel(declare=(i("dcl_sampler", o("s0")),)),
        lambda: pixel(declare=(i("dcl_temps", words=(2,)),)),
        lambda: pixel(declare=(i("dcl_indexableTemp", words=(0, 4, 4)),)),
        lambda: pixel(declare=(i("dcl_input_ps", o("v1.zw"), bits=LINEAR),)),
        lambda: pixel(declare=(i("dcl_globalFlags"),)),
        lambda: pixel(declare=(i("dcl_function_body", words=(0,)),) * 2),
        lambda: compute(declare=(RAW_MEMORY, RAW_MEMORY)),
        lambda: geometry(
            PRIMITIVE, i("dcl_stream", o("m0")), i("dcl_stream", o("m0")), TOPOLOGY, MAXOUT
        ),
    ],
    "tpf.range-overlap": [
        lambda: compute(
            declare=(i("dcl_uav_raw", s("u1[0][7].xyzw"), words=(0,)),), profile="cs_5_1"
        )
    ],
    "tpf.undeclared-register": [
        lambda: program("ps_5_0", i("mov", o("r0.x"), lit(0)), RET),
        lambda: pixel(i("mov", o("r0.x"), one("v2.x"))),
        lambda: pixel(i("mov", o("o1.x"), one("r0.x"))),
        lambda: pixel(i("mov", o("r0.x"), one("x1[0].x"))),
        lambda: pixel(i("mov", o("r0.x"), one("cb1[0].x"))),
        lambda: pixel(i("mov", o("r0.x"), one("icb0.x"))),
        lambda: pixel(i("sample", *SAMPLE[:2], s("t1.xyzw"), o("s0"))),
        lambda: pixel(i("mov", o("oDepth", "1"), lit(0))),
        lambda: compute(i("store_raw", o("g0.x"), lit(0), lit(0))),
        lambda: program("gs_5_0", PRIMITIVE, TOPOLOGY, MAXOUT, i("emit_stream", o("m1")), RET),
        lambda: pixel(i("fcall", Operand(19 << 12, indices=[Index(0), Index(0)]), words=(0,))),
        lambda: pixel(i("call", o("fb0"))),
    ],
    "tpf.undeclared-component": [
        lambda: pixel(i("mov", o("r0.xyzw"), s("v1.xyzw"))),
        lambda: pixel(i("mov", o("r0.x"), one("x0[0].z"))),
        lambda: compute(i("mov", o("r0.x"), one("vThreadID.y"))),
    ],
    "tpf.index-range": [
        lambda: pixel(i("mov", o("r2.x"), lit(0))),
        lambda: pixel(i("mov", o("x0[4].x"), lit(0))),
        lambda: pixel(i("mov", o("r0.x"), one("cb0[4].x"))),
        lambda: pixel(i("mov", o("r0.x"), one("icb2.x")), declare=(custom(3, *range(8)),)),
        lambda: geometry_read(3),
        lambda: compute(
            declare=(i("dcl_uav_raw", s("u1[7][3].xyzw"), words=(0,)),), profile="cs_5_1"
        ),
    ],
    "tpf.range-index": [
        lambda: compute(i("store_structured", o("u0[1].x"), *STORE), profile="cs_5_1")
    ],
    "tpf.indexrange": [
        lambda: pixel(declare=(i("dcl_indexrange", o("v1.xyz"), words=(2,)),)),
        lambda: pixel(declare=(i("dcl_indexrange", o("v1.xyz"), words=(1,)),)),
    ],
    "tpf.system-value": [
        lambda: pixel(declare=(i("dcl_input_ps_siv", o("v2.x"), words=(30,), bits=LINEAR),)),
        lambda: pixel(declare=(i("dcl_input_ps_sgv", o("v2.x"), words=(1,), bits=LINEAR),)),
    ],
    "tpf.resource-kind": [
        lambda: pixel(i("ld_raw", o("r0.x"), lit(0), s("t0.xxxx"))),
        lambda: pixel(i("sample", *SAMPLE[:2], s("t1.xyzw"), o("s0")), declare=(STRUCTURED,)),
        lambda: pixel(i("ldms", o("r0.x"), lit(0, 0, 0, 0), s("t0.xxxx"), lit(0))),
        lambda: pixel(
            i("sample", *SAMPLE[:2], s("t1.xyzw"), o("s0")),
            declare=(i("dcl_resource", o("t1"), words=DEFAULT_FLOATS, bits=1 << 11),),
        ),
        lambda: pixel(
            i("ld", o("r0.x"), lit(0, 0, 0, 0), s("t1.xxxx")),
            declare=(i("dcl_resource", o("t1"), words=DEFAULT_FLOATS, bits=4 << 11),),
        ),
        lambda: pixel(i("bufinfo", o("r0.x"), s("t0.xxxx"))),
        lambda: compute(
            i("imm_atomic_alloc", o("r0.x"), o("u1")), declare=(i("dcl_uav_raw", o("u1")),)
        ),
    ],
    "tpf.sampler-mode": [
        lambda: pixel(i("sample_c_lz", *SAMPLE, lit(0))),
        lambda: pixel(i("sample", *SAMPLE[:3], o("s1")), declare=(COMPARE,)),
    ],
    "tpf.resource-dimension": [
        lambda: pixel(extend(i("sample", *SAMPLE), 2 | 5 << 6)),
        lambda: pixel(
            extend(i("ld_structured", *LOAD), 2 | 12 << 6 | 8 << 11), declare=(STRUCTURED,)
        ),
    ],
    "tpf.block-balance": [
        lambda: pixel(i("if", one("r0.x"))),
        lambda: pixel(i("endloop")),
        lambda: pixel(i("else")),
        lambda: pixel(i("loop"), i("if", one("r0.x")), i("endloop"), i("endif")),
    ],
    "tpf.jump": [lambda: pixel(i("break")), lambda: pixel(i("continuec", one("r0.x")))],
    "tpf.case": [
        lambda: pixel(i("case", lit(0))),
        lambda: pixel(
            i("switch", one("r0.x")), i("nop"), i("case", lit(1)), i("break"), i("endswitch")
        ),
        lambda: pixel(
            i("switch", one("r0.x")),
            i("case", lit(1)),
            i("break"),
            i("case", lit(1)),
            i("break"),
            i("endswitch"),
        ),
        lambda: pixel(
            i("switch", one("r0.x")), i("default"), i("default"), i("break"), i("endswitch")
        ),
        lambda: pixel(i("switch", one("r0.x")), i("case", one("r0.x")), i("break"), i("endswitch")),
    ],
    "tpf.missing-ret": [
        lambda: program("ps_5_0", i("nop")),
        lambda: program("ps_5_0"),
        lambda: hull(*FORK[:-1], *FORK),
        lambda: pixel(call(1), RET, i("label", label(1)), i("label", label(2))),
    ],
    "tpf.unreachable": [lambda: pixel(RET)],
    "tpf.label": [
        lambda: pixel(call(7)),
        lambda: pixel(call(1), RET, i("label", label(1)), RET, i("label", label(1))),
        lambda: pixel(declare=(i("dcl_function_body", words=(3,)),)),
    ],
    "tpf.phase": [
        lambda: program("hs_5_0", RET),
        lambda: program("hs_5_0", *FORK),
        lambda: hull(*FORK, i("hs_control_point_phase"), RET),
    ],
    "tpf.interface": [
        lambda: interface(tables=(1,)),
        lambda: interface(site=1),
        lambda: pixel(declare=(i("dcl_function_table", words=(0, 1, 5)),)),
        lambda: pixel(declare=(i("dcl_function_table", words=(0, 2)),)),
    ],
    "tpf.sync": [lambda: pixel(i("sync", bits=1 << 11)), lambda: compute(i("sync"))],
    "tpf.message": [lambda: pixel(i("abort"))],
}
