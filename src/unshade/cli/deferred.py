"""Options and words of help that tables supply: the metrics, and the descriptions of formats.

The tables load only when a verb that needs them is parsed or described.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import click

SHOWN = 8  # choices that the help of an option lists


def metrics() -> Iterator[click.Option]:
    """Yield an option for each metric."""
    from ..analysis.metrics import METRICS

    for name, each in METRICS.items():
        text = f"{each.doc[0].upper()}{each.doc[1:]}."
        yield click.Option([f"--max-{name}"], type=number, metavar="N", help=text)


def number(text: str) -> int:
    """Parse an integer of at least 0; unlike IntRange, adds nothing to the help text."""
    if not (text.isascii() and text.isdecimal()):
        raise click.BadParameter(f"expected a non-negative integer, got {text!r:.40}")
    return int(text[:18])


def of_formats(kind: str) -> Iterator[click.Option]:
    """Yield the options of a kind that formats declare: listing, assembler or verifier."""
    from .. import formats

    named: dict[str, list[tuple[str, formats.Option]]] = {}
    for format in formats.known():
        for each in formats.options(format, kind):
            named.setdefault(each.flag, []).append((format.name, each))
    for flag, several in named.items():
        helps: dict[str, list[str]] = {}
        for name, each in several:
            helps.setdefault(each.help.removesuffix("."), []).append(name)
        text = " ".join(f"{each} ({', '.join(names)})." for each, names in helps.items())
        choices = dict.fromkeys(choice for _, each in several for choice in each.choices)
        first = several[0][1]
        if choices:
            metavar = "NAME" if len(choices) > SHOWN else None
            yield click.Option(
                [flag, first.name], type=click.Choice([*choices]), metavar=metavar, help=text
            )
        else:
            yield click.Option([flag, first.name], flag_value=first.value, default=None, help=text)


# By the table of `GeneratedOptions`.
OPTIONS: Mapping[str, Callable[[], Iterator[click.Option]]] = {
    "metrics": metrics,
    **{kind: partial(of_formats, kind) for kind in ("listing", "assembler", "verifier")},
}

# ---------------------------------------------------------------- words of help


def filled(help: str) -> str:
    """Return a help text with its {placeholders} replaced."""
    return help.format_map(_HelpWords()) if "{" in help else help


class _HelpWords(dict[str, str]):
    """Words by placeholder, from the descriptions of formats when they are first used."""

    def __missing__(self, name: str) -> str:
        return WORDS[name]()


def tools() -> str:
    """Return the names of the formats' own tools."""
    from .. import formats

    return ", ".join(dict.fromkeys(each.tool for each in formats.known() if each.tool))


def sources() -> str:
    """Return each format with the tool whose texts it is assembled from."""
    from .. import formats

    return ", ".join(f"{each.name} from {each.tool}" for each in formats.known() if each.tool)


def explained() -> str:
    """Return the languages whose operations `explain` knows."""
    from ..analysis.explanations import explained_languages

    return ", ".join(explained_languages())


def assembled() -> str:
    """Return the formats that are assembled from text."""
    from .. import formats

    return " or ".join(each.name for each in formats.known() if each.texts)


def containers() -> str:
    """Return each container format with the languages of the programs that it packs."""
    from .. import formats

    able = [each for each in formats.known() if each.packs]
    return ", ".join(f"{each.name} of {' or '.join(each.packs)}" for each in able)


def objects() -> str:
    """Return each object format with the format that it links to."""
    from .. import formats

    linked = [each for each in formats.known() if each.links_to]
    return ", ".join(f"{each.name} to {each.links_to}" for each in linked)


def stripped(category: str) -> str:
    """Return, for each format, the data that a category of `strip` covers."""
    from .. import formats

    named = [(each.name, dict(each.strips).get(category)) for each in formats.known()]
    return "; ".join(f"{words} ({name})" for name, words in named if words)


WORDS: Mapping[str, Callable[[], str]] = {
    "tools": tools,
    "sources": sources,
    "explained": explained,
    "assembled": assembled,
    "containers": containers,
    "objects": objects,
    "bindings": partial(stripped, "reflection"),
    "counts": partial(stripped, "statistics"),
}
