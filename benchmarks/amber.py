"""Scripts of Amber, as VK-GL-CTS has them, run here: how many of their expectations hold.

    python benchmarks/amber.py FOLDER [--engine NAME] [--only WORDS] [--seconds N] [--all]

FOLDER is external/vulkancts/data/vulkan/amber of a copy of VK-GL-CTS, or any folder with such
files. GLSL is compiled by `glslangValidator` or the command in the variable GLSLANG, SPIR-V is
assembled here. A script is left out if it traces rays, or if its requirements are none of
lavapipe's (NOT_THERE). Each runs in a process of its own for at most some seconds. The exit code
says whether one fails.
"""

import argparse
import multiprocessing
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from amber_script import Json, ScriptError, script_of

import unshade
from tests.conformance.vulkan_vectors import VulkanVector

RAYS = re.compile(r"^(?:VK_KHR_ray_tracing_pipeline|RayTracingPipelineFeaturesKHR\..*)$")
NOT_THERE = frozenset({  # requirements that lavapipe of Mesa 26.2 does not have
    "DepthClampZeroOneFeatures.depthClampZeroOne", "ShaderLongVectorFeaturesEXT.longVector",
    "FloatControlsProperties.shaderDenormPreserveFloat16",
    "VK_AMD_shader_early_and_late_fragment_tests",
})  # fmt: skip
SAMPLES = 1, 4, 8  # of a pixel, in lavapipe
STAGES = {
    "vertex": "vert", "fragment": "frag", "geometry": "geom", "compute": "comp",
    "tessellation_control": "tesc", "tessellation_evaluation": "tese",
}  # fmt: skip
GLSLANG = os.environ.get("GLSLANG", "glslangValidator")
TEMPLATE = re.compile(r"^\{\w+\}$", re.MULTILINE)  # a line that another program fills
LATER = "vulkan1.1", "spirv1.4", "vulkan1.3"  # if the first target does not have what is used


def compiled(module: Json, needs: list[str]) -> bytes:
    """Return the SPIR-V of a shader."""
    text = module["text"]
    match module["language"]:
        case "SPIRV-ASM":
            target = module.get("target")
            if target is None:
                target = "spv1.4" if "VK_KHR_spirv_1_4" in needs else "spv1.0"
            return unshade.assemble(text, "spirv", target=target).to_bytes()
        case "SPIRV-HEX":
            return bytes.fromhex("".join(text.replace("0x", "").replace(",", "").split()))
        case "GLSL":
            given = module.get("target", "vulkan1.0").replace("spv", "spirv")
            message = ""
            for target in (given, *LATER):
                made, message = _glsl(text, module["stage"], target)
                if made is not None:
                    return made
            raise ScriptError(f"{module['name']}: {message}")
        case other:
            raise ScriptError(f"{other} is not compiled")


def _glsl(text: str, stage: str, target: str) -> tuple[bytes | None, str]:
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "source"), Path(folder, "result")
        source.write_text(text)
        command = [
            *shlex.split(GLSLANG), "-V", "--target-env", target, "-S", STAGES[stage], "-o",
            str(result), str(source),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [each for each in done.stdout.splitlines() if "ERROR" in each]
            return None, (lines or ["it does not compile"])[0]
        return result.read_bytes(), ""


def verdict(path: Path, engine: str, everything: bool) -> tuple[str, str]:
    """Return "passed", "failed", "left out", "refused" or "not read", and why."""
    text = path.read_text("utf-8", "replace")
    if re.search(r"^\s*DEVICE_EXTENSION\s+VK_KHR_ray_tracing_pipeline", text, re.MULTILINE):
        return "left out", "it traces rays"
    if TEMPLATE.search(text):
        return "left out", "it is a template of scripts"
    try:
        script = script_of(path)
        missing = NOT_THERE.intersection(script["requirements"])
        if missing and not everything:
            return "left out", f"lavapipe has no {min(missing)}"
        counts = {each["image"]["samples"] for each in script["buffers"] if "image" in each}
        if counts - {*SAMPLES} and not everything:
            return "left out", f"lavapipe has no {max(counts)} samples"
        for module in script["modules"]:
            if "builtin" not in module:
                module["code"] = compiled(module, script["requirements"])
    except ScriptError as error:
        return "not read", str(error)
    except unshade.UnshadeError as error:
        return "refused", f"{type(error).__name__}: {str(error).splitlines()[0]}"
    try:
        faults = VulkanVector(script, path.parent, engine).run()
        if faults and not VulkanVector(script, path.parent, engine, sharp=False).run():
            return "passed", "its TOLERANCE 1 allows all colours"
    except unshade.UnshadeError as error:
        return "refused", f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return ("failed", faults[0]) if faults else ("passed", "")


def serve(pipe: Connection, engine: str, everything: bool) -> None:
    """Answer with the verdict of each path, until there are no more."""
    while path := pipe.recv():
        try:
            pipe.send(verdict(path, engine, everything))
        except Exception as error:
            pipe.send(("crashed", f"{type(error).__name__}: {error}"))


class Runner:
    """A process that runs one script after another; it is replaced if one takes too long."""

    def __init__(self, seconds: float, *given: Any) -> None:
        self.seconds = seconds
        self.given = given
        self.process: Any = None
        self.pipe: Any = None

    def run(self, path: Path) -> tuple[str, str]:
        """Return the verdict of a script."""
        if self.process is None:
            self.pipe, other = multiprocessing.Pipe()
            self.process = multiprocessing.Process(target=serve, args=(other, *self.given))
            self.process.start()
            other.close()
        self.pipe.send(path)
        try:
            if self.pipe.poll(self.seconds):
                found: tuple[str, str] = self.pipe.recv()
                return found
            self.end()
            return "too long", f"more than {self.seconds:g} seconds"
        except (EOFError, ConnectionError):
            self.end()
            return "crashed", "the process has ended"

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the scripts are")
    parser.add_argument(
        "--engine", default="auto", help="jit or lockstep; by default as `unshade.kernel` chooses"
    )
    parser.add_argument("--only", default="", help="run those whose path has these words")
    parser.add_argument("--seconds", type=float, default=120, help="the most for one script")
    parser.add_argument("--all", action="store_true", help="also what lavapipe does not have")
    parser.add_argument("--verbose", action="store_true", help="print each script")
    given = parser.parse_args()
    if not shutil.which(shlex.split(GLSLANG)[0]):
        parser.error(f"{GLSLANG} is missing")
    runner = Runner(given.seconds, given.engine, given.all)
    tally: Counter[str] = Counter()
    for path in sorted(given.folder.rglob("*.amber")):
        name = str(path.relative_to(given.folder))
        if given.only not in name:
            continue
        begin = time.perf_counter()
        word, why = runner.run(path)
        tally[word] += 1
        if given.verbose or word not in ("passed", "left out"):
            taken = time.perf_counter() - begin
            print(f"{word:9} {taken:6.1f} s  {name}  {why}"[:300], flush=True)
    runner.end()
    for word, count in tally.most_common():
        print(f"{count:7} {word}")
    return int(any(tally[each] for each in tally if each not in ("passed", "left out")))


if __name__ == "__main__":
    sys.exit(main())
