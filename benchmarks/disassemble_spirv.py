"""Disassembling one large SPIR-V module, against spirv-dis.

    python benchmarks/disassemble_spirv.py [FILE] [--instructions N]

The functions of the module, by default saxpy of the tests, are repeated with new ids until it has
the stated number of instructions. Here in this process, from bytes to text; spirv-dis as a process
of its own, from a file to a file. Both texts have to be equal.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from peers import ROOT, best_of

import unshade
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.module import Instruction, Module

SAXPY = ROOT / "tests" / "programs" / "spirv" / "saxpy.spvasm"


def repeated(module: Module, instructions: int) -> Module:
    """Return a module whose functions are repeated; the copies are not entry points."""
    index = ModuleIndex(module)
    bodies = [
        (each, module.instructions[each.start : each.end], index.decoded[each.start : each.end])
        for each in index.functions.values()
    ]
    code = list(module.instructions)
    bound = module.bound
    while len(code) < instructions:
        fresh: dict[int, int] = {}
        for _, _, decoded in bodies:
            for known in decoded:
                if known.result is not None:
                    fresh[known.result] = bound
                    bound += 1
        for _, body, decoded in bodies:
            for each, known in zip(body, decoded, strict=True):
                words = list(each.words)
                for piece in known.operands:
                    if piece.is_id:
                        words[piece.at] = fresh.get(words[piece.at], words[piece.at])
                code.append(Instruction(words))
    return Module(
        code, version=module.version, generator=module.generator, bound=bound, order=module.order
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--instructions", type=int, default=100_000)
    given = parser.parse_args()
    tool = shutil.which("spirv-dis")
    if tool is None:
        print("spirv-dis is not installed, so there is nothing to compare with", file=sys.stderr)
        return 2
    if given.file is None:
        module = assemble(Source(SAXPY.read_text(encoding="utf-8")))
    else:
        module = Module.loads(given.file.read_bytes())
    large = repeated(module, given.instructions)
    data = large.to_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "large.spv", Path(folder) / "large.spvasm"
        path.write_bytes(data)
        command = [tool, str(path), "-o", str(out)]
        times = best_of(
            {
                "unshade": lambda: unshade.loads(data).disassemble(),
                "spirv-dis": lambda: subprocess.run(command, check=True),
            },
            rounds=3,
        )
        same = out.read_text(encoding="utf-8") == unshade.loads(data).disassemble()
    print(f"{len(large.instructions)} instructions, {len(data)} bytes, the texts are"
          f" {'equal' if same else 'different'}")  # fmt: skip
    for name, seconds in times.items():
        print(f"    {name:12} {seconds:7.3f} s   {len(large.instructions) / seconds:9.0f}"
              f" instructions/s   {seconds / times['spirv-dis']:5.2f} x")  # fmt: skip
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
