"""Pieces of declarations read lines back: fxc's, and what other tools and older versions write."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import dwords, instruction, refused
from tests.programs.tpf.text.test_text import DECLARATIONS, INSTRUCTIONS, Words
from unshade.programs.tpf.text import print_instruction


@pytest.mark.parametrize(("words", "text"), INSTRUCTIONS + DECLARATIONS)
def test_lines_are_read_back(words: Words, text: str) -> None:
    made = instruction(text)
    assert print_instruction(made) == text
    assert dwords(print_instruction(made)) == dwords(text)
    assert made.token & 0x7FF == words[0] & 0x7FF
    assert len(dwords(text)) == len(words)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("dcl_sampler s3", "dcl_sampler s3, mode_default"),
        ("dcl_sampler S1[2:2], space=4", "dcl_sampler S1[2:2], mode_default, space=4"),
        ("dcl_input_ps_sgv v0.x, is_front_face", "dcl_input_ps_sgv constant v0.x, is_front_face"),
        ("dcl_globalFlags refactoringAllowed, skipOptimization",
         "dcl_globalFlags refactoringAllowed | skipOptimization"),
        ("dcl_resource_raw T0[1:1] space=3", "dcl_resource_raw T0[1:1], space=3"),
        ("dcl_uav_raw u0, globallyCoherant", "dcl_uav_raw_glc u0"),
        ("dcl_uav_structured u1, 16, hasOrderPreservingCounter, globallyCoherant",
         "dcl_uav_structured_glc_opc u1, 16"),
    ],
)  # fmt: skip
def test_other_spellings(text: str, same: str) -> None:
    assert dwords(text) == dwords(same)


# A line that lacks or misspells something, the column of the error, and the error.
REFUSED = (
    ("dcl_tessellator_domain quad", 24, "unknown domain 'quad'"),
    ("dcl_resource_texture2dms (float,float,float,float) t0", 27,
     "expected the number of samples, got 'float'"),
    ("dcl_resource_texture2d (float,float,float) t0", 42, "expected ',', got ')'"),
    ("dcl_resource_texture2d float t0", 24,
     "expected '(' and the types of the components, got 'float'"),
    ("dcl_resource_texture2d (float,float,float,half) t0", 43, "unknown component type 'half'"),
    ("dcl_globalFlags optimised", 17, "unknown global flag 'optimised'"),
    ("dcl_input_sgv v0.x", 19, "expected ',', got the end of the line"),
    ("dcl_constantbuffer CB1[2:5], immediateIndexed", 28,
     "expected '[' and the buffer size, got ','"),
    ("dcl_function_table 1 = {fb0}", 20, "expected a function table, ft#, got '1'"),
    ("dcl_function_table ft1 = {0}", 27, "expected a function body, fb#, got '0'"),
    ("dcl_interface 0[1][6] = {ft0}", 15, "expected an interface, fp#, got '0'"),
    ("dcl_interface fp0[1] = {ft0}", 22, "expected '[', got '='"),
    ("dcl_temps", 10, "expected a number, got the end of the line"),
    ("dcl_thread_group 8, 4", 22, "expected ',', got the end of the line"),
    ("dcl_indexableTemp x0[8]", 24, "expected ',', got the end of the line"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "column", "problem"), REFUSED)
def test_lines_that_lack_something(text: str, column: int, problem: str) -> None:
    error = refused(text)
    assert (error.column, error.problem) == (column, problem)
