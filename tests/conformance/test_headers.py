"""Headers of every buffer of the corpus: offsets as the reflection says, and that they compile.

Assertions of offsets and sizes are in the headers, so that a compiler checks the layouts.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import unshade
from tests.ratchet import Ratchet
from tests.sampling import of_each_kind
from unshade.analysis.headers import headers
from unshade.errors import UnshadeError
from unshade.vocab.words import BufferKind

pytestmark = pytest.mark.conformance

SUFFIXES = ("dxbc", "dxil", "spv", "shbin", "skslb", "vbc")
LARGEST = 1 << 16  # bytes of a file
TOGETHER = 50  # files that one run of a compiler gets


@cache
def shaders(corpus: Path) -> list[Path]:
    """Return the files that have a buffer with a layout."""
    paths = [
        path
        for suffix in SUFFIXES
        for path in sorted(corpus.rglob(f"*.{suffix}"))
        if path.stat().st_size < LARGEST
    ]
    found = []
    for path in of_each_kind(
        paths, lambda path: (*path.relative_to(corpus).parts[:2], path.suffix)
    ):
        try:
            reflection = unshade.open(path).reflect()
        except UnshadeError:
            continue
        several = (reflection, *reflection.entry_points)
        if any(each.variables for one in several for each in one.constant_buffers):
            found.append(path)
    return found


def texts(corpus: Path, language: str) -> list[str]:
    """Return the different headers of the corpus."""
    return list(dict.fromkeys(headers(unshade.open(path), language) for path in shaders(corpus)))


def c_family(options: Sequence[str]) -> Callable[[list[Path]], list[str]]:
    return lambda paths: ["g++", *options, "-Wall", "-Werror", "-fsyntax-only", *map(str, paths)]


def rust(paths: list[Path]) -> list[str]:
    crate = paths[0].with_name("crate.rs")
    crate.write_text("".join(f'#[path = "{path.name}"] pub mod {path.stem};\n' for path in paths))
    out = ["--emit", "metadata", "-o", str(crate.with_suffix(".rmeta"))]
    return ["rustc", "--crate-type", "lib", *out, str(crate)]


def passing(
    made: Sequence[str], suffix: str, run: Callable[[list[Path]], list[str]], folder: Path
) -> Iterator[bool]:
    """Yield whether each text compiles; those of a batch with an error are compiled alone."""
    for start in range(0, len(made), TOGETHER):
        paths = []
        for number, text in enumerate(made[start : start + TOGETHER], start):
            path = folder / f"h{number}{suffix}"
            path.write_text(text.replace("#pragma once\n", ""))
            paths.append(path)
        if not _fails(run(paths)):
            yield from (True for _ in paths)
        else:
            yield from (not _fails(run([path])) for path in paths)


def _fails(command: list[str]) -> bool:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-2000:])
    return done.returncode != 0


LANGUAGES = {
    "c": (".c", c_family(["-x", "c", "-std=c11"])),
    "cpp": (".cpp", c_family(["-std=c++17"])),
    "rust": (".rs", rust),
    "hlsl": (".hlsl", lambda paths: [
        "glslangValidator", "-D", "-S", "comp", "-e", "main", "-V", "-o", "/dev/null",
        *map(str, paths),
    ]),
}  # fmt: skip
UNKNOWN_TO_GLSLANG = re.compile(r"\b(?:float16|u?int(?:8|16|64))_t")  # of Shader Model 6.2
ENTRY = "\n[numthreads(1, 1, 1)] void main() {}\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_headers_compile(corpus: Path, ratchet: Ratchet, tmp_path: Path, language: str) -> None:
    suffix, run = LANGUAGES[language]
    if shutil.which(run([tmp_path / "a"])[0]) is None:
        pytest.skip(f"no compiler of {language} here")
    made = texts(corpus, language)
    if language == "hlsl":
        made = [text + ENTRY for text in made if not UNKNOWN_TO_GLSLANG.search(text)]
        results = [
            fine
            for number, text in enumerate(made)
            for fine in passing([text], f"{number}{suffix}", run, tmp_path)
        ]
    else:
        results = list(passing(made, suffix, run, tmp_path))
    ratchet(f"headers/{language}: compile", sum(results), len(made))


def places(shader: unshade.Shader) -> dict[str, list[dict[str, int]]]:
    """Return the offsets of members by name, of each structure that a header has of a buffer."""
    found: dict[str, list[dict[str, int]]] = {}
    for each in json.loads(headers(shader, "json"))["structures"]:
        members = {member["name"]: member["offset"] for member in each["members"]}
        found.setdefault(each["origin"].rpartition(" ")[2], []).append(members)
    return found


def test_offsets_are_those_of_the_reflection(corpus: Path, ratchet: Ratchet) -> None:
    """Members whose bytes another one has, too, are comments; so are names that C cannot have."""
    fine = total = 0
    for path in shaders(corpus):
        shader = unshade.open(path)
        made, reflection = places(shader), shader.reflect()
        for one in (reflection, *reflection.entry_points):
            for each in one.constant_buffers:
                if each.kind in (BufferKind.INTERFACE_POINTERS, BufferKind.ELEMENT):
                    continue
                wanted = {variable.name: variable.offset for variable in each.variables}
                if not wanted:
                    continue
                total += 1
                fine += any(
                    structure.items() >= wanted.items() for structure in made.get(each.name, ())
                )
    ratchet("headers/json: offsets of the reflection", fine, total)
