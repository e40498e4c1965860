"""Options, and words of the help, that come out of tables: what is counted, and what each format
says of itself. The tables load when the verb that shows them is asked about.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import click

from .options import number, offered


class Later(NamedTuple):
    """Options that are made when the verb is asked about, out of tables that load then."""

    made: Callable[[], Iterable[click.Option]]


class Verb(click.Command):
    """A command with some `Later` options; {words} in its help are what functions return."""

    later: Sequence[tuple[int, Later]] = ()
    words: Mapping[str, Callable[[], str]] = {}
    template: str | None = None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        self._fill_in()
        found = super().get_params(ctx)
        for index, each in reversed(self.later):
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
    """An option for each thing that is counted."""
    from ..analysis.budgets import METRICS
    from ..model import Stage

    for name, each in METRICS.items():
        told = f"{each.doc[0].upper()}{each.doc[1:]}."
        yield click.Option([f"--max-{name}"], type=number, metavar="N", help=told)
    yield click.Option(
        ["--stage"], type=click.Choice([str(each) for each in Stage]), multiple=True,
        metavar="NAME", help="Limits given as options are for shaders of this stage: vertex,"
        " pixel, compute, …; may be repeated.",
    )  # fmt: skip


def of_formats(kind: str) -> Later:
    """The options that formats have of that kind: `listing` or `assembler`."""

    def made() -> Iterator[click.Option]:
        from .. import formats

        named: dict[str, list[tuple[str, formats.Option]]] = {}
        for format in formats.known():
            for each in getattr(format, kind):
                named.setdefault(each.flag, []).append((format.name, each))
        for flag, several in named.items():
            told = " ".join(f"{each.help.removesuffix('.')} ({name})." for name, each in several)
            choices = dict.fromkeys(choice for _, each in several for choice in each.choices)
            first = several[0][1]
            if choices:
                yield click.Option([flag, first.name], type=click.Choice([*choices]), help=told)
            else:
                yield click.Option(
                    [flag, first.name], flag_value=first.value, default=None, help=told
                )

    return Later(made)


def stripping(category: str, help: str) -> Later:
    """The option that strips a category, with what that is in each format."""

    def made() -> Iterator[click.Option]:
        from .. import formats

        named = [(each.name, dict(each.strips).get(category)) for each in formats.known()]
        told = "; ".join(f"{words} ({name})" for name, words in named if words)
        yield click.Option([f"--{category}"], is_flag=True, help=f"{help}: {told}.")

    return Later(made)


def what_to_make() -> Iterator[click.Option]:
    """`--format` of the assembler."""
    from .. import formats

    names = " or ".join(each.name for each in formats.known() if each.texts)
    yield click.Option(
        ["--format"], metavar="NAME", shell_complete=offered("formats"),
        help=f"What to make, {names}; default what the text tells.",
    )  # fmt: skip


def tools() -> str:
    """The tools whose texts the formats have."""
    from .. import formats

    return ", ".join(dict.fromkeys(each.tool for each in formats.known() if each.tool))


def sources() -> str:
    """Whose texts each format is made of."""
    from .. import formats

    return ", ".join(f"{each.name}: of {each.tool}" for each in formats.known() if each.tool)


def objects() -> str:
    """Which format is linked to which."""
    from .. import formats

    linked = [each for each in formats.known() if each.links_to]
    return ", ".join(f"{each.name} to {each.links_to}" for each in linked)
