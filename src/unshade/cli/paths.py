"""Parameter types for paths.

Input files are protected (`unshade.files`) while the command line is parsed, so that no verb can
overwrite a file that it has yet to read.
"""

from typing import Any

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from .. import files


class PathType(StringParamType):
    """A file or folder."""

    name = "path"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave the completion of file names to the shell."""
        return [CompletionItem(incomplete, type="file")]


class WrittenPath(PathType):
    """A file or folder to write."""


class ReadPath(PathType):
    """A file or folder to read; `-` is standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Protect the file; the verb protects the files it takes from a folder."""
        for path in self.paths(value):
            files.protect(path)
        return value

    def paths(self, value: str) -> list[str]:
        """Return the paths in a value."""
        return [value] if value != "-" else []


class BoundPaths(ReadPath):
    """NAME=VALUE, whose value may name files."""

    name = "binding"

    def paths(self, value: str) -> list[str]:
        """Return the paths of bound files."""
        from .values import files_of

        return [path for _, paths in files_of([value]) for path in paths]


WRITTEN, READ, BOUND = WrittenPath(), ReadPath(), BoundPaths()
