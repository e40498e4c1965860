"""Explanations of words: operations of every language, and rules."""

import pytest

import unshade
from unshade import UsageError
from unshade.analysis.explanations import explained_languages, known_rules, words
from unshade.formats import LANGUAGES, own
from unshade.screens.blocks import render_plain
from unshade.screens.explanations import blocks


def test_a_word_of_several_languages() -> None:
    found = unshade.explain("mad")
    assert [each.language for each in found] == ["fxc", "picasso", "spirv", "d3d9"]
    assert found[0].title == "Direct3D assembly (fxc)"
    assert found[0].rows[0] == (
        "",
        "First source times the second, plus the third; rounded once or twice.",
    )
    assert unshade.explain("mad", "picasso") == [found[1]]


def test_suffixes_of_an_operation() -> None:
    (found,) = unshade.explain("mad_sat", "fxc")
    assert (found.word, found.rows) == ("mad_sat", unshade.explain("mad", "fxc")[0].rows)
    assert unshade.explain("discard_nz")[0].rows == unshade.explain("discard")[0].rows
    assert unshade.explain("setp_gt")[0].rows == unshade.explain("setp")[0].rows


def test_operations_of_one_function() -> None:
    found = unshade.explain("dx.op.dot3.f32")
    assert [each.rows[0] for each in found] == [("", "Dot3(ax,ay,az,bx,by,bz)")]
    unary = unshade.explain("dx.op.unary.f32", "dxc")
    assert {("function", "dx.op.unary")} == {each.rows[1] for each in unary}
    assert {each.rows[0][1].partition("(")[0] for each in unary} >= {"FAbs", "Sqrt", "Cos"}


def test_another_spelling() -> None:
    (found,) = unshade.explain("SAMPLELEVEL")
    assert (found.word, found.language) == ("SampleLevel", "dxc")
    assert unshade.explain("opfmul")[0].word == "OpFMul"


def test_a_rule() -> None:
    rule = known_rules()["psv.state"]
    (found,) = unshade.explain("psv.state")
    assert (found.language, found.title, found.rows) == (
        "verify",
        rule.summary,
        [("severity", "warning"), ("", rule.explanation)],
    )
    with pytest.raises(UsageError, match="an operation of fxc, got"):
        unshade.explain("psv.state", "fxc")


def test_an_unknown_word() -> None:
    with pytest.raises(UsageError, match="expected an operation or a rule, got 'fmadd'"):
        unshade.explain("fmadd")
    with pytest.raises(
        UsageError, match=r"expected a rule of verify, got 'psv\.stat'; did you mean"
    ):
        unshade.explain("psv.stat", "verify")
    with pytest.raises(UsageError, match="language: expected one of fxc, dxc"):
        unshade.explain("mad", "FXC")


def test_every_language_of_code_has_explanations() -> None:
    homes = {each.explanation.split(".")[2] for each in explained_languages().values()}
    assert homes == {*LANGUAGES}
    assert [*explained_languages()] == [
        each.name for format in own() for each in format.languages if each.explanation
    ]


@pytest.mark.parametrize("language", explained_languages())
def test_every_word_is_explained(language: str) -> None:
    known = [word for word, _ in words(language)]
    assert len(known) > 30
    for word in known[:: max(len(known) // 50, 1)]:
        assert all(each.word == word and each.rows for each in unshade.explain(word, language))


def test_operands_are_one_a_line() -> None:
    (found,) = unshade.explain("sample_l", "fxc")
    assert render_plain(blocks([found])) == (
        "sample_l: Direct3D assembly (fxc)\n"
        "  Samples a given mip level.\n"
        "  operands  destination\n"
        "            float\n"
        "            texture or buffer to read, t#; some operations take u# or the rasterizer\n"
        "            sampler, s#\n"
        "            float\n"
        "  model     4.0 and later\n"
        "  stages    all\n"
        "  opcode    72\n"
    )
    for word, language, count in (
        ("mad", "picasso", 4), ("mad", "d3d9", 4), ("OpStore", "spirv", 3), ("Sample", "dxc", 10),
        ("clamp", "sksl", 8),
    ):  # fmt: skip
        rows = dict(unshade.explain(word, language)[0].rows)
        assert len(rows["operands"].split("\n")) >= count, word
