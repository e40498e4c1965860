"""Numbers as plots in SVG, for notebooks.

Colours are from the style of `html.document`. A plot has at most some hundred points: of longer
series each column shows the least and the greatest number in it.
"""

from collections.abc import Sequence
from html import escape
from math import isfinite

__all__ = ["COLUMNS", "histogram", "series"]

COLUMNS = 240  # points along a plot
BARS = 48
EDGE = 2  # units around a plot, so that lines are not cut


def series(lines: Sequence[Sequence[float]], caption: str, height: int = 60) -> str:
    """Return lines over their indices, on one scale; numbers that are not finite leave a gap."""
    least, greatest = _range([each for line in lines for each in line if isfinite(each)])
    drawn = [_path(line, least, greatest, height) for line in lines]
    paths = "".join(f'<path class="u-line{at % 4}" d="{path}"/>' for at, path in enumerate(drawn))
    return _figure(_zero(least, greatest, height) + paths, caption, height)


def histogram(counts: Sequence[int], caption: str, height: int = 60) -> str:
    """Return bars, one for each count."""
    most = max([*counts, 1])
    width = COLUMNS / max(len(counts), 1)
    bars = []
    for at, count in enumerate(counts):
        if count:
            tall = max(count / most * height, 1)
            bars.append(
                f'<rect x="{_at(at * width)}" y="{_at(height - tall)}"'
                f' width="{_at(max(width - 0.5, 0.5))}" height="{_at(tall)}"/>'
            )
    return _figure(f'<g class="u-bars">{"".join(bars)}</g>', caption, height)


def _range(numbers: Sequence[float]) -> tuple[float, float]:
    if not numbers:
        return 0.0, 1.0
    least, greatest = min(numbers), max(numbers)
    return (least, greatest) if greatest > least else (least - 0.5, greatest + 0.5)


def _path(line: Sequence[float], least: float, greatest: float, height: int) -> str:
    pieces: list[str] = []
    pen = "M"
    span = greatest - least
    # The range of numbers may be more than the greatest float.
    scale = 1.0 if isfinite(span) else 0.5
    span = greatest * scale - least * scale
    for x, y in _points(line):
        if not isfinite(y):
            pen = "M"
            continue
        share = (y * scale - least * scale) / span
        pieces.append(f"{pen}{_at(x)} {_at((1 - share) * height)}")
        if pen == "M":
            pieces.append("h.01")  # a number between two gaps is a dot
        pen = "L"
    return "".join(pieces)


def _points(line: Sequence[float]) -> Sequence[tuple[float, float]]:
    """Return (x, number) of each point; a column of many numbers gives the least and greatest."""
    count = len(line)
    if count <= 2 * COLUMNS:
        step = COLUMNS / max(count - 1, 1)
        return [(at * step, number) for at, number in enumerate(line)]
    found: list[tuple[float, float]] = []
    for column in range(COLUMNS):
        part = line[column * count // COLUMNS : (column + 1) * count // COLUMNS]
        finite = [each for each in part if isfinite(each)]
        if len(finite) < len(part):
            found.append((column, float("nan")))
        if finite:
            found += [(column, min(finite)), (column, max(finite))]
    return found


def _zero(least: float, greatest: float, height: int) -> str:
    """Return the line of 0, if it is inside of the plot."""
    if not least < 0 < greatest:
        return ""
    y = _at(height / (1 - least / greatest))
    return f'<path class="u-zero" d="M0 {y}H{COLUMNS}"/>'


def _figure(inner: str, caption: str, height: int) -> str:
    box = f"{-EDGE} {-EDGE} {COLUMNS + 2 * EDGE} {height + 2 * EDGE}"
    name = escape(caption)
    return (
        f'<figure><svg viewBox="{box}" width="{COLUMNS + 2 * EDGE}" height="{height + 2 * EDGE}"'
        f' role="img" aria-label="{name}">{inner}</svg><figcaption>{name}</figcaption></figure>'
    )


def _at(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
