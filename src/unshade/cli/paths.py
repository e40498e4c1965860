"""The types of options and arguments that are paths: what each reads or writes is said here.

What is read is kept (`unshade.files`) as soon as the command line is parsed, so that no verb can
write over what it has yet to read.
"""

from typing import Any

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from .. import files


class Path(StringParamType):
    """A file or folder."""

    name = "path"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave it to the shell, which knows files."""
        return [CompletionItem(incomplete, type="file")]


class Written(Path):
    """A file or folder to write. Whether it may be is decided where it is written."""


class Read(Path):
    """A file or folder to read; `-` is standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Keep the file; of a folder, the verb keeps what it takes."""
        for path in self.paths(value):
            files.protect(path)
        return value

    def paths(self, value: str) -> list[str]:
        """Return the files that a value names."""
        return [value] if value != "-" else []


class Bound(Read):
    """NAME=VALUE, where the value may be files."""

    name = "binding"

    def paths(self, value: str) -> list[str]:
        """Return the files that are bound."""
        from .values import files_of

        return [path for _, paths in files_of([value]) for path in paths]


WRITTEN, READ, BOUND = Written(), Read(), Bound()
