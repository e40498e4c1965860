"""SPIR-V against recorded calls of SPIRV-Tools, and every module of the corpus."""

import gzip
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.program import Program
from unshade.programs.spirv.text.printer import Options, disassemble

pytestmark = pytest.mark.conformance

# Bits of spv_binary_to_text_options_t and of spv_text_to_binary_options_t.
PRINT, INDENT, OFFSETS, NO_HEADER, FRIENDLY, COMMENT, NESTED, REORDER = (
    2,
    8,
    16,
    32,
    64,
    128,
    256,
    512,
)
PRESERVE = 2


def vectors(corpus: Path, name: str) -> Iterator[dict[str, Any]]:
    path = corpus / "spirv" / "tools_vectors" / f"{name}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"no {path.name} in the corpus")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, some(lines))


def data_of(words: str) -> bytes:
    values = [int(words[at : at + 8], 16) for at in range(0, len(words), 8)]
    return struct.pack(f"<{len(values)}I", *values)


def target(environment: str) -> str:
    """Return our name of an SPV_ENV_… constant."""
    name, *numbers = environment.removeprefix("SPV_ENV_").lower().split("_")
    if name == "universal":
        return f"spv{numbers[0]}.{numbers[1]}"
    if numbers[0] == "embedded":
        return f"{name}{numbers[1]}.{numbers[2]}embedded"
    if len(numbers) > 2:  # vulkan_1_1_spirv_1_4
        return f"{name}{numbers[0]}.{numbers[1]}spv{numbers[3]}.{numbers[4]}"
    return f"{name}{numbers[0]}.{numbers[1]}"


def test_disassembly(corpus: Path, ratchet: Ratchet) -> None:
    equal = total = 0
    for row in vectors(corpus, "dis"):
        bits = row["opt"]
        if row["r"] != "SUCCESS" or bits & PRINT:
            continue
        options = Options(
            header=not bits & NO_HEADER,
            indent=bool(bits & INDENT),
            raw_id=not bits & FRIENDLY,
            offsets=bool(bits & OFFSETS),
            comment=bool(bits & COMMENT),
            nested_indent=bool(bits & NESTED),
            reorder_blocks=bool(bits & REORDER),
        )
        total += 1
        equal += disassemble(Module.loads(data_of(row["words"])), options) == row["text"]
    ratchet("spirv/disassembly", equal, total)


def test_assembly(corpus: Path, ratchet: Ratchet) -> None:
    equal = total = refused = refusals = 0
    for row in vectors(corpus, "as"):
        if row["text"] is None:
            continue
        made: bytes | None = None
        place = None
        try:
            keep = bool(row["opt"] & PRESERVE)
            source = Source(row["text"])
            made = assemble(source, target=target(row["env"]), preserve_numeric_ids=keep).to_bytes()
        except AssembleError as error:
            place = [error.line - 1, error.column - 1]
        if row["r"] == "SUCCESS":
            total += 1
            equal += made == data_of(row["words"])
        else:
            refusals += 1
            refused += place == row["pos"][:2]
    ratchet("spirv/assembly", equal, total)
    ratchet("spirv/assembly refused at the same place", refused, refusals)


def test_modules(corpus: Path, ratchet: Ratchet) -> None:
    same = exact = total = 0
    for path in some(sorted(corpus.rglob("*.spv"))):
        data = path.read_bytes()
        program = Program(Module.loads(data))
        total += 1
        plain = Program.from_data(json.loads(json.dumps(program.to_data())))
        same += program.encode() == plain.encode() == data
        exact += Program.assemble(program.disassemble("exact")).encode() == data
    ratchet("spirv/identical", same, total)
    ratchet("spirv/exact text", exact, total)
