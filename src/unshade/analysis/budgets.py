"""Budgets: limits on the cost of shaders.

    # budgets.toml
    [[budget]]                        # every shader
    max-instructions = 500

    [[budget]]                        # pixel shaders of two folders
    files = ["ui/**", "hud/*.dxbc"]
    stage = "pixel"
    max-instructions = 64
    max-samples = 2

If several budgets apply to a shader, later limits override earlier ones, as in .gitattributes:
general budgets first, exceptions below. Globs are matched from the right, so that `ui/*.dxbc`
matches in every folder called ui; `**` matches any number of folders.

The metrics are counts of the reflection and of `unshade.cost`, under the same names in every format
(`METRICS`). Costs are counted only if there is a limit on one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import UnshadeError, UsageError, did_you_mean
from ..formats import format_named
from ..model.reflection import Reflection, Statistics
from ..shader import Shader, has_code
from ..vocab.words import Stage

if TYPE_CHECKING:
    from .cost import ShaderCost

__all__ = [
    "BYTES", "COST_METRICS", "METRICS", "Budget", "BudgetRow", "Measured", "MeasuredEntry",
    "Metric", "check", "measured_entries", "read",
]  # fmt: skip

PREFIX = "max-"
TABLE = "budget"


class MeasuredEntry:
    """An entry point of a shader, or a file without a choice of entry points.

    Attributes:
        reflection: Its reflection.
        size: Size of the file in bytes; None for one of several entry points.
        name: Its name if the file has several entry points, else None.
        metrics: The names of the metrics that it has.
    """

    def __init__(
        self,
        reflection: Reflection,
        *,
        size: int | None = None,
        name: str | None = None,
        metrics: Iterable[str] = (),
        count: "Callable[[], ShaderCost] | None" = None,
    ) -> None:
        """Take the attributes, and a function that counts the costs when they are needed."""
        self.reflection = reflection
        self.size = size
        self.name = name
        self.metrics = metrics
        self._count = count

    @cached_property
    def cost(self) -> "ShaderCost | None":
        """The counts of `unshade.cost`; None if the code cannot be lowered."""
        try:
            return None if self._count is None else self._count()
        except UnshadeError:
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
    "samples": Metric("texture samples, loads and gathers of every kind", _counted(*READS), READS),
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


class Budget(NamedTuple):
    """Limits by metric, for the shaders that match `files` and `stages`, if there are any."""

    limits: Mapping[str, int]
    files: Sequence[str] = ()
    stages: Sequence[str] = ()

    def covers(self, path: str, stage: str | None) -> bool:
        """Return True if the budget applies to a shader.

        A shader without a stage is covered only by budgets that name no stage.
        """
        return self.matches(path) and (not self.stages or stage in self.stages)

    def matches(self, path: str) -> bool:
        """Return True if the budget has no globs, or any glob matches the path."""
        parts = path.replace("\\", "/").split("/")
        globs = [f"{glob}/*" if glob.endswith("**") else glob for glob in self.files]
        return not globs or any(_matches(glob.split("/"), parts) for glob in globs)


def _matches(glob: Sequence[str], parts: Sequence[str]) -> bool:
    """Return True if the end of a path matches a glob."""
    if not glob:
        return True
    *before, last = glob
    if last == "**":
        return any(_matches(before, parts[:end]) for end in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[-1], last) and _matches(before, parts[:-1])


class Measured(NamedTuple):
    """A limit and the measured value, which is None if unknown."""

    metric: str
    limit: int
    value: int | None

    @property
    def over(self) -> bool:
        """True if the value exceeds the limit."""
        return self.value is not None and self.value > self.limit


class BudgetRow(NamedTuple):
    """The measurements of an entry point, or of a whole file."""

    entry: str | None  # the entry point, None for the only one of a file or the file as a whole
    stage: str | None
    measured: Sequence[Measured]

    @property
    def over(self) -> list[Measured]:
        """The metrics that exceed their limit."""
        return [each for each in self.measured if each.over]

    @property
    def unknown(self) -> list[Measured]:
        """The metrics with a limit whose value is unknown."""
        return [each for each in self.measured if each.value is None]


def check(shader: Shader, path: str, budgets: Sequence[Budget]) -> list[BudgetRow]:
    """Measure a shader against the budgets that apply to it; return no rows if none applies.

    Limits on counts that the format does not have are skipped; of a file without code, such as a
    root signature, only the size is measured, and nothing of a database of pipelines. Several entry
    points are measured separately, the size of the file once.

    Args:
        shader: The shader.
        path: The path that the globs of the budgets are matched against.
        budgets: The budgets; of two limits on the same metric the later one applies.
    """
    if format_named(shader.format).stores_pipelines:
        return []
    rows = [_row(each, path, budgets) for each in measured_entries(shader)]
    return [row for row in rows if row.measured]


def measured_entries(shader: Shader) -> Iterator[MeasuredEntry]:
    """Yield the entry points of a shader; first the file as a whole, if it has several.

    A file without code, such as a root signature, has nothing but a size.
    """
    size = len(shader.to_bytes())
    if not has_code(shader):
        yield MeasuredEntry(Reflection(format=shader.format), size=size, metrics=(BYTES,))
        return
    found = shader.reflect()
    if not found.entry_points:
        yield MeasuredEntry(
            found, size=size, metrics=METRICS, count=partial(_cost, shader, 0, None)
        )
        return
    yield MeasuredEntry(found, size=size, metrics=(BYTES,))
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


def _row(entry: MeasuredEntry, path: str, budgets: Sequence[Budget]) -> BudgetRow:
    found = entry.reflection
    stage = None if found.stage is None else str(found.stage)
    limits: dict[str, int] = {}
    for budget in budgets:
        if budget.covers(path, stage):
            limits.update(budget.limits)
    measured = [
        Measured(name, limits[name], METRICS[name].of(entry))
        for name in entry.metrics
        if name in limits and METRICS[name].counted_for(found.format)
    ]
    return BudgetRow(entry.name, stage, measured)


# ---------------------------------------------------------------- the file


def read(text: str) -> list[Budget]:
    """Return the budgets of a TOML document.

    Raises:
        UsageError: The document is not TOML, or not a table of budgets; the message contains the
            path.
    """
    import tomllib

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"invalid TOML: {error}") from None
    _check_names("unknown table", document, (TABLE,))
    rows = document.get(TABLE)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(f"expected [[{TABLE}]] tables")
    return [_budget(row, f"{TABLE}[{number}]") for number, row in enumerate(rows)]


def _budget(row: Mapping[str, Any], path: str) -> Budget:
    keys = ("files", "stage", *(PREFIX + name for name in METRICS))
    _check_names(f"{path}: unknown key", row, keys)
    stages = _texts(row.get("stage", []), f"{path}.stage")
    _check_names(f"{path}: unknown stage", stages, [str(each) for each in Stage])
    limits = {}
    for key, value in row.items():
        if key.startswith(PREFIX):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise UsageError(
                    f"{path}.{key}: expected an integer of at least 0, got {value!r:.40}"
                )
            limits[key.removeprefix(PREFIX)] = value
    if not limits:
        raise UsageError(f"{path}: expected a limit such as {PREFIX}instructions")
    return Budget(limits, _texts(row.get("files", []), f"{path}.files"), stages)


def _texts(value: object, path: str) -> list[str]:
    """Return a string, or a list of strings, as a list."""
    several = value if isinstance(value, list) else [value]
    texts = [each for each in several if isinstance(each, str) and each]
    if len(texts) < len(several):
        raise UsageError(f"{path}: expected a string or a list of strings, got {value!r:.40}")
    return texts


def _check_names(problem: str, names: Iterable[str], known: Sequence[str]) -> None:
    """Raise UsageError, with `problem` before the name, if a name is unknown."""
    for name in names:
        if name not in known:
            raise UsageError(f"{problem} {name!r:.40}{did_you_mean(name, known)}")
