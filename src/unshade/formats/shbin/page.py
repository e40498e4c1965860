"""Documentation page about SHBIN and DVOJ: diagrams and tables of the records."""

from pkgutil import get_data

from ...isa.markdown import filled, indented
from ...wire.schema import markdown
from . import dvoj, known_writers, linking, records, spelling


def page() -> str:
    """Return page.md with its tables filled in."""
    text = (get_data(__package__, "page.md") or b"").decode()
    columns = known_writers.COLUMNS
    return filled(
        text,
        {
            "headers": indented(records),
            "who": indented(known_writers),
            "columns": " | ".join(columns),
            "rule": "|---" * (len(columns) + 1) + "|",
            "writers": "\n".join(
                f"| {name} | {' | '.join(row)} |" for name, row in known_writers.WRITERS.items()
            ),
            "records": markdown(records.Dvlb).rstrip(),
            "objects": indented(dvoj),
            "object_records": "\n".join(own_records()).rstrip(),
            "linking": indented(linking),
            "spelling": indented(spelling),
        },
    )


def own_records() -> list[str]:
    """Return the records that only objects have."""
    return [
        f"### {each}"
        for each in ("\n" + markdown(records.Dvoj)).split("\n### ")[1:]
        if each.startswith(("Dvoj", "Relocation"))
    ]
