"""Sources and translations of compiled shaders: accepted, equal, readable, and how long they take.

    python benchmarks/decompiling.py [FILE|FOLDER …] [--family tpf] [--share 2] [--prove 1]

The first program of each file, or of one in `--share` by a hash of its name, is decompiled to HLSL
and GLSL and translated to SPIR-V and WGSL. Slang, glslangValidator, spirv-val and naga judge what
is written; of one in `--prove`, what the compilers make, and the module, runs beside the program on
`--seeds` sets of arguments and on both engines, where every output must have equal bits
(tests/decompile/recompiled.py). The source is also counted: casts, `for` loops, the names of the
reflection that it has, and tokens against the HLSL that the program was compiled from, a file
beside it that includes no others. Times are of the processor, beside the time of the listing.
Without arguments the files are those of the corpus. With `--rows`, each program is a line of JSON
in a file, and programs that the file already has are not repeated.
The exit status is 1 if a program differs without a fault of the compiler that its output shows.
"""

import argparse
import gc
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import unshade
from tests.conformance.test_decompile import LANGUAGES, opened, programs
from tests.conformance.test_decompile_glsl import STAGES
from tests.conformance.test_translate import LATER, WRITTEN, naga_refuses
from tests.corpus import corpus_root
from tests.decompile.recompiled import (
    by_glslang,
    by_slang,
    compared,
    completed,
    flushes,
    for_slang,
    kernel_of,
    recompiled,
)
from unshade.errors import UnshadeError, UnsupportedError

Row = dict[str, Any]
CAST = re.compile(r"\bas(?:float|u?int|double)(?:16)?\(")
TOKEN = re.compile(
    r"[A-Za-z_]\w*|\.?\d[\w.]*(?:(?<=[eE])[+-]\d+)?\w*"
    r"|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\+\+|--|\S"
)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
FOR = re.compile(r"\bfor\s*\(")
WHILE = re.compile(r"\bwhile\s*\(")
# Loops of a decompiled source, without those that clear arrays, and bodies of one turn.
LOOP = re.compile(r"^ *(for \(.*|while \(.*|do) \{$", re.M)
ONCE = re.compile(r"\} while \(false\);")
INCLUDE = re.compile(r"^\s*#\s*include\b", re.M)  # the text of the source is not all of it
START, EACH = 0.050, 0.001  # seconds that a program may take beside its listing, by instruction
TARGET = "vulkan1.3"
WARM = "phong.dxbc"  # of the examples


class OverTime(BaseException):
    """A program takes longer than `--time`; no handler of errors may stop it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End a block after so many seconds of processor time, its compilers' processes left out."""

    def end(*_: object) -> None:
        raise OverTime

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def judged_hlsl(text: str, stage: str, flush: bool) -> tuple[Row, Any]:
    """Return what each compiler says against HLSL, and what Slang, else glslang, makes of it."""
    row: Row = {}
    slang = compiled(row, "slang", partial(by_slang, text, stage, flush))
    glslang = compiled(row, "glslang", partial(by_glslang, text, stage))
    if slang is None and for_slang(text, stage) != text:
        label = "slang: position"
        slang = compiled(row, label, partial(by_slang, for_slang(text, stage), stage, flush))
    if slang is None and glslang is not None:
        return row, completed(glslang, text, flush)
    return row, slang


def compiled(row: Row, label: str, call: Callable[[], Any]) -> Any:
    """Return what a compiler makes, and keep why it refuses; "" if it does not."""
    row[label] = ""
    try:
        return call()
    except UnshadeError as error:
        row[label] = " ".join(str(error).split())[:200] or type(error).__name__
        return None


def invalid(data: bytes) -> str:
    """Return what spirv-val says against a module; "" if it accepts it."""
    with tempfile.NamedTemporaryFile(suffix=".spv") as file:
        file.write(data)
        file.flush()
        ended = subprocess.run(
            ["spirv-val", "--target-env", TARGET, file.name],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    return (ended.stdout + ended.stderr).strip()[:200] if ended.returncode else ""


def counted(text: str, path: Path, shader: Any) -> Row:
    """Count the casts, tokens, loops and names of a readable source."""
    plain = COMMENT.sub(" ", text)
    loops = LOOP.findall(plain)
    row: Row = {
        "casts": len(CAST.findall(plain)),
        "for": sum(each.startswith("for") for each in loops),
        "loops": len(loops) - len(ONCE.findall(plain)),
    }  # fmt: skip
    source = path.with_suffix(".hlsl")
    original = COMMENT.sub(" ", source.read_text(errors="replace")) if source.exists() else ""
    if original and not INCLUDE.search(original):
        row |= {
            "tokens": len(TOKEN.findall(plain)),
            "tokens of the source": len(TOKEN.findall(original)),
            "for of the source": len(FOR.findall(original)),
            "while of the source": len(WHILE.findall(original)),
        }  # fmt: skip
    found = {each.casefold() for each in re.findall(r"[A-Za-z_]\w*", plain)}
    names = reflected(shader)
    row |= {"names": len(names), "unnamed": sorted(names - found)}
    return row


def reflected(shader: Any) -> set[str]:
    """Return the names of resources and of used members that the reflection has."""
    reflection = shader.reflect()
    names = set()
    for each in reflection.resources:
        if each.used is not False and each.kind != "constant buffer":
            names.add(each.name or "")
    for buffer in reflection.constant_buffers:
        names |= {each.name or "" for each in buffer.variables if each.used}
    return {each.casefold() for each in names if re.fullmatch(r"[A-Za-z_]\w*", each)}


def warm() -> None:
    """Make a source and a module once, so that no time has the imports."""
    shader = unshade.open(Path(__file__).parent.parent / "examples" / WARM)
    shader.disassemble()
    for language in ("hlsl", "glsl"):
        shader.decompile(language)
    shader.translate()
    shader.translate("wgsl")


def timed(row: Row, label: str, call: Callable[[], Any]) -> Any:
    """Call, and keep the processor time, or why it is refused."""
    start = time.process_time()
    try:
        made = call()
    except UnsupportedError as error:
        row[f"{label}: refused"] = str(error).split(" (line")[0]
        return None
    row[f"{label}: time"] = round(time.process_time() - start, 5)
    return made


def measure(row: Row, path: Path, family: str, seeds: int, prove: bool) -> None:
    """Add the figures of a program to its row; none if it does not run."""
    found = opened(path, family)
    if found is None:
        return
    shader, stage, entry = found
    gc.collect()
    gc.freeze()  # so that no time has a collection of what earlier programs left
    row |= {"family": family, "stage": stage}
    try:
        kernel = kernel_of(shader, entry)
    except UnshadeError as error:
        row["kernel: refused"] = str(error).split(" (line")[0]
        return
    listing = timed(row, "listing", lambda: unshade.open(path).disassemble())
    instructions = getattr(shader.programs[0], "instructions", ())
    row["instructions"] = len(instructions) or listing.count("\n")

    def exact(target: str) -> str:
        return str(shader.decompile(target, "exact", entry=entry))

    readable = timed(row, "readable", lambda: unshade.open(path).decompile("hlsl", entry=entry))
    if readable is not None:
        row |= counted(readable, path, shader)
    made: dict[str, tuple[Any, str]] = {}  # what runs, and its text
    for language in ("hlsl", "glsl"):
        if language == "glsl" and stage not in STAGES:
            continue
        text = timed(row, language, partial(exact, language))
        if text is None:
            continue
        if language == "hlsl":
            said, other = judged_hlsl(text, stage, flushes(kernel))
            row |= said
        else:
            other = compiled(row, "glsl", partial(recompiled, text, stage, "glsl"))
        made[language] = other, text
    if stage in WRITTEN:
        other = timed(row, "spirv", lambda: shader.translate(target=TARGET, entry=entry))
        if other is not None:
            row["spirv"] = invalid(other.to_bytes())
            if stage not in LATER:
                made["spirv"] = other, ""
    if stage in ("pixel", "vertex", "compute"):
        text = timed(row, "wgsl", lambda: shader.translate("wgsl", entry=entry))
        if text is not None:
            refusal = naga_refuses(text)
            row["wgsl"] = None if refusal is None else refusal[:300]
    endless: set[tuple[str, int]] = set()
    for language, (other, text) in made.items() if prove else ():
        row[f"{language}: run"] = "refused"
        if other is not None:
            row[f"{language}: run"] = "over the time"  # unless it ends
            done = compared(kernel, other, text, seeds=seeds, endless=endless)
            row[f"{language}: run"] = done.outcome
            row[f"{language}: rounds"] = dict(done.ended)


def share(good: int, of: int) -> str:
    """Return a count of a count, and the share."""
    return f"{good} of {of}" + (f" ({good / of:.2%})" if of else "")


def report(rows: list[Row]) -> None:
    """Print the figures of the programs of a family."""
    print(f"\n{rows[0]['family']}: {len(rows)} programs that run")
    for language in ("hlsl", "glsl", "spirv", "wgsl"):
        told = [each for each in rows if f"{language}: time" in each]
        no = Counter(str(each[f"{language}: refused"]) for each in rows
                     if f"{language}: refused" in each)  # fmt: skip
        print(f"  {language} written: {share(len(told), len(told) + no.total())}")
        for reason, count in no.most_common(5):
            print(f"    {count:>4}  {reason[:120]}")
    sources = [each for each in rows if "slang" in each]
    both = [[each["slang"] == "", each["glslang"] == ""] for each in sources]
    print(f"  hlsl accepted by one: {share(sum(map(any, both)), len(both))};"
          f" by both: {share(sum(map(all, both)), len(both))};"
          f" by Slang: {share(sum(each[0] for each in both), len(both))}")  # fmt: skip
    inputs = [each for each in sources if "slang: position" in each]
    if inputs:  # which Direct3D allows
        accepted = sum(each["slang: position"] == "" == each["glslang"] for each in inputs)
        print(f"    with POSITION for the input SV_Position of vertex shaders, which Slang refuses:"
              f" {accepted} of {len(inputs)} more by both")  # fmt: skip
    for language in ("glsl", "spirv", "wgsl"):
        judged = [each[language] for each in rows if each.get(language) is not None]
        print(f"  {language} accepted: {share(judged.count(''), len(judged))}")
    for language in ("hlsl", "glsl", "spirv"):
        ended = Counter(each[f"{language}: run"].split(":")[0] for each in rows
                        if f"{language}: run" in each)  # fmt: skip
        print(f"  {language} run: {dict(ended)}")
    texts = [each for each in rows if "casts" in each]
    if texts:
        instructions = sum(each["instructions"] for each in texts)
        casts = sum(each["casts"] for each in texts)
        print(f"  casts in 100 instructions: {100 * casts / instructions:.2f};"
              f" none in {share(sum(not e['casts'] for e in texts), len(texts))}")  # fmt: skip
        names = sum(each["names"] for each in texts)
        unnamed = sum(len(each["unnamed"]) for each in texts)
        print(f"  names of the reflection that the source has: {share(names - unnamed, names)}")
    beside = [
        e["tokens"] / e["tokens of the source"] for e in texts if e.get("tokens of the source")
    ]
    if len(beside) > 1:
        # Compilers unroll loops, so that only those count that the program has.
        loops = [e for e in texts
                 if e.get("for of the source") and not e["while of the source"]]  # fmt: skip
        print(f"  tokens against the source: median {median(beside):.2f},"
              f" 90th percentile {quantiles(beside, n=10)[-1]:.2f}")  # fmt: skip
        print(f"  `for`: {share(sum(e['for'] for e in loops), sum(e['loops'] for e in loops))}"
              " of the loops of programs whose sources have `for` alone")  # fmt: skip
    for language in ("readable", "hlsl", "glsl", "spirv", "wgsl"):
        times = [(e[f"{language}: time"], e["listing: time"], e["instructions"]) for e in rows
                 if f"{language}: time" in e]  # fmt: skip
        over = sum(time > listing + START + EACH * size for time, listing, size in times)
        if times:
            each = 1000 * sum(time for time, _, _ in times) / sum(size for _, _, size in times)
            print(f"  {language}: over the time in {share(over, len(times))};"
                  f" {each:.2f} ms an instruction")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--family", choices=LANGUAGES, action="append")
    parser.add_argument("--share", type=int, default=1, help="one file in so many")
    parser.add_argument("--prove", type=int, default=1, help="one of so many is run; 0: none")
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--time", type=float, default=120, help="processor seconds of a program")
    parser.add_argument("--rows", type=Path, help="a file of JSON lines, which is continued")
    options = parser.parse_args()
    missing = [each for each in ("glslangValidator", "spirv-val") if shutil.which(each) is None]
    if missing:
        parser.error(f"needs {' and '.join(missing)}: apt install glslang-tools spirv-tools")
    warnings.simplefilter("ignore")
    kept: dict[str, Row] = {}
    if options.rows and options.rows.exists():
        kept = {row["file"]: row for row in map(json.loads, options.rows.open())}
    rows: list[Row] = []
    warm()
    for family in options.family or LANGUAGES:
        files = programs(corpus_root(), family)
        if options.paths:
            found = (each.rglob("*") if each.is_dir() else [each] for each in options.paths)
            files = sorted({file for each in found for file in each if file.is_file()})
        of_family: list[Row] = []
        for path in files:
            number = crc32(path.name.encode())
            name = f"{family}: {path}"
            if number % options.share:
                continue
            if name not in kept:
                prove = bool(options.prove) and number // options.share % options.prove == 0
                row: Row = {"file": name}
                try:
                    with limited(options.time):
                        measure(row, path, family, options.seeds, prove)
                except OverTime:  # what was measured before counts
                    row |= {"family": family, "over": options.time}
                except Exception as error:
                    row |= {"family": family, "raised": f"{type(error).__name__}: {error}"[:300]}
                kept[name] = row
                if options.rows:
                    with options.rows.open("a") as file:
                        file.write(json.dumps(kept[name]) + "\n")
            if "family" in kept[name]:
                of_family.append(kept[name])
        if of_family:
            report(of_family)
        rows += of_family
    wrong = [
        (each["file"], label, value)
        for each in rows for label, value in each.items()
        if label in ("over", "raised")
        or (label.endswith(": run") and not str(value).startswith(("equal", "fault")))
        or (label in ("slang", "glsl", "spirv", "wgsl") and value)
    ]  # fmt: skip
    print()
    for file, label, value in wrong:
        print(f"{file}: {label}: {value}")
    return any(str(value).startswith("differs") or label == "raised" for _, label, value in wrong)


if __name__ == "__main__":
    sys.exit(main())
