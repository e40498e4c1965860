"""Assembled sources: operands, names, blocks, uniforms, descriptors."""

import pytest

from tests.programs.pica.assembling import code, run, said
from unshade.errors import AssembleError
from unshade.programs.pica import Instruction
from unshade.programs.pica.assembler import (
    DeclaredConstant,
    DeclaredGeometry,
    DeclaredOutput,
    DeclaredUniform,
)
from unshade.programs.pica.tables.registers import Register, RegisterFile

C, N, V = RegisterFile.FLOAT, RegisterFile.INTEGER, RegisterFile.INPUT


def first(body: str, before: str = "", *, exact: bool = False) -> Instruction:
    return Instruction(code(body, before, exact=exact).words[0])


# ---------------------------------------------------------------- operands


@pytest.mark.parametrize(
    ("line", "again"),
    [
        ("MOV r0, v0", "mov r0, v0"),
        ("mov r0.xy,r1.wzyx", "mov r0.xy, r1.wzyx"),
        ("mov r0.rgb, -r1.bgra", "mov r0.xyz, -r1.zyxw"),
        ("mov r0.st, r1.q", "mov r0.xy, r1.w"),
        ("mov r0 , r1.xy", "mov r0, r1.xyyy"),
        ("mov r0x0c, c8[4]", "mov r12, c12"),
        ("mov r010, c014", "mov r8, c12"),
        ("mov r0, c1[ 2 ]", "mov r0, c3"),
        ("mov r0, v14[1]", "mov r0, v14[1]"),
        ("mov r0, v15", "mov r0, v14[1]"),
        ("mov r0, c3[a0.x]", "mov r0, c3[a0.x]"),
        ("mov r0, c3[A0.Y + 2].x", "mov r0, c5[a0.y].x"),
        ("mov r0, c3[lcnt+1]", "mov r0, c4[aL]"),
        ("mov r0, c3[a1]", "mov r0, c3[a0.y]"),
        ("add r0, c1, v1", "add r0, c1, v1"),
        ("dph r0, r1, c1", "dphi r0, r1, c1"),
        ("dphi r0, r1, r2", "dph r0, r1, r2"),
        ("slti r0, c1, r2", "slt r0, c1, r2"),
        ("mad r0, r1, c2[aL], r3", "mad r0, r1, c2[aL], r3"),
        ("mad r0, r1, r2, c3[a0.x]", "madi r0, r1, r2, c3[a0.x]"),
        ("madi r0, r1, r2, r3", "mad r0, r1, r2, r3"),
        ("cmp c1, eq, GE, r2.x", "cmp c1, eq, ge, r2.x"),
        ("mova a0, r1", "mova a0.x, r1"),
        ("mova a01, r1.xy", "mova a0.xy, r1.xyyy"),
        ("mova A0.Y, c1[aL]", "mova a0.y, c1[aL]"),
        ("breakc cmp.x", "breakc cmp.x"),
        ("breakc !!cmp.y & !CMP.X", "breakc !cmp.x && cmp.y"),
        ("breakc cmp.x||!cmp.y", "breakc cmp.x || !cmp.y"),
        ("setemit 0x2, primitive  invert", "setemit 2, prim inv"),
        ("setemit 1", "setemit 1"),
        ("emit", "emit"),
    ],
)
def test_operands(line: str, again: str) -> None:
    assert said(f"{line}\nend") == [again, "end"]


def test_inverted_forms_follow_from_the_registers() -> None:
    assert first("sge r0, r1, c2").name == "sgei"
    assert first("sge r0, c1, r2").name == "sge"
    assert first("mad r0, r1, r2, r3").name == "mad"
    assert first("mad r0, r1, r2, c3").name == "madi"


def test_an_address_register_selects_the_inverted_form_of_mad() -> None:
    assert first("mad r0, r1, r2, r3[a0.x]").name == "madi"


def test_conditions() -> None:
    word = first("ifc !cmp.x\nnop\nnop\n.end")
    assert (word.condop, word.refx, word.refy) == (2, 0, 1)
    word = first("ifc cmp.y || !cmp.x\nnop\nnop\n.end")
    assert (word.condop, word.refx, word.refy) == (0, 0, 1)


# ---------------------------------------------------------------- names


def test_aliases_carry_components_and_a_sign() -> None:
    before = ".alias a -c3.wzyx\n.alias b a.xxyy\n.alias c -b"
    body = "mov r0, a\nmov r0, b.w\nmov r0, -c\nmov r0, a[a0.x].x"
    assert said(f"{body}\nend", before) == [
        "mov r0, -c3.wzyx",
        "mov r0, -c3.z",
        "mov r0, -c3.wwzz",
        "mov r0, -c3[a0.x].w",
        "end",
    ]


def test_an_alias_of_a_destination_masks_it() -> None:
    assert said("mov a, r0\nmov a.y, r0", ".alias a o2.zw") == ["mov o2.zw, r0", "mov o2.w, r0"]


def test_names_are_case_sensitive_and_may_hide_registers() -> None:
    made = code("mov r0, c5\nmov r0, c0x5\nmov r0, A\nend", ".fvec c5, A")
    assert [Instruction(word).src1 - 0x20 for word in made.words[:3]] == [0, 5, 1]
    assert [warning.rule for warning in made.warnings] == ["pica.source-shadow"]


def test_labels_are_local_to_a_source() -> None:
    text = ".proc {0}\nhere: there:jmpc cmp.x, here\njmpu !b1, there\nnop\n.end"
    made = run(text.format("main"), ".entry b\n" + text.format("b"))
    jumps = [Instruction(word) for word in made.words if Instruction(word).name != "nop"]
    assert [jump.target for jump in jumps] == [0, 0, 3, 3]
    assert Instruction(made.words[1]).invert == 1


def test_a_label_may_follow_the_last_word() -> None:
    assert Instruction(run(".proc main\njmpu b0, out\nnop\n.end\nout:").words[0]).target == 2


def test_procedures_are_global() -> None:
    made = run(".proc main\ncall helper\nend\n.end", ".nodvle\n.proc helper\nnop\nnop\n.end")
    call = Instruction(made.words[0])
    assert (call.target, call.length) == (2, 2)
    assert made.procedures["helper"].size == 2
    assert [unit.without_dvle for unit in made.units] == [False, True]


def test_line_markers_and_comments_and_line_ends() -> None:
    text = '# 7 "other.pica"\n#line 3\n.proc main ; a comment\r\n\tnop;x\r\nend\n.end\n; .end'
    assert len(run(text).words) == 2


# ---------------------------------------------------------------- blocks


def targets(*words: int) -> list[tuple[int, int]]:
    return [(Instruction(word).target, Instruction(word).length) for word in words]


def test_if_else_and_loop() -> None:
    body = "ifu b3\nnop\nnop\n.else\nnop\n.end\nnop\nfor i1\nnop\nnop\n.end\nnop"
    words = code(body).words
    assert targets(words[0]) == [(3, 1)]
    loop = Instruction(words[5])
    assert (loop.name, loop.int_id, loop.target) == ("for", 1, 7)


def test_padding_with_nops() -> None:
    body = "ifu b0\nifu b1\ncall main\n.end\n.else\n.end\nfor i0\nbreak\n.end"
    names = [Instruction(word).name for word in code(body).words]
    # after the call; between the two ends; after the break; between the loop's end and .end
    assert names == ["ifu", "ifu", "call", "nop", "nop", "for", "break", "nop", "nop"]


def test_a_warning_reports_missing_nops() -> None:
    made = code("for i0\ncall main\n.end", nops=False)
    assert [Instruction(word).name for word in made.words] == ["for", "call"]
    assert [(each.rule, each.place.line) for each in made.warnings] == [
        ("pica.source-nop", 5),
        ("pica.source-nop", 6),
        ("pica.source-end", 4),
    ]


def test_an_empty_procedure_gets_a_nop_unless_it_is_the_first() -> None:
    made = run(".proc a\n.end\n.entry a\n.proc b\n.end\n.proc c\n.end")
    assert [each.size for each in made.procedures.values()] == [0, 0, 0]
    made = run(".entry b\n.proc b\nend\n.end\n.proc c\n.end")
    assert made.procedures["c"].size == 1


def test_nested_procedures() -> None:
    made = run(".proc main\nnop\n.proc inner\nnop\n.end\nend\n.end")
    assert [(p.name, p.start, p.size) for p in made.procedures.values()] == [
        ("inner", 1, 1),
        ("main", 0, 3),
    ]


# ---------------------------------------------------------------- uniforms and constants


def uniforms(*texts: str) -> list[list[tuple[str, str, int]]]:
    made = run(*(f"{text}\n.proc p{n}\nend\n.end\n.entry p{n}" for n, text in enumerate(texts)))
    return [[(u.name, str(u.register), u.count) for u in unit.uniforms] for unit in made.units]


def test_vertex_shaders_share_their_uniforms() -> None:
    assert uniforms(".fvec a, b[4]\n.ivec n", ".fvec c, b[4]\n.bool x[2], y") == [
        [("a", "c0", 1), ("b", "c1", 4), ("n", "i0", 1)],
        [("c", "c5", 1), ("b", "c1", 4), ("x", "b0", 2), ("y", "b2", 1)],
    ]


def test_an_array_of_one() -> None:
    assert uniforms(".fvec a[1], b") == [[("a", "c0", 1), ("b", "c1", 1)]]
    with pytest.raises(AssembleError, match="an array has at least one register"):
        uniforms(".fvec a[0]")


def test_a_geometry_shader_has_uniforms_of_its_own() -> None:
    assert uniforms(".fvec a[8]", ".gsh point c16\n.fvec a, b\n.bool x") == [
        [("a", "c0", 8)],
        [("a", "c16", 1), ("b", "c17", 1), ("x", "b0", 1)],
    ]


def test_without_gsh_mode_a_geometry_shader_shares_uniforms() -> None:
    assert uniforms(".fvec a[8]", ".gsh\n.fvec b") == [[("a", "c0", 8)], [("b", "c8", 1)]]


def test_hidden_names_have_registers_only() -> None:
    assert uniforms(".fvec _h[3], a") == [[("a", "c3", 1)]]


def test_inputs_take_the_first_free_register() -> None:
    assert uniforms(".in a v1\n.in b\n.in c\n.in d v14[1]") == [
        [("a", "v1", 1), ("b", "v0", 1), ("c", "v2", 1), ("d", "v15", 1)]
    ]


def constants(text: str) -> list[tuple[str, tuple[int, ...]]]:
    unit = run(f"{text}\n.proc main\nend\n.end").units[0]
    rows = [each for each in unit.constants if isinstance(each, DeclaredConstant)]
    return [(str(row.register), row.values) for row in rows]


def test_constants_are_allocated_from_the_top() -> None:
    text = ".constf {0}(0, 1.0, -.5e0, 2)\n.consti {0}n(1, 2, 300, -1)\n.proc {0}\nend\n.end"
    made = run(*(f"{text.format(name)}\n.entry {name}" for name in "ab"))
    for unit in made.units:
        assert unit.constants == [
            DeclaredConstant(Register(C, 95), (0, 0x3F0000, 0xBE0000, 0x400000)),
            DeclaredConstant(Register(N, 3), (1, 2, 44, 255)),
        ]


def test_arrays_of_constants() -> None:
    text = ".constfa a[3]\n.constfa (1, 0, 0, 0)\n.constfa (2, 0, 0, 0)\n.end\n.constfa b[]\n"
    rows = constants(f"{text}.constfa (1,1,1,1)\n.end")
    assert [register for register, _ in rows] == ["c93", "c94", "c95", "c92"]
    assert rows[2][1] == (0, 0, 0, 0)


def test_constants_at_a_place() -> None:
    text = ".alias k c7\n.setf k[2](1, 2f, 3, inf)\n.seti i3(1.0, 2, 3, 4)\n.setb b9 oN\n.setb b9 0"
    assert constants(text) == [
        ("c9", (0x3F0000, 0x400000, 0x408000, 0x7F0000)),
        ("i3", (1, 2, 3, 4)),
        ("b9", (1,)),
        ("b9", (0,)),
    ]


@pytest.mark.parametrize(
    ("number", "bits"),
    [
        ("1", 0x3F0000), ("-1.", 0xBF0000), (".5", 0x3E0000), ("0x1.8p1", 0x408000),
        ("+7.25", 0x41D000), ("-0.0", 0x800000), ("INF", 0x7F0000), ("-infinity", 0xFF0000),
        ("nan", 0x7F0000), ("1e400", 0x7F0000), ("-1e400", 0xFF0000), ("1e-30", 0),
        ("1.0842021724855044e-19", 0), ("1.5e-19", 0x00622D), ("3e19", 0x7FA055),
        ("0x1p5000", 0x7F0000), ("0x10", 0x430000),
    ],
)  # fmt: skip
def test_floats_are_rounded_as_picasso_does(number: str, bits: int) -> None:
    assert constants(f".setf c0({number}, 0, 0, 0)")[0][1][0] == bits


# ---------------------------------------------------------------- outputs, entry, mode


def outputs(text: str) -> list[DeclaredOutput | bytes]:
    return run(f"{text}\n.proc main\nend\n.end").units[0].outputs


def test_outputs_take_the_first_free_register() -> None:
    text = (
        ".out a position\n.out - tcoord0.xy\n.out b clr o5.rgb\n.out - texcoord0w b.w\n.out - view"
    )
    assert outputs(text) == [
        DeclaredOutput(0, 0, 0b1111),
        DeclaredOutput(3, 1, 0b0011),
        DeclaredOutput(2, 5, 0b0111),
        DeclaredOutput(4, 5, 0b1000),
        DeclaredOutput(8, 2, 0b1111),
    ]


def test_dummies_have_more_registers() -> None:
    assert outputs("\n".join([".out - dummy"] * 9))[8] == DeclaredOutput(9, 8, 0b1111)
    assert outputs(".out - position\n.out - dummy o8\n.out - dummy o9")[2] == DeclaredOutput(
        9, 9, 0b1111
    )


def test_geometry_modes() -> None:
    text = ".entry p\n.proc p\nend\n.end"
    modes = (
        "point c0",
        "variable c4 0x3",
        "fixed c48 c8 4",
        "subdivision c1 0",
        "particle c9 c1 2",
    )
    made = [run(f".gsh {mode}\n{text}").units[0] for mode in modes]
    assert [unit.geometry for unit in made] == [
        DeclaredGeometry(0),
        DeclaredGeometry(1, variable_vertices=3),
        DeclaredGeometry(2, fixed_start=8, fixed_vertices=4),
        DeclaredGeometry(1),
        DeclaredGeometry(2, fixed_start=1, fixed_vertices=2),
    ]
    assert all(unit.stage == "geometry" for unit in made)
    old = run(f".gsh\n{text}").units[0]
    assert (old.stage, old.geometry) == ("geometry", None)


def test_a_dummy_of_a_geometry_shader_merges_its_outputs() -> None:
    text = ".out - dummy\n.proc main\nend\n.end"
    assert run(f".gsh point c0\n{text}").units[0].merge
    assert not run(f".gsh\n{text}").units[0].merge
    assert not run(text).units[0].merge


def test_setemit_makes_a_geometry_shader() -> None:
    assert run(".proc main\nsetemit 0\nend\n.end").units[0].stage == "geometry"


def test_an_entry_may_be_defined_later() -> None:
    made = run(".entry b\n.proc a\nnop\nnop\n.end\n.proc b\nend\n.end")
    assert (made.units[0].main, made.units[0].end) == (2, 3)


def test_sources_without_declarations_make_no_dvle() -> None:
    made = run(".proc main\nend\n.end", "; nothing\n.alias x r0", ".nodvle\n.fvec a")
    assert [unit.without_dvle for unit in made.units] == [False, True, True]


def test_units_list_uniforms_and_masks() -> None:
    unit = run(".in a\n.fvec b[2]\n.proc main\nend\n.end").units[0]
    assert unit.uniforms == [
        DeclaredUniform("a", Register(V, 0)),
        DeclaredUniform("b", Register(C, 0), 2),
    ]
    assert (unit.input_mask, unit.output_mask) == (1, 0)


# ---------------------------------------------------------------- descriptors


def descriptors(body: str) -> tuple[list[int], list[str]]:
    made = code(f"{body}\nend")
    numbers = [Instruction(word).desc for word in made.words[:-1]]
    return numbers, [repr(each)[19:-1] for each in made.descriptors]


def test_unused_components_do_not_split_descriptors() -> None:
    assert descriptors("mov r0.x, r1\nmov r0.x, r1.xwww\nadd r0.x, c0.x, r1.y") == (
        [0, 0, 0],
        ["x, xyzw, yxxx, xxxx"],
    )


def test_descriptors_merge_by_used_components() -> None:
    numbers, entries = descriptors("mov r0.x, r1\nmov r0.xy, r1\nrcp r0.x, r1.x\nrcp r0.x, r1.y")
    assert numbers == [0, 1, 0, 2]
    assert entries == ["x, xyzw, xxxx, xxxx", "xy, xyzw, xxxx, xxxx", "x, yyyy, xxxx, xxxx"]


def test_unused_descriptor_fields_of_dp3_dph_and_cmp() -> None:
    assert descriptors("dp3 r0, r1, r2\ndp3 r0, r1.xyzx, r2.xyzz")[0] == [0, 0]
    assert descriptors("dp4 r0, r1, r2\ndp4 r0, r1.xyzx, r2")[0] == [0, 1]
    assert descriptors("dph r0, r1, r2\ndph r0, r1.xyzx, r2\ndph r0, r1, r2.xyzx")[0] == [0, 0, 1]
    assert descriptors("mov r0.y, r1\ncmp r1.xyww, eq, eq, r2")[0] == [0, 0]
    assert descriptors("cmp r1, eq, eq, r2\ncmp r1, eq, eq, r2.xyww")[0] == [0, 1]


def test_mad_swaps_with_a_descriptor_out_of_its_reach() -> None:
    letters = "xyzw"
    many = [f"mov r0, r1.{a}{b}{c}w" for a in letters for b in letters for c in letters][:32]
    made = code("\n".join([*many, "mad r0.x, r1.y, r2.z, r3.w", "mov r0, r1.xxxw"]))
    words = [Instruction(word) for word in made.words]
    assert words[32].desc == 0
    assert words[0].desc == 32
    assert words[33].desc == 32
    assert repr(made.descriptors[0]).startswith("<OperandDescriptor x, yyyy")


# ---------------------------------------------------------------- our own


def test_a_raw_word() -> None:
    assert code(".inst 0x40001234\n.inst 16").words == [0x40001234, 16]


def test_numbers_for_targets() -> None:
    words = code("call 0x12, 3\njmpc cmp.x, 5\nifu b0, 9, 1\nfor i0, 7\ncallc !cmp.y, 2, 300").words
    assert targets(*words[:1], *words[2:3], *words[4:5]) == [(0x12, 3), (9, 1), (2, 300)]
    assert [Instruction(word).target for word in (words[1], words[3])] == [5, 7]


def test_fields_in_braces() -> None:
    words = code("nop {bits 0x3}\nmova a0.x, r1 {dst 3}\nsge r0, r1, r2 {inverted}").words
    assert words[0] == 0x21 << 26 | 3
    assert Instruction(words[1]).dst == 3
    assert Instruction(words[2]).name == "sgei"
    word = Instruction(code("breakc cmp.x {refy 0, num 7, target 0x9}").words[0])
    assert (word.refy, word.num, word.target) == (0, 7, 9)


def test_opdesc_fixes_descriptors() -> None:
    rows = ".opdesc 0 xy, xyzw, -wzyx, xxxx\n.opdesc 1..2 _, xyzw, xyzw, xxxx, "
    rows += "bits 0x80000000, high 15"
    made = code("mov r0.xy, r1\nmov r0._, r1\nmov r0._, r1 {desc 2}\nmov r0, r1", rows)
    assert [Instruction(word).desc for word in made.words] == [0, 1, 2, 3]
    assert [each.high for each in made.descriptors] == [0, 15, 15, 0]
    assert made.descriptors[1].word >> 31 == 1
    assert made.descriptors[0].neg2 == 1


def test_only_exact_text_takes_unnamed_bits() -> None:
    body = "cmp r0, 6, 7, r1\nsetemit 3\nadd r0, v1, v2\nfor i12\nnop\n.end\nmov r0, r1[a0.x]"
    assert said(f"{body}\nend", exact=True) == [
        "cmp r0, 6, 7, r1", "setemit 3", "add r0, v1, v2", "for i12", "nop", ".end",
        "mov r0, r1[a0.x]", "end",
    ]  # fmt: skip
