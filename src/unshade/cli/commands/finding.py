"""Verbs that find shaders in larger files, and keep them in a catalogue."""

from __future__ import annotations

from ..declarations import (
    POSITIVE,
    READ,
    SHADER,
    TEXT,
    WRITTEN,
    VerbOptions,
    argument,
    arguments,
    choice,
    chosen,
    flag,
    one,
    required,
    several,
)
from .shared import FILES, JOBS, JSON, LIMITS, OUTPUT, SCHEMA


class FindOptions(VerbOptions, verb="find"):
    """Find shaders inside larger files: packs, archives, executables, dumps."""

    files = FILES
    as_json = JSON
    schema = SCHEMA
    extract = one(
        WRITTEN, "FOLDER", "Write the shaders found to this folder, named by file and offset."
    )
    template = one(
        TEXT, "TEMPLATE",
        "Names of the files of --extract, such as {{hash}}.{{stage}}.{{format}}; also profile,"
        " name, offset, path and file, and {{hash:16}} for the first 16 characters.",
    )  # fmt: skip
    unique = flag("List shaders with the same bytes once, with the number of copies.")
    group_by = one(
        choice("program", "shape", "interface"), None,
        "Group shaders with the same code, code of the same shape, or the same interface.",
    )  # fmt: skip
    limits = LIMITS
    jobs = JOBS
    output = OUTPUT


class CatalogScanOptions(VerbOptions, verb="catalog scan"):
    """Read the shaders in folders, archives and files into a catalogue."""

    paths = arguments(READ, "PATH...")
    to = required(WRITTEN, "CATALOG", "Folder of the catalogue; made if it does not exist.")
    quick = flag(
        "Leave out what takes long: findings, operations, shapes and sketches of the code, so that"
        " similar cannot be asked."
    )
    again = flag("Read files again that have not changed.", "--all")
    limits = several(
        TEXT, "NAME=VALUE",
        "Limit for each file: unpacked, file_size, scan_memory (bytes, also as 512M or 4G),"
        " entries, layers or scan_seconds.",
        "--limit",
    )  # fmt: skip
    jobs = one(POSITIVE, "N", "Number of processes; default the number of processors.", "-j")
    scheduler = one(
        TEXT, "ADDRESS",
        "Scheduler of a Dask cluster, whose workers read the files and write the rows; local starts"
        " one of N processes.",
    )  # fmt: skip
    as_json = JSON
    schema = SCHEMA


class CatalogQueryOptions(VerbOptions, verb="catalog query"):
    """Answer a question in SQL, which can read nothing but the catalogue."""

    catalog = argument(READ, "CATALOG")
    sql = argument(TEXT, "SQL")
    as_json = JSON
    schema = SCHEMA
    csv = flag("Print CSV.", "--csv")
    parquet = one(WRITTEN, "FILE", "Write the rows to a Parquet file.")
    output = OUTPUT


class CatalogShowOptions(VerbOptions, verb="catalog show"):
    """Print a summary of a catalogue, or the columns of its tables."""

    catalog = argument(READ, "CATALOG")
    tables = flag("Print the tables, their columns, and the columns that join them.")
    as_json = JSON
    schema = SCHEMA
    output = OUTPUT


class CatalogDiffOptions(VerbOptions, verb="catalog diff"):
    """Compare two catalogues, of two builds; exit with 1 if they differ."""

    old = argument(READ, "OLD")
    new = argument(READ, "NEW")
    as_json = JSON
    schema = SCHEMA
    output = OUTPUT


class CatalogSimilarOptions(VerbOptions, verb="catalog similar"):
    """Print the shaders of a catalogue that are most like FILE, and what they have in common."""

    catalog = argument(READ, "CATALOG")
    file = argument(SHADER, "FILE")
    most = chosen(POSITIVE, 10, "N", "Number of shaders to print; default 10.")
    prove = flag("Run the first three and FILE on the same seeded arguments, as prove does.")
    as_json = JSON
    schema = SCHEMA
    output = OUTPUT


class CatalogExportOptions(VerbOptions, verb="catalog export"):
    """Write each shader of a catalogue to a file, once."""

    catalog = argument(READ, "CATALOG")
    output = required(WRITTEN, "FOLDER", "Folder to write to.", "-o")
    where = chosen(
        TEXT, "true", "SQL", "Condition on the table of shaders: \"stage = 'pixel'\"; default all."
    )
    template = one(
        TEXT, "TEMPLATE",
        "Names of the files; default {{hash}}.{{stage}}.{{format}}. Fields as in find.",
    )  # fmt: skip
    limits = several(TEXT, "NAME=VALUE", "Limit of unpacking, as in scan.", "--limit")


class CatalogCompactOptions(VerbOptions, verb="catalog compact"):
    """Join the runs of a catalogue, without what has left it."""

    catalog = argument(READ, "CATALOG")
