"""The documentation's page about SHBIN and DVOJ: drawings and tables of the records."""

from ...isa.markdown import drawing
from ...wire.schema import markdown
from . import dvoj, known_writers, linking, records, spelling


def page() -> str:
    """Return the page."""
    found = ["# Nintendo 3DS: SHBIN", "", drawing(records.__doc__)]
    found += ["## Who writes what", "", drawing(known_writers.__doc__)]
    found += ["| writer | " + " | ".join(known_writers.COLUMNS) + " |"]
    found += ["|---" * (len(known_writers.COLUMNS) + 1) + "|"]
    found += [
        f"| {name} | " + " | ".join(row) + " |" for name, row in known_writers.WRITERS.items()
    ]
    found += ["", "## How numbers are written in YAML", "", drawing(spelling.__doc__)]
    found += ["## Records", "", markdown(records.Dvlb)]
    found += ["## Objects", "", drawing(dvoj.__doc__)]
    for page in ("\n" + markdown(records.Dvoj)).split("\n### ")[1:]:
        if page.startswith(("Dvoj", "Relocation")):  # the other records are above
            found += [f"### {page}", ""]
    found += ["", "## Linking", "", drawing(linking.__doc__)]
    found += ["The instruction set is described on [a page of its own](pica.md)."]
    return "\n".join(found) + "\n"
