"""Write docs/man/unshade.1 from the command line's declarations: `python tools/man_page.py`.

tests/docs/test_man_page.py fails if the page is stale. It is installed as
share/man/man1/unshade.1 (pyproject.toml).

Source: man(7) for the macros; groff_char(7) for what has to be escaped.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from unshade.cli import exits, parsing

OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
PAGE = Path(__file__).resolve().parent.parent / "docs" / "man" / "unshade.1"
HEAD = r""".\" made by tools/man_page.py; edit the declarations in src/unshade/cli instead
.TH UNSHADE 1 "" unshade "User Commands"
.SH NAME
unshade \- open any compiled shader, show everything in it, change it, run it
"""
DESCRIPTION = """
Data goes to standard output, everything else to standard error. A terminal gets colours, and a
progress bar for more than twenty files. FILE may be a folder: all shaders in it and its subfolders
are read. A single hyphen is standard input. One bad file does not stop the others.
"""
ENVIRONMENT = (
    ("NO_COLOR", "If set, output is never coloured."),
    ("FORCE_COLOR", "If set, output is coloured even if it is not a terminal; 0 means never."),
    ("UNSHADE_TRACEBACK", "If set, a bug in unshade ends with a Python traceback."),
)
EXAMPLES = (
    ("unshade info ps.cso", "Print a summary: stage, interface, resources, sizes."),
    ("unshade dis ps.cso -o ps.asm", "Write the listing, as fxc prints it."),
    ("unshade asm ps.asm --donor ps.cso -o new.cso", "Assemble the edited listing."),
    ("unshade diff ps.cso new.cso", "Print what has changed."),
    ("unshade verify build/shaders", "Check all shaders in a folder."),
)


def page() -> str:
    """Return the text of the page."""
    return "\n".join(["\n".join(_lines()), ""])


def _lines() -> Iterator[str]:
    yield HEAD.rstrip()
    yield ".SH SYNOPSIS"
    yield ".B unshade\n.I VERB\n.RI [ OPTION ]...\n.IR FILE ..."
    yield ".SH DESCRIPTION"
    yield _text(parsing.unshade.help or "")
    yield ".PP"
    yield DESCRIPTION.strip()
    yield ".SH VERBS"
    for name, command in parsing.COMMANDS.items():
        yield from _command(name, command)
    yield ".SH EXIT STATUS"
    yield "With several files, the exit code is the highest one."
    for code, word in exits.MEANINGS.items():
        yield f".TP\n.B {code}\n{_text(word)}"
    yield ".SH ENVIRONMENT"
    for name, text in ENVIRONMENT:
        yield f".TP\n.B {name}\n{_text(text)}"
    yield ".SH EXAMPLES"
    for line, text in EXAMPLES:
        yield f".TP\n.B {_text(line)}\n{_text(text)}"


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=f"unshade {name}")
    usage = " ".join([context.info_name or "", *command.collect_usage_pieces(context)])
    yield f'.SS "{_option(usage)}"'
    yield _text(command.help or "")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record and "--help" not in parameter.opts:
            names, text = record
            yield f".TP\n{_option(names)}\n{_text(text)}"


def _option(words: str) -> str:
    """Return `-o, --output PATH` in roff: options in bold, their values in italics."""
    made = []
    for word in words.split():
        bare = word.rstrip(",")
        font = "B" if bare.startswith("-") else "R" if bare.islower() else "I"
        text = _text(bare).replace("|", "|\\:")
        made.append((text if font == "R" else f"\\f{font}{text}\\fR") + word[len(bare) :])
    return " ".join(made)


def _text(text: str) -> str:
    """Return running text as ASCII roff.

    A line that begins with a full stop or a quote would be a request. Options have a minus for
    each hyphen, so that they can be copied.
    """
    text = OPTION.sub(lambda found: found[0].replace("-", "\\-"), " ".join(text.split()))
    text = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in text)
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="ascii")
