"""The text of `dxc -dumpbin` 1.10 is reproduced byte for byte.

The text of NAME.dxil is in NAME.dxc110.txt or NAME.dxil.dxc110.txt. Older versions of dxc (.ll)
print another table of pipeline state, but the same module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.conformance.test_dxil import files, is_dummy, programs
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.errors import FormatError, UnsupportedError
from unshade.formats.dxcontainer import DxContainer
from unshade.isa.source import Source
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import BitBlock, BitRecord, Bitstream
from unshade.programs.dxil.exact import exact_lines, read_code
from unshade.programs.dxil.text import disassemble

DXC = ".dxc110.txt"
OLDER = (".dxc2405.ll", ".dxcdump.ll")
MODULE = "target datalayout"
EVERY = 5  # of so many programs one is assembled with a donor, or edited
# An operation on two values that are not the same: they are exchanged.
EDITABLE = re.compile(r"(= (?:fmul|fadd|fsub|add|mul|sub|or|and) [^%\n]*)%(\d+), %(?!\2\n)(\d+)\n")


def pairs(corpus: Path, *suffixes: str) -> Iterator[tuple[Path, str]]:
    """Return containers and their text."""
    texts = (each for suffix in suffixes for each in corpus.rglob(f"*{suffix}"))
    for path in some(sorted(texts)):
        suffix = next(each for each in suffixes if path.name.endswith(each))
        stem = path.name.removesuffix(suffix)
        names = (stem, f"{stem}.dxil", f"{stem}.dxbc")
        container = next(
            each for name in names if (each := path.with_name(name)).is_file() and "." in name
        )
        yield container, path.read_bytes().decode("utf-8", "surrogateescape")


def test_text_of_dxc(corpus: Path, ratchet: Ratchet) -> None:
    equal, differ = 0, []
    for path, text in pairs(corpus, DXC):
        if DxContainer.loads(path.read_bytes()).disassemble() == text:
            equal += 1
        else:
            differ.append(path.name)
    ratchet("dxil/text: listings of dxc 1.10", equal, equal + len(differ))
    assert not differ


def test_modules_of_older_versions(corpus: Path, ratchet: Ratchet) -> None:
    equal, differ = 0, []
    for path, text in pairs(corpus, *OLDER):
        ours = DxContainer.loads(path.read_bytes()).disassemble()
        theirs = text.replace("\r", "")
        if ours[ours.index(MODULE) :].rstrip() == theirs[theirs.index(MODULE) :].rstrip():
            equal += 1
        else:
            differ.append(path.name)
    ratchet("dxil/text: modules printed by older dxc", equal, equal + len(differ))
    assert not differ


def test_every_program_has_a_text(corpus: Path, ratchet: Ratchet) -> None:
    count = total = 0
    for path in files(corpus):
        shader = DxContainer.loads(path.read_bytes())
        if "DXIL" not in shader and "ILDB" not in shader:
            continue
        total += 1
        try:
            count += MODULE in shader.disassemble()
        except (FormatError, UnsupportedError):
            assert is_dummy(path), path
            count += 1
    ratchet("dxil/text: programs with a text, or dummies", count, total)
    assert count == total


def test_assembly(corpus: Path, ratchet: Ratchet) -> None:
    """Text alone is the equal module, exact text the same part, with a donor the same file."""
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for number, (path, name, part) in enumerate(programs(corpus)):
        if is_dummy(path):
            continue
        code = Code.decode(part)
        count["all"] += 1
        text = disassemble(code.module)
        made = read_code(Source(text))
        equal = disassemble(made.module) == text
        equal = equal and made.version == code.version and made.dxil_version == code.dxil_version
        count["equal"] += equal
        exact = exact_lines(Code.decode(part))
        same = read_code(Source("\n".join(exact))).encode() == part
        count["exact"] += same and not any(line.startswith(";! part") for line in exact)
        if not equal or not same:
            wrong.append(f"{path.name} {name}")
        if name != "STAT" and number % EVERY == 0 and path.suffix != ".pdb":
            donor = DxContainer.loads(path.read_bytes())
            source = Source(donor.disassemble())
            count["donors"] += 1
            count["files"] += DxContainer.assemble([source], donor=donor).to_bytes() == (
                path.read_bytes()
            )
    ratchet("dxil/text: assembled alone, equal modules", count["equal"], count["all"])
    ratchet("dxil/text: exact text, identical without whole parts", count["exact"], count["all"])
    ratchet("dxil/text: with the donor, identical files", count["files"], count["donors"])
    assert not wrong
    assert count["files"] == count["donors"]


def test_an_edited_operand(corpus: Path, ratchet: Ratchet) -> None:
    """An operand changed in the text changes one record of an instruction and nothing else."""
    count = total = 0
    for number, (path, name, part) in enumerate(programs(corpus)):
        if number % EVERY or is_dummy(path) or name == "STAT":
            continue
        text = "\n".join(exact_lines(Code.decode(part)))
        edited = EDITABLE.sub(r"\1 %\3, %\2\n", text, count=1)
        if edited == text or ";! part" in text:
            continue
        total += 1
        old = [record.operands for record in records(Code.decode(part))]
        new = [record.operands for record in records(read_code(Source(edited)))]
        differ = [at for at, each in enumerate(old) if new[at] != each]
        count += len(old) == len(new) and len(differ) == 1
    ratchet("dxil/text: an edited operand changes its record only", count, total)
    assert count == total


def records(code: Code) -> list[BitRecord]:
    """Return the records of a program, those of inner blocks included."""
    assert isinstance(code.bitcode, Bitstream)
    found: list[BitRecord] = []
    waiting: list[object] = list(code.stream().blocks)  # type: ignore[union-attr]
    while waiting:
        each = waiting.pop()
        if isinstance(each, BitRecord):
            found.append(each)
        elif isinstance(each, BitBlock):
            waiting += each.items
    return found
