"""The modules that a verb imports: what the answer needs, and nothing that writes or checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SOURCE = Path(__file__).parents[2] / "src"

# File, and how many modules of ours `info` and `dis` may import.
MOST = {
    "saxpy.dxbc": (122, 121),
    "saxpy6.dxil": (161, 178),
    "particles.spv": (129, 100),
    "reverse.shbin": (115, 117),
    "rounded.skslb": (130, 113),
    "everything.vbc": (142, 116),
    "pipelines.sodb": (93, 88),
}
# Parts of names of modules that read texts, write, check, or run.
UNNEEDED = (
    *(".assembler", ".validate", ".encode", ".lower", ".editing", ".lexer"),
    *("unshade.ir", "unshade.vm", "unshade.run", "unshade.analysis", "unshade.compilers"),
    *("unshade.report", "unshade.catalog", "unshade.search", "unshade.scanning"),
)
# Of the standard library, and others that take long to import.
SLOW = {
    *("click", "rich", "yaml", "numpy", "llvmlite", "inspect", "difflib", "fractions"),
    *("importlib.metadata", "pathlib", "tempfile", "subprocess", "hashlib", "dataclasses"),
}


def imported(*line: str) -> list[str]:
    """Return the modules that a command line imports."""
    code = "import sys; from unshade.cli import main; main(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, *line],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"},
    )
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("name", MOST)
@pytest.mark.parametrize(("verb", "place"), [("info", 0), ("dis", 1)])
def test_a_verb_imports_what_its_answer_needs(verb: str, place: int, name: str) -> None:
    found = imported(verb, str(EXAMPLES / name))
    ours = [each for each in found if each.startswith("unshade")]
    assert [each for each in ours if any(part in each for part in UNNEEDED)] == []
    assert SLOW & set(found) == set()
    assert len(ours) <= MOST[name][place], ours


@pytest.mark.parametrize(
    ("name", "unneeded"),
    [
        ("saxpy.dxbc", {"unshade.wire.writing", "unshade.wire.placement"}),
        ("saxpy6.dxil", {"unshade.wire.writing", "unshade.programs.tpf"}),
    ],
)
def test_info_writes_no_record_and_reads_no_other_language(name: str, unneeded: set[str]) -> None:
    assert unneeded.isdisjoint(imported("info", str(EXAMPLES / name)))


def test_verify_explains_nothing_unless_asked() -> None:
    found = imported("verify", str(EXAMPLES / "saxpy.dxbc"))
    assert [each for each in found if each.startswith("unshade.analysis")] == []


@pytest.mark.parametrize(
    "line", [("info", "--json", str(EXAMPLES / "saxpy.dxbc")), ("reflect", "--help")]
)
def test_parsing_options_starts_no_compiler(line: tuple[str, ...]) -> None:
    """click reads the values that each option takes, languages of sources among them."""
    found = imported(*line)
    assert "click" in found
    assert [each for each in found if each.startswith("unshade.compilers")] == []
    assert {"tempfile", "subprocess"} & set(found) == set()


def test_help_looks_for_formats_of_other_packages_without_importlib_metadata() -> None:
    found = imported("--help")
    assert {"importlib.metadata", "zipfile", "email", "socket"} & set(found) == set()


# Counts the texts that are compiled by `compile`, whose first call makes the classes of `ast`.
COMPILED = """
import builtins
compile, texts = builtins.compile, []
def counted(given, *rest, **options):
    if isinstance(given, str):  # modules are bytes
        texts.append(given)
    return compile(given, *rest, **options)
builtins.compile = counted
from unshade.cli import main
main()
print(texts)
"""


@pytest.mark.parametrize("name", MOST)
def test_info_calls_no_compile(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPILED, "info", str(EXAMPLES / name)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"},
    )
    assert done.stdout.splitlines()[-1] == "[]"
