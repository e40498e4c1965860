"""Documentation page about SHBIN and DVOJ: diagrams and tables of the records."""

from tools.pages import shbin_writers
from tools.pages.markdown import filled, indented
from tools.pages.records import markdown
from unshade.formats.shbin import dvoj, linking, records, spelling


def page() -> str:
    """Return the page with its tables filled in."""
    columns = shbin_writers.COLUMNS
    return filled(
        __file__,
        {
            "headers": indented(records),
            "who": indented(shbin_writers),
            "columns": " | ".join(columns),
            "rule": "|---" * (len(columns) + 1) + "|",
            "writers": "\n".join(
                f"| {name} | {' | '.join(row)} |" for name, row in shbin_writers.WRITERS.items()
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
