"""Size, ready time, elements and selection time of report pages, beside what they are allowed.

    python benchmarks/pages.py [FOLDER]

Sizes are of pages of every file of the corpus; times are of pages that are made here, in Debian's
Chromium. The ready time is the page's own mark, counted from the start of the navigation: the time
until the driver has seen it contains two tenths of a second of the driver's own work. A ratio above
1 is over the limit.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import unshade
from unshade.errors import UnshadeError
from unshade.formats.dxcontainer.part import DxPart
from unshade.formats.dxcontainer.shader import DxContainer
from unshade.report.page import page

BASE, TIMES = 60 * 1024, 6  # bytes of a page, and for each byte of its shader
NODES, SELECT = 3000, 0.050  # elements; seconds from a choice until all panes show it
PICKS = 100
READY = "performance.getEntriesByName('ready')[0].startTime"
SELECTING = """(bytes) => bytes.map((byte) => {
  history.replaceState(null, "", `#b=${byte}`);
  const before = performance.now();
  dispatchEvent(new PopStateEvent("popstate"));
  document.body.getBoundingClientRect();
  return performance.now() - before;
})"""


def shaders(folder: Path) -> Iterator[tuple[Path, unshade.Shader]]:
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        try:
            yield path, unshade.open(path)
        except UnshadeError:
            continue


def sizes(folder: Path) -> None:
    ratios = []
    for path, shader in shaders(folder):
        text = page(shader, path.name).encode()
        ratios.append((len(text) / (BASE + TIMES * len(shader.to_bytes())), path.name))
    ratios.sort()
    middle, (worst, name) = ratios[len(ratios) // 2][0], ratios[-1]
    over = sum(ratio > 1 for ratio, _ in ratios)
    print(f"pages {len(ratios)}, median {middle:.2f}, most {worst:.2f} ({name}), over {over}")


def module(size: int) -> unshade.Shader:
    """Return a SPIR-V module of about a size: one block of additions."""
    head = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%0 = OpConstant %float 1
%main = OpFunction %void None %function
%label = OpLabel
"""
    adds = (f"%a{at} = OpFAdd %float %0 %0\n" for at in range(size // 20))
    return unshade.assemble(head + "".join(adds) + "OpReturn\nOpFunctionEnd\n", "spirv")


def container(size: int) -> unshade.Shader:
    """Return a container of a size, most of it a part of unknown type."""
    shader = unshade.open(Path(__file__).parents[1] / "examples" / "gyroid.dxbc")
    assert isinstance(shader, DxContainer)
    shader.parts.append(DxPart("DATA", random.Random(1).randbytes(size)))
    return shader


def in_browser(name: str, shader: unshade.Shader, ready: float) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "page.html"
        file.write_text(page(shader, name), encoding="utf-8")
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        times = []
        for _ in range(5):
            shown = browser.new_page(viewport={"width": 1440, "height": 900})
            shown.goto(file.as_uri())
            shown.wait_for_selector("html[data-ready]", state="attached")
            times.append(shown.evaluate(READY) / 1000)
        size = len(shader.to_bytes())
        picks = sorted(shown.evaluate(SELECTING, random.Random(2).choices(range(size), k=PICKS)))
        shown.set_viewport_size({"width": 2160, "height": 3840})
        shown.wait_for_timeout(200)
        nodes = shown.evaluate("document.getElementsByTagName('*').length")
        browser.close()
    took, p95 = sorted(times)[2], picks[PICKS * 95 // 100] / 1000
    print(
        f"{name}: {size:,} bytes, ready {took / ready:.2f} of {ready} s,"
        f" select {p95 / SELECT:.2f} of {SELECT} s, nodes {nodes / NODES:.2f} of {NODES}"
    )


if __name__ == "__main__":
    in_browser("module", module(100 * 1024), 0.3)
    in_browser("container", container(1 << 20), 1.0)
    if sys.argv[1:]:
        sizes(Path(sys.argv[1]))
