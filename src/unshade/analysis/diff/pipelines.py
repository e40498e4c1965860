"""Comparison of the pipelines and state objects of two files: added, removed or changed.

    pso2   pixel     skinning.dxbc: the code differs: 2 of 77 lines changed
           state     BlendDesc.RenderTarget0.SrcBlend: ONE → SRC_ALPHA

Pipelines are paired by the key under which the application looks them up. A stage differs if the
bytes of its shader do; another key for the same bytes is not a difference.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from ...errors import UnshadeError
from ...model.pipelines import StoredPipeline
from ...model.stateobjects import StoredStateObject
from ...parts import Category
from ...shader import Shader
from .describe import described
from .leaves import differences
from .result import Change, ChangeKind, PipelineChange

__all__ = ["compare", "compare_objects"]

MOST = 100  # changes that are listed for a pipeline
OBJECT = "state object"
DIRECTORY = ("group", "version")  # how the application asks for it
NAMES = ("name", "key", "shader", "subobject")  # what identifies an object of a list
Verdict = Callable[[bytes, bytes], str]


def compare(before: Shader, after: Shader, verdict: Verdict) -> list[PipelineChange]:
    """Return the pipelines that differ: removed and changed ones in the order of `before`, then
    added ones.

    Args:
        before: The first file.
        after: The second file.
        verdict: Takes the bytes of two shaders, and returns their difference in one sentence.
    """
    ours, theirs = _named(before.pipelines), _named(after.pipelines)
    told = cache(verdict)
    found = []
    for name, state in ours.items():
        other = theirs.get(name)
        if other is None:
            found.append(PipelineChange(name=name, change=ChangeKind.REMOVED))
            continue
        changes = [
            *_stages(before, after, state, other, told),
            *_signatures(before, after, state, other),
            *_states(state, other),
        ]
        if changes:
            found.append(
                PipelineChange(
                    name=name,
                    change=ChangeKind.CHANGED,
                    number=len(changes),
                    changes=changes[:MOST],
                )
            )
    added = (name for name in theirs if name not in ours)
    return [*found, *(PipelineChange(name=name, change=ChangeKind.ADDED) for name in added)]


def compare_objects(before: Shader, after: Shader, verdict: Verdict) -> list[PipelineChange]:
    """Return the state objects that differ, as `compare` returns pipelines."""
    ours = {each.group or each.key: each for each in before.state_objects}
    theirs = {each.group or each.key: each for each in after.state_objects}
    told = cache(verdict)
    found = []
    for name, x in ours.items():
        y = theirs.get(name)
        changes = [] if y is None else [*_libraries(before, after, x, y, told), *_described(x, y)]
        if y is None or changes:
            kind = ChangeKind.REMOVED if y is None else ChangeKind.CHANGED
            found.append(
                PipelineChange(
                    kind=OBJECT, name=name, change=kind, number=len(changes), changes=changes[:MOST]
                )
            )
    added = (name for name in theirs if name not in ours)
    return [
        *found,
        *(PipelineChange(kind=OBJECT, name=name, change=ChangeKind.ADDED) for name in added),
    ]


def _libraries(
    before: Shader, after: Shader, x: StoredStateObject, y: StoredStateObject, verdict: Verdict
) -> Iterator[Change]:
    """Yield the differences of libraries and root signatures that have a key in both files."""
    ours, theirs = ([each.key for each in one.libraries] for one in (x, y))
    for key in ours:
        if key in theirs:
            yield from _codes(before, after, f"library {key}", (key, key), verdict)
    for field in ("global_root_signatures", "local_root_signatures"):
        for key in getattr(x, field):
            if key in getattr(y, field) and before.pipeline_file(key) != after.pipeline_file(key):
                yield _change(field, ChangeKind.CHANGED, Category.INTERFACE, key, key)


def _described(x: StoredStateObject, y: StoredStateObject) -> Iterator[Change]:
    """Yield the differences of subobjects; lists of named ones are compared by name."""
    yield from _leaves(_by_name(x.to_dict()), _by_name(y.to_dict()))


def _by_name(value: Any) -> Any:
    """Return plain data in which lists of objects with different names are objects by name."""
    if isinstance(value, dict):
        return {key: _by_name(each) for key, each in value.items() if key not in DIRECTORY}
    if isinstance(value, list):
        for key in NAMES:
            names = [each.get(key) if isinstance(each, dict) else None for each in value]
            if value and None not in names and len({*names}) == len(names):
                return {
                    str(name): _by_name({one: each[one] for one in each if one != key})
                    for name, each in zip(names, value, strict=True)
                }
        return [_by_name(each) for each in value]
    return value


def _named(states: Sequence[StoredPipeline]) -> dict[str, StoredPipeline]:
    """Return pipelines by the key of their group, or by their own key if they have no group."""
    return {each.group or each.key: each for each in states}


def _stages(
    before: Shader, after: Shader, state: StoredPipeline, other: StoredPipeline, verdict: Verdict
) -> Iterator[Change]:
    for stage in dict.fromkeys((*state.stages, *other.stages)):
        x, y = state.stages.get(stage), other.stages.get(stage)
        if x is None or y is None:
            kind = ChangeKind.ADDED if x is None else ChangeKind.REMOVED
            yield _change(stage, kind, Category.CODE, x, y)
        else:
            yield from _codes(before, after, stage, (x, y), verdict)


def _codes(
    before: Shader, after: Shader, path: str, keys: tuple[str, str], verdict: Verdict
) -> Iterator[Change]:
    """Yield the difference of two shaders, by their keys."""
    x, y = keys
    old, new = before.pipeline_file(x), after.pipeline_file(y)
    if old is None or new is None:
        if x != y or old is not new:
            yield _change(path, ChangeKind.CHANGED, Category.CODE, x, y)
    elif old != new:
        try:
            how = verdict(old, new)
        except UnshadeError as error:
            how = f"the bytes differ; {error}"
        yield Change(
            path=path, change=ChangeKind.CHANGED, category=Category.CODE, before=x, after=y,
            after_text=f"{x if x == y else f'{x} → {y}'}: {how}",
        )  # fmt: skip


def _signatures(
    before: Shader, after: Shader, state: StoredPipeline, other: StoredPipeline
) -> Iterator[Change]:
    x, y = state.root_signature, other.root_signature
    if x is None and y is None:
        return
    if x is None or y is None:
        kind = ChangeKind.ADDED if x is None else ChangeKind.REMOVED
    elif before.pipeline_file(x) == after.pipeline_file(y):
        return
    else:
        kind = ChangeKind.CHANGED
    yield _change("root_signature", kind, Category.INTERFACE, x, y)


def _states(state: StoredPipeline, other: StoredPipeline) -> Iterator[Change]:
    if state.type != other.type:
        yield _change("type", ChangeKind.CHANGED, Category.INTERFACE, state.type, other.type)
    yield from _leaves(state.state, other.state)


def _leaves(before: Any, after: Any) -> Iterator[Change]:
    for path, x, y, kind in differences(before, after):
        yield Change(
            path=path, change=kind, category=Category.INTERFACE, before=x, after=y,
            before_text="" if kind is ChangeKind.ADDED else described(x),
            after_text="" if kind is ChangeKind.REMOVED else described(y),
        )  # fmt: skip


def _change(
    path: str, kind: ChangeKind, category: Category, before: str | None, after: str | None
) -> Change:
    return Change(
        path=path, change=kind, category=category, before=before, after=after,
        before_text=before or "", after_text=after or "",
    )  # fmt: skip
