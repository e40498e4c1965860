"""`unshade catalog show`: print a summary of a catalogue."""

from collections.abc import Iterator

from .... import catalog
from ....catalog.tables import JOINS, TABLES, VIEWS, asked_columns
from ....screens.blocks import Block, FactsBlock, TableBlock, Title
from ....screens.text import many, visible
from ... import exits
from ...commands import CatalogShowOptions
from ...output import CommandOutput

KIND = {"format": "string", "stage": "string?", "shaders": "integer", "bytes": "integer"}
WHOLE = (
    {
        "files": "integer", "places": "integer", "shaders": "integer", "programs": "integer",
        "damaged": "integer", "failed": "integer", "runs": "integer", "quick": "boolean",
        "size": "integer", "kinds": [KIND],
    },
    {
        "tables": {"*": {"*": {"type": "string", "doc": "string"}}}, "views": {"*": "string"},
        "joins": {"*": ["string"]},
    },
)  # fmt: skip


def run(given: CatalogShowOptions) -> int:
    """Print what a catalogue contains, or the columns of its tables."""
    with (
        catalog.Catalog(given.catalog) as opened,
        CommandOutput(given.output, as_json=given.as_json) as out,
    ):
        if given.tables:
            _tables(out)
            return exits.FINE
        found = opened.summary()
        if given.as_json:
            out.json(found)
        else:
            out.blocks(_summary(given.catalog, found))
    return exits.FINE


def _summary(name: str, found: "catalog.CatalogSummary") -> Iterator[Block]:
    yield Title(
        visible(name), f"{many(found['files'], 'file')}, {many(found['shaders'], 'shader')}"
    )
    yield FactsBlock(
        [
            ("places", f"{found['places']:,}"),
            ("copies", f"{found['places'] - found['shaders']:,}"),
            ("programs", f"{found['programs']:,}"),
            ("damaged", f"{found['damaged']:,}"),
            ("failed files", f"{found['failed']:,}"),
            ("runs", f"{found['runs']:,}{', quick' if found['quick'] else ''}"),
            ("size", f"{found['size']:,} bytes"),
        ]
    )
    if found["kinds"]:
        yield TableBlock(
            "shaders",
            ["format", "stage", ">shaders", ">bytes"],
            [
                [each["format"], visible(each["stage"] or "-"), f"{each['shaders']:,}",
                 f"{each['bytes']:,}"]
                for each in found["kinds"]
            ],
        )  # fmt: skip


def _tables(out: CommandOutput) -> None:
    """Print the columns of all tables."""
    if out.as_json:
        listed = {
            name: {each.name: {"type": each.type, "doc": each.doc} for each in asked_columns(name)}
            for name in TABLES
        }
        views = {each.name: each.sql for each in VIEWS}
        joins = {key: [*of] for key, of in JOINS.items()}
        out.json({"tables": listed, "views": views, "joins": joins})
        return
    for name, table in TABLES.items():
        rows = [[each.name, each.type, each.doc] for each in asked_columns(name)]
        out.blocks([Title(name, table.doc), TableBlock("", ["column", "type", ""], rows)])
    shown = TableBlock("", ["view", "a row is"], [[each.name, each.doc] for each in VIEWS])
    out.blocks([Title("views", "queries with a name"), shown])
    keys = TableBlock("", ["column", "tables"], [[key, ", ".join(of)] for key, of in JOINS.items()])
    out.blocks([Title("joins", "columns by which rows belong together"), keys])
