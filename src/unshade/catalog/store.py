"""The folder of a catalogue.

    catalog.json                     the manifest: the runs that are visible, and their files
    shaders/000001-00.parquet        rows of the table, of run 1
    pending/                         what a scan has read so far, before its run is visible

Nothing in a visible file is ever changed. A run becomes visible when the manifest that names its
files replaces the one before, at once or not at all.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import FormatError, UsageError, not_installed
from ..tuples import NamedTuple
from .sketches import KEY
from .storage import CatalogStorage
from .tables import TABLES

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

__all__ = ["MANIFEST", "Manifest", "Run", "RunFile", "load", "need_packages", "save"]

MANIFEST = "catalog.json"
VERSION = 2  # 1 had no table of paths
NAME = re.compile(rf"(?:{'|'.join(TABLES)})/[0-9]{{6}}-[0-9]{{2,6}}\.parquet", re.ASCII)
TYPES = {"text": "VARCHAR", "int": "BIGINT", "float": "DOUBLE", "bool": "BOOLEAN",
         "texts": "VARCHAR[]"}  # fmt: skip
GROUP = 1 << 14  # rows of a group, which is in memory as a whole
PAGE = 1 << 15  # bytes of a page, of tables whose rows are looked up by the first column
LARGEST = 64 << 20  # bytes of a file, after which another begins


# How the rows of a table are stored: options of PyArrow's writer of Parquet.
Layout = Mapping[str, Any]

# Statistics of other columns than the first would only make the footer longer, which is read before
# the first row. A dictionary of values that are all different, hashes and paths, only takes room
# and time. Where single rows are looked up, DuckDB reads the first column of a group and skips the
# pages of the others that do not contain the rows. The keys of sketches are hashes, which zstd does
# not shorten, but those of a mark are sorted.
LAYOUTS: Mapping[str, Layout] = {
    "files": {
        "compression": "zstd",
        "use_dictionary": ["root", "size", "modified", "content", "error"],
    },
    "paths": {
        "compression": "zstd", "use_dictionary": ["root"], "write_statistics": ["content"],
        "data_page_size": PAGE,
    },
    "places": {
        "compression": "zstd",
        "use_dictionary": ["number", "place", "offset", "size"],
        "write_statistics": ["shader"],
        "data_page_size": PAGE,
    },
    "shaders": {
        "compression": "zstd",
        "use_dictionary": [
            f"{each.name}.list.element" if each.type == "texts" else each.name
            for each in TABLES["shaders"].columns
            if each.name not in ("shader", "program")
        ],
        "write_statistics": ["shader"],
    },
    "sketches": {
        "compression": {"mark": "zstd", "key": "none", "words": "zstd"},
        "use_dictionary": ["mark", "words"],
        "column_encoding": {"key": "DELTA_BINARY_PACKED"},
        "write_statistics": ["mark"],
    },
}  # fmt: skip
USUAL: Layout = MappingProxyType({"compression": "zstd"})


class RunFile(NamedTuple):
    """A Parquet file of a run."""

    name: str  # from the folder of the catalogue
    rows: int
    size: int


class Run(NamedTuple):
    """A run of a scan: its files, by table."""

    number: int
    roots: tuple[str, ...]
    replaces: bool  # rows of files in earlier runs
    files: Mapping[str, tuple[RunFile, ...]]


class Manifest(NamedTuple):
    """The visible runs of a catalogue."""

    quick: bool = False
    version: str = ""  # of unshade, which read the shaders
    runs: tuple[Run, ...] = ()

    @property
    def next_number(self) -> int:
        """The number of the next run."""
        return self.runs[-1].number + 1 if self.runs else 1

    def paths(self, table: str) -> list[str]:
        """Return the names of the files of a table."""
        return [each.name for run in self.runs for each in run.files.get(table, ())]

    def rows(self, table: str) -> int:
        """Return the number of rows of a table, replaced ones included."""
        return sum(each.rows for run in self.runs for each in run.files.get(table, ()))


def need_packages() -> None:
    """Raise UnsupportedError unless PyArrow, DuckDB and NumPy are installed."""
    for module, package in (("pyarrow", "PyArrow"), ("duckdb", "DuckDB"), ("numpy", "NumPy")):
        try:
            __import__(module)
        except ImportError:
            raise not_installed("a catalogue", package, "catalog") from None


@contextmanager
def sparing_memory() -> Iterator[None]:
    """Let PyArrow take memory from the system in the block, and not keep it for later.

    Its usual allocator keeps a third more for the rows of a run than it needs at once.
    """
    import pyarrow as pa

    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)


def release_memory() -> None:
    """Give unused memory back to the system."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()


def library_version() -> str:
    """Return the version of unshade."""
    from .. import __version__

    return __version__


# ---------------------------------------------------------------- the manifest


def load(storage: CatalogStorage) -> Manifest | None:
    """Return the manifest of a catalogue; None if there is none.

    Raises:
        FormatError: It is malformed.
    """
    data = storage.read(MANIFEST)
    if data is None:
        return None
    try:
        found = json.loads(data)
        return _manifest(found)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        problem = f"expected the manifest of a catalogue, got {type(error).__name__}: {error}"
        raise FormatError(problem[:300], path=MANIFEST) from None


def existing(storage: CatalogStorage, place: str) -> Manifest:
    """Return the manifest of a catalogue; UsageError if there is none."""
    found = load(storage)
    if found is None:
        raise UsageError(
            f"expected a catalogue, which `unshade catalog scan` makes, got {place}:"
            f" it has no {MANIFEST}"
        )
    return found


def _manifest(found: Any) -> Manifest:
    if found["catalog"] != VERSION:
        raise ValueError(f"version {found['catalog']!r:.20} of the format, expected {VERSION}")
    runs: list[Run] = []
    for number, each in enumerate(found["runs"]):
        listed = {
            table: tuple(_file(table, one) for one in each["files"][table])
            for table in TABLES
            if table in each["files"]
        }
        roots = tuple(map(str, each["roots"]))
        if not isinstance(each["run"], int) or each["run"] <= (runs[-1].number if runs else 0):
            raise ValueError(f"number of run {number}")
        runs.append(Run(each["run"], roots, bool(each["replaces"]), listed))
    return Manifest(bool(found["quick"]), str(found["unshade"]), tuple(runs))


def _file(table: str, found: Any) -> RunFile:
    name, rows, size = found["name"], found["rows"], found["size"]
    if not NAME.fullmatch(name) or not name.startswith(f"{table}/"):
        raise ValueError(f"name of a file {name!r:.60}")
    if not isinstance(rows, int) or not isinstance(size, int):
        raise ValueError(f"rows and size of {name}")
    return RunFile(name, rows, size)


def save(storage: CatalogStorage, manifest: Manifest, before: Manifest) -> None:
    """Replace the manifest.

    Raises:
        UsageError: It is not the one before any more.
    """
    now = load(storage)
    if (Manifest() if now is None else now).runs != before.runs:
        raise UsageError("another process has changed the catalogue meanwhile; call it again")
    data = {
        "catalog": VERSION,
        "unshade": manifest.version,
        "quick": manifest.quick,
        "runs": [
            {
                "run": run.number,
                "roots": [*run.roots],
                "replaces": run.replaces,
                "files": {
                    table: [each._asdict() for each in listed]
                    for table, listed in run.files.items()
                },
            }
            for run in manifest.runs
        ],
    }
    text = json.dumps(data, indent=1) + "\n"
    storage.write(MANIFEST, text.encode())


def remove_others(storage: CatalogStorage, manifest: Manifest) -> None:
    """Remove the files in the folders of tables that the manifest does not name."""
    for table in TABLES:
        named = set(manifest.paths(table))
        for each in storage.names(table):
            name = f"{table}/{each}"
            if name not in named:
                storage.remove(name)


# ---------------------------------------------------------------- rows


def arrow_schema(table: str) -> "pa.Schema":
    """Return the columns of a table, for PyArrow."""
    import pyarrow as pa

    types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(),
             "texts": pa.list_(pa.string())}  # fmt: skip
    return pa.schema([(each.name, types[each.type]) for each in TABLES[table].columns])


def arrow_table(table: str, rows: Sequence[tuple[Any, ...]]) -> "pa.Table":
    """Return rows as a table of PyArrow."""
    import pyarrow as pa

    schema = arrow_schema(table)
    columns = [*zip(*rows, strict=True)] or [()] * len(schema)
    arrays = [
        pa.array(_storable(values) if field.type == pa.string() else values, field.type)
        for values, field in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _storable(values: Iterable[Any]) -> list[str | None]:
    """Return texts without what UTF-8 cannot express, as escapes."""
    return [
        each if each is None or each.isascii() else storable(each) for each in values
    ]  # fmt: skip


def storable(text: str) -> str:
    """Return a text with bytes that are not UTF-8, and other surrogates, as escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text


class GrowingParquet:
    """A Parquet file that rows are added to.

    Args:
        schema: The columns.
        layout: Options of the writer.
        stream: The stream to write to; without one, the file is in memory.
    """

    def __init__(
        self,
        schema: "pa.Schema",
        layout: Layout = USUAL,
        stream: BinaryIO | None = None,
    ) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.rows = 0
        self._schema = schema
        self._sink = pa.BufferOutputStream() if stream is None else pa.PythonFile(stream, "w")
        self._writer = parquet.ParquetWriter(self._sink, schema, version="2.6", **layout)

    @property
    def size(self) -> int:
        """The bytes so far."""
        return int(self._sink.tell())

    def add(self, rows: "pa.Table") -> None:
        """Add rows, the columns of which may have other types that can be converted."""
        self._writer.write_table(rows.cast(self._schema), row_group_size=GROUP)
        self.rows += rows.num_rows

    def finish(self) -> None:
        """Write the end of the file, to which nothing is added any more."""
        self._writer.close()

    def taken(self) -> memoryview:
        """Return the bytes of the file in memory, to which nothing is added any more."""
        self.finish()
        return memoryview(self._sink.getvalue())


def write_run(
    storage: CatalogStorage,
    table: str,
    number: int,
    batches: "Iterable[pa.RecordBatch | pa.Table]",
    largest: int = LARGEST,
) -> tuple[RunFile, ...]:
    """Write the files of a table in a run; none without rows.

    A file ends when it has more bytes than `largest`. Memory for a group is needed.
    """
    schema, layout = arrow_schema(table), LAYOUTS.get(table, USUAL)
    made: list[RunFile] = []
    groups = _with_rows(batches)
    each = next(groups, None)
    while each is not None:
        name = f"{table}/{number:06}-{len(made):02}.parquet"
        with storage.written(name) as stream:
            file = GrowingParquet(schema, layout, stream)
            while each is not None and (not file.rows or file.size <= largest):
                file.add(each)
                each = None  # a group is released before the next one is read
                each = next(groups, None)
            file.finish()
            made.append(RunFile(name, file.rows, stream.tell()))
    return tuple(made)


def _with_rows(batches: "Iterable[pa.RecordBatch | pa.Table]") -> "Iterator[pa.Table]":
    """Yield the batches that have rows, as tables."""
    import pyarrow as pa

    for each in batches:
        if each.num_rows:
            yield each if isinstance(each, pa.Table) else pa.Table.from_batches([each])
        del each


# ---------------------------------------------------------------- SQL


def literal(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def stored(storage: CatalogStorage, table: str, names: Sequence[str], more: str = "") -> str:
    """Return the query for all rows of a table in these files."""
    if not names:
        nothing = ", ".join(
            f'NULL::{TYPES[each.type]} AS "{each.name}"' for each in TABLES[table].columns
        )
        return f"(SELECT {nothing} WHERE false)"
    listed = ", ".join(literal(storage.path(name)) for name in names)
    return f"read_parquet([{listed}]{more})"


def current_files(storage: CatalogStorage, manifest: Manifest) -> str:
    """Return the query for the rows of files that no later run replaces."""
    pieces = [
        f"SELECT *, {run.number} AS run FROM"
        f" {stored(storage, 'files', [each.name for each in run.files.get('files', ())])}"
        for run in manifest.runs
    ]
    if not pieces:
        return f"(SELECT *, 0 AS run FROM {stored(storage, 'files', [])})"
    every = " UNION ALL ".join(pieces)
    if not any(run.replaces for run in manifest.runs):
        return f"({every})"
    return (
        f"(SELECT each.* FROM ({every}) AS each JOIN (SELECT path, max(run) AS run"
        f" FROM ({every}) GROUP BY path) AS last USING (path, run) WHERE NOT removed)"
    )


def visible(storage: CatalogStorage, manifest: Manifest) -> dict[str, str]:
    """Return the query for the rows of each table that belong to a file that is there now."""
    raw = {name: stored(storage, name, manifest.paths(name)) for name in TABLES}
    current = current_files(storage, manifest)
    found = {name: f"(SELECT * FROM {each})" for name, each in raw.items()}
    found["files"] = current
    if any(run.replaces for run in manifest.runs):  # until `compact`, others have rows, too
        contents = f"(SELECT content FROM {current}) AS file USING (content)"
        shaders = f"(SELECT shader FROM {raw['places']} AS place SEMI JOIN {contents})"
        found["paths"] = (
            f"(SELECT content, path, root, name FROM {current} WHERE content IS NOT NULL)"
        )
        for name in TABLES.keys() - {"files", "paths"}:
            needed = contents
            if name not in ("contents", "places"):
                needed = f"{shaders} AS needed USING (shader)"
            if name == "sketches":
                needed = f"(SELECT {KEY} AS key FROM {shaders}) AS needed USING (key)"
            found[name] = f"(SELECT * FROM {raw[name]} AS each SEMI JOIN {needed})"
    return found


def batches_of(
    made: "duckdb.DuckDBPyConnection", query: str, group: int = GROUP
) -> "Iterator[pa.RecordBatch]":
    """Yield the rows of a query, in groups."""
    yield from made.sql(query).to_arrow_reader(group)
