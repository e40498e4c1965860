"""Documentation page about State Object Databases."""

from tools.pages.markdown import drawing, filled
from unshade.formats.sodb import pages
from unshade.formats.sodb.pages import FIELDS
from unshade.formats.sodb.schema import TABLES, SchemaTable


def page() -> str:
    """Return the page with its tables filled in."""
    header = ["| offset | size | field | meaning |", "|---|---|---|---|"]
    header += [f"| 0x{at:02x} | {size} | `{name}` | {doc}. |" for at, size, name, doc in FIELDS]
    rows = ["| table | columns |", "|---|---|"]
    rows += [f"| `{name}` | {_columns(table)} |" for name, table in TABLES.items()]
    return filled(
        __file__,
        {"file": drawing(pages.__doc__), "header": "\n".join(header), "tables": "\n".join(rows)},
    )


def _columns(table: SchemaTable) -> str:
    found = []
    for each in table.columns:
        kind = "" if each.kind == "int" else f" {each.kind}"
        null = ", or NULL" if each.nullable else ""
        refers = f" → `{each.refers}`" if each.refers else ""
        found.append(f"`{each.name}`{kind}{refers}{null}")
    return "; ".join(found)
