"""Shaders that have drifted, looked for in a catalogue of all of them: the right one first.

    python benchmarks/similar.py [FOLDER] [--share SHARE] [--seed N]

The programs of Shader Model 4 and 5 below a folder, by default that of the corpus, are read into a
catalogue, each code once. Programs of at least 15 instructions are edited as text: temporary
registers get other numbers, 10 % of the numbers in the code change, 30 % of neighbours that do not
depend on each other are swapped; in a second round 3 % of the instructions are left out and 3 %
doubled. Each is looked for; right is the code that it was made from.
"""

import argparse
import os
import random
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import unshade
from unshade import catalog
from unshade.analysis.identities import program_key
from unshade.errors import UnshadeError

LEAST = 15  # instructions of a program that is looked for
REGISTER = re.compile(r"\br(\d+)\b(?!\[)")
LITERAL = re.compile(r"(?<=[(\s])(-?\d+\.\d{6})(?=[,)])")
# Instructions that write a register and do nothing else.
PLAIN = re.compile(
    r"(?:mov|mul|add|mad|div|dp[234]|rsq|sqrt|min|max|frc|iadd|and|or|xor|ishl|ushr|ftoi|itof|exp"
    r"|log|ge|lt|eq|ne|round_\w+)(?:_sat)? (r\d+)\.\w+, (.*)"
)


def drifted(shader: unshade.Shader, chance: random.Random, drops: bool) -> unshade.Shader:
    """Return another version of a shader."""
    lines = shader.disassemble("exact").split("\n")
    temps = next((int(each.split()[1]) for each in lines if each.startswith("dcl_temps")), 0)
    numbers = [*range(temps)]
    chance.shuffle(numbers)
    code = [*_edited(lines, chance, drops)]

    def renamed(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"r{numbers[number]}" if number < temps else match[0]

    def changed(match: re.Match[str]) -> str:
        return f"{float(match[1]) * 1.25 + 0.5:.6f}" if chance.random() < 0.1 else match[1]

    text = "\n".join(
        each
        if each.startswith(("//", "dcl_"))
        else LITERAL.sub(changed, REGISTER.sub(renamed, each))
        for each in code
    )
    return unshade.assemble(text, "dxcontainer", donor=shader)


def _edited(lines: list[str], chance: random.Random, drops: bool) -> Iterator[str]:
    """Yield lines with neighbours swapped, and some left out and doubled."""
    at = 0
    while at < len(lines):
        here, after = PLAIN.match(lines[at].strip()), None
        if here is not None and at + 1 < len(lines):
            after = PLAIN.match(lines[at + 1].strip())
        if here is not None and after is not None and chance.random() < 0.3:
            free = not re.search(rf"\b{here[1]}\b", after[0]) and not re.search(
                rf"\b{after[1]}\b", here[0]
            )
            if free:
                yield from (lines[at + 1], lines[at])
                at += 2
                continue
        if drops and here is not None:
            drawn = chance.random()
            if drawn < 0.03:
                at += 1
                continue
            if drawn < 0.06:
                yield lines[at]
        yield lines[at]
        at += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("UNSHADE_CORPUS", "../shared/corpus")) / "dxcontainer"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("--share", type=float, default=1.0, help="of the programs that are sought")
    parser.add_argument("--seed", type=int, default=35)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as place:
        found: dict[str, unshade.Shader] = {}
        for path in sorted(given.folder.rglob("*.dxbc")):
            try:
                shader = unshade.open(path)
                if shader.reflect().code != "tpf":
                    continue
                key = program_key(shader)
            except UnshadeError:
                continue
            if key is not None and key not in found:
                found[key] = shader
                (Path(place) / f"{len(found):04}.dxbc").write_bytes(shader.to_bytes())
        catalog.scan([place], f"{place}/cat")
        with catalog.Catalog(f"{place}/cat") as opened:
            for drops in (False, True):
                right = total = failed = 0
                taken = 0.0
                for key, shader in found.items():
                    if chance.random() >= given.share:
                        continue
                    if len(shader.programs[0].instructions) < LEAST:
                        continue
                    try:
                        edited = drifted(shader, chance, drops)
                    except UnshadeError:
                        failed += 1
                        continue
                    start = time.process_time()
                    first = catalog.similar(opened, edited, most=1)
                    taken += time.process_time() - start
                    total += 1
                    name = first[0].path if first else None
                    right += name is not None and program_key(unshade.open(name)) == key
                how = "with drops" if drops else "without drops"
                print(f"{len(found)} programs, {how}: the right one first in {right} of {total}"
                      f" ({right / max(total, 1):.1%}), {failed} not assembled,"
                      f" {1000 * taken / max(total, 1):.0f} ms each, facts included")  # fmt: skip


if __name__ == "__main__":
    main()
