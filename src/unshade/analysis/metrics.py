"""Metrics of shaders: counts of the reflection and of `unshade.cost`, by the same names everywhere.

    for entry in measured_entries(shader):
        for name in entry.metrics:
            METRICS[name].of(entry)            None if it is unknown

Costs are counted only if a metric needs them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ..errors import UnshadeError
from ..formats import format_named, identify, open_nested
from ..model.reflection import Reflection, Statistics
from ..shader import Shader, file_of, has_code
from ..tuples import NamedTuple

if TYPE_CHECKING:
    from .cost import ShaderCost

__all__ = [
    "BYTES",
    "COST_METRICS",
    "METRICS",
    "MeasuredEntry",
    "Metric",
    "count_shaders",
    "measured_entries",
    "shaders_inside",
]


class MeasuredEntry:
    """An entry point of a shader, or a file without a choice of entry points.

    Attributes:
        reflection: Its reflection.
        size: Size of the file in bytes; None for one of several entry points.
        name: Its name if the file has several entry points, else None.
        metrics: The names of the metrics that it has.
        inside: The name of the shader in a database of shaders; else empty.
        problem: The reason why its costs are unknown, once they were asked for; else empty.
    """

    def __init__(
        self,
        reflection: Reflection,
        *,
        size: int | None = None,
        name: str | None = None,
        metrics: Iterable[str] = (),
        count: "Callable[[], ShaderCost] | None" = None,
        inside: str = "",
    ) -> None:
        """Take the attributes, and a function that counts the costs when they are needed."""
        self.reflection = reflection
        self.size = size
        self.name = name
        self.metrics = metrics
        self.inside = inside
        self.problem = ""
        self._count = count

    @cached_property
    def cost(self) -> "ShaderCost | None":
        """The counts of `unshade.cost`; None if the code cannot be lowered."""
        try:
            return None if self._count is None else self._count()
        except UnshadeError as error:
            self.problem = str(error)
            return None


class Metric(NamedTuple):
    """A metric of an entry point; `of` returns None if the value is unknown."""

    doc: str
    of: Callable[[MeasuredEntry], int | None]
    sums: Sequence[str] = ()  # fields of the statistics that it adds up

    def counted_for(self, format: str) -> bool:
        """Return True if shaders of a format have this metric."""
        found = format_named(format)
        if found.counts is None and found.options_of:
            found = format_named(found.options_of)
        counts = found.counts
        return counts is None or set(self.sums) <= set(counts)


def _counted(*names: str) -> Callable[[MeasuredEntry], int | None]:
    """Return a function that sums fields of the statistics."""

    def count(found: MeasuredEntry) -> int | None:
        values = [getattr(found.reflection.statistics, name, None) for name in names]
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    return count


def _temps(found: MeasuredEntry) -> int | None:
    stated = found.reflection.temp_registers
    return _counted("temp_registers")(found) if stated is None else stated


def _of_cost(get: "Callable[[ShaderCost], int | None]") -> Callable[[MeasuredEntry], int | None]:
    """Return a function of the costs; None if they are unknown."""
    return lambda found: None if found.cost is None else get(found.cost)


def _operations(*units: str) -> Callable[[MeasuredEntry], int | None]:
    """Return a function that sums the operations of units that a lane runs at most."""

    def count(found: "ShaderCost") -> int | None:
        values = [each.most for unit, each in found.units.items() if unit in units]
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    return _of_cost(count)


BYTES = "bytes"  # of the whole file, however many programs it has
READS = (
    "texture_samples", "texture_loads", "texture_comparisons", "texture_bias",
    "texture_gradients", "texture_gathers",
)  # fmt: skip

# Words of `cost.CostUnit`, without moves and the interface, which hardware may do without.
UNITS = {
    "float": "arithmetic, comparisons and conversions of floats",
    "integer": "integer and logic operations",
    "special": "sines, exponentials, roots, powers and quotients",
    "memory": "loads and stores",
    "atomic": "atomic operations",
    "texture": "samples, loads and queries of textures",
    "wave": "operations across lanes",
    "barrier": "barriers",
    "control": "branches, loops and discards",
}
COST_METRICS: dict[str, Metric] = {
    "operations": Metric("operations of a lane at most, without moves", _operations(*UNITS)),
    **{
        f"{unit}-operations": Metric(f"{words} of a lane at most", _operations(unit))
        for unit, words in UNITS.items()
    },
    "longest-chain": Metric(
        "operations that wait for each other", _of_cost(lambda found: found.chain.length)
    ),
    "sample-chain": Metric(
        "texture reads that wait for each other", _of_cost(lambda found: found.samples.length)
    ),
    "live-registers": Metric(
        "32-bit values that are live at once, at most", _of_cost(lambda found: found.peak.registers)
    ),
}

METRICS: dict[str, Metric] = {
    BYTES: Metric("size of the file in bytes", lambda found: found.size),
    "instructions": Metric("instructions, without declarations", _counted("instructions")),
    "temps": Metric("temporary registers", _temps, ("temp_registers",)),
    "samples": Metric(
        "samples and gathers of every kind, and loads of textures and buffers",
        _counted(*READS),
        READS,
    ),
    "inputs": Metric("rows of the input signature", lambda found: len(found.reflection.inputs)),
    "outputs": Metric("rows of the output signature", lambda found: len(found.reflection.outputs)),
    "constant-bytes": Metric(
        "size of all constant buffers in bytes",
        lambda found: sum(each.size for each in found.reflection.constant_buffers),
    ),
    "shared-bytes": Metric(
        "shared memory of a thread group in bytes",
        lambda found: sum(each.size for each in found.reflection.shared_memory),
    ),
    **{
        name.replace("_", "-"): Metric(field.doc, _counted(name), (name,))
        for name, field in Statistics.FIELDS.items()
        if name not in ("computed", "instructions", "temp_registers")
    },
    **COST_METRICS,
}


def shaders_inside(shader: Shader) -> dict[str, bytes]:
    """Return the shaders of a database of pipelines by name; empty for other files."""
    if not format_named(shader.format).stores_pipelines:
        return {}
    return {name: data for name, data in shader.extract().items() if identify(data) is not None}


def count_shaders(shader: Shader) -> int:
    """Return the number of shaders in a file: 1, or those of a database."""
    if format_named(shader.format).stores_pipelines:
        return len(shaders_inside(shader))
    return 1


def measured_entries(
    shader: Shader, chosen: Callable[[str, bytes], bool] = lambda name, data: True
) -> Iterator[MeasuredEntry]:
    """Yield the entry points of a shader; first the file as a whole, if it has several.

    A file without code, such as a root signature, has nothing but a size. A database of pipelines
    has the entry points of its shaders, whose names begin with the name of the shader.

    Args:
        shader: The shader, or database.
        chosen: Returns False for shaders of a database to leave out, by name and data.
    """
    if format_named(shader.format).stores_pipelines:
        for name, data in shaders_inside(shader).items():
            inner = open_nested(data, shader.limits) if chosen(name, data) else None
            if inner is not None and has_code(inner):
                for entry in measured_entries(inner):
                    entry.inside = name
                    entry.name = name if entry.name is None else f"{name} {entry.name}"
                    yield entry
        return
    file, metrics = file_of(shader), list(METRICS)
    size = len(file) if isinstance(file, bytes) else None
    if size is None:
        metrics.remove(BYTES)
    if not has_code(shader):
        yield MeasuredEntry(
            Reflection(format=shader.format), size=size, metrics={BYTES}.intersection(metrics)
        )
        return
    found = shader.reflect()
    if not found.entry_points:
        yield MeasuredEntry(
            found, size=size, metrics=metrics, count=partial(_cost, shader, 0, None)
        )
        return
    yield MeasuredEntry(found, size=size, metrics={BYTES}.intersection(metrics))
    others = [name for name in METRICS if name != BYTES]
    lowered = _numbers(shader)
    for each in found.entry_points:
        name = each.entry_point or "unnamed"
        number = lowered.get((each.entry_point, str(each.stage)))
        count = None if number is None else partial(_cost, shader, number, each.entry_point)
        yield MeasuredEntry(each, name=name, metrics=others, count=count)


def _numbers(shader: Shader) -> dict[tuple[str | None, str], int]:
    """Return the number of the program of each entry point whose name and stage tell it apart."""
    found: dict[tuple[str | None, str], int] = {}
    for number, program in enumerate(shader.programs):
        named = program.entry_points
        names = [name for name, _ in named]
        found |= {(name, str(stage)): number for name, stage in named if names.count(name) == 1}
    return found


def _cost(shader: Shader, number: int, entry: str | None) -> "ShaderCost":
    from .cost import cost

    return cost(shader, number, entry)
