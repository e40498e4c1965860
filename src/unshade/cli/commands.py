"""The click command line: every verb's arguments, options and help.

Declarations only. A verb's module is imported when the verb is called, so that one verb does not
load the others. Descriptions of formats load only for verbs whose help or options use them.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

import click

from ..errors import UnshadeError
from . import exits
from .deferred import (
    Deferred,
    Verb,
    containers,
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
    JOBS,
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
from .processes.jobs import VerbCall

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
EPILOG = """FILE may be a folder (all shaders below it) or - for standard input. run and debug take
a single file, render a file or a folder.

Exit codes: 0 success, 1 differences or findings, 2 usage error, 3 malformed input, 4 unsupported
input, 5 limit exceeded. With several files the highest code is returned."""


class InOrder(click.Group):
    """A group that lists its commands in order of declaration, the most used first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their whole summaries."""
        rows = [(name, each.get_short_help_str(1000)) for name, each in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(cls=InOrder, context_settings=CONTEXT, epilog=EPILOG)
@click.version_option(
    None, "-V", "--version", package_name="unshade", message="unshade %(version)s"
)
def unshade() -> None:
    """Inspect, edit, compare and run compiled shaders."""


def verb(
    name: str,
    help: str,
    *options: Decorator | Deferred,
    words: Mapping[str, Callable[[], str]] = {},
) -> None:
    """Declare a verb, implemented by `run` in the module of the same name."""

    def call(again: bool = False, jobs: int | None = None, **given: Any) -> int:
        made = VerbCall(name.replace("-", "_"), given, jobs)
        try:
            if again:
                from .watch import watched

                return watched(made.run, given)
            return made.run()
        except BrokenPipeError:  # click would exit with 1, which means findings
            return exits.CLOSED_PIPE

    for option in reversed(options):
        if not isinstance(option, Deferred):
            option(call)
    made = click.command(name, Verb, help=help, context_settings=CONTEXT)(call)
    unshade.add_command(made)
    made.words = words
    deferred = [index for index, each in enumerate(options) if isinstance(each, Deferred)]
    made.deferred = [(at - n, cast("Deferred", options[at])) for n, at in enumerate(deferred)]


verb("info", "Show stage, interface, resources and costs.", FILES, JSON, SCHEMA, JOBS, OUTPUT)
verb("identify", "Identify each file in one line.", FILES, JSON, JOBS, OUTPUT)
verb("parts", "List the parts of a container: offset, size, contents.", FILES, JSON, JOBS, OUTPUT)
verb(
    "dis",
    "Disassemble, as the format's own tool ({tools}) does.",
    FILES,
    click.option(
        "--dialect",
        metavar="NAME",
        shell_complete=offered("dialects"),
        help="Dialect of the listing; default native.",
    ),
    of_formats("listing"),
    click.option(
        "--lines", is_flag=True,
        help="Print the code alone, each line with the number that debug, coverage and budgets of"
        " loops refer to.",
    ),
    WATCH,
    JOBS,
    OUTPUTS,
    words={"tools": tools},
)  # fmt: skip
verb(
    "asm",
    "Assemble a listing or source text ({sources}).",
    FILES,
    click.option(
        "--donor", metavar="PATH", type=READ,
        help="Shader that supplies what the text lacks, or a folder of them, matched by name.",
    ),
    Deferred(what_to_make),
    of_formats("assembler"),
    WATCH,
    JOBS,
    OUTPUTS,
    words={"sources": sources},
)  # fmt: skip
verb("reflect", "Show inputs, outputs, resources and constants.", FILES, JSON, SCHEMA, JOBS, OUTPUT)
verb(
    "verify",
    "Check every rule; exit with 1 if there are findings.",
    click.argument("files", metavar="FILE...", type=READ, nargs=-1),
    of_formats("verifier"),
    JSON,
    click.option(
        "--format",
        type=click.Choice(FINDINGS_AS),
        help="Output format; default text. json is the same as --json.",
    ),
    click.option(
        "--explain", metavar="CODE", shell_complete=offered("rules"),
        help="Explain this rule and exit.",
    ),
    click.option("--rules", is_flag=True, help="List all rules and exit."),
    JOBS,
    OUTPUT,
)  # fmt: skip
verb(
    "check",
    "Check shaders against budgets; exit with 1 if one exceeds a limit.",
    FILES,
    click.option(
        "--budgets", metavar="FILE", type=READ,
        help="TOML file with [[budget]] tables: limits by glob and stage.",
    ),
    Deferred(measured),
    click.option(
        "-a", "--all", "everything", is_flag=True, help="Also list shaders within their limits."
    ),
    JSON,
    JOBS,
    OUTPUT,
)  # fmt: skip
verb(
    "hexdump",
    "Dump the bytes with every field named.",
    FILES,
    click.option(
        "--only",
        "--part",
        metavar="PATH",
        multiple=True,
        shell_complete=offered("fields"),
        help="Only this part, or fields below this path, e.g. RDEF.buffers[0]; may be repeated.",
    ),
    click.option("--docs", is_flag=True, help="Explain each field."),
    JSON,
    JOBS,
    OUTPUT,
)
verb(
    "sign",
    "Recompute the digest.",
    FILES,
    click.option("-i", "--in-place", is_flag=True, help="Replace each file."),
    JOBS,
    OUTPUTS,
)
verb(
    "strip",
    "Remove what the runtime does not need; by default debug information.",
    FILES,
    click.option("--debug", is_flag=True, help="Sources, line tables, labels, debug file names."),
    stripping("reflection", "Names and types of bindings"),
    stripping("statistics", "Instruction counts"),
    click.option("--private", is_flag=True, help="Private data."),
    click.option("--root-signature", is_flag=True, help="The root signature."),
    click.option(
        "--all", "everything", is_flag=True, help="All of these. Code and signatures are kept."
    ),
    click.option("-n", "--dry-run", is_flag=True, help="Only list what would be removed."),
    JSON,
    click.option("-i", "--in-place", is_flag=True, help="Replace each file."),
    JOBS,
    OUTPUTS,
)
verb(
    "extract",
    "Write each part to its own file.",
    FILES,
    click.option(
        "-o", "--output", metavar="FOLDER", type=WRITTEN, required=True, help="Output folder."
    ),
    click.option(
        "--only",
        metavar="PART",
        multiple=True,
        shell_complete=offered("parts"),
        help="Only this part; may be repeated.",
    ),
    click.option(
        "--stage",
        "stages",
        metavar="NAME",
        multiple=True,
        shell_complete=offered("stages"),
        help="Only the code of this stage: vert, frag, vertex, pixel, …; may be repeated.",
    ),
    click.option(
        "--sources",
        is_flag=True,
        help="Write the sources held inside and the compiler's arguments, instead of the parts.",
    ),
    JOBS,
)
verb(
    "diff",
    "Compare two shaders or two folders; exit with 1 if they differ.",
    click.argument("files", metavar="A B", type=READ, nargs=-1, required=True),
    JSON,
    SCHEMA,
    click.option(
        "--summary", "brief", is_flag=True,
        help="Print only the verdict, in one line; the default for folders.",
    ),
    click.option(
        "-U", "--unified", type=click.IntRange(0), metavar="N",
        help="Unified diff of the code with N lines of context; default 3.",
    ),
    click.option("-y", "--side-by-side", is_flag=True, help="Show the code in two columns."),
    click.option(
        "--only", metavar="CATEGORY", multiple=True,
        shell_complete=offered("categories", several=True),
        help="Compare only this category: code, interface, reflection, statistics, debug,"
        " compiler, digest, private or container. May be repeated or comma-separated.",
    ),
    click.option(
        "--ignore", metavar="CATEGORY", multiple=True,
        shell_complete=offered("categories", several=True), help="Ignore this category.",
    ),
    JOBS,
    OUTPUT,
)  # fmt: skip
verb(
    "link",
    "Link objects into a shader ({objects}; experimental).",
    click.argument("files", metavar="OBJECT...", type=READ, nargs=-1, required=True),
    click.option(
        "-o", "--output", metavar="FILE", type=WRITTEN, required=True, help="Output file."
    ),
    words={"objects": objects},
)
verb(
    "pack",
    "Pack the modules of the stages into a container ({containers}).",
    click.argument("files", metavar="MODULE...", type=READ, nargs=-1, required=True),
    click.option(
        "--reflection", metavar="FILE", type=READ,
        help="YAML with sections of the container; what is missing is derived from the modules.",
    ),
    click.option(
        "--format", metavar="NAME", shell_complete=offered("formats"),
        help="Output format; default from the suffix of the output.",
    ),
    click.option(
        "-o", "--output", metavar="FILE", type=WRITTEN, required=True, help="Output file."
    ),
    words={"containers": containers},
)  # fmt: skip
verb(
    "to-yaml",
    "Convert to lossless YAML with every field named.",
    FILES,
    click.option(
        "--dialect", metavar="NAME", shell_complete=offered("yaml_dialects"),
        help="YAML dialect of another tool, which may hold less than the default one.",
    ),
    click.option(
        "--format", type=click.Choice(("yaml", "json")), default="yaml",
        help="JSON holds the same, for jq and the like; from-yaml reads both.",
    ),
    JOBS,
    OUTPUTS,
)  # fmt: skip
verb("from-yaml", "Convert YAML or JSON back to a shader.", FILES, JOBS, OUTPUTS)
verb(
    "find",
    "Find shaders inside larger files: packs, executables, dumps.",
    FILES,
    JSON,
    click.option(
        "--extract",
        metavar="FOLDER",
        type=WRITTEN,
        help="Write the shaders found to this folder, named by file and offset.",
    ),
    JOBS,
    OUTPUT,
)

verb(
    "run",
    "Run a shader on arrays.",
    FILE,
    GROUPS,
    click.option(
        "--count", metavar="N", type=click.IntRange(0),
        help="Number of vertices, primitives or patches, for a shader without inputs.",
    ),
    BIND,
    SET,
    click.option(
        "-o", "--output", metavar="[NAME=]PATH", type=WRITTEN, multiple=True,
        help="Write a result as .npy, .json or image, else as raw bytes; - is standard output.",
    ),
    click.option("-i", "--in-place", is_flag=True, help="Write results back to the bound files."),
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
    "Render an image with a pixel shader: full screen, or a mesh.",
    click.argument("file", metavar="[FILE]", type=READ, required=False),
    click.option(
        "--vs", metavar="FILE", type=READ,
        help="Vertex shader for a mesh; --bind and --set vs:NAME=… apply to it alone.",
    ),
    click.option("--ps", metavar="FILE", type=READ, help="Pixel shader."),
    GROUPS,
    *SCENE,
    click.option(
        "-o", "--output", metavar="PATH", type=WRITTEN, required=True,
        help="Image, or .npy or .json with the values; a folder for a folder of shaders;"
        " - writes a PNG to standard output.",
    ),
    WATCH,
    BIND,
    SET,
    click.option(
        "--target", metavar="SEMANTIC", shell_complete=offered("targets"),
        help="Output to write, or depth; default the first colour.",
    ),
    click.option("--flip", is_flag=True, help="Flip the image vertically."),
    click.option("--srgb", is_flag=True, help="Encode linear colours as sRGB."),
    click.option("--alpha", is_flag=True, help="Keep the alpha channel."),
    ENGINE,
    PROGRAM,
    BUDGET,
    JOBS,
)  # fmt: skip
verb(
    "debug",
    "Trace one thread line by line; exit with 1 if there are findings.",
    click.argument("file", metavar="[FILE]", type=READ, required=False),
    click.option("--thread", metavar="X,Y,Z", help="Thread, or pixel x,y; default 0."),
    GROUPS,
    BIND,
    SET,
    click.option(
        "--break", "breaks", metavar="WHERE", multiple=True,
        help="Show only these places, or stop there with --step: LINE of the listing, FILE:LINE of"
        " a source, an opcode, a register written, finding, 'r0.x > 3', 'LINE if r0.x > 3'.",
    ),
    click.option(
        "--watch", metavar="REGISTER", multiple=True,
        help="Show only writes to r0, r0.xy, u1[3] or a variable of the source.",
    ),
    click.option("--step", is_flag=True, help="Step through the trace, forwards and backwards."),
    click.option("--no-trace", is_flag=True, help="Show only findings."),
    click.option("--all", "every", is_flag=True, help="Show every iteration of long loops."),
    click.option(
        "--findings", metavar="KIND,…", shell_complete=offered("findings", several=True),
        help="Report only these: out-of-bounds, race, barrier, nan, infinity, uninitialised; or"
        " none, which is quicker for a pixel, since only its quad is run.",
    ),
    click.option(
        "--vs", metavar="FILE", type=READ, help="Vertex shader for a mesh, as in render."
    ),
    click.option("--ps", metavar="FILE", type=READ, help="Pixel shader; the same as FILE."),
    *SCENE,
    PROGRAM,
    BUDGET,
    JSON,
    OUTPUT,
)  # fmt: skip
verb(
    "cache",
    "Show the cache of machine code; with FILE, compile every program into it.",
    click.argument("files", metavar="[FILE...]", type=READ, nargs=-1),
    click.option("--clear", is_flag=True, help="Remove everything in it."),
    JSON,
    JOBS,
    OUTPUT,
)
verb(
    "completion",
    "Print the completion script for a shell.",
    click.argument("shell", type=click.Choice(("bash", "zsh", "fish"))),
)


def run(arguments: list[str]) -> int:
    """Parse the arguments, call the verb and return its exit code."""
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
