"""`unshade.diff`: comparison of two shaders, by category.

    found = unshade.diff(before, after)
    if found: print(found.verdict)                  the code is the same; statistics differ
    Category.CODE in found.categories               False

Every byte of a file belongs to a category (`parts.Category`), so that a build can say which
differences matter: `unshade.diff(a, b, ignore=("debug", "compiler", "digest"))`. Parts, the
reflection and the text of programs are compared, which every format has. Two shaders of different
formats are compared by their reflection alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from ...errors import UnshadeError, UnsupportedError, UsageError, did_you_mean
from ...formats import format_named, open_nested
from ...model import Reflection
from ...model.plain import schema_of
from ...parts import Category
from ...program import Program
from ...shader import Shader, has_code, outdated
from . import code, parts, pipelines, tree
from .describe import described
from .result import (
    Change,
    ChangeKind,
    Count,
    Diff,
    Differs,
    LineChange,
    PartChange,
    PipelineChange,
    ProgramDiff,
)
from .verdict import verdict

__all__ = [
    "Category",
    "Change",
    "ChangeKind",
    "Count",
    "Diff",
    "Differs",
    "LineChange",
    "PartChange",
    "PipelineChange",
    "ProgramDiff",
    "diff",
    "schema",
    "selected",
]


def diff(
    before: Shader,
    after: Shader,
    *,
    only: Iterable[str] = (),
    ignore: Iterable[str] = (),
    costs: bool = False,
) -> Diff:
    """Compare two shaders; the result is true if they differ.

    The categories are code, interface, reflection, statistics, debug, compiler, digest, private
    and container.

    Args:
        before: The first shader.
        after: The second shader, of the same format or of another.
        only: Names of the categories to compare; all if empty.
        ignore: Names of the categories to leave out.
        costs: Also compare the counts of `unshade.cost`, of shaders of one format or of two.

    Returns:
        The differences. Categories that differ but were left out are listed in `Diff.ignored` and
        not reported otherwise.

    Raises:
        UsageError: An argument is not a shader, or the name of a category is unknown.
    """
    given: object
    for given in (before, after):
        if not isinstance(given, Shader):
            raise UsageError(f"expected a Shader, got {type(given).__name__}")
    wanted = selected(only, ignore)
    old, new = before.to_bytes(), after.to_bytes()
    found = Diff(
        verdict="",
        different=False,
        format_before=before.format,
        format_after=after.format,
        size_before=len(old),
        size_after=len(new),
    )
    found._hold(before, after)
    if old != new:
        if before.format == after.format:
            _compare(found, before, after)
        else:
            _across(found, before, after)
        _select(found, wanted)
        if costs:
            found.costs = list(_costs(before, after))
    found.different = bool(found.categories)
    comparable = before.format == after.format and has_code(before) and has_code(after)
    unseen = Category.CODE in found.categories and not found.programs and _same(before, after)
    found.verdict = verdict(found, comparable, len(_kinds(before, after)), unseen)
    return found


def schema() -> dict[str, Any]:
    """Return the JSON Schema of `Diff.to_dict()`."""
    return schema_of(Diff, "urn:unshade:diff:1")


# ---------------------------------------------------------------- what to compare


def _compare(found: Diff, before: Shader, after: Shader) -> None:
    """Compare two shaders of one format whose bytes differ."""
    derived = {*before.derived_fields()} & {*after.derived_fields()}
    found.parts = parts.compare(before, after, derived)
    for name, holds in outdated(before, after).items():
        found.notes.append(
            f"{name} is the same in both, but the programs are not: {holds} cannot agree with both"
        )
    if format_named(before.format).stores_pipelines:
        found.pipelines = [
            *pipelines.compare(before, after, _verdict),
            *pipelines.compare_objects(before, after, _verdict),
        ]
        return _rest(found, before, after)
    _reflections(found, before, after)
    found.reflection = [each for each in found.reflection if each.path not in derived]
    in_parts = bool(len(before.parts) or len(after.parts))
    if not in_parts or any(Category.CODE in each.categories for each in found.parts):
        _code(found, before, after)
    found.container = list(_frames(before.frame(), after.frame()))
    if not in_parts:
        found.container += _debug(before.programs, after.programs)
    _rest(found, before, after)


def _rest(found: Diff, before: Shader, after: Shader) -> None:
    """Compare the bytes after the end; name the layout if nothing else differs."""
    if len(before.trailing) != len(after.trailing) or before.trailing != after.trailing:
        found.container = [each for each in found.container if each.path != "trailing"]
        found.container.append(_around("trailing", before.trailing.hex(), after.trailing.hex()))
    if not _categories(found):
        found.container.append(
            Change(
                path="bytes", change=ChangeKind.CHANGED, category=Category.CONTAINER,
                before_text="one layout", after_text="another layout",
            )
        )  # fmt: skip


def _verdict(before: bytes, after: bytes) -> str:
    """Return how two shaders inside the files differ."""
    return diff(open_nested(before), open_nested(after)).verdict


def _across(found: Diff, before: Shader, after: Shader) -> None:
    """Compare two shaders of different formats by their reflections."""
    found.container = [_around("format", before.format, after.format)]
    found.notes.append(
        f"{before.format} and {after.format} are compared by their reflection alone: their parts"
        " and instructions have nothing in common"
    )
    _reflections(found, before, after)


def _reflections(found: Diff, before: Shader, after: Shader) -> None:
    both: list[Reflection] = []
    for each in (before, after):
        try:
            both.append(each.reflect())
        except UnsupportedError as error:
            found.notes.append(f"no reflection: {error}")
        except UnshadeError as error:
            found.notes.append(f"reflection failed: {error}")
    if len(both) < 2:
        return
    found.reflection, notes = tree.compare(*both)
    found.statistics = list(_counts(*both))
    found.notes += [*notes, *_incomplete(*both)]


def _incomplete(before: Reflection, after: Reflection) -> Iterable[str]:
    """Yield the notes of both reflections; if only one shader has a note, name that shader."""
    for note in dict.fromkeys((*before.notes, *after.notes)):
        alone = "" if note in before.notes and note in after.notes else "first: "
        yield f"{'second: ' if alone and note in after.notes else alone}{note}"


def _counts(before: Reflection, after: Reflection) -> Iterable[Count]:
    """Yield the counts that both shaders have and that differ."""
    pairs = []
    if (
        before.statistics is not None
        and after.statistics is not None
        and before.statistics.computed == after.statistics.computed  # else not counted alike
    ):
        for name in before.statistics.FIELDS:
            if name != "computed":
                values = getattr(before.statistics, name), getattr(after.statistics, name)
                pairs.append((name, *values))
    if not any(name == "temp_registers" and x is not None for name, x, _ in pairs):
        pairs.append(("temp_registers", before.temp_registers, after.temp_registers))
    for name, x, y in pairs:
        if x is not None and y is not None and x != y:
            yield Count(name=name, before=x, after=y)


def _costs(before: Shader, after: Shader) -> Iterable[Count]:
    """Yield the counts of operations, chains and registers that differ, by entry point."""
    from ..changes import changes
    from ..metrics import COST_METRICS

    for each in changes("", before, after, costs=True):
        entry = "" if each.entry is None else f"{each.entry}: "
        for name in each.names:
            if name in COST_METRICS:
                yield Count(name=entry + name, before=each.before[name], after=each.after[name])


def _code(found: Diff, before: Shader, after: Shader) -> None:
    """Compare code line by line, if both have programs of one kind that can be decoded."""
    for shader, other, which in ((before, after, "first"), (after, before, "second")):
        if has_code(shader) and not shader.programs and has_code(other):
            names = (each.name for each in shader.parts if each.category is Category.CODE)
            found.notes.append(
                f"the code of the {which} shader ({', '.join(names) or shader.format}) is not"
                " decoded yet: bytes were compared, not instructions"
            )
            return
    if len(_kinds(before, after)) > 1:
        found.notes.append("the programs are of different kinds: instructions were not compared")
        return
    found.programs = list(_programs(before.programs, after.programs))


def _kinds(before: Shader, after: Shader) -> set[type]:
    """Return the kinds of programs, if both shaders have some."""
    both = (*before.programs, *after.programs) if before.programs and after.programs else ()
    return {type(each) for each in both}


def _programs(before: Sequence[Program], after: Sequence[Program]) -> Iterable[ProgramDiff]:
    """Compare programs, paired by entry point or otherwise by order."""
    waiting: dict[str, list[Program]] = {}
    for each in after:
        waiting.setdefault(str(each.entry_points), []).append(each)
    pairs: list[tuple[Program | None, Program | None]] = []
    for each in before:
        same = waiting.get(str(each.entry_points))
        pairs.append((each, same.pop(0) if same else None))
    rest = [each for some in waiting.values() for each in some]
    for at, (old, new) in enumerate(pairs):
        if new is None and rest:
            pairs[at] = (old, rest.pop(0))
    pairs += [(None, each) for each in rest]
    for old, new in pairs:
        if (old is None or old != new) and (found := code.compare(old, new)) is not None:
            yield found


def _debug(before: Sequence[Program], after: Sequence[Program]) -> Iterable[Change]:
    """Yield how the lines of debug information differ."""
    old, new = (Counter(chain(*(each.debug_lines() for each in one))) for one in (before, after))
    if old == new:
        return
    x, y = old.total(), new.total()
    yield Change(
        path="debug information",
        change=ChangeKind.REMOVED if not y else ChangeKind.CHANGED if x else ChangeKind.ADDED,
        category=Category.DEBUG, before=x, after=y, before_text=f"{x:,} lines",
        after_text=f"{y:,} lines, {(old & new).total():,} of them the same" if x and y else
        f"{y:,} lines",
    )  # fmt: skip


def _frames(before: dict[str, Any], after: dict[str, Any]) -> Iterable[Change]:
    for path in before | after:
        x, y = before.get(path), after.get(path)
        if x != y:
            yield _around(path, x, y)


def _around(path: str, before: Any, after: Any) -> Change:
    return Change(
        path=path,
        change=ChangeKind.CHANGED,
        category=Category.DIGEST if path == "digest" else Category.CONTAINER,
        before=before,
        after=after,
        before_text=described(before) or "none",
        after_text=described(after) or "none",
    )


def _same(before: Shader, after: Shader) -> bool:
    """Return True if the texts of two shaders are the same."""
    try:
        return before.disassemble() == after.disassemble()
    except UnshadeError:  # there is none
        return False


# ---------------------------------------------------------------- categories


def selected(only: Iterable[str] = (), ignore: Iterable[str] = ()) -> set[Category]:
    """Return the selected categories; raise UsageError for an unknown name."""
    chosen = _named(only, "only") or set(Category)
    return chosen - _named(ignore, "ignore")


def _named(names: Iterable[str], option: str) -> set[Category]:
    known = [each.value for each in Category]
    given: object = names
    if not isinstance(given, Iterable):
        raise UsageError(f"{option}: expected names of categories, got {given!r:.40}")
    several = [given] if isinstance(given, str) else list(given)
    for name in several:
        if name not in known:
            hint = did_you_mean(str(name), known) or f"; expected one of {', '.join(known)}"
            raise UsageError(f"{option}: unknown category {name!r:.40}{hint}")
    return {Category(name) for name in several}


def _categories(found: Diff) -> set[Category]:
    about = {each.category for each in (*found.reflection, *found.container)}
    about |= {category for part in found.parts for category in part.categories}
    if found.statistics:
        about.add(Category.STATISTICS)
    if found.programs:
        about.add(Category.CODE)
    for each in found.pipelines:
        about |= {change.category for change in each.changes} or {Category.INTERFACE}
    return about


def _select(found: Diff, wanted: set[Category]) -> None:
    """Set the categories that differ, and drop changes of ignored categories."""
    about = _categories(found)
    found.categories = [each for each in Category if each in about & wanted]
    found.ignored = [each for each in Category if each in about - wanted]
    if not found.ignored:
        return
    found.reflection = [each for each in found.reflection if each.category in wanted]
    found.container = [each for each in found.container if each.category in wanted]
    found.parts = [each for each in found.parts if wanted & set(each.categories)]
    for part in found.parts:
        part.categories = [each for each in part.categories if each in wanted]
        part.fields = [each for each in part.fields if each.category in wanted]
    if Category.STATISTICS not in wanted:
        found.statistics = []
    if Category.CODE not in wanted:
        found.programs = []
    for pipeline in found.pipelines:
        pipeline.changes = [each for each in pipeline.changes if each.category in wanted]
    found.pipelines = [
        each for each in found.pipelines if each.changes or each.change is not ChangeKind.CHANGED
    ]
