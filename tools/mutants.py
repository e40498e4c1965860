"""Put faults of one token into the sources, and see which tests notice them.

    python tools/mutants.py --seed 1 --count 40            the fast lane of the folder's tests
    python tools/mutants.py --seed 1 --count 40 --slow     then its slow lane, for those it missed
    python tools/mutants.py --seed 1 --count 40 --list     the faults alone
    python tools/mutants.py --only programs/tpf --slow     faults of a folder or file of src/unshade
    python tools/mutants.py --at ir/fold.py:40 --slow      all faults of one line
    python tools/mutants.py --at ir/fold.py:40 --tests tests/ir/test_fold.py    by these tests

A fault replaces one token of a line of src: a number by the next one, an operator or a word by
another. Lines are drawn by the seed, all with the same chance. The tests are those of the deepest
folder of tests that mirrors the file's, unless --tests names others (which then run whole, without
lanes), and run in a copy of the checkout. A fault that changes no
behaviour (an equivalent one) is not told from one that no test notices: judge those by hand.
"""

import argparse
import ast
import io
import itertools
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.changes import mirror  # noqa: E402

PACKAGE = ROOT / "src" / "unshade"
OTHER = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+",
    "*": "+", "//": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "and": "or", "or": "and", "True": "False",
    "False": "True", "min": "max", "max": "min", "any": "all", "all": "any", "break": "continue",
    "continue": "break",
}  # fmt: skip
LEFT_OUT = ("about.py",)  # what only help and documentation show
TIME = {"fast": 90}  # seconds of processor time that one run may take, by lane
LONGEST = 900  # of the others
PATIENCE = 10  # times as many seconds may go by, which only a run that waits for something needs
# Bytecode is cached by whole seconds of the time of change: no two versions of a file share one.
CHANGED = itertools.count(1_000_000_000)
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}


class Fault(NamedTuple):
    """A token of a file, by line (from 1) and column (from 0), and what replaces it."""

    path: Path
    line: int
    column: int
    old: str
    new: str

    def __str__(self) -> str:
        place = self.path.relative_to(ROOT).as_posix()
        text = self.path.read_text(encoding="utf-8").splitlines()[self.line - 1].strip()
        return f"{place}:{self.line}: {self.old} → {self.new}    {text}"

    def applied(self) -> str:
        """Return the text of the file with the fault."""
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        line = lines[self.line - 1]
        end = self.column + len(self.old)
        lines[self.line - 1] = line[: self.column] + self.new + line[end:]
        return "".join(lines)


def _kept_lines(tree: ast.Module) -> Iterator[tuple[int, int, int, int]]:
    """Iterate over the places without behaviour: annotations, `__all__`, names of types."""
    for node in ast.walk(tree):
        inner: Sequence[ast.AST | None] = ()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = (node.returns,)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            inner = (node.annotation,)
        elif isinstance(node, ast.Assign):
            names = [each.id for each in node.targets if isinstance(each, ast.Name)]
            inner = (node,) if "__all__" in names else ()
        for each in inner:
            if isinstance(each, ast.expr | ast.stmt):
                yield each.lineno, each.col_offset, each.end_lineno or 0, each.end_col_offset or 0


@cache
def faults(path: Path) -> dict[int, list[Fault]]:
    """Return the faults of a file by line, also those that do not compile."""
    text = path.read_text(encoding="utf-8")
    kept = list(_kept_lines(ast.parse(text)))
    found: dict[int, list[Fault]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        place = token.start
        if any(place >= each[:2] and token.end <= each[2:] for each in kept):
            continue
        new = OTHER.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdigit():
            new = str(int(token.string) + 1)
        if new is not None and token.type in (tokenize.NUMBER, tokenize.OP, tokenize.NAME):
            found.setdefault(place[0], []).append(Fault(path, *place, token.string, new))
    return found


def _compiles(fault: Fault) -> bool:
    try:
        compile(fault.applied(), str(fault.path), "exec")
    except SyntaxError:
        return False
    return True


def at_line(place: str) -> list[Fault]:
    """Return all faults of a line, such as `ir/fold.py:40`."""
    name, _, number = place.rpartition(":")
    path = PACKAGE / name.removeprefix("src/unshade/")
    return [each for each in faults(path).get(int(number), []) if _compiles(each)]


def drawn(seed: int, count: int, only: str = "") -> list[Fault]:
    """Return so many faults, on different lines; `only` is a folder or file of the package."""
    chance = random.Random(seed)
    inside = PACKAGE / only
    lines = [
        (path, number)
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name not in LEFT_OUT and path.is_relative_to(inside)
        for number in range(1, path.read_text(encoding="utf-8").count("\n") + 1)
    ]
    chance.shuffle(lines)
    found: list[Fault] = []
    for path, number in lines:
        of_line = [each for each in faults(path).get(number, []) if _compiles(each)]
        if of_line:
            found.append(chance.choice(of_line))
        if len(found) == count:
            break
    return found


def notices(copy: Path, fault: Fault, lane: str, tests: Sequence[str]) -> bool:
    """Return True if a test of the lane fails in a copy with the fault."""
    place = copy / fault.path.relative_to(ROOT)
    before = place.read_bytes()
    _write(place, fault.applied().encode())
    names = tests
    if not names:
        names = modules_of(copy, fault)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", lane]
    environment = ENVIRONMENT | {"PYTHONPATH": str(copy / "src")}
    try:
        code = run_limited([*command, *names], copy, environment, TIME.get(lane, LONGEST))
    finally:
        _write(place, before)
    return code not in (0, 5)  # 5: no tests in this lane


def run_limited(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: int
) -> int:
    """Run a command, and return its code: not 0 if it takes more processor time than `seconds`.

    Each process that it starts may take as much. Time on the clock is no measure where others use
    the machine, too; only a command that does nothing for very long is ended by it.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))  # a signal, then the end

    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=limit,
            timeout=PATIENCE * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 1
    return done.returncode


def _commit(copy: Path) -> None:
    """Make a repository of a copy, from whose commit only a fault differs (tests/changes.py)."""
    names = "-c", "user.name=unshade", "-c", "user.email=", "-c", "commit.gpgsign=false"
    for command in (["init", "-q"], ["add", "-A"], [*names, "commit", "-q", "-m", "Before faults"]):
        subprocess.run(["git", *command], cwd=copy, check=True)


def _write(place: Path, text: bytes) -> None:
    place.write_bytes(text)
    changed = next(CHANGED)
    os.utime(place, (changed, changed))


def modules_of(copy: Path, fault: Fault) -> list[str]:
    """Return the modules of tests that a fault's folder has in a copy, its own module's first.

    A run ends at the first test that fails.
    """
    folder = mirror(fault.path.parent)
    pattern = "test_*.py" if folder == ROOT / "tests" else "**/test_*.py"
    found = sorted((copy / folder.relative_to(ROOT)).glob(pattern))
    own = f"test_{fault.path.stem}"
    found.sort(key=lambda each: not each.stem.startswith(own))
    return [each.relative_to(copy).as_posix() for each in found]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", default="", metavar="FOLDER")
    parser.add_argument("--at", action="append", default=[], metavar="PATH:LINE")
    parser.add_argument("--tests", nargs="+", default=[], metavar="PATH")
    options = parser.parse_args()
    chosen = [fault for place in options.at for fault in at_line(place)]
    if not options.at:
        chosen = drawn(options.seed, options.count, options.only)
    if options.list:
        print(*chosen, sep="\n")
        return
    lanes = {"fast": "fast", "slow": "slow and not conformance"}
    if options.tests:
        lanes = {"noticed": "fast or not fast"}
    noticed = dict.fromkeys(lanes, 0)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "unshade"
        left_out = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache")
        shutil.copytree(ROOT, copy, ignore=left_out)
        _commit(copy)
        for fault in chosen:
            verdict = "missed"
            for lane, mark in lanes.items():
                wanted = lane != "slow" or options.slow
                if wanted and notices(copy, fault, mark, options.tests):
                    verdict = lane
                    noticed[lane] += 1
                    break
            print(f"{verdict:7} {fault}", flush=True)
    if options.tests:
        print(f"{noticed['noticed']} of {len(chosen)} noticed")
        return
    print(f"{noticed['fast']} of {len(chosen)} noticed by the fast lane", end="")
    print(f", {noticed['fast'] + noticed['slow']} with the slow one" if options.slow else "")


if __name__ == "__main__":
    main()
