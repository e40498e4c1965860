"""The documentation's page about the container and every part that is typed."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from tools.pages import census
from tools.pages.markdown import anchor, drawing, filled, indented
from tools.pages.records import markdown
from unshade.formats.dxcontainer import container, digest, parts
from unshade.formats.dxcontainer.parts import sfi0
from unshade.formats.dxcontainer.parts.kind import EitherKind, RecordKind
from unshade.vocab.features import FEATURES

PROGRAMS = {
    "program": "See [the tokenized program format](tpf.md).",
    "dxil": "See [DXIL](dxil.md).",
    "spdb": "See [MSF files](msf.md).",
}


def page() -> str:
    """Return the page with its tables filled in."""
    return filled(
        __file__,
        {
            "container": indented(container),
            "header": markdown(container.Header).rstrip(),
            "digest": indented(digest).partition("\n\nSources:")[0],
            "files": f"{census.FILES:,}",
            "date": census.DATE,
            "orders": str(census.ORDERS),
            "census": "\n".join(names()),
            "writers": "\n".join(writers()),
            "parts": "\n".join(line for title, each in typed() for line in section(title, each)),
        },
    )


def typed() -> Iterator[tuple[str, ModuleType]]:
    """Yield each module of a part with the names of the part."""
    for module in sorted(each.name for each in iter_modules(parts.__path__)):
        names = [name for name, each in parts.parts_of(module).items() if each.kind is not None]
        if names:
            yield ", ".join(names), import_module(f"{parts.__name__}.{module}")


def section(title: str, module: ModuleType) -> list[str]:
    """Return the section of a part."""
    lines = [f"## {title}", "", drawing(module.__doc__)]
    described = next(iter(module.PARTS.values()))
    if not isinstance(described.kind, RecordKind | EitherKind):
        return [*lines, PROGRAMS[module.__name__.rpartition(".")[2]], ""]
    lines.append(markdown(described.kind.record))
    if module is sfi0:
        lines += ["| bit | name | required feature |", "|---|---|---|"]
        lines += [f"| {bit} | {each.name} | {each.text} |" for bit, each in enumerate(FEATURES)]
        lines.append("")
    return lines


def names() -> list[str]:
    """Return the table of the names of parts."""
    sections = {name: title for title, _ in typed() for name in title.split(", ")}
    titles = {name: each.title for name, each in parts.described().items()}
    lines = ["| name | contents | files | bytes |", "|---|---|---|---|"]
    for name in sorted({*census.PARTS, *titles}, key=str.lower):
        count, least, most = census.PARTS.get(name, (0, 0, 0))
        shown = f"[`{name}`](#{anchor(sections[name])})" if name in sections else f"`{name}`"
        size = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        what = titles.get(name, "made up")
        seen = f"{count:,} | {size}" if count else "|"
        lines.append(f"| {shown} | {what} | {seen} |")
    return lines


def writers() -> list[str]:
    """Return the programs that each compiler made."""
    return [
        f"| {name} | {', '.join(f'{count} × {kind}' for kind, count in made.items())} |"
        for name, made in census.WRITERS.items()
    ]
