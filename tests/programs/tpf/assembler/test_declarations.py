"""Declarations: errors and special cases. Valid ones are in test_instructions."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import drawn, instruction
from unshade.programs.tpf.tables.ops import OPS
from unshade.programs.tpf.tables.tokens import InputPs
from unshade.programs.tpf.text.declarations import DECLARATIONS


def test_every_declaration_has_a_parser() -> None:
    names = {row.name for row in OPS if row.kind == "decl"}
    assert set(DECLARATIONS) == names


def test_generated_values_default_to_constant_interpolation() -> None:
    made = instruction("dcl_input_ps_sgv v0.x, is_front_face")
    assert InputPs(made.token).interpolation == 1
    made = instruction("dcl_input_ps_sgv linear v0.x, is_front_face")
    assert InputPs(made.token).interpolation == 2


def test_implied_counts() -> None:
    assert instruction("dcl_function_table ft3 = {fb1, fb2}").words == (3, 2, 1, 2)
    assert instruction("dcl_function_table ft3 = {}").words == (3, 0)
    assert instruction("dcl_interface fp1[2][4] = {ft0}").words == (1, 4, 2 << 16 | 1, 0)


def test_missing_dwords() -> None:
    assert instruction("dcl_temps <none>").words == ()
    assert instruction("dcl_indexableTemp x1[<none>], <none>").words == (1,)
    assert instruction("dcl_resource_buffer (<none>) t0").words == ()


@pytest.mark.parametrize(
    ("text", "problem", "caret"),
    [
        ("dcl_resource_texture4d (float,float,float,float) t0",
         "unknown instruction 'dcl_resource_texture4d'; did you mean dcl_resource_texture3d?",
         "^~~~~~~~~~~~~~~~~~~~~~"),
        ("dcl_resource t0",
         "expected '_' and a resource dimension, got 't0'",
         "             ^~"),
        ("dcl_resource_texture2d t0",
         "expected '(' and the types of the components, got 't0'",
         "                       ^~"),
        ("dcl_resource_texture2d (float,float,float) t0",
         "expected ',', got ')'",
         "                                         ^"),
        ("dcl_resource_texture2d (real,float,float,float) t0",
         "unknown component type 'real'",
         "                        ^~~~"),
        ("dcl_resource_texture2dms (float,float,float,float) t0",
         "expected the number of samples, got 'float'",
         "                          ^~~~~"),
        ("dcl_resource_texture2dms(128) (float,float,float,float) t0",
         "expected 0 to 127 (7 bits), got 128",
         "                         ^~~"),
        ("dcl_constantbuffer CB0[0:0], immediateIndexed",
         "expected '[' and the buffer size, got ','",
         "                           ^"),
        ("dcl_constantbuffer cb0[4]",
         "expected ',', got the end of the line",
         "                         ^"),
        ("dcl_constantbuffer cb0[4], dynamicindexed",
         "unknown access 'dynamicindexed'; did you mean dynamicIndexed?",
         "                           ^~~~~~~~~~~~~~"),
        ("dcl_sampler s0, mode_defualt",
         "unknown sampler mode 'mode_defualt'; did you mean mode_default?",
         "                ^~~~~~~~~~~~"),
        ("dcl_input_ps lniear v0.x",
         "unknown interpolation 'lniear'; did you mean linear?",
         "             ^~~~~~"),
        ("dcl_input_ps",
         "expected an interpolation, got the end of the line",
         "            ^"),
        ("dcl_input_siv v0.x, positoin",
         "unknown system value 'positoin'; did you mean position?",
         "                    ^~~~~~~~"),
        ("dcl_input_siv v0.x, <65536>",
         "expected 0 to 65535 (16 bits), got 65536",
         "                    ^~~~~~~"),
        ("dcl_input_siv v0.x",
         "expected ',', got the end of the line",
         "                  ^"),
        ("dcl_input v0.yx",
         "expected components of x, y, z and w, in this order and each at most once, got yx",
         "            ^~~"),
        ("dcl_globalFlags refactoringAlowed",
         "unknown global flag 'refactoringAlowed'; did you mean refactoringAllowed?",
         "                ^~~~~~~~~~~~~~~~~"),
        ("dcl_globalFlags <3>",
         "expected a global flag, got '<'",
         "                ^"),
        ("dcl_globalFlags skipOptimization refactoringAllowed",
         "expected the end of the line, got 'refactoringAllowed'",
         "                                 ^~~~~~~~~~~~~~~~~~"),
        ("dcl_temps",
         "expected a number, got the end of the line",
         "         ^"),
        ("dcl_temps 4294967296",
         "the number does not fit 32 bits",
         "          ^~~~~~~~~~"),
        ("dcl_temps -1",
         "expected a number, got '-'",
         "          ^"),
        ("dcl_indexableTemp r0[4], 4",
         "expected 'x', got 'r0'",
         "                  ^~"),
        ("dcl_indexableTemp x<none>[4], 4",
         "the number of elements: expected <none> after <none>",
         "                          ^"),
        ("dcl_thread_group 8, 8",
         "expected ',', got the end of the line",
         "                     ^"),
        ("dcl_outputtopology strip",
         "unknown topology 'strip'; did you mean linestrip?",
         "                   ^~~~~"),
        ("dcl_inputprimitive patch33",
         "unknown primitive 'patch33'; did you mean patch3?",
         "                   ^~~~~~~"),
        ("dcl_input_control_point_count 64",
         "expected 0 to 63 (6 bits), got 64",
         "                              ^~"),
        ("dcl_tessellator_domain quad",
         "unknown domain 'quad'",
         "                       ^~~~"),
        ("dcl_hs_max_tessfactor r0",
         "expected a literal, l(...), got 'r0'",
         "                      ^~"),
        ("dcl_hs_max_tessfactor l(1, 2)",
         "expected one number, got 2",
         "                        ^~~~~"),
        ("dcl_function_table ft0 = {ft1}",
         "expected a function body, fb#, got 'ft1'",
         "                          ^~~"),
        ("dcl_function_table ft0 = {fb1 fb2}",
         "expected ',' or '}', got 'fb2'",
         "                              ^~~"),
        ("dcl_interface fp0[65536][1] = {ft0}",
         "expected 0 to 65535 (16 bits), got 65536",
         "                  ^~~~~"),
        ("dcl_resource_structured t0",
         "expected ',', got the end of the line",
         "                          ^"),
        ("dcl_resource_structured T0[0:0], 16, spaec=1",
         "expected space=, got 'spaec'",
         "                                     ^~~~~"),
        ("dcl_uav_typed_texture2d_opc (float,float,float,float) u0",
         "unknown instruction 'dcl_uav_typed_texture2d_opc'; did you mean"
         " dcl_uav_typed_texture2d?",
         "^~~~~~~~~~~~~~~~~~~~~~~~~~~"),
    ],
)  # fmt: skip
def test_mistakes(text: str, problem: str, caret: str) -> None:
    assert drawn(text) == (problem, caret)
