"""Record what users rely on, in tools/public_surface.txt: `python tools/public_surface.py`.

    python unshade.open offset        a parameter of a public function, method or class
    field Info.parts                  a field of a class of facts
    option info --json                an option of a verb
    exit 3 malformed input            an exit code
    dialect exact                     a text dialect
    schema urn:unshade:info-json:1    a JSON Schema

docs/promises.md promises that none of these disappears without two minor releases of notice; a
line that is added is no change that anybody notices. tests/test_public_surface.py compares. Write
the file anew when a release is made; a line that goes is an entry under Removed in CHANGELOG.md.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tools import api_pages  # noqa: E402
from unshade.cli import exits, parsing, schema  # noqa: E402
from unshade.cli.commands import index  # noqa: E402
from unshade.dialect import DIALECTS  # noqa: E402
from unshade.model.plain import Facts  # noqa: E402

RECORD = HERE / "public_surface.txt"


def surface() -> list[str]:
    """Return every line, in order and once."""
    return sorted({*_names(), *_commands(), *_numbers()})


def _names() -> Iterator[str]:
    things = {name: thing for name, (_, thing) in api_pages.described().items()}
    for name in (*api_pages.calls(), *things):
        owner, _, member = name.partition(".")
        thing: Any = getattr(things[owner], member) if member else things[owner]
        yield f"python {name}"
        if isinstance(thing, type) and issubclass(thing, Facts):
            yield from (f"field {name}.{field}" for field in thing.FIELDS)
            continue
        try:
            parameters = inspect.signature(thing).parameters
        except (TypeError, ValueError):
            continue
        yield from (f"python {name} {each}" for each in parameters if each not in ("self", "cls"))


def _commands() -> Iterator[str]:
    for verb, command in parsing.COMMANDS.items():
        yield f"verb {verb}"
        for parameter in command.get_params(click.Context(command)):
            for each in (*parameter.opts, *parameter.secondary_opts):
                if each.startswith("--"):
                    yield f"option {verb} {each}"


def _numbers() -> Iterator[str]:
    for code, meaning in exits.BRIEF.items():
        yield f"exit {code} {meaning}"
    for dialect in DIALECTS:
        yield f"dialect {dialect}"
    for verb, options in index.VERBS.items():
        if hasattr(options, "schema"):
            yield f"schema {schema.schema(verb)['$id']}"


def gone() -> list[str]:
    """Return what is recorded and no longer there."""
    recorded = RECORD.read_text("utf-8").splitlines()
    present = set(surface())
    return [line for line in recorded if line not in present]


if __name__ == "__main__":
    RECORD.write_text("\n".join([*surface(), ""]), "utf-8")
