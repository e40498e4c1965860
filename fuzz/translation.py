"""Mutated shaders, as SPIR-V, WGSL, HLSL and GLSL: our own errors only, and the same results.

    python fuzz/translation.py --first 0 --count 10000 --family dxil --each 20 --run 50

Seed n is a mutant as in execution.py. It is translated for Vulkan 1.1 or 1.3 and to WGSL, and
decompiled to HLSL and GLSL in one of the styles; a target may refuse it. Of every `--each` modules
one goes to spirv-val, unless the mutant itself is invalid. Of every `--run` texts and modules one
is compiled and run beside the mutant, by which the results of both must be equal, bit by bit. What
no compiler accepts, and what a fault of a compiler explains, is counted.
Prints one line of JSON with the counts; findings are written to fuzz/found/, and the exit status is
1 if there are any.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from inputs import bitcode, containers_of, modules, programs

import unshade
from tests.decompile.recompiled import FEW, outcome, translated_outcome
from tests.hostile.seeds import mutant
from unshade import UnshadeError
from unshade.rule import is_finding
from unshade.vocab.made import TRANSLATIONS

FAMILIES: dict[str, Callable[[int], list[bytes]]] = {
    "tpf": programs, "spirv": modules, "dxil": bitcode,
    **{kind: partial(containers_of, kind) for kind in ("shbin", "sksl", "vbc")},
}  # fmt: skip
ENVIRONMENTS = ("vulkan1.1", "vulkan1.3")
STYLES = ("readable", "exact")
LANES, SEEDS = 64, 2
ENGINES = ("lockstep",)  # execution.py compares the engines
FOUND = Path(__file__).parent / "found"


def refusal(data: bytes, environment: str) -> str:
    """Return what spirv-val says against a module; "" if it accepts it."""
    with tempfile.NamedTemporaryFile(suffix=".spv") as file:
        file.write(data)
        file.flush()
        command = ["spirv-val", "--target-env", environment, file.name]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
    return (ended.stdout + ended.stderr).strip() if ended.returncode else ""


def is_valid(shader: Any) -> bool:
    """Return True if nothing is wrong with a mutant itself."""
    try:
        return not any(is_finding(each) for each in shader.verify())
    except UnshadeError:
        return False


def difference(
    shader: Any, made: Any, language: str, stage: str, entry: str | None, counts: Counter[str]
) -> str:
    """Run a mutant and what was made of it, and count the outcome; return how they differ."""
    if language == "spirv":
        ended = translated_outcome(shader, made, LANES, SEEDS, entry, ENGINES, FEW)
    else:
        ended = outcome(shader, made, stage, LANES, SEEDS, entry, language, ENGINES, FEW)
    word = ended.split(":")[0]
    if word == "differs" and not is_valid(shader):
        word = "differs, as the mutant is invalid"
    counts[f"{language}: run: {word}"] += 1
    if word in ("refused", "not run"):  # is it the mutant or its text?
        print(ended[:200], file=sys.stderr, flush=True)
    return ended if word == "differs" else ""


def outcomes(seed: int, data: bytes, each: int, run: int, counts: Counter[str]) -> list[str]:
    """Return what is wrong with the translations of a mutant, and count their outcomes."""
    found = []
    environment = ENVIRONMENTS[seed % len(ENVIRONMENTS)]
    style = STYLES[seed // 2 % len(STYLES)]
    for language in ("spirv", "wgsl", "hlsl", "glsl"):
        made: Any
        try:
            shader = unshade.loads(data)
            entries = shader.programs[0].entry_points if shader.programs else []
            entry = entries[0][0] if len(entries) > 1 else None
            if language in TRANSLATIONS:
                made = shader.translate(language, target=environment, entry=entry)
            else:
                made = shader.decompile(language, style, entry=entry)
        except UnshadeError as error:
            counts[f"{language}: {type(error).__name__}"] += 1
            continue
        except Exception as error:
            found.append(f"{language}: {type(error).__name__}: {error}"[:300])
            continue
        counts[f"{language}: written"] += 1
        exact = language == "spirv" or (language not in TRANSLATIONS and style == "exact")
        if run and exact and counts[f"{language}: written"] % run == 0:
            differs = difference(shader, made, language, entries[0][1], entry, counts)
            if differs:
                found.append(f"{language}: {differs}"[:300])
        if isinstance(made, str) or counts["spirv: written"] % each:
            continue
        against = refusal(made.to_bytes(), environment)
        if against and not is_valid(shader):
            counts["invalid, as the mutant is"] += 1
        elif against:
            found.append(f"spirv-val: {against}"[:300])
        else:
            counts["valid"] += 1
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--family", choices=[*FAMILIES], default="tpf")
    parser.add_argument("--largest", type=int, default=4096, help="bytes of a program")
    parser.add_argument("--each", type=int, default=20, help="one module in so many is validated")
    parser.add_argument("--run", type=int, default=0, help="one of so many is run; 0: none")
    parser.add_argument(
        "--time", type=float, default=1e9, help="seconds after which no seed begins"
    )
    options = parser.parse_args()
    warnings.simplefilter("error")
    files = FAMILIES[options.family](options.largest)
    counts: Counter[str] = Counter()
    findings = 0
    start, clock = time.process_time(), time.monotonic()
    for seed in range(options.first, options.first + options.count):
        if time.monotonic() - clock > options.time:
            break
        counts["mutants"] += 1
        try:
            data = mutant(seed, files)
        except UnshadeError:
            counts["not a file"] += 1
            continue
        for problem in outcomes(seed, data, options.each, options.run, counts):
            findings += 1
            FOUND.mkdir(exist_ok=True)
            (FOUND / f"translation-{options.family}-{seed}.bin").write_bytes(data)
            print(seed, problem, file=sys.stderr, flush=True)
    seconds = round(time.process_time() - start)
    print(
        json.dumps({"family": options.family, "cpu seconds": seconds, "found": findings} | counts)
    )
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
