"""Budgets: limits on the cost of shaders.

    # budgets.toml
    [[budget]]                        every shader
    max-instructions = 500

    [[budget]]                        pixel shaders of two folders
    files = ["ui/**", "hud/*.dxbc"]
    stage = "pixel"
    max-instructions = 64
    max-samples = 2

Of several budgets that a shader falls under, the last that states a limit sets it, as later lines
of .gitattributes do: general ones first, exceptions below. A glob is compared from the right, so
that `ui/*.dxbc` matches in every folder called ui; `**` stands for any number of folders.

What is measured is what the reflection counts, in the same words for every format (`METRICS`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from ..errors import UsageError, did_you_mean
from ..formats import format_named
from ..model.reflection import Reflection, Statistics
from ..shader import Shader
from ..vocab.words import Stage

__all__ = ["METRICS", "Budget", "BudgetRow", "Measured", "Metric", "check", "read"]

PREFIX = "max-"
TABLE = "budget"


class Metric(NamedTuple):
    """A metric of a shader; `of` returns None if neither the file nor the code states it."""

    doc: str
    of: Callable[[Reflection], int | None]
    sums: Sequence[str] = ()  # the fields of the statistics that it needs

    def told_of(self, format: str) -> bool:
        """Return True if shaders of a format have this metric."""
        counts = format_named(format).counts
        return counts is None or set(self.sums) <= set(counts)


def _counted(*names: str) -> Callable[[Reflection], int | None]:
    """Return a function that sums fields of the statistics."""

    def count(found: Reflection) -> int | None:
        values = [getattr(found.statistics, name, None) for name in names]
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    return count


def _temps(found: Reflection) -> int | None:
    return (
        _counted("temp_registers")(found) if found.temp_registers is None else found.temp_registers
    )


BYTES = "bytes"  # of the whole file, whatever programs are in it
READS = (
    "texture_samples", "texture_loads", "texture_comparisons", "texture_bias",
    "texture_gradients", "texture_gathers",
)  # fmt: skip

METRICS: dict[str, Metric] = {
    BYTES: Metric("bytes of the file", lambda found: None),
    "instructions": Metric("instructions; declarations are none", _counted("instructions")),
    "temps": Metric("temporary registers", _temps),
    "samples": Metric(
        "samples, loads and gathers of textures, of every kind", _counted(*READS), READS
    ),
    "inputs": Metric("rows of the input signature", lambda found: len(found.inputs)),
    "outputs": Metric("rows of the output signature", lambda found: len(found.outputs)),
    "constant-bytes": Metric(
        "bytes of all constant buffers",
        lambda found: sum(each.size for each in found.constant_buffers),
    ),
    "shared-bytes": Metric(
        "bytes that the threads of a group share",
        lambda found: sum(each.size for each in found.shared_memory),
    ),
    **{
        name.replace("_", "-"): Metric(field.doc, _counted(name), (name,))
        for name, field in Statistics.FIELDS.items()
        if name not in ("computed", "instructions", "temp_registers")
    },
}


class Budget(NamedTuple):
    """Limits by metric, for the shaders that match `files` and `stages`, if there are any."""

    limits: Mapping[str, int]
    files: Sequence[str] = ()
    stages: Sequence[str] = ()

    def covers(self, path: str, stage: str | None) -> bool:
        """Return True if the budget applies to a shader; without a stage only if it names none."""
        return self.matches(path) and (not self.stages or stage in self.stages)

    def matches(self, path: str) -> bool:
        """Return True if the budget has no globs, or one of them matches the path."""
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

    A limit of something that no shader of the format has a count of does not apply.

    The entry points of a file that has several are measured one by one, its bytes together.
    """
    found = shader.reflect()
    if not found.entry_points:
        rows = [_row(None, found, path, budgets, shader)]
    else:
        rows = [_row(None, found, path, budgets, shader, only=(BYTES,))]
        others = [name for name in METRICS if name != BYTES]
        rows += [
            _row(each.entry_point or "unnamed", each, path, budgets, shader, only=others)
            for each in found.entry_points
        ]
    return [row for row in rows if row.measured]


def _row(
    entry: str | None,
    found: Reflection,
    path: str,
    budgets: Sequence[Budget],
    shader: Shader,
    only: Iterable[str] = METRICS,
) -> BudgetRow:
    stage = None if found.stage is None else str(found.stage)
    limits: dict[str, int] = {}
    for budget in budgets:
        if budget.covers(path, stage):
            limits.update(budget.limits)
    measured = [
        Measured(
            name,
            limits[name],
            len(shader.to_bytes()) if name == BYTES else METRICS[name].of(found),
        )
        for name in only
        if name in limits and METRICS[name].told_of(shader.format)
    ]
    return BudgetRow(entry, stage, measured)


# ---------------------------------------------------------------- the file


def read(text: str) -> list[Budget]:
    """Return the budgets that a TOML document states; UsageError names what is wrong in it."""
    import tomllib

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"not TOML: {error}") from None
    _known("table", document, (TABLE,))
    rows = document.get(TABLE)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(f"budgets are tables of the form [[{TABLE}]]")
    return [_budget(row, f"{TABLE}[{number}]") for number, row in enumerate(rows)]


def _budget(row: Mapping[str, Any], path: str) -> Budget:
    _known(f"key in {path}", row, ("files", "stage", *(PREFIX + name for name in METRICS)))
    stages = _texts(row.get("stage", []), f"{path}.stage")
    _known(f"stage in {path}", stages, [str(each) for each in Stage])
    limits = {}
    for key, value in row.items():
        if key.startswith(PREFIX):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise UsageError(f"{path}.{key}: expected a whole number, got {value!r:.40}")
            limits[key.removeprefix(PREFIX)] = value
    if not limits:
        raise UsageError(f"{path}: expected a limit such as {PREFIX}instructions")
    return Budget(limits, _texts(row.get("files", []), f"{path}.files"), stages)


def _texts(value: object, path: str) -> list[str]:
    """Return a text, or a list of texts, as a list."""
    several = value if isinstance(value, list) else [value]
    texts = [each for each in several if isinstance(each, str) and each]
    if len(texts) < len(several):
        raise UsageError(f"{path}: expected a text or a list of texts, got {value!r:.40}")
    return texts


def _known(what: str, names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"unknown {what}: {name!r:.40}{did_you_mean(name, known)}")
