"""Plots: points inside of the box, gaps where numbers are not finite, few points."""

from __future__ import annotations

import re
from math import inf, nan

import pytest

from tests.screens.test_html import EVIL, words
from unshade.screens.plots import COLUMNS, EDGE, histogram, series


def points(svg: str) -> list[list[tuple[float, float]]]:
    """Return the pieces of the lines of a plot."""
    [*paths] = re.findall(r'<path class="u-line\d" d="([^"]*)"', svg)
    return [
        [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+) ([^MLh]+)", piece)]
        for path in paths
        for piece in path.split("M")[1:]
        for piece in [f"M{piece}"]
    ]


def test_the_least_number_is_at_the_bottom_and_the_greatest_at_the_top() -> None:
    assert points(series([[1, 3, 2]], "a", 60)) == [[(0, 60), (120, 0), (240, 30)]]


def test_lines_share_a_scale_and_differ_in_colour() -> None:
    svg = series([[0, 10], [5, 5]], "a", 60)
    assert points(svg) == [[(0, 60), (240, 0)], [(0, 30), (240, 30)]]
    assert 'class="u-line0"' in svg
    assert 'class="u-line1"' in svg


def test_a_line_has_gaps_where_numbers_are_not_finite() -> None:
    assert points(series([[nan, 0, inf, 2, 1]], "a", 40)) == [[(60, 40)], [(180, 0), (240, 20)]]


def test_zero_is_marked_inside_of_the_plot_alone() -> None:
    assert 'class="u-zero" d="M0 20H240"' in series([[-1, 2]], "a", 30)
    assert "u-zero" not in series([[0, 2]], "a", 30)


@pytest.mark.parametrize(
    "numbers", [[], [nan], [5.0], [2, 2, 2], [1.7e308, -1.7e308], [5e-324, 0.0], [-inf, inf]]
)
def test_any_numbers_are_drawn_inside_of_the_box(numbers: list[float]) -> None:
    svg = series([numbers], "a", 60)
    words(svg)
    assert "nan" not in svg
    assert "inf" not in svg
    assert all(0 <= x <= COLUMNS and 0 <= y <= 60 for piece in points(svg) for x, y in piece)


def test_of_many_numbers_each_column_shows_least_and_greatest() -> None:
    numbers = [0.0] * 100_000
    numbers[50_000] = 1
    numbers[50_001] = -1
    svg = series([numbers], "a", 60)
    assert len(svg) < 10_000
    drawn = {each for piece in points(svg) for each in piece}
    assert {(120, 0), (120, 60), (0, 30), (239, 30)} <= drawn


def test_bars_are_in_proportion() -> None:
    svg = histogram([1, 0, 4], "a", 60)
    bars = re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"/>', svg)
    assert bars == [("0", "45", "79.5", "15"), ("160", "0", "79.5", "60")]
    assert "<rect" not in histogram([], "a")


def test_a_caption_is_escaped_and_read_aloud() -> None:
    svg = series([[1, 2]], EVIL)
    assert "".join(words(svg)) == EVIL.replace(" ", "")
    assert 'role="img" aria-label="&lt;script&gt;' in svg
    assert f'viewBox="{-EDGE} {-EDGE} ' in svg
