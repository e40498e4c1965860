"""The command line as click knows it: every verb's arguments, options and help.

Declarations only. A verb's module is imported when the verb is called, so that one verb does not
pay for the others; what formats say of themselves is read when a verb that shows it is asked about.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, cast

import click

from .. import files
from ..errors import UnshadeError
from . import exits
from .later import (
    Later,
    Verb,
    measured,
    objects,
    of_formats,
    sources,
    stripping,
    tools,
    what_to_make,
)
from .options import (
    BIND,
    BUDGET,
    CONSTANT,
    ENGINE,
    ENTRY,
    FILE,
    FILES,
    FINDINGS_AS,
    GROUP,
    GROUPS,
    INTERFACE,
    JSON,
    LENGTH,
    OUTPUT,
    OUTPUTS,
    PRECISION,
    PROGRAM,
    SAMPLES,
    SCENE,
    SCHEMA,
    SET,
    WATCH,
    WAVE_SIZE,
    Decorator,
    offered,
)
from .output import note
from .paths import READ, WRITTEN

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
EPILOG = """FILE may be a folder (all shaders in it) or - for standard input; run and debug take one
file, render one or a folder.

Exit codes: 0 fine, 1 a difference or a finding, 2 wrong usage, 3 malformed, 4 not supported, 5 a
limit was hit. Of several files the highest counts."""


class InOrder(click.Group):
    """Lists its commands as they were declared: what is used first stands first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=InOrder, context_settings=CONTEXT, epilog=EPILOG)
@click.version_option(
    None, "-V", "--version", package_name="unshade", message="unshade %(version)s"
)
def unshade() -> None:
    """Open any compiled shader, show everything in it, change it, write it back, run it."""


def verb(
    name: str, help: str, *options: Decorator | Later, words: Mapping[str, Callable[[], str]] = {}
) -> None:
    """Declare a verb; `run` of the module of its name does the work."""

    def call(again: bool = False, **given: Any) -> int:
        module = import_module(f".{name.replace('-', '_')}", __package__)
        if "in_place" in given:
            files.set_hint("; --in-place does that")
        run = partial(module.run, **given)
        try:
            if again:
                from .watch import watched

                return watched(run, given)
            return int(run())
        except BrokenPipeError:  # click would end with 1, which stands for a finding
            return exits.CLOSED_PIPE

    for option in reversed(options):
        if not isinstance(option, Later):
            option(call)
    made = click.command(name, Verb, help=help, context_settings=CONTEXT)(call)
    unshade.add_command(made)
    made.words = words
    later = [index for index, each in enumerate(options) if isinstance(each, Later)]
    made.later = [(at - n, cast("Later", options[at])) for n, at in enumerate(later)]


verb("info", "What a shader is, takes, gives, uses and costs.", FILES, JSON, SCHEMA, OUTPUT)
verb("identify", "What each file is, in a line.", FILES, JSON, OUTPUT)
verb("parts", "The parts of a container: offset, size, what they are.", FILES, JSON, OUTPUT)
verb(
    "dis",
    "The listing, as the format's own tool ({tools}) has it.",
    FILES,
    click.option(
        "--dialect",
        metavar="NAME",
        shell_complete=offered("dialects"),
        help="Another form of the text; default native.",
    ),
    of_formats("listing"),
    WATCH,
    OUTPUTS,
    words={"tools": tools},
)
verb(
    "asm",
    "Make the shader that a text describes ({sources}), edited or written by hand.",
    FILES,
    click.option(
        "--donor", metavar="PATH", type=READ,
        help="A shader that supplies what the text does not say; a folder of such, by name.",
    ),
    Later(what_to_make),
    of_formats("assembler"),
    WATCH,
    OUTPUTS,
    words={"sources": sources},
)  # fmt: skip
verb("reflect", "Inputs, outputs, resources and constants.", FILES, JSON, SCHEMA, OUTPUT)
verb(
    "verify",
    "Check every rule; exit code 1 for findings.",
    click.argument("files", metavar="FILE...", type=READ, nargs=-1),
    JSON,
    click.option(
        "--format",
        type=click.Choice(FINDINGS_AS),
        help="text, the default; json, as --json; junit; sarif.",
    ),
    click.option(
        "--explain", metavar="CODE", shell_complete=offered("rules"),
        help="Say what this rule is about, and end.",
    ),
    click.option("--rules", is_flag=True, help="List all rules, and end."),
    OUTPUT,
)  # fmt: skip
verb(
    "check",
    "Which shaders cost more than a budget allows; exit code 1 if one does.",
    FILES,
    click.option(
        "--budgets", metavar="FILE", type=READ,
        help="Limits by glob and stage, in TOML: [[budget]] tables.",
    ),
    Later(measured),
    click.option(
        "-a", "--all", "everything", is_flag=True, help="List what is within its limits, too."
    ),
    JSON,
    OUTPUT,
)  # fmt: skip
verb(
    "hexdump",
    "Bytes with every field named.",
    FILES,
    click.option(
        "--only",
        "--part",
        metavar="PATH",
        multiple=True,
        shell_complete=offered("fields"),
        help="A part, or the fields below a path, as RDEF.buffers[0]; may be repeated.",
    ),
    click.option("--docs", is_flag=True, help="Say what each field means."),
    JSON,
    OUTPUT,
)
verb(
    "sign",
    "Make the digest right.",
    FILES,
    click.option("-i", "--in-place", is_flag=True, help="Replace each file."),
    OUTPUTS,
)
verb(
    "strip",
    "Take away what the runtime does not need: debug information, if nothing else is named.",
    FILES,
    click.option("--debug", is_flag=True, help="Sources, lines, labels, names of debug files."),
    stripping("reflection", "Names and types of what is bound"),
    stripping("statistics", "Counts over the code"),
    click.option("--private", is_flag=True, help="Private data."),
    click.option("--root-signature", is_flag=True, help="The root signature."),
    click.option(
        "--all", "everything", is_flag=True, help="All of these. Code and signatures always stay."
    ),
    click.option("-n", "--dry-run", is_flag=True, help="Only list what would be lost."),
    JSON,
    click.option("-i", "--in-place", is_flag=True, help="Replace each file."),
    OUTPUTS,
)
verb(
    "extract",
    "Write each part to a file of its own.",
    FILES,
    click.option("-o", "--output", metavar="FOLDER", type=WRITTEN, required=True, help="Where to."),
    click.option(
        "--only",
        metavar="PART",
        multiple=True,
        shell_complete=offered("parts"),
        help="This part; may be repeated.",
    ),
)
verb(
    "diff",
    "What differs between two shaders, or two folders of them; exit code 1 for a difference.",
    click.argument("files", metavar="A B", type=READ, nargs=-1, required=True),
    JSON,
    SCHEMA,
    click.option("--summary", "brief", is_flag=True, help="A sentence; the default for folders."),
    click.option(
        "-U", "--unified", type=click.IntRange(0), metavar="N",
        help="Lines of code with N equal ones around each difference; default 3.",
    ),
    click.option("-y", "--side-by-side", is_flag=True, help="Lines of code in two columns."),
    click.option(
        "--only", metavar="CATEGORY", multiple=True,
        shell_complete=offered("categories", several=True),
        help="Compare nothing else: code, interface, reflection, statistics, debug, compiler,"
        " digest, private, container. May be repeated, or several with commas.",
    ),
    click.option(
        "--ignore", metavar="CATEGORY", multiple=True,
        shell_complete=offered("categories", several=True), help="Let this differ.",
    ),
    OUTPUT,
)  # fmt: skip
verb(
    "link",
    "Make one shader of several objects ({objects}; experimental).",
    click.argument("files", metavar="OBJECT...", type=READ, nargs=-1, required=True),
    click.option("-o", "--output", metavar="FILE", type=WRITTEN, required=True, help="The shader."),
    words={"objects": objects},
)
verb("to-yaml", "Write as YAML, every field named, nothing lost.", FILES, OUTPUTS)
verb("from-yaml", "Make the shader that YAML describes.", FILES, OUTPUTS)
verb(
    "find",
    "Shaders inside larger files: packs, executables, dumps.",
    FILES,
    JSON,
    click.option(
        "--extract",
        metavar="FOLDER",
        type=WRITTEN,
        help="Write them there, named by file and offset.",
    ),
    OUTPUT,
)

verb(
    "run",
    "Run a shader over arrays.",
    FILE,
    GROUPS,
    click.option(
        "--count", metavar="N", type=click.IntRange(0),
        help="How many vertices, primitives or patches, of a shader that takes no inputs.",
    ),
    BIND,
    SET,
    click.option(
        "-o", "--output", metavar="[NAME=]PATH", type=WRITTEN, multiple=True,
        help="Write a result: .npy, .json, .png, else bytes; - is standard output.",
    ),
    click.option("-i", "--in-place", is_flag=True, help="Write results into the files bound."),
    ENGINE,
    PROGRAM,
    ENTRY,
    PRECISION,
    INTERFACE,
    LENGTH,
    CONSTANT,
    GROUP,
    WAVE_SIZE,
    SAMPLES,
    BUDGET,
    JSON,
)  # fmt: skip
verb(
    "render",
    "Draw with a pixel shader: the whole picture, or a mesh.",
    click.argument("file", metavar="[FILE]", type=READ, required=False),
    click.option(
        "--vs", metavar="FILE", type=READ,
        help="Vertex shader, for a mesh; --bind and --set vs:NAME=… are for it alone.",
    ),
    click.option("--ps", metavar="FILE", type=READ, help="Pixel shader."),
    *SCENE,
    click.option(
        "-o", "--output", metavar="PATH", type=WRITTEN, required=True,
        help="An image, or .npy or .json for the numbers; for a folder of shaders a folder;"
        " - is a PNG on standard output.",
    ),
    WATCH,
    BIND,
    SET,
    click.option(
        "--target", metavar="SEMANTIC", shell_complete=offered("targets"),
        help="Which output is the picture; without it the first colour.",
    ),
    click.option("--flip", is_flag=True, help="The first row at the bottom."),
    click.option("--srgb", is_flag=True, help="Colours are linear: encode them."),
    click.option("--alpha", is_flag=True, help="Keep transparency."),
    ENGINE,
    PROGRAM,
    BUDGET,
)  # fmt: skip
verb(
    "debug",
    "What one thread does, line by line; exit code 1 for findings.",
    FILE,
    click.option("--thread", metavar="X,Y,Z", help="Which; of a pixel shader x,y. Default 0."),
    GROUPS,
    BIND,
    SET,
    click.option(
        "--break", "breaks", metavar="WHERE", multiple=True,
        help="Only there, with --step stop there: a LINE of the listing, FILE:LINE of a source, an"
        " opcode, what is written, finding, 'r0.x > 3', 'LINE if r0.x > 3'.",
    ),
    click.option(
        "--watch", metavar="REGISTER", multiple=True,
        help="Only writes of r0, r0.xy, u1[3], or of a name of the source.",
    ),
    click.option("--step", is_flag=True, help="Go through it with commands, back as well as on."),
    click.option("--no-trace", is_flag=True, help="Only what is wrong."),
    click.option("--all", "every", is_flag=True, help="All iterations of loops with many."),
    click.option(
        "--findings", metavar="KIND,…", shell_complete=offered("findings", several=True),
        help="Only these count: out-of-bounds, race, barrier, nan, infinity, uninitialised; or"
        " none.",
    ),
    click.option(
        "--vs", metavar="FILE", type=READ, help="Vertex shader: draw a mesh, as render does."
    ),
    *SCENE,
    PROGRAM,
    BUDGET,
    JSON,
    OUTPUT,
)  # fmt: skip
verb(
    "completion",
    "Print the script that completes command lines in a shell.",
    click.argument("shell", type=click.Choice(("bash", "zsh", "fish"))),
)


def run(arguments: list[str]) -> int:
    """Parse, call the verb, return the exit code."""
    try:
        code = unshade.main(arguments, prog_name="unshade", standalone_mode=False)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except UnshadeError as error:
        note(str(error))
        return exits.code_of(error)
    return code if isinstance(code, int) else exits.FINE
