"""Comparing two programs of 27,000 lines, against `diff`, `git diff --patience` and difflib.

    python benchmarks/diff.py [--rounds 3]

The program is every instruction of the corpus in a row. In the copy fifty lines were taken out and
fifty put in, first as they are, then with all registers renumbered: how many lines a tool then
shows as different is what its user has to read. The peers get the text, and do not look at
indentation; ours starts from bytes, decodes, prints, aligns and compares the rest, too.
"""

import argparse
import difflib
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from peers import best_of, table

import unshade
from tests.corpus import containers, corpus_root
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.part import DxPart
from unshade.programs.tpf import Instruction, Program, immediate, temp

EDITS = 50
PEERS = (("diff", "-u", "-w"), ("git", "diff", "--no-index", "--patience", "-w"))
SHIFT = 3  # added to the number of each temporary register


def programs() -> tuple[bytes, bytes, bytes]:
    """Three containers: a long program, an edited copy, and that with other registers."""
    root = corpus_root()
    if not root.is_dir():
        raise SystemExit(f"no corpus at {root}")
    code: list[Instruction] = []
    version = None
    for path in containers(root):
        for program in getattr(unshade.open(path), "programs", ()):
            version = version or program.version
            code += program.instructions
    assert version is not None
    rng = random.Random(1)
    made = [_container(Program(version, code))]
    for _ in range(EDITS):
        del code[rng.randrange(len(code))]
        value = immediate(rng.random())
        code.insert(rng.randrange(len(code)), Instruction.make("mov", temp(1, mask="x"), value))
    made.append(_container(Program(version, code)))
    edited = DxContainer.loads(made[-1])
    for instruction in edited.programs[0].instructions:
        for operand in instruction.operands:
            for each in (operand, *(index.relative for index in operand.indices)):
                if each is not None and each.type == 0 and each.indices:
                    each.indices[0].immediate += SHIFT
    made.append(edited.to_bytes())
    return made[0], made[1], made[2]


def _container(program: Program) -> bytes:
    return DxContainer([DxPart("SHEX", program)]).to_bytes()


def lines_of(data: bytes) -> list[str]:
    text = unshade.loads(data).programs[0].disassemble()
    return [line.lstrip() for line in text.splitlines(keepends=True)]


def changed(text: str) -> int:
    """Lines of a unified diff that are no context."""
    return sum(
        line[:1] in ("+", "-") and line[:3] not in ("+++", "---") for line in text.splitlines()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    before, *copies = programs()
    with tempfile.TemporaryDirectory() as folder:
        for title, after in zip(("edited", "edited and renumbered"), copies, strict=True):
            texts = [lines_of(each) for each in (before, after)]
            names = [str(Path(folder) / name) for name in ("before", "after")]
            for name, text in zip(names, texts, strict=True):
                Path(name).write_text("".join(text))
            peers: dict[str, Callable[[], str]] = {
                "difflib.unified_diff": lambda texts=texts: "".join(  # type: ignore[misc]
                    difflib.unified_diff(*texts)
                ),
            }
            for command in PEERS:
                if shutil.which(command[0]):
                    peers[" ".join(command)] = lambda command=command, names=names: (  # type: ignore[misc]
                        subprocess.run(
                            [*command, *names], capture_output=True, text=True, check=False
                        ).stdout
                    )
            shown = {name: changed(peer()) for name, peer in peers.items()}
            found = unshade.diff(unshade.loads(before), unshade.loads(after))
            program = found.programs[0]
            times = best_of(
                {
                    "unshade.diff": lambda after=after: unshade.diff(  # type: ignore[misc]
                        unshade.loads(before), unshade.loads(after)
                    ),
                    **peers,
                },
                rounds=options.rounds,
            )
            table(f"{title}: {len(texts[0]):,} lines", times, "unshade.diff", "ms")
            print(
                f"    unshade: {program.added} added, {program.removed} removed, {program.moved}"
                f" moved, {program.changed:,} changed"
            )
            for name, count in shown.items():
                print(f"    {name}: {count:,} lines differ")


if __name__ == "__main__":
    main()
