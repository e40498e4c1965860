"""The gallery: pictures and report pages of the examples, drawn while the site is built."""

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from tools.site.staging import ROOT


class Drawing(NamedTuple):
    """A picture: its name, a sentence on it, and the command that draws it."""

    name: str
    about: str
    command: str


SIZE = "480x360"
DRAWINGS = (
    Drawing(
        "gyroid",
        "A ball cut out of a gyroid, by sphere tracing: Shader Model 5, written in assembly",
        f"render examples/gyroid.dxbc --size {SIZE} --time 1",
    ),
    Drawing(
        "clay",
        "A torus of clay: two SPIR-V modules and a mesh",
        "render --vs examples/clay.vert.spv --ps examples/clay.frag.spv --mesh examples/torus.obj"
        f" --size {SIZE}",
    ),
    Drawing(
        "lit",
        "The same torus by a vertex shader of the Nintendo 3DS",
        f"render --vs examples/lit.shbin --mesh examples/torus.obj --size {SIZE}"
        " --set lamp=0.48,0.6,0.64,0",
    ),
    Drawing(
        "plasma",
        "Waves of colours: SkSL",
        f"render examples/plasma.skslb --size {SIZE} --set size=480,360 --set time=2",
    ),
    Drawing(
        "julia",
        "A Julia set, whose loop each pixel leaves at its own time: SkSL",
        f"render examples/julia.skslb --size {SIZE} --set size=480,360 --set c=-0.8,0.156",
    ),
    Drawing(
        "noise",
        "Clouds, five octaves of value noise: SkSL",
        f"render examples/noise.skslb --size {SIZE} --set scale=0.01",
    ),
    Drawing(
        "rounded",
        "A rounded rectangle with border and shadow, from its signed distance: SkSL",
        f"render examples/rounded.skslb --size {SIZE} --set size=480,360 --set radius=60"
        " --set border=10 --set fill=0.2,0.5,0.9,1 --set line=0.05,0.1,0.2,1",
    ),
    Drawing(
        "ripple",
        "Rings on water over another shader",
        f"render examples/ripple.rts --size {SIZE} --set centre=240,180 --set time=1"
        " --bind image=examples/plasma.rts --set image.size=480,360 --set image.time=2",
    ),
)
REPORTS = (
    ("phong.dxbc", "Direct3D 11, a pixel shader"),
    ("gyroid.dxbc", "Direct3D 11, hand-written assembly"),
    ("saxpy6.dxil", "Direct3D 12, DXIL"),
    ("clay.frag.spv", "Vulkan, SPIR-V"),
    ("everything.vbc", "Vega"),
    ("lit.shbin", "Nintendo 3DS"),
    ("plasma.skslb", "Skia"),
)


def make(pages: Path, extra: Path) -> None:
    """Write the page of the gallery, its pictures and the report pages.

    Args:
        pages: The folder of the page and its pictures.
        extra: A folder whose files the site has as they are.
    """
    pages.mkdir(parents=True, exist_ok=True)
    reports = extra / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    lines = ["# Gallery", "", "Drawn by `unshade` on a CPU when this site was built.", ""]
    lines += ["## Pictures", "", ":::{container} gallery"]
    for drawing in DRAWINGS:
        _run(f"{drawing.command} -o {pages / drawing.name}.png")
        lines += ["", f"```{{figure}} {drawing.name}.png", f":alt: {drawing.about}"]
        lines += [f"{drawing.about}.", "```"]
    lines += ["", ":::", "", "## Commands", ""]
    for drawing in DRAWINGS:
        lines += ["```sh", f"unshade {drawing.command} -o {drawing.name}.png", "```", ""]
    lines += ["## Report pages", ""]
    lines += [
        "One file each, which works without a network: bytes, fields, listing and values.",
        "",
    ]
    lines += ["| shader | |", "|---|---|"]
    for name, about in REPORTS:
        _run(f"report examples/{name} -o {reports / name}.html")
        lines.append(f'| <a href="../reports/{name}.html"><code>{name}</code></a> | {about} |')
    _run(
        f"report --diff examples/phong.dxbc examples/gyroid.dxbc -o {reports / 'difference.html'}",
        expected=1,
    )
    lines.append('| <a href="../reports/difference.html">a difference</a> | of the first two |')
    (pages / "gallery.md").write_text("\n".join([*lines, ""]), "utf-8")


def _run(command: str, expected: int = 0) -> None:
    """Run a command of this checkout in its folder; it must exit as expected."""
    from unshade.cli import main

    said = io.StringIO()
    with chdir(ROOT), redirect_stdout(said), redirect_stderr(said):
        code = main(command.split())
    if code != expected:
        raise SystemExit(f"unshade {command}: exit code {code}\n{said.getvalue()}")
