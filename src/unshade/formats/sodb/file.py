"""State Object Databases: shaders, root signatures and state of the pipelines of an application.

Sodb.open("game.sodb").shaders[b"key"]   ──►  the shader, opened through the registry of formats
                          .pipelines          ──►  stages, root signature and state, keys resolved
                          .tables["groups"]   ──►  rows, which may be changed

A database that is not changed is written as it was read. A changed database is written anew: with
the same rows, numbers and keys, and with the version of each group with a changed shader raised by
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Self

from ...errors import Diagnostics, FormatError, UnsupportedError, UsageError
from ...files import Path, contents
from ...limits import DEFAULT, Limits, check_file_size
from ...parts import PartTuple
from ...shader import Shader
from ...stripping import Loss
from ...wire import Span
from ...wire.data import check_fields, hex_from_data
from ...wire.runs import differing, patched
from .. import check_beside, identify
from .. import format_named as registered
from . import places
from .data import SHADERS, row_from_data, row_to_data
from .database import DatabaseRow, Rows, build, read_rows
from .keys import key_of, spelled
from .objects import state_objects
from .pages import ENCODINGS, PAGE_SIZES, DatabaseHeader, read_header
from .parts import TablePart, TableRows
from .schema import TABLES
from .shaders import ShadersByKey
from .states import pipeline_states, shader_keys

if TYPE_CHECKING:
    from ...model import Reflection
    from ...model.pipelines import StoredPipeline
    from ...model.stateobjects import StoredStateObject
    from ...rule import Rule

__all__ = ["Sodb"]

INNER = "dxcontainer"  # the format of most shaders
KEYS = ("format", "page_size", "encoding", "tables", "arrangement", "trailing")


class Sodb(Shader):
    """A State Object Database.

    Attributes:
        tables: The rows of each of the 44 tables, in the order of their numbers.
        shaders: The shaders of `shader_bytecode`, by key.
        root_signatures: The containers of `root_signatures`, by key.
        page_size: Size of a page in bytes.
        encoding: Encoding of texts: `utf-8`, `utf-16-le` or `utf-16-be`.
    """

    format: ClassVar[str] = "sodb"
    comment: ClassVar[str] = "--"

    def __init__(
        self,
        tables: Mapping[str, Sequence[DatabaseRow]] | None = None,
        *,
        page_size: int = 4096,
        encoding: str = "utf-8",
        limits: Limits = DEFAULT,
    ) -> None:
        given = dict(tables or {})
        for name in given:
            if name not in TABLES:
                raise UsageError(f"unknown table {name!r:.60}: expected one of {', '.join(TABLES)}")
        self.tables: Rows = {name: list(given.get(name, ())) for name in TABLES}
        self.page_size = page_size
        self.encoding = encoding
        self.limits = limits
        self.shaders = ShadersByKey(self, "shader_bytecode")
        self.root_signatures = ShadersByKey(self, "root_signatures")
        self._written: bytes | None = None  # bytes of the rows in `_rows`
        self._rows: Rows | None = None

    @classmethod
    def open(cls, source: Path | BinaryIO, *, limits: Limits = DEFAULT) -> Self:
        """Open a database; FormatError if a write-ahead log or a journal is beside it."""
        data = contents(source)
        check_beside(data, source)
        return cls.loads(data, limits)

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a database.

        Raises:
            FormatError: The file is malformed, has another schema, or a value of another type.
            LimitError: The file exceeds `limits`.
            UnsupportedError: The schema has a version that is not published, or this Python has
                no SQLite.
        """
        data = bytes(data)
        check_file_size(len(data), limits)
        header = read_header(data)
        whole = data[: header.size]
        try:
            rows = read_rows(whole, header)
        except FormatError as error:
            raise _placed(error, whole, header) from None
        self = cls(rows, page_size=header.page_size, encoding=header.encoding, limits=limits)
        self.trailing = data[header.size :]
        self._remember(whole)
        return self

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size of the pages; the rows are not read."""
        header = read_header(data)
        places.trees(memoryview(data)[: header.size], header)
        return header.size

    def _remember(self, data: bytes) -> None:
        """Keep the bytes of the rows as they are now."""
        self._written = data
        self._rows = {
            name: [DatabaseRow(row.rowid, dict(row.values)) for row in rows]
            for name, rows in self.tables.items()
        }

    # -- contents ----------------------------------------------------------------------------

    @property
    def pipelines(self) -> list[StoredPipeline]:
        """The pipelines, in the order of the rows, with the state that they refer to."""
        return pipeline_states(self.tables)

    @property
    def state_objects(self) -> list[StoredStateObject]:
        """The state objects, in the order of the rows, with the rows that they refer to."""
        return state_objects(self.tables)

    def pipeline_file(self, key: str) -> bytes | None:
        """Return the bytes of a shader or root signature, by the spelling of its key."""
        wanted = key_of(key)
        for mapping in (self.shaders, self.root_signatures):
            if wanted in mapping:
                return mapping.encoded(mapping._row(wanted))
        return None

    def _unable(self, wish: str) -> UnsupportedError:
        count = len(self.shaders)
        return UnsupportedError(
            f"a database of {count} shader{'s' * (count != 1)} has no {wish} of its own: extract a"
            " shader"
        )

    def reflect(self) -> Reflection:
        raise self._unable("reflection")

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        raise self._unable("listing")

    def _nested_in(self) -> places.Inner:
        """Return a function that finds the shader in a value of a row."""
        rows = {name: {row.rowid: row for row in self.tables[name]} for name in SHADERS}

        def find(table: str, rowid: int, column: str) -> Shader | None:
            if SHADERS.get(table) != column or rowid not in rows[table]:
                return None
            mapping = self.shaders if table == "shader_bytecode" else self.root_signatures
            return mapping.of(rows[table][rowid])

        return find

    @property
    def parts(self) -> PartTuple:
        """The tables that have rows."""
        data, header = self._pages()
        found = places.extents(data, header)
        return PartTuple(
            TablePart(
                TableRows(name, rows),
                b"".join(data[start:end] for start, end in found[name]),
                found[name],
            )
            for name, rows in self._encoded().items()
            if rows
        )

    def _pages(self) -> tuple[bytes, DatabaseHeader]:
        data = self.to_bytes()
        data = data[: len(data) - len(self.trailing)]
        return data, read_header(data)

    def verify(self, **options: Any) -> Diagnostics:
        """Return the violations of the rules of databases, and the violations in every shader."""
        from ...dialect import no_options
        from .verify import verify

        no_options(self.format, options, "verify")
        return Diagnostics(verify(self))

    @classmethod
    def rule_tables(cls) -> Mapping[str, Mapping[str, Rule]]:
        from .verify import RULES

        return {"State Object Databases": RULES, **registered(INNER).shader().rule_tables()}

    def extract(self) -> dict[str, bytes]:
        """Return the bytes of each shader and root signature, by the key of its row."""
        found = {}
        for table, column in SHADERS.items():
            for row in self._encoded()[table]:
                raw = row.values[column]
                if raw is not None:
                    kind = identify(raw)
                    suffix = registered(kind).suffix if kind else ".bin"
                    name = spelled(row.values["Key"])
                    if not name.endswith(suffix):
                        name += suffix
                    if name in found:  # both tables may have a key
                        name = f"{table} {name}"
                    found[name] = raw
        return found

    # -- writing -----------------------------------------------------------------------------

    def _encoded(self) -> Rows:
        """Return the rows as they would be written: shaders as bytes, versions raised."""
        found: Rows = dict(self.tables)
        for mapping in (self.shaders, self.root_signatures):
            table, column = mapping._table, mapping._column
            if mapping._opened:
                found[table] = [
                    row
                    if (raw := mapping.encoded(row)) == row.values[column]
                    else DatabaseRow(row.rowid, {**row.values, column: raw})
                    for row in self.tables[table]
                ]
        return self._versioned(found)

    def _versioned(self, rows: Rows) -> Rows:
        """Return rows where each group with a changed shader has the next version."""
        if self._rows is None:
            return rows
        before = {row.values["Key"]: row for row in self._rows["shader_bytecode"]}
        changed = {
            row.values["Key"]
            for row in rows["shader_bytecode"]
            if row.values["Key"] in before
            and row.values["Bytecode"] != before[row.values["Key"]].values["Bytecode"]
        }
        if not changed:
            return rows
        users = shader_keys(rows)
        groups = set().union(*(users.get(key, ()) for key in changed))
        versions = {row.values["Key"]: row.values["Version"] for row in self._rows["groups"]}
        raised = [
            DatabaseRow(row.rowid, {**row.values, "Version": row.values["Version"] + 1})
            if row.values["Key"] in groups
            and versions.get(row.values["Key"]) == row.values["Version"]
            else row
            for row in rows["groups"]
        ]
        return {**rows, "groups": raised}

    def to_bytes(self) -> bytes:
        """Return the bytes of the file.

        Raises:
            FormatError: A row was given a value of another type than its column, or two rows the
                same key.
        """
        rows = self._encoded()
        if self._written is None or rows != self._rows:
            made = build(rows, self.page_size, self.encoding)
            if self._rows is None:
                self._remember(made)
            return made + self.trailing
        return self._written + self.trailing

    def to_data(self) -> dict[str, Any]:
        """Return the rows as plain data, and the differences from a file that is built of them.

        The difference (`arrangement`) is used only where SQLite builds the same bytes as here.
        """
        rows = self._encoded()
        data = self.to_bytes()
        data = data[: len(data) - len(self.trailing)]
        found: dict[str, Any] = {"format": self.format, "page_size": self.page_size}
        if self.encoding != "utf-8":
            found["encoding"] = self.encoding
        found["tables"] = {
            name: [row_to_data(TABLES[name], row, self.limits) for row in each]
            for name, each in rows.items()
            if each
        }
        built = build(rows, self.page_size, self.encoding)
        if built != data:
            found["arrangement"] = {
                "built": _digest(built),
                "size": len(data),
                "bytes": {f"0x{at:x}": raw.hex() for at, raw in differing(built, data).items()},
            }
        if self.trailing:
            found["trailing"] = self.trailing.hex()
        return found

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        check_fields(data, KEYS)
        size, encoding = data.get("page_size", 4096), data.get("encoding", "utf-8")
        if size not in PAGE_SIZES:
            raise FormatError(f"expected the size of a page, got {size!r:.40}", path="page_size")
        if encoding not in ENCODINGS.values():
            raise FormatError(f"expected an encoding, got {encoding!r:.40}", path="encoding")
        tables = data.get("tables", {})
        if not isinstance(tables, dict) or not tables.keys() <= TABLES.keys():
            raise FormatError(f"expected tables by name, got {tables!r:.60}", path="tables")
        for name, given in tables.items():
            if not isinstance(given, list):
                problem = f"expected a list of rows, got {given!r:.60}"
                raise FormatError(problem, path=f"tables.{name}")
        rows = {
            name: [
                row_from_data(TABLES[name], each, f"tables.{name}[{at}]")
                for at, each in enumerate(given)
            ]
            for name, given in tables.items()
        }
        self = cls(rows, page_size=size, encoding=encoding)
        self.trailing = hex_from_data(data.get("trailing", ""), "trailing")
        self._arrange(data.get("arrangement"))
        return self

    def _arrange(self, given: Any) -> None:
        """Take over the arrangement of the file that plain data were made of."""
        if given is None:
            return
        path = "arrangement"
        if not isinstance(given, dict) or given.keys() != {"built", "size", "bytes"}:
            raise FormatError(f"expected built, size and bytes, got {given!r:.60}", path=path)
        built = build(self.tables, self.page_size, self.encoding)
        if _digest(built) == given["built"]:
            self._remember(patched(built, given["size"], given["bytes"], path))

    # -- spans, strip ------------------------------------------------------------------------

    def spans(self) -> list[Span]:
        """Return the spans of all fields in file order, the fields of shaders included."""
        data, header = self._pages()
        found = places.spans(data, header, self._nested_in())
        if self.trailing:
            at, size = len(data), len(self.trailing)
            found.append(Span(at, size, "trailing", self.trailing, "after the pages", None, "raw"))
        return found

    def _losses(self) -> Sequence[Loss]:
        return [
            loss._replace(part=f"shader_bytecode[{row.rowid}].{loss.part}")
            for row, shader in self._shaders()
            for loss in shader.strippable()
        ]

    def _strip(self, lost: Sequence[Loss]) -> None:
        for row, shader in self._shaders():
            lead = f"shader_bytecode[{row.rowid}]."
            inner = {each.category for each in lost if each.part.startswith(lead)}
            if inner:
                shader.strip(*sorted(inner))

    def _shaders(self) -> Iterator[tuple[DatabaseRow, Shader]]:
        for row in self.tables["shader_bytecode"]:
            shader = self.shaders.of(row)
            if shader is not None:
                yield row, shader


def _placed(error: FormatError, data: bytes, header: DatabaseHeader) -> FormatError:
    """Return the error with the offset of its row, if that can be found."""
    table, _, rest = error.path.partition("[")
    number, _, column = rest.partition("].")
    if table not in TABLES or not column:
        return error
    try:
        runs = places.value_runs(data, header, table)[int(number), column]
    except (FormatError, KeyError):
        return error
    return FormatError(error.problem, offset=runs[0][0], path=error.path)


def _digest(data: bytes) -> str:
    from hashlib import sha256  # not needed to open files

    return sha256(data).hexdigest()
