"""The tables of a catalogue, and their columns.

    files ──content──► contents                 a file, and its bytes, once for all copies
                          ▲
     paths ──content──►    ▲                   the files again, by their bytes
                          │
                       places ──shader──► shaders             where shaders are in the bytes
                                             ▲
              resources, buffers, signatures, operations, …   rows about a shader

`shader` is the SHA-256 of the bytes of a shader, `content` is the SHA-256 of the bytes of a file.
Rows are unique, and sorted by their columns in the order of `sorted_by`, so that the same files
give the same tables.

The types are `text`, `int`, `float`, `bool`, and `texts`, a list. A column may be NULL unless the
table is sorted by it.
"""

from collections.abc import Mapping
from functools import cache

from ..model import Statistics
from ..tuples import NamedTuple

__all__ = [
    "DETAILED",
    "JOINS",
    "TABLES",
    "VIEWS",
    "CatalogColumn",
    "CatalogTable",
    "CatalogView",
    "asked_columns",
    "column_names",
]


class CatalogColumn(NamedTuple):
    """A column: its name, type and meaning."""

    name: str
    type: str
    doc: str


class CatalogTable(NamedTuple):
    """A table: its name, the meaning of a row, and its columns.

    `sorted_by` are the columns that identify a row. `of` is the table whose rows it belongs to.
    """

    name: str
    doc: str
    of: str
    sorted_by: tuple[str, ...]
    columns: tuple[CatalogColumn, ...]


def _table(name: str, doc: str, of: str, sorted_by: str, *columns: str) -> CatalogTable:
    """Return a table; a column is written as `name type meaning`."""
    made = tuple(CatalogColumn(*each.split(" ", 2)) for each in columns)
    return CatalogTable(name, doc, of, tuple(sorted_by.split()), made)


COUNTS = tuple(
    f"{name} int {field.doc}" for name, field in Statistics.FIELDS.items() if name != "computed"
)

SHADER = "shader text SHA-256 of the bytes of the shader"
ENTRY = "entry text entry point, if the file has several; else empty"

TABLES: Mapping[str, CatalogTable] = {
    each.name: each
    for each in (
        _table(
            "files", "a file that was read", "", "path",
            "path text path: that of the folder or archive that was named, and the name in it",
            "root text folder that was named, or the folder of a file that was named",
            "name text path below `root`, with `/`",
            "size int size in bytes",
            "modified int time of the last change, in nanoseconds since 1970",
            "content text SHA-256 of the bytes; NULL if the file cannot be read",
            "error text why it cannot be read; NULL if it can",
            "removed bool true for a file that is no longer there; such rows are not shown",
        ),
        _table(
            "contents", "the bytes of a file, or of its copies", "", "content",
            "content text SHA-256 of the bytes",
            "shaders int number of shaders inside",
            "error_kind text class of the error that ended the search, or `process`; NULL if none",
            "error text its message",
        ),
        _table(
            "paths", "a file again, sorted by its bytes, so that all files with them are found",
            "files", "content path",
            "content text SHA-256 of the bytes",
            "path text path, as in `files`",
            "root text folder, as in `files`",
            "name text path below `root`, as in `files`",
        ),
        _table(
            "places", "a place of a shader in the bytes of a file", "contents",
            "shader content number",
            "content text SHA-256 of the bytes of the file",
            "number int number of the place in the file, from 0",
            "place text way to the shader, through archives and compressions: gzip@0xaeb!dxbc@0x0",
            "offset int offset in the bytes that hold it",
            "size int size in bytes",
            SHADER,
        ),
        _table(
            "shaders", "a shader, once for all copies", "", "shader",
            SHADER,
            "format text format of the file: dxcontainer, spirv, …",
            "code text instruction set of the code: tpf, dxil, …",
            "stage text stage, or the stages of several entry points, separated by commas",
            "profile text target profile: ps_5_0",
            "model text shader model or version of the code",
            "entry_point text name of the entry point, or the names, separated by commas",
            "entry_points int number of entry points",
            "size int size in bytes",
            "creator text name and version of the compiler",
            "digest text kind of the checksum; unknown if it is wrong",
            "program text key of the bytes of the code, without the rest of the file",
            "shape text key of operations and of what uses what, without registers and literals",
            "interface text key of stage, inputs, outputs, resources, constants and thread group",
            "threads_x int threads of a group in x",
            "threads_y int threads of a group in y",
            "threads_z int threads of a group in z",
            "features texts required features beyond the shader model",
            "flags texts flags of the program",
            *COUNTS,
            "errors int number of errors that verify finds",
            "warnings int number of warnings that verify finds",
            "damage text first error of a damaged file; NULL if it is intact",
            "damage_offset int offset of the damage",
            "missing text why facts are missing, such as those of code that is not supported",
        ),
        _table(
            "parts", "a part of a container", "shaders", "shader number",
            SHADER,
            "number int number of the part, from 0",
            "name text its four characters",
            "offset int offset of its header in the shader",
            "size int size of its data in bytes",
            "state text typed, raw or malformed",
        ),
        _table(
            "resources", "a resource that is bound to a shader", "shaders",
            "shader entry number",
            SHADER,
            ENTRY,
            "number int number in the shader, from 0",
            "name text name in the source, or one that is made up",
            "kind text kind: texture, sampler, constant_buffer, …",
            "writable bool true if the program may write it",
            "register_class text b, t, s or u; empty if the format has no classes",
            "register int first register, binding in a descriptor set, or slot",
            "space int register space or descriptor set",
            "count int number of registers; NULL if unbounded",
            "dimension text dimension of a texture or buffer",
            "return_type text type that a read returns",
            "components int number of components that a read returns",
            "samples int number of samples of a multisampled texture",
            "stride int size of an element of a structured buffer, in bytes",
            "texel_format text format of the texels of a storage image",
            "used bool true if the code refers to it",
        ),
        _table(
            "buffers", "a constant buffer", "shaders", "shader entry number",
            SHADER,
            ENTRY,
            "number int number in the shader, from 0",
            "name text name in the source",
            "kind text kind of the buffer",
            "size int size in bytes",
            "variables int number of variables",
        ),
        _table(
            "variables", "a variable of a constant buffer", "shaders",
            "shader entry buffer number",
            SHADER,
            ENTRY,
            "buffer int number of the buffer in the shader",
            "number int number of the variable in the buffer, from 0",
            "name text name in the source",
            "type text type, as HLSL spells it, with array sizes",
            "offset int offset in the buffer, in bytes",
            "size int size in bytes",
            "used bool true if the code reads it",
        ),
        _table(
            "signatures", "an input, an output or a patch constant", "shaders",
            "shader entry direction number",
            SHADER,
            ENTRY,
            "direction text inputs, outputs or patch_constants",
            "number int number of the row, from 0",
            "semantic text semantic name",
            "semantic_index int semantic index",
            "register int register or location",
            "components text components that exist: of xyzw",
            "used text components that are read, or may be written",
            "type text type of the components",
            "system_value text system value",
            "interpolation text interpolation of an input of a pixel shader",
        ),
        _table(
            "sources", "a source file inside a shader", "shaders", "shader name",
            SHADER,
            "name text its name",
            "size int size in bytes",
            "hash text SHA-256 of its bytes",
        ),
        _table(
            "findings", "a finding of verify", "shaders", "shader number",
            SHADER,
            "number int number in the list of verify, from 0",
            "rule text code of the rule",
            "severity text error, warning or note",
            "offset int offset in the shader",
            "field text dotted path of the field",
            "message text message",
        ),
        _table(
            "operations", "an operation of the code, and how often it occurs", "shaders",
            "shader operation",
            SHADER,
            "operation text mnemonic, as the listing prints it: firstbit_hi, sample, OpFMul",
            "count int number of instructions",
        ),
        _table(
            "sketches", "a mark of a shader, by which `similar` finds others", "shaders",
            "mark key",
            "mark int 64 bits of the hash of a constant, an operation, a name, …",
            "key int first 60 bits of the SHA-256 of the shader",
            "words int number of marks of the shader that are not labels of its code",
        ),
    )
}  # fmt: skip


class CatalogView(NamedTuple):
    """A query with a name."""

    name: str
    doc: str
    sql: str


# What people ask most; the files of the catalogue are joined in `files` and `places`.
VIEWS = (
    CatalogView(
        "copies", "a shader that occurs several times: number of places and files, bytes to save",
        "SELECT shader, count(*) AS places, count(DISTINCT path) AS files, max(size) AS size,"
        " max(size) * (count(*) - 1) AS saved FROM places GROUP BY shader HAVING count(*) > 1",
    ),
    CatalogView(
        "same_code", "the code of several shaders, which differ in the rest of the file",
        "SELECT program, count(*) AS shaders, list(shader ORDER BY shader) AS listed"
        " FROM shaders WHERE program IS NOT NULL GROUP BY program HAVING count(*) > 1",
    ),
    CatalogView(
        "same_shape", "the shape of the code of several shaders, whatever the instruction set",
        "SELECT shape, count(*) AS shaders, list(shader ORDER BY shader) AS listed"
        " FROM shaders WHERE shape IS NOT NULL GROUP BY shape HAVING count(*) > 1",
    ),
    CatalogView(
        "damaged", "a damaged shader, or a file that could not be read to its end",
        "SELECT path, place, shader, damage AS problem FROM places JOIN shaders USING (shader)"
        " WHERE damage IS NOT NULL UNION ALL"
        " SELECT path, NULL, NULL, error FROM files WHERE error IS NOT NULL",
    ),
)  # fmt: skip

# Tables that a quick scan leaves empty.
DETAILED = frozenset({"findings", "operations", "sketches"})


# Columns that a question sees beside those that are stored, which it joins for each row.
JOINED = {
    "files": (
        CatalogColumn("run", "int", "run in which it was read"),
        CatalogColumn("shaders", "int", "number of shaders inside"),
    ),
    "places": TABLES["paths"].columns[1:],
}
UNASKED = frozenset({("files", "removed")})  # stored, but true of no row that a question sees

# The columns by which rows of two tables belong together, and the tables that have them.
JOINS: Mapping[str, tuple[str, ...]] = {
    key: tuple(
        name for name, table in TABLES.items() if any(each.name == key for each in table.columns)
    )
    for key in ("content", "shader")
}


def asked_columns(table: str) -> tuple[CatalogColumn, ...]:
    """Return the columns of a table that a question sees."""
    own = (each for each in TABLES[table].columns if (table, each.name) not in UNASKED)
    return (*own, *JOINED.get(table, ()))


@cache
def column_names(table: str) -> tuple[str, ...]:
    """Return the names of the columns of a table."""
    return tuple(each.name for each in TABLES[table].columns)
