"""Comparison of the pipelines that two files describe: added, removed, changed, and by what.

    pso2   pixel     skinning.dxbc: the code differs: 2 of 77 lines changed
           state     BlendDesc.RenderTarget0.SrcBlend: ONE → SRC_ALPHA

Pipelines are paired by the key by which the application asks for them. A stage differs if the bytes
of its shader do; another key for the same bytes is not a difference.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ...errors import UnshadeError
from ...model.pipelines import StoredPipeline
from ...parts import Category
from ...shader import Shader
from .describe import described
from .leaves import differences
from .result import Change, ChangeKind, PipelineChange

__all__ = ["compare"]

MOST = 100  # changes that are listed for a pipeline
Verdict = Callable[[bytes, bytes], str]


def compare(before: Shader, after: Shader, verdict: Verdict) -> list[PipelineChange]:
    """Return the pipelines that differ: removed and changed ones in the order of `before`, then
    added ones.

    Args:
        before: The first file.
        after: The second file.
        verdict: Return how two shaders differ, in one sentence, of their bytes.
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


def _named(states: Sequence[StoredPipeline]) -> dict[str, StoredPipeline]:
    """Return pipelines by the key of their group, or by their own where they have none."""
    return {each.group or each.key: each for each in states}


def _stages(
    before: Shader, after: Shader, state: StoredPipeline, other: StoredPipeline, verdict: Verdict
) -> Iterator[Change]:
    for stage in dict.fromkeys((*state.stages, *other.stages)):
        x, y = state.stages.get(stage), other.stages.get(stage)
        if x is None or y is None:
            kind = ChangeKind.ADDED if x is None else ChangeKind.REMOVED
            yield _change(stage, kind, Category.CODE, x, y)
            continue
        old, new = before.pipeline_file(x), after.pipeline_file(y)
        if old is None or new is None:
            if x != y or old is not new:
                yield _change(stage, ChangeKind.CHANGED, Category.CODE, x, y)
        elif old != new:
            try:
                how = verdict(old, new)
            except UnshadeError as error:
                how = f"the bytes differ; {error}"
            yield Change(
                path=stage, change=ChangeKind.CHANGED, category=Category.CODE, before=x, after=y,
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
    for path, x, y, kind in differences(state.state, other.state):
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
