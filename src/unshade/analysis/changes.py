"""Changes of the metrics of shaders between two builds, such as instructions and registers.

    before  ps.cso  instructions 120  bytes 2780
    after   ps.cso  instructions 100  bytes 2700     helped: both metrics are smaller

The metrics are the same as in budgets. A shader with several entry points has the metrics of each.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from ..shader import Shader
from ..tuples import NamedTuple
from .metrics import COST_METRICS, METRICS, MeasuredEntry, measured_entries, shaders_inside

__all__ = ["MetricChange", "MetricTotal", "changes", "totals"]


class MetricChange(NamedTuple):
    """The metrics of a shader, or of one of its entry points, that differ between two builds."""

    name: str
    entry: str | None
    before: Mapping[str, int]  # empty if the shader is new
    after: Mapping[str, int]  # empty if it is gone
    inside: str = ""  # the name of the shader in a database of shaders

    @property
    def shader(self) -> tuple[str, str]:
        """The name of the file, and of the shader in it."""
        return self.name, self.inside

    @property
    def names(self) -> list[str]:
        """The metrics that differ."""
        return [
            name
            for name in METRICS
            if name in self.before and name in self.after and self.before[name] != self.after[name]
        ]

    @property
    def share(self) -> float:
        """The greatest relative change of a metric."""
        return max(
            (
                abs(self.after[name] - self.before[name]) / max(self.before[name], 1)
                for name in self.names
            ),
            default=0.0,
        )


class MetricTotal(NamedTuple):
    """The sum of a metric over the shaders where it changed; how many decreased and increased."""

    metric: str
    before: int
    after: int
    helped: int
    hurt: int


def changes(
    name: str, before: Shader | None, after: Shader | None, *, costs: bool = False
) -> list[MetricChange]:
    """Return the changes between two builds of a shader; one of them may be None.

    Args:
        name: The name of the shader.
        before: The shader of the first build.
        after: The shader of the second.
        costs: Also compare the metrics that `unshade.cost` counts.
    """
    ours, theirs = ({} if each is None else shaders_inside(each) for each in (before, after))

    def differs(name: str, data: bytes) -> bool:
        return ours.get(name) != theirs.get(name)

    old = {} if before is None else _measured(before, costs, differs)
    new = {} if after is None else _measured(after, costs, differs)
    found = [
        MetricChange(
            name, entry, old.get((inside, entry), {}), new.get((inside, entry), {}), inside
        )
        for inside, entry in dict.fromkeys((*old, *new))
    ]
    return [each for each in found if each.names or not each.before or not each.after]


def _measured(
    shader: Shader, costs: bool, chosen: Callable[[str, bytes], bool]
) -> dict[tuple[str, str | None], dict[str, int]]:
    """Return the metrics of a file (None) and of its entry points, if there are several.

    Of the shaders of a database, whose names come first in the keys, chosen ones are measured.
    """
    return {
        (each.inside, each.name): _metrics(each, costs) for each in measured_entries(shader, chosen)
    }


def _metrics(found: MeasuredEntry, costs: bool) -> dict[str, int]:
    values = {
        name: METRICS[name].of(found) for name in found.metrics if costs or name not in COST_METRICS
    }
    return {name: value for name, value in values.items() if value is not None}


def totals(found: Iterable[MetricChange]) -> Iterator[MetricTotal]:
    """Yield the total of each metric that changed, in the order of the metrics."""
    listed = list(found)
    for name in METRICS:
        of_it = [(each.before[name], each.after[name]) for each in listed if name in each.names]
        if of_it:
            before, after = (sum(each) for each in zip(*of_it, strict=True))
            helped = sum(new < old for old, new in of_it)
            yield MetricTotal(name, before, after, helped, len(of_it) - helped)
