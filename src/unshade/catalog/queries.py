"""Questions to a catalogue in SQL, which DuckDB answers in memory.

    with Catalog("cat") as catalog:
        for row in catalog.query("SELECT path FROM files WHERE size > 100000"): …

A question reads the files of the catalogue and nothing else: access to other files and to the
network is off, and a question cannot change the settings. Only a single SELECT is answered, since
DuckDB would let other statements write to the folder. DuckDB's reader of Parquet reads the files;
it is not made for files of an attacker.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypedDict

from ..errors import FormatError, UnsupportedError, UsageError
from .marks import MarkIndex
from .storage import storage_of
from .store import GrowingParquet, Manifest, existing, literal, need_packages, visible
from .tables import JOINS, TABLES, VIEWS

if TYPE_CHECKING:
    import duckdb

__all__ = ["Catalog", "CatalogRows", "CatalogSummary"]

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "python_enable_replacements": False,  # variables of Python as tables
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
MISSING_TABLE = re.compile(r"Table with name (\S+) does not exist")
NAMES = (*TABLES, *(each.name for each in VIEWS))
WORD = re.compile(r"\w+")
EXPLAINED = re.compile(r"\A\s*EXPLAIN\b(\s*ANALYZE\b)?(\s*\([^()]*\))?", re.IGNORECASE)


class CatalogKind(TypedDict):
    """The shaders of a format and a stage."""

    format: str
    stage: str | None
    shaders: int
    bytes: int


class CatalogSummary(TypedDict):
    """Counts of the contents of a catalogue."""

    files: int
    places: int
    shaders: int
    programs: int
    damaged: int
    failed: int
    runs: int
    quick: bool
    size: int
    kinds: list[CatalogKind]


class CatalogRows:
    """The rows of an answer: iterate over them, or read `columns` and `types`."""

    def __init__(self, result: "duckdb.DuckDBPyConnection") -> None:
        self._result = result
        described: Sequence[Any] = result.description or ()
        self.columns = [str(each[0]) for each in described]
        self.types = [str(each[1]) for each in described]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        with _query_errors():
            while rows := self._result.fetchmany(1000):
                yield from rows


@contextmanager
def _query_errors() -> Iterator[None]:
    """Raise errors of DuckDB in the block as UsageError, or UnsupportedError for memory."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise UnsupportedError(f"the answer needs more memory: {error}") from None
    except duckdb.CatalogException as error:
        missing = MISSING_TABLE.search(str(error))
        if missing is None:
            raise UsageError(f"SQL: {error}") from None
        named = ", ".join(NAMES)
        raise UsageError(f"SQL: there is no table {missing[1]}; the tables are {named}") from None
    except duckdb.Error as error:
        raise UsageError(f"SQL: {error}") from None


class Catalog:
    """A catalogue that was opened for questions; close it, or use `with`.

    Args:
        folder: The folder of the catalogue.

    Raises:
        UsageError: The folder contains no catalogue.
        FormatError: It is damaged.
        UnsupportedError: PyArrow, DuckDB or NumPy is not installed.
    """

    def __init__(self, folder: str) -> None:
        need_packages()
        self.storage = storage_of(folder)
        self.manifest: Manifest = existing(self.storage, folder)
        for table in TABLES:
            for name in self.manifest.paths(table):
                self.storage.check(name)
        self._connection = self._connect()

    def _connect(self) -> "duckdb.DuckDBPyConnection":
        import duckdb

        made = duckdb.connect(":memory:", config=SETTINGS)
        try:
            self.storage.attach(made)
            made.execute("SET GLOBAL parquet_metadata_cache = true")  # visible files never change
            for name, query in self._tables().items():
                made.execute(f"CREATE VIEW {name} AS {query}")
            for each in VIEWS:
                made.execute(f"CREATE VIEW {each.name} AS {each.sql}")
            inside = literal(self.storage.path(""))
            made.execute(f"SET allowed_directories = [{inside}]")
            made.execute("SET temp_directory = ''")
            made.execute("SET enable_external_access = false")
            made.execute("SET lock_configuration = true")
        except duckdb.Error as error:
            made.close()
            raise FormatError(f"expected the tables of a catalogue: {error}") from None
        return made

    def _tables(self) -> dict[str, str]:
        """Return the query of each table, which shows the current rows."""
        rows = visible(self.storage, self.manifest)
        found = {name: f"FROM {query} AS each" for name, query in rows.items()}
        found["files"] = (
            "SELECT each.* EXCLUDE (removed, error), shaders,"
            " coalesce(each.error, found.error) AS error"
            f" FROM {rows['files']} AS each LEFT JOIN {rows['contents']} AS found USING (content)"
        )
        found["places"] = (
            "SELECT path, root, name, each.* FROM"
            f" {rows['places']} AS each JOIN {rows['paths']} AS file USING (content)"
        )
        return found

    def query(self, sql: str, parameters: Sequence[object] = ()) -> CatalogRows:
        """Return the rows of a question.

        Args:
            sql: A SELECT over the tables and views of the catalogue.
            parameters: The values of `?` in it.

        Raises:
            UsageError: The question is wrong, or is not a single SELECT.
        """
        self._checked(sql)
        with _query_errors(), self._hints(sql):
            return CatalogRows(self._connection.cursor().execute(sql, [*parameters]))

    def parquet(self, sql: str) -> tuple[bytes, int]:
        """Return the rows of a question as a Parquet file, and their number."""
        import pyarrow as pa

        self._checked(sql)
        with _query_errors(), self._hints(sql):
            reader = self._connection.sql(sql).to_arrow_reader(100_000)
            made = GrowingParquet(reader.schema)
            for each in reader:
                made.add(pa.Table.from_batches([each]))
            return bytes(made.taken()), made.rows

    def summary(self) -> CatalogSummary:
        """Return the counts of the contents of the catalogue."""

        def count(query: str) -> int:
            for (number,) in self.query(query):
                return int(number)
            return 0

        kinds = self.query(
            "SELECT format, stage, count(*), sum(size) FROM shaders GROUP BY ALL ORDER BY ALL"
        )
        return {
            "files": count("SELECT count(*) FROM files"),
            "places": count("SELECT count(*) FROM places"),
            "shaders": count("SELECT count(*) FROM shaders"),
            "programs": count("SELECT count(DISTINCT program) FROM shaders"),
            "damaged": count("SELECT count(*) FROM shaders WHERE damage IS NOT NULL"),
            "failed": count("SELECT count(*) FROM files WHERE error IS NOT NULL"),
            "runs": len(self.manifest.runs),
            "quick": self.manifest.quick,
            "size": sum(
                each.size for run in self.manifest.runs for more in run.files.values()
                for each in more
            ),
            "kinds": [
                {"format": str(format), "stage": stage, "shaders": int(number), "bytes": int(size)}
                for format, stage, number, size in kinds
            ],
        }  # fmt: skip

    @cached_property
    def marks(self) -> MarkIndex:
        """The shaders by their marks."""
        return MarkIndex(self.storage, self.manifest.paths("sketches"))

    def _checked(self, sql: str) -> None:
        given: object = sql
        if not isinstance(given, str):
            raise UsageError(f"expected a question in SQL, got {type(given).__name__}")
        found = self._statements(sql)
        if found == ["EXPLAIN"]:  # which executes any statement if it is told to analyse it
            found = self._statements(EXPLAINED.sub("", sql, count=1))
        if found != ["SELECT"]:
            named = ", ".join(found) or "nothing"
            raise UsageError(f"SQL: expected a single SELECT, got {named}")

    def _statements(self, sql: str) -> list[str]:
        """Return the kinds of statements in a text."""
        with _query_errors():
            return [each.type.name for each in self._connection.extract_statements(sql)]

    @contextmanager
    def _hints(self, sql: str) -> Iterator[None]:
        """Add the columns of the tables that a question names to the errors about names."""
        import duckdb

        try:
            yield
        except duckdb.BinderException as error:
            words = {*WORD.findall(sql.lower())}
            named = [each for each in NAMES if each in words]
            hints = [
                f"the columns of {each} are"
                f" {', '.join(self.query(f'SELECT * FROM {each} LIMIT 0').columns)}"
                for each in named
            ]
            if len(named) > 1:
                hints += [f"join {', '.join(of)} by {key}" for key, of in JOINS.items()]
            raise type(error)("\n".join([str(error), *hints])) from None

    def close(self) -> None:
        """Close it."""
        self._connection.close()
        if "marks" in self.__dict__:
            self.marks.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
