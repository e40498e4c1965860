"""The page of functions: it lists every row, and a sample keeps within the specification."""

import re

import pytest

from tools import function_errors
from unshade.compilers.registry import OWN

needs_slang = pytest.mark.skipif(bool(OWN[0].missing()), reason=OWN[0].install)
SAMPLE = ("sqrt", "exp2", "log", "atan2", "pow", "dot", "normalize", "max", "firstbithigh", "isnan")


def test_the_page_lists_every_function_in_order() -> None:
    text = function_errors.PAGE.read_text(encoding="utf-8")
    for language, title in zip(function_errors.LANGUAGES, ("HLSL", "GLSL"), strict=True):
        section = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
        listed = re.findall(
            r"^\| (`\w+\([xyzw, ]+\)`(?:, [a-z ]+)?) \| (\w+)", section, re.MULTILINE
        )
        wanted = [
            (function_errors.head(group[0]), group[0].type)
            for group in function_errors.grouped(function_errors.cases(language))
        ]
        assert listed == wanted


def test_the_page_is_within_its_own_bounds() -> None:
    text = function_errors.PAGE.read_text(encoding="utf-8")
    exact = re.findall(r"\| exact \| ([^|]+) \|", text)
    assert exact
    assert {float(each.removesuffix(" ulp")) for each in exact if each != "equal"} <= {0.0, 0.5}
    for bound, error in re.findall(r"\| (2|2\.5|4096) ulp \| ([\d.]+) ulp \|", text):
        assert float(error) <= float(bound)


@pytest.mark.slow
@needs_slang
@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_is_within_the_specification_on_both_engines(name: str) -> None:
    groups = [
        group
        for group in function_errors.grouped(function_errors.cases("hlsl"))
        if group[0].name == name and group[0].kind in "fi"
    ]
    chosen = groups[0]
    engines = [function_errors.library("hlsl", each, chosen) for each in ("lockstep", "auto")]
    for case in chosen:
        found = function_errors.measured(case, engines, 512)
        assert found.within
        assert found.equal
        assert found.differing == 0


GLSL_SAMPLE = (
    "packUnorm4x8", "packHalf2x16", "unpackHalf2x16", "unpackSnorm2x16", "bitfieldExtract",
    "bitfieldInsert", "uaddCarry", "usubBorrow", "imulExtended", "umulExtended", "frexp", "modf",
    "ldexp", "packDouble2x32", "uintBitsToFloat", "outerProduct", "not",
)  # fmt: skip


@pytest.mark.slow
@needs_slang
def test_packing_and_integers_on_both_engines() -> None:
    chosen = [each for each in function_errors.cases("glsl") if each.name in GLSL_SAMPLE]
    assert {each.name for each in chosen} == set(GLSL_SAMPLE)
    engines = [function_errors.library("glsl", each, chosen) for each in ("lockstep", "auto")]
    for case in chosen:
        found = function_errors.measured(case, engines, 256)
        assert found.within, case.label
        assert found.equal, case.label
        assert found.differing == 0, case.label


@pytest.mark.slow
@needs_slang
def test_doubles_on_both_engines() -> None:
    names = ("abs", "floor", "round", "sqrt", "rsqrt", "dot", "normalize", "lerp", "asuint")
    chosen = [
        each for each in function_errors.cases("hlsl") if each.kind == "d" and each.name in names
    ]
    assert {each.name for each in chosen} == set(names)
    engines = [function_errors.library("hlsl", each, chosen) for each in ("lockstep", "auto")]
    for case in chosen:
        found = function_errors.measured(case, engines, 256)
        assert found.within, case.label
        assert found.equal, case.label


@pytest.mark.slow
@needs_slang
def test_a_wrong_function_is_noticed() -> None:
    (case, *_) = [each for each in function_errors.cases("hlsl") if each.name == "sqrt"]
    wrong = case._replace(row=case.row._replace(exact=lambda x: x**0.5 * (1 + 1e-6)))
    engines = [function_errors.library("hlsl", "lockstep", [case])]
    assert function_errors.measured(case, engines, 512).within
    found = function_errors.measured(wrong, engines, 512)
    assert not found.within
    assert found.error > 4.5
