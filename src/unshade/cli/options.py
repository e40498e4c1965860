"""Options and arguments shared by several verbs, and those that need code."""

from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from .paths import BOUND, READ, WRITTEN


def show_schema(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    """Print the JSON Schema of this verb's output and exit."""
    if asked and not ctx.resilient_parsing:
        from json import dumps

        from .schema import schema

        click.echo(dumps(schema(ctx.info_name or ""), indent=2))
        ctx.exit()


def offered(name: str, *, several: bool = False) -> Callable[..., Any]:
    """Return a completion callback for a function of candidates.py; `several` allows commas."""

    def complete(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
        from . import candidates

        # Where the last option has no value yet, click leaves the arguments before it in `args`.
        given = {**ctx.params, "args": ctx.args}
        found = candidates.fitting(getattr(candidates, name), given, begun, several=several)
        return [CompletionItem(value, help=about or None) for value, about in found]

    return complete


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

FILES = click.argument("files", metavar="FILE...", type=READ, nargs=-1, required=True)
FINDINGS_AS = ("text", "json", "junit", "sarif")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
SCHEMA = click.option(
    "--schema", is_flag=True, is_eager=True, expose_value=False, callback=show_schema,
    help="Print the JSON Schema of the --json output and exit.",
)  # fmt: skip
WATCH = click.option(
    "--watch", "again", is_flag=True, help="Run again whenever an input changes, until Ctrl-C."
)
JOBS = click.option(
    "-j", "--jobs", metavar="N", type=click.IntRange(1),
    help="Number of processes for several inputs; default the number of processors.",
)  # fmt: skip
OUTPUT = click.option(
    "-o", "--output", metavar="PATH", type=WRITTEN, help="Output file; replaced only on success."
)
OUTPUTS = click.option(
    "-o", "--output", metavar="PATH", type=WRITTEN, help="Output file; a folder for several inputs."
)


def number(text: str) -> int:
    """Parse an integer of at least 0; unlike IntRange, adds nothing to the help text."""
    if not (text.isascii() and text.isdecimal()):
        raise click.BadParameter(f"expected a non-negative integer, got {text!r:.40}")
    return int(text[:18])


FILE = click.argument("file", metavar="FILE", type=READ)
BIND = click.option(
    "--bind", metavar="NAME=VALUE", type=BOUND, multiple=True, shell_complete=offered("bindings"),
    help="Bind a value to a register, a resource or an input semantic: a file (.npy, .json, an"
    " image with optional ,mips ,srgb, else raw bytes); zeros(n), ones(n), iota(n) or random(n),"
    " also with a dtype, ones(8,8,float32); JSON, also with a dtype, float32[1,2]; numbers; for a"
    " sampler, words such as point or linear,wrap; for a child, a program too.",
)  # fmt: skip
SET = click.option(
    "--set", "sets", metavar="NAME=VALUE", multiple=True, shell_complete=offered("variables"),
    help="Set a variable of a constant buffer: comma-separated numbers, or JSON.",
)  # fmt: skip
ENGINE = click.option(
    "--engine", type=click.Choice(("auto", "jit", "lockstep")), default="auto",
    help="Engine to use; auto means jit if llvmlite is installed.",
)  # fmt: skip
PROGRAM = click.option("--program", metavar="N", type=int, default=0, help="Program index, from 0.")
ENTRY = click.option(
    "--entry", metavar="NAME", shell_complete=offered("entries"),
    help="Entry point, if the program has several.",
)  # fmt: skip
PRECISION = click.option(
    "--precision", type=click.Choice(("float32", "float24")), default="float32",
    help="Float precision; float24 rounds every result to the 24-bit floats of the Nintendo 3DS.",
)  # fmt: skip
COLOR_SPACE = click.option(
    "--color-space",
    type=click.Choice(("srgb",)),
    help="Colour space of the destination, for programs that convert colours; default none.",
)
BUDGET = click.option(
    "--budget", metavar="N", type=click.IntRange(1), help="Maximum number of loop iterations."
)
INTERFACE = click.option(
    "--interface", metavar="SLOT=CLASS", multiple=True, shell_complete=offered("interfaces"),
    help="Link an interface slot: fp0=ft2, variable=class or variable=instance.",
)  # fmt: skip
LENGTH = click.option(
    "--length", "lengths", metavar="FIRST=N", multiple=True,
    help="Number of resources in an unbounded array: t0=4.",
)  # fmt: skip
CONSTANT = click.option(
    "--constant", "constants", metavar="NAME=VALUE", multiple=True,
    shell_complete=offered("constants"),
    help="Set a specialisation constant, by name or number, to a number, true or false.",
)  # fmt: skip
GROUP = click.option(
    "--group", metavar="X,Y,Z", help="Thread group size, if the program does not fix it."
)
WAVE_SIZE = click.option(
    "--wave-size", metavar="N", type=int,
    help="Lanes per wave, if the program does not fix them: a power of two up to 128.",
)  # fmt: skip
SAMPLES = click.option(
    "--samples", metavar="N", type=int, default=1,
    help="Samples per pixel reported to the shader: 1, 2, 4, 8 or 16.",
)  # fmt: skip
GROUPS = click.option("--groups", metavar="X,Y,Z", help="Thread groups per axis; also XxYxZ.")

SCENE = (
    click.option(
        "--hs", metavar="FILE", type=READ, help="Hull shader; patches of a mesh are triangles."
    ),
    click.option("--ds", metavar="FILE", type=READ, help="Domain shader."),
    click.option("--gs", metavar="FILE", type=READ, help="Geometry shader."),
    click.option(
        "--ms", metavar="FILE", type=READ,
        help="Mesh shader, run over --groups; it takes the place of --vs and --mesh.",
    ),
    click.option(
        "--as", "as_", metavar="FILE", type=READ,
        help="Amplification shader before the mesh shader.",
    ),
    click.option(
        "--mesh", metavar="FILE", type=READ,
        help="Mesh in .obj format. Without --vs, FILE has all stages.",
    ),
    click.option(
        "--count", metavar="N", type=click.IntRange(0),
        help="Number of vertices, or of what the stage takes, for a shader without inputs; it takes"
        " the place of --mesh.",
    ),
    click.option(
        "--topology", metavar="NAME", shell_complete=offered("topologies"),
        help="Primitives that --count vertices form: triangle_list, triangle_strip, triangle_fan,"
        " line_list, line_strip, point_list, also with _adjacency, patch_list, or '4 control point"
        " patch list'; default triangles, or patches if there is a hull shader.",
    ),
    click.option("--size", metavar="WxH", help="Image size, or N for N x N; default 512x512."),
    click.option(
        "--time", metavar="SECONDS", type=float, default=0.0,
        help="Value of time, iTime, …; default 0.",
    ),
    click.option(
        "--attribute", metavar="SEMANTIC=SOURCE", multiple=True,
        help="Source of a vertex input, by semantic or location: position, normal, uv, or numbers."
        " By default by name (POSITION, inPos, nrm, a_uv, COLOR); if none is a position, by the"
        " order of locations.",
    ),
    click.option("--eye", metavar="X,Y,Z", help="Camera position."),
    click.option("--look-at", metavar="X,Y,Z", help="Camera target."),
    click.option(
        "--fov", metavar="DEGREES", type=click.FloatRange(0, 180, min_open=True, max_open=True),
        help="Vertical field of view; default 45.",
    ),
    click.option(
        "--columns/--rows", default=None,
        help="Use matrices for column vectors, mul(m, v), or row vectors, mul(v, m); default"
        " columns for Vulkan, rows for other programs.",
    ),
    click.option(
        "--cull", type=click.Choice(("none", "back", "front")),
        help="Faces to cull; default none.",
    ),
    INTERFACE,
    LENGTH,
    CONSTANT,
    GROUP,
    WAVE_SIZE,
    ENTRY,
    PRECISION,
    COLOR_SPACE,
    SAMPLES,
)  # fmt: skip
