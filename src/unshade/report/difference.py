"""The page of a difference: two shaders side by side.

    header      names, verdict
    sides       format, target, compiler, options, size and hash of both
    code        aligned lines; equal ones are folded, renumbered ones told apart
    fields      fields whose bytes differ, with both values; linked to the lines that show them
    summary     tables of `unshade diff`: parts, interface, reflection, counts, …

Without JavaScript, the page shows the tables and a unified diff of the code.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from ..analysis.diff import ChangeKind, Diff, ProgramDiff, diff
from ..isa.lexer import Lexer
from ..model import Reflection
from ..overview import Info, info
from ..screens import html
from ..screens.blocks import Block, Lines, TableBlock
from ..screens.diff import TAB, marked, screen, tally
from ..screens.parts import regions
from ..screens.text import many, visible
from ..shader import Shader
from .assembly import markup, rendered
from .columns import Columns
from .fields import FieldPair, field_pairs, shown
from .folder import FolderRow
from .listing import KINDS, CodeListing

__all__ = ["difference_page"]

SCRIPTS = (
    "elements", "block", "rows", "sections", "alignment", "code_diff", "field_diff", "difference",
)  # fmt: skip
CONTEXT = 3  # equal lines around a difference
EQUAL, RENUMBERED = 0, 5
NUMBERS = {
    None: EQUAL, ChangeKind.CHANGED: 1, ChangeKind.ADDED: 2, ChangeKind.REMOVED: 3,
    ChangeKind.MOVED: 4,
}  # fmt: skip


def difference_page(
    before: Shader,
    after: Shader,
    names: tuple[str, str],
    found: Diff | None = None,
    index: str = "",
) -> str:
    """Return the page of the difference of two shaders.

    Args:
        before: The first shader.
        after: The second shader.
        names: The names of the shaders on the page.
        found: Their difference, if it is known.
        index: Link to the index of the folders that the shaders are in; empty without one.
    """
    found = diff(before, after) if found is None else found
    about = info(before), info(after)
    columns = Columns()
    for number, program in enumerate(found.programs):
        _write_program(columns, f"{number}.", program, before.lexer(), after.lexer())
    pairs = field_pairs(before, after, found) if found else []
    _write_fields(columns, pairs, before.to_bytes(), after.to_bytes())
    columns.values["kinds"] = [str(kind or "") for kind in KINDS]
    columns.values["programs"] = [
        {"name": visible(each.name), "tally": _tally(each)} for each in found.programs
    ]
    columns.values["maps"] = [_regions(each) for each in about]
    names = visible(names[0]), visible(names[1])
    blocks = list(screen("", found, CONTEXT, None))
    return rendered(
        "difference.html.jinja",
        SCRIPTS,
        ("common", "difference"),
        names=names,
        index=index,
        verdict=visible(found.verdict),
        categories=[str(each) for each in found.categories],
        sides=_sides(_facts(before, about[0]), _facts(after, about[1])),
        summary=markup(html.render(each for each in blocks if isinstance(each, TableBlock))),
        code=markup(html.render(_code(blocks))),
        changed=many(len(pairs), "field differs", "fields differ"),
        block=markup(columns.packed()),
    )


def _code(blocks: Iterable[Block]) -> Sequence[Block]:
    """Return the blocks of code, without the name of the comparison."""
    return [each for each in blocks if isinstance(each, Lines)][1:]


def _tally(program: ProgramDiff) -> str:
    """Return the counts of lines; renumbered and changed lines are counted separately."""
    count = len(program.alignment.renumbered)
    text = tally(program)
    return f"{text}; {count:,} of the changed in register numbers only" if count else text


def _sides(x: dict[str, str], y: dict[str, str]) -> list[tuple[str, str, str, bool]]:
    """Return facts about both shaders: label, values, whether they differ."""
    return [(name, x[name], y[name], x[name] != y[name]) for name in x if x[name] or y[name]]


def _facts(shader: Shader, about: Info) -> dict[str, str]:
    row = FolderRow.of_info(shader, about, "")
    return {
        "format": row.format,
        "stage": row.stage,
        "target": visible(row.target),
        "compiler": visible(row.compiler),
        "options": _flags(about.reflection),
        "bytes": f"{row.size:,}",
        "instructions": f"{row.instructions:,}" if row.instructions >= 0 else "",
        "digest": row.digest,
        "SHA-256": row.hash,
    }


def _flags(reflection: Reflection | None) -> str:
    return "" if reflection is None else visible(", ".join(reflection.compile_flags))


def _regions(found: Info) -> Sequence[tuple[str, int]]:
    return regions(found.parts, found.size, found.trailing) if found.parts else [("", found.size)]


# ---------------------------------------------------------------- code


def _write_program(
    columns: Columns, lead: str, program: ProgramDiff, lexer: Lexer, lexer_after: Lexer
) -> None:
    """Add the rows of an alignment, the lines of both texts, and the words that differ."""
    alignment = program.alignment
    kinds = [
        RENUMBERED if at in alignment.renumbered and kind is ChangeKind.CHANGED else NUMBERS[kind]
        for at, kind in enumerate(alignment.kinds)
    ]
    columns.numbers(f"{lead}kind", kinds)
    columns.differences(f"{lead}old", [-1 if i is None else i for i, _ in alignment.rows])
    columns.differences(f"{lead}new", [-1 if j is None else j for _, j in alignment.rows])
    columns.numbers(f"{lead}moved.old", [*alignment.moves])
    columns.numbers(f"{lead}moved.new", [*alignment.moves.values()])
    same = {j: i for (i, j), kind in zip(alignment.rows, kinds, strict=True)
            if kind == EQUAL and i is not None and j is not None
            and alignment.before[i] == alignment.after[j]}  # fmt: skip
    new = ["" if j in same else line for j, line in enumerate(alignment.after)]
    for name, lines, used in (("old", alignment.before, lexer), ("new", new, lexer_after)):
        listing = CodeListing.of_lines([each.expandtabs(TAB) for each in lines], used)
        columns.texts(f"{lead}{name}.text", listing.lines)
        columns.numbers(f"{lead}{name}.words", listing.counts)
        columns.numbers(f"{lead}{name}.size", listing.sizes)
        columns.numbers(f"{lead}{name}.kind", listing.kinds)
    marks: list[int] = []
    for at, ((i, j), kind) in enumerate(zip(alignment.rows, alignment.kinds, strict=True)):
        if kind is ChangeKind.CHANGED and i is not None and j is not None:
            texts = alignment.before[i], alignment.after[j]
            for side in (0, 1):
                for start, size in _marks(texts[side], texts[1 - side]):
                    marks += (at, side, start, size)
    columns.numbers(f"{lead}marks", marks)


def _marks(text: str, other: str) -> list[tuple[int, int]]:
    """Return start and length, in UTF-16 units, of the words that differ."""
    found = []
    start = 0
    for cell in marked(text, other, "minus"):
        word, tone = cell if isinstance(cell, tuple) else (cell, "")
        size = len(word.encode("utf-16-le")) // 2
        if tone.endswith(" word"):
            found.append((start, size))
        start += size
    return found


# ---------------------------------------------------------------- fields


def _write_fields(
    columns: Columns, pairs: Sequence[FieldPair], before: bytes, after: bytes
) -> None:
    """Add the fields that differ, with offset, size, value and bytes on each side."""
    columns.texts("field.path", (visible(each.path) for each in pairs))
    columns.numbers("field.program", [-1 if each.line is None else each.line[0] for each in pairs])
    columns.differences("field.row", [-1 if each.line is None else each.line[1] for each in pairs])
    for name, data, spans in (
        ("old", before, [each.before for each in pairs]),
        ("new", after, [each.after for each in pairs]),
    ):
        columns.differences(f"field.{name}.at", [-1 if x is None else x.offset for x in spans])
        columns.numbers(f"field.{name}.size", [0 if x is None else x.length for x in spans])
        texts: list[Any] = [shown(data, x) for x in spans]
        columns.texts(f"field.{name}.value", (value for value, _ in texts))
        columns.texts(f"field.{name}.bytes", (raw for _, raw in texts))
