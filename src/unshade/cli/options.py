"""Options and arguments that several verbs have, or that are more than a line of words."""

from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from .paths import BOUND, READ, WRITTEN


def show_schema(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    """`--schema`: describe the JSON of this verb, and end."""
    if asked and not ctx.resilient_parsing:
        from json import dumps

        from .schema import schema

        click.echo(dumps(schema(ctx.info_name or ""), indent=2))
        ctx.exit()


def offered(name: str, *, several: bool = False) -> Callable[..., Any]:
    """What completes an option's value: a function of candidates.py, `several` with commas."""

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
    help="Print the JSON Schema of what --json prints, and end.",
)  # fmt: skip
WATCH = click.option(
    "--watch", "again", is_flag=True, help="Do it again whenever what is read changes; Ctrl-C ends."
)
OUTPUT = click.option(
    "-o", "--output", metavar="PATH", type=WRITTEN, help="Write there, whole or not at all."
)
OUTPUTS = click.option(
    "-o", "--output", metavar="PATH", type=WRITTEN, help="Write there; for several files a folder."
)


def number(text: str) -> int:
    """A whole number from 0; unlike IntRange it adds no words to the help."""
    if not (text.isascii() and text.isdecimal()):
        raise click.BadParameter(f"expected a whole number from 0, got {text!r:.40}")
    return int(text[:18])


FILE = click.argument("file", metavar="FILE", type=READ)
BIND = click.option(
    "--bind", metavar="NAME=VALUE", type=BOUND, multiple=True, shell_complete=offered("bindings"),
    help="By register or name, of inputs by semantic: a file (.npy; .json; images, with ,mips"
    " ,srgb behind; else bytes), zeros(n) ones(n) iota(n) random(n) with a dtype as in"
    " ones(8,8,float32), JSON, numbers; a sampler: point or linear,wrap.",
)  # fmt: skip
SET = click.option(
    "--set", "sets", metavar="NAME=VALUE", multiple=True, shell_complete=offered("variables"),
    help="A variable of a constant buffer: numbers with commas between, or JSON.",
)  # fmt: skip
ENGINE = click.option(
    "--engine", type=click.Choice(("auto", "jit", "lockstep")), default="auto",
    help="What runs it; auto is jit where llvmlite is installed.",
)  # fmt: skip
PROGRAM = click.option("--program", metavar="N", type=int, default=0, help="Which program; from 0.")
ENTRY = click.option(
    "--entry", metavar="NAME", shell_complete=offered("entries"),
    help="Which entry point, where a program has several.",
)  # fmt: skip
PRECISION = click.option(
    "--precision", type=click.Choice(("float32", "float24")), default="float32",
    help="Of floats: float24 rounds every result as the hardware of the Nintendo 3DS holds it.",
)  # fmt: skip
BUDGET = click.option(
    "--budget", metavar="N", type=click.IntRange(1), help="Iterations that loops may take."
)
INTERFACE = click.option(
    "--interface", metavar="SLOT=CLASS", multiple=True, shell_complete=offered("interfaces"),
    help="What stands behind an interface: fp0=ft2, variable=class, variable=instance.",
)  # fmt: skip
LENGTH = click.option(
    "--length", "lengths", metavar="FIRST=N", multiple=True,
    help="How many resources an array without an end has: t0=4.",
)  # fmt: skip
CONSTANT = click.option(
    "--constant", "constants", metavar="NAME=VALUE", multiple=True,
    help="A specialisation constant, by name or number: a number, true or false.",
)  # fmt: skip
GROUP = click.option(
    "--group", metavar="X,Y,Z", help="Threads of a group, of a program that leaves them open."
)
WAVE_SIZE = click.option(
    "--wave-size", metavar="N", type=int,
    help="Lanes of a wave, of a program that leaves them open: a power of two up to 128.",
)  # fmt: skip
SAMPLES = click.option(
    "--samples", metavar="N", type=int, default=1,
    help="Samples that the shader is told a pixel of the target has: 1, 2, 4, 8 or 16.",
)  # fmt: skip
GROUPS = click.option("--groups", metavar="X,Y,Z", help="Thread groups along each axis; or XxYxZ.")

SCENE = (
    click.option("--mesh", metavar="FILE", type=READ, help="A mesh: .obj."),
    click.option("--size", metavar="WxH", help="Of the picture; or N. Default 512x512."),
    click.option("--time", metavar="SECONDS", type=float, default=0.0, help="For time, iTime, …"),
    click.option(
        "--attribute", metavar="SEMANTIC=WHAT", multiple=True,
        help="A vertex input: position, normal, uv, or numbers.",
    ),
    click.option("--eye", metavar="X,Y,Z", help="Where the camera stands."),
    click.option("--look-at", metavar="X,Y,Z", help="Where it looks."),
    click.option(
        "--fov", metavar="DEGREES", type=click.FloatRange(0, 180, min_open=True, max_open=True),
        help="From top to bottom; default 45.",
    ),
    click.option("--columns", is_flag=True, help="Matrices for column vectors: mul(m, v)."),
    click.option(
        "--cull", type=click.Choice(("none", "back", "front")),
        help="Faces to leave out; default none.",
    ),
    INTERFACE,
    LENGTH,
    CONSTANT,
    GROUP,
    WAVE_SIZE,
    ENTRY,
    PRECISION,
    SAMPLES,
)  # fmt: skip
