"""HTML for notebooks: a function for each kind of object (see unshade/notebook.py)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Diagnostic, UnshadeError
from . import html, plots
from .blocks import Block, Cell, Prose, TableBlock, Title
from .text import many, visible

if TYPE_CHECKING:
    from ..analysis.diff import Diff
    from ..model import Reflection
    from ..overview import Info
    from ..run.binding.results import Results
    from ..run.debugging.lens import Lens
    from ..run.raster import Picture
    from ..shader import Shader

CONTEXT = 3  # equal lines around a difference
PICTURES = 4
LARGEST = 512  # pixels along an axis
LEAST = 8  # of one component: rows of fewer numbers are vectors
COMPONENTS = 4  # of a vector
MANY = 1 << 14  # numbers: more are drawn as a histogram


def shader(shown: "Shader") -> str:
    """A shader: the output of `unshade info`, and the listing."""
    from ..overview import info as overview

    pieces = [html.render(_info(overview(shown)))]
    try:
        text = shown.disassemble()
    except UnshadeError:  # not every format, and nothing that is damaged, has one
        return html.document(*pieces)
    lines = text.count("\n")
    return html.document(
        *pieces, html.listing(f"Listing, {many(lines, 'line')}", text, shown.lexer())
    )


def info(shown: "Info") -> str:
    """Return the output of `unshade info`."""
    return html.document(html.render(_info(shown)))


def _info(found: "Info") -> Iterator[Block]:
    from .info import screen

    return screen(found.format, found)


def reflection(shown: "Reflection") -> str:
    """Return the output of `unshade reflect`."""
    from .reflection import screen

    return html.document(html.render(screen(shown.format, shown)))


def diff(shown: "Diff") -> str:
    """Return the output of `unshade diff`."""
    return html.document(html.render(difference(shown)))


def difference(shown: "Diff") -> list[Block]:
    """Return the blocks of a difference, its title first."""
    from .diff import screen

    name = "difference" if shown else "no difference"
    return list(screen(name, shown, CONTEXT, None))


def findings(shown: Sequence[Diagnostic]) -> str:
    """Return findings as a table."""
    from .info import TONES

    if not shown:
        return html.document(html.render([Prose("no findings")]))
    rows: list[list[Cell]] = [
        [
            (str(each.severity), TONES[str(each.severity)]),
            visible(each.code),
            "" if each.offset is None else (f"0x{each.offset:x}", "dim"),
            visible(each.path),
            visible(each.message),
        ]
        for each in shown
    ]
    table = TableBlock("", ("severity", "rule", ">offset", "path", "what was found"), rows)
    return html.document(html.render([table]))


# ---------------------------------------------------------------- arrays


def results(shown: "Results") -> str:
    """Return the arrays that a call wrote, a line each, and the pictures among them."""
    return html.document(*_results(shown))


def picture(shown: "Picture") -> str:
    """Return the render targets as pictures."""
    shown = shown.resolved()
    height, width = shown.covered.shape[-2:]
    share = shown.covered.mean()
    title = Title("picture", f"{width} x {height}, {share:.1%} of its pixels covered")
    targets = {**shown.targets, "depth": shown.depth}
    return html.document(html.render([title]), *_results(targets))


def lens(shown: "Lens") -> str:
    """Return a lens as a picture, with the range of its numbers."""
    array = shown.array
    facts = f"{' x '.join(map(str, shown.reached.shape[::-1]))}, {array.dtype}"
    title = Title(f"lens {visible(shown.title)}", facts)
    rows: list[list[Cell]] = [
        ["minimum", (f"{shown.minimum:.6g}", "number")],
        ["maximum", (f"{shown.maximum:.6g}", "number")],
        ["NaN", (f"{shown.nans:,}", "warn" if shown.nans else "number")],
        ["not reached", (f"{int((~shown.reached).sum()):,}", "number")],
    ]
    table = TableBlock("", ("", ">"), rows)
    picture = _image(visible(shown.title), shown.image())
    return html.document(html.render([title, table]), picture)


def _results(found: Mapping[str, Any]) -> Iterator[str]:
    import numpy as np

    rows: list[list[Cell]] = []
    for name, given in found.items():
        array = np.asarray(given)
        shape = " x ".join(map(str, array.shape)) or "1"
        kind = f"{{{', '.join(array.dtype.names)}}}" if array.dtype.names else str(array.dtype)
        rows.append([(visible(name), "name"), kind, shape, *_range(array), _first(array)])
    headings = ("name", "type", "shape", ">least", ">greatest", ">not finite", "first")
    yield html.render([TableBlock("", headings, rows)])
    shown = [each for name, array in found.items() for each in _pictures(visible(name), array)]
    for name, array in shown[:PICTURES]:
        yield _image(name, array)
    drawn = [
        each for name, array in found.items() if not [*_pictures(name, array)]
        for each in _plots(visible(name), array)
    ]  # fmt: skip
    yield from drawn[:PICTURES]


def _range(array: Any) -> tuple[Cell, Cell, Cell]:
    """Return the least and greatest number, and the count of non-finite numbers."""
    import numpy as np

    if array.dtype.kind not in "fiu" or not array.size:
        return "", "", ""
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    wrong = array.size - finite.size
    invalid: Cell = (f"{wrong:,}", "warn") if wrong else ""
    if not finite.size:
        return "", "", invalid
    return (f"{finite.min():.6g}", "number"), (f"{finite.max():.6g}", "number"), invalid


def _first(array: Any) -> Cell:
    import numpy as np

    if array.dtype.names:
        return ""
    with np.printoptions(precision=4, threshold=8, edgeitems=4):
        numbers = array.reshape(-1)
        shown = " ".join(f"{each:.4g}" for each in numbers[:8].tolist())
    return shown + (" …" if array.size > 8 else ""), "dim"


def _pictures(name: str, array: Any) -> Iterator[tuple[str, Any]]:
    """Yield the pictures in an array of colours or bytes, each with its name.

    Its shape is (height, width), or (height, width, 3 or 4), with an axis of layers before these.
    """
    dtype = getattr(array, "dtype", None)
    if dtype is None or not (dtype.kind == "f" or dtype == "u1"):
        return
    colours = array.ndim > 2 and array.shape[-1] in (3, 4)
    size = array.shape[-3:-1] if colours else array.shape[-2:]
    if len(size) < 2 or min(size) < (2 if colours else LEAST):
        return
    if array.ndim == 2 + colours:
        yield name, array
    elif array.ndim == 3 + colours:
        for layer in range(min(len(array), PICTURES)):
            yield f"{name}[{layer}]", array[layer]


def _plots(name: str, array: Any) -> Iterator[str]:
    """Yield the plot of an array of numbers or vectors: lines, or of many numbers a histogram."""
    import numpy as np

    array = np.asarray(array)
    vectors = array.ndim == 2 and array.shape[1] <= COMPONENTS
    if array.dtype.kind not in "fiu" or not (array.ndim == 1 or vectors) or len(array) < LEAST:
        return
    numbers = array.astype("f8").reshape(len(array), -1)
    if numbers.size <= MANY:
        kind = "vectors" if vectors else "numbers"
        yield plots.series(numbers.T.tolist(), f"{name}: {len(array):,} {kind} in order")
        return
    finite = numbers[np.isfinite(numbers)]
    if finite.size:
        with np.errstate(over="ignore"):  # of the range of floats of 64 bits
            least, greatest = finite.min() / 2, finite.max() / 2
        counts, _ = np.histogram(finite / 2, plots.BARS, (least, greatest))
        caption = f"{name}: {finite.size:,} numbers from {2 * least:.6g} to {2 * greatest:.6g}"
        yield plots.histogram(counts.tolist(), caption)


def _grey(array: Any) -> Any:
    """Return numbers as shades: 0 to 1 unchanged, other ranges scaled from least to greatest."""
    import numpy as np

    if array.dtype == "u1":
        return array
    numbers = array.astype("f4")
    finite = numbers[np.isfinite(numbers)]
    least, greatest = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if least < 0 or greatest > 1:
        span = (greatest - least) or 1.0
        numbers = (numbers - least) / span
    return np.clip(np.nan_to_num(numbers, posinf=1.0, neginf=0.0), 0, 1).astype("f4")


def _image(name: str, array: Any) -> str:
    from ..run.binding.pictures import picture as encoded

    height, width = array.shape[:2]
    step = -(-max(height, width) // LARGEST)
    small = array[::step, ::step]
    # Alpha is seldom meant: what it hides would be missing.
    small = small[..., :3] if small.ndim == 3 else _grey(small)
    caption = f"{name}, {width} x {height}"
    return html.image(caption, encoded(small, ".png"), small.shape[1], small.shape[0])
