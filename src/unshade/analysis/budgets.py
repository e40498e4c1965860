"""Budgets: limits on the cost of shaders.

    # budgets.toml
    [[budget]]                        # every shader
    max-instructions = 500

    [[budget]]                        # pixel shaders of two folders
    files = ["ui/**", "hud/*.dxbc"]
    stage = "pixel"
    max-instructions = 64
    max-samples = 2

    [[budget]]                        # a family of shaders
    format = "shbin"
    max-instructions = 128

If several budgets apply to a shader, later limits override earlier ones, as in .gitattributes:
general budgets first, exceptions below. Globs are matched from the right, so that `ui/*.dxbc`
matches in every folder called ui; `**` matches any number of folders.

Each limit applies to a metric (metrics.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from ..errors import UsageError, did_you_mean
from ..formats import known
from ..shader import Shader
from ..tuples import NamedTuple
from ..vocab.words import Stage
from .metrics import METRICS, MeasuredEntry, measured_entries

__all__ = ["Budget", "BudgetRow", "Measured", "check", "growth", "read"]

PREFIX = "max-"
GROWING = ("bytes", "instructions")
TABLE = "budget"


class Budget(NamedTuple):
    """Limits by metric, for shaders that match `files`, `stages` and `formats`, if given."""

    limits: Mapping[str, int]
    files: Sequence[str] = ()
    stages: Sequence[str] = ()
    formats: Sequence[str] = ()

    def covers(self, path: str, stage: str | None, format: str = "") -> bool:
        """Return True if the budget applies to a shader.

        A shader without a stage is covered only by budgets that name no stage.
        """
        fits = (not self.stages or stage in self.stages) and (
            not self.formats or format in self.formats
        )
        return fits and self.matches(path)

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

    Limits on counts that the format lacks are skipped. A file without code, such as a root
    signature, is measured by its size alone. Several entry points are measured separately, the
    size of the file once. Each shader of a database of pipelines is measured separately, too; its
    path is the path of the database, followed by the name of the shader.

    Args:
        shader: The shader.
        path: The path that the globs of the budgets are matched against.
        budgets: The budgets; if two limit the same metric, the later one applies.
    """
    rows = [_row(each, path, budgets) for each in measured_entries(shader)]
    return [row for row in rows if row.measured]


def growth(before: Shader, percent: int) -> list[Budget]:
    """Return budgets that let a shader grow by some percent: its bytes, and its instructions.

    If several entry points have one stage, the largest counts.
    """
    found: dict[str, dict[str, int]] = {}  # by stage; "" for the file as a whole
    for entry in measured_entries(before):
        if entry.inside:
            continue
        stage = entry.reflection.stage
        limits = found.setdefault("" if stage is None else str(stage), {})
        for name in GROWING:
            value = METRICS[name].of(entry) if name in entry.metrics else None
            if value is not None:
                limits[name] = max(limits.get(name, 0), value + value * percent // 100)
    return [Budget(limits, stages=(stage,) if stage else ()) for stage, limits in found.items()]


def _row(entry: MeasuredEntry, path: str, budgets: Sequence[Budget]) -> BudgetRow:
    found = entry.reflection
    path = f"{path}/{entry.inside}" if entry.inside else path
    stage = None if found.stage is None else str(found.stage)
    limits: dict[str, int] = {}
    for budget in budgets:
        if budget.covers(path, stage, found.format):
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
    keys = ("files", "stage", "format", *(PREFIX + name for name in METRICS))
    _check_names(f"{path}: unknown key", row, keys)
    stages = _texts(row.get("stage", []), f"{path}.stage")
    _check_names(f"{path}: unknown stage", stages, [str(each) for each in Stage])
    formats = _texts(row.get("format", []), f"{path}.format")
    _check_names(f"{path}: unknown format", formats, [each.name for each in known()])
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
    return Budget(limits, _texts(row.get("files", []), f"{path}.files"), stages, formats)


def _texts(value: object, path: str) -> list[str]:
    """Return a string, or a list of strings, as a list."""
    several = value if isinstance(value, list) else [value]
    texts = [each for each in several if isinstance(each, str) and each]
    if len(texts) < len(several):
        raise UsageError(f"{path}: expected a string or a list of strings, got {value!r:.40}")
    return texts


def _check_names(problem: str, names: Iterable[str], expected: Sequence[str]) -> None:
    """Raise UsageError, with `problem` before the name, if a name is unknown."""
    for name in names:
        if name not in expected:
            raise UsageError(f"{problem} {name!r:.40}{did_you_mean(name, expected)}")
