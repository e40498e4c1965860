"""Options and help text generated from tables: the metrics, and the descriptions of formats.

The tables load only when a verb that needs them is parsed or described.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import click

from .options import number, offered

SHOWN = 8  # choices that the help of an option lists


class Deferred(NamedTuple):
    """Options that `made` generates when the verb is first used."""

    made: Callable[[], Iterable[click.Option]]


class Verb(click.Command):
    """A command with deferred options; functions supply the {placeholders} of its help."""

    deferred: Sequence[tuple[int, Deferred]] = ()
    words: Mapping[str, Callable[[], str]] = {}
    template: str | None = None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        self._fill_in()
        found = super().get_params(ctx)
        for index, each in reversed(self.deferred):
            found[index:index] = each.made()
        return found

    def get_short_help_str(self, limit: int = 45) -> str:
        self._fill_in()
        return super().get_short_help_str(limit)

    def _fill_in(self) -> None:
        if not self.words:
            return
        if self.template is None:
            self.template = self.help or ""
        self.help = self.template.format(**{name: made() for name, made in self.words.items()})


def measured() -> Iterator[click.Option]:
    """Return an option for each metric."""
    from ..analysis.budgets import METRICS
    from ..model import Stage

    for name, each in METRICS.items():
        text = f"{each.doc[0].upper()}{each.doc[1:]}."
        yield click.Option([f"--max-{name}"], type=number, metavar="N", help=text)
    yield click.Option(
        ["--stage"], type=click.Choice([str(each) for each in Stage]), multiple=True,
        metavar="NAME", help="Apply the limits given as options only to this stage: vertex,"
        " pixel, compute, …; may be repeated.",
    )  # fmt: skip


def of_formats(kind: str) -> Deferred:
    """Return the options of a kind that formats declare: listing, assembler or verifier."""

    def made() -> Iterator[click.Option]:
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
                yield click.Option(
                    [flag, first.name], flag_value=first.value, default=None, help=text
                )

    return Deferred(made)


def stripping(category: str, help: str) -> Deferred:
    """Return the option that strips a category; its help names the contents by format."""

    def made() -> Iterator[click.Option]:
        from .. import formats

        named = [(each.name, dict(each.strips).get(category)) for each in formats.known()]
        text = "; ".join(f"{words} ({name})" for name, words in named if words)
        yield click.Option([f"--{category}"], is_flag=True, help=f"{help}: {text}.")

    return Deferred(made)


def what_to_make() -> Iterator[click.Option]:
    """Return the assembler's `--format`."""
    from .. import formats

    names = " or ".join(each.name for each in formats.known() if each.texts)
    yield click.Option(
        ["--format"], metavar="NAME", shell_complete=offered("formats"),
        help=f"Output format, {names}; default from the text.",
    )  # fmt: skip


def tools() -> str:
    """Return the names of the formats' own tools."""
    from .. import formats

    return ", ".join(dict.fromkeys(each.tool for each in formats.known() if each.tool))


def sources() -> str:
    """Return each format with the tool whose texts it is assembled from."""
    from .. import formats

    return ", ".join(f"{each.name} from {each.tool}" for each in formats.known() if each.tool)


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
