"""Lines of words that are cut at spaces."""

from unshade.screens.text import Segment, folded

LINE: list[Segment] = [("a.dxbc", 1), (": ", None), ("note rule at 0x10: SHDR is odd", 2)]


def words(lines: list[list[Segment]]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


def test_a_line_that_fits_stays() -> None:
    assert list(folded(LINE, 40)) == [LINE]


def test_a_long_line_is_cut_at_spaces_and_indented() -> None:
    found = list(folded(LINE, 20))
    assert words(found) == ["a.dxbc: note rule at", "    0x10: SHDR is", "    odd"]
    assert found[0] == [("a.dxbc", 1), (": ", None), ("note rule at", 2)]
    assert found[1] == [("    ", None), ("0x10: SHDR is", 2)]


def test_a_long_word_stays_whole() -> None:
    assert words(list(folded([("folder/of/a/shader.dxbc: x", None)], 10))) == [
        "folder/of/a/shader.dxbc:",
        "    x",
    ]
    assert list(folded([], 10)) == [[]]


def test_spaces_within_a_line_are_kept() -> None:
    assert words(list(folded([("a   b   cccc", None)], 8))) == ["a   b", "    cccc"]
