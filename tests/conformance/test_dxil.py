"""Every DXIL program of the corpus: bits, model, metadata, edits.

The files named .dxil and .dxbc, and the containers in PDBs, hold programs in their parts DXIL, ILDB
and STAT. LLVM's own tests have programs without bitcode; every other one was made by a compiler.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import unshade
from tests.corpus import containers, pdbs
from tests.programs.dxil.llvm import llvm_text
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.formats.dxcontainer.parts.sfi0 import feature_names
from unshade.formats.msf import MsfFile
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import Bitstream
from unshade.programs.dxil.editing import strip_debug, strip_names, strip_reflection
from unshade.programs.dxil.encode import encode_module
from unshade.programs.dxil.facts import entry_points, facts_of
from unshade.programs.dxil.model.instructions import CallInst
from unshade.programs.dxil.model.values import Function
from unshade.programs.dxil.operation_calls import PREFIX, operation_of
from unshade.programs.dxil.shaderinfo import read_shader
from unshade.programs.dxil.verify import verify

LIBRARY = 6
NAMES = (b"DXIL", b"ILDB", b"STAT")
EVERY = 25  # of so many modules one is edited


def programs_in(data: bytes) -> dict[str, bytes]:
    """Return the parts of a container that are DXIL programs."""
    found = {}
    (count,) = struct.unpack_from("<I", data, 28)
    for offset in struct.unpack_from(f"<{count}I", data, 32):
        name, size = struct.unpack_from("<4sI", data, offset)
        part = data[offset + 8 : offset + 8 + size]
        if name in NAMES and part[8:12] == b"DXIL":
            found[name.decode()] = part
    return found


def files(corpus: Path) -> Iterator[Path]:
    yield from containers(corpus)
    yield from some(sorted((corpus / "execution").rglob("*.dxil")))
    yield from sorted((corpus / "bench").glob("*.dxil"))


def programs(corpus: Path) -> Iterator[tuple[Path, str, bytes]]:
    for path in files(corpus):
        for name, part in programs_in(path.read_bytes()).items():
            yield path, name, part
    for path in pdbs(corpus):
        pdb = unshade.open(path)
        assert isinstance(pdb, MsfFile)
        assert pdb.container is not None
        for name, part in programs_in(pdb.container.to_bytes()).items():
            yield path, name, part


def is_dummy(path: Path) -> bool:
    """Return True for a file of LLVM's tests."""
    return path.parent.name == "llvm"


def rewritten(part: bytes) -> bytes:
    """Return a program encoded from its model, as dxc numbers it with or without orders of uses."""
    for keeps_uses in (False, True):
        code = Code.decode(part)
        code.rewrite(keeps_uses=keeps_uses)
        data = code.encode()
        if data == part:
            break
    return data


def test_programs(corpus: Path, ratchet: Ratchet) -> None:
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for path, name, part in programs(corpus):
        code = Code.decode(part)
        if is_dummy(path):
            count["dummies"] += 1
            count["kept"] += code.encode() == part
            continue
        count["all"] += 1
        count[name] += 1
        assert isinstance(code.bitcode, Bitstream), path
        if code.encode() != part:
            wrong.append(path.name)
            continue
        module = code.module
        same = encode_module(module) is module.block and code.encode() == part
        count["identical"] += same
        if not same:
            wrong.append(path.name)
        count["standard"] += rewritten(part) == part
        count["clean"] += not verify(code)
        shader = read_shader(module)
        count["metadata"] += shader.version is not None and bool(shader.entry_points)
        for function in module.functions:
            for each in function.instructions:
                callee = each.callee if isinstance(each, CallInst) else None
                if isinstance(callee, Function) and callee.name.startswith(PREFIX):
                    count["calls"] += 1
                    count["known"] += operation_of(each) is not None
    assert wrong == []
    ratchet("dxil/identical", count["identical"], count["all"])
    ratchet("dxil/encoded from the model alone", count["standard"], count["all"])
    ratchet("dxil/verify without findings", count["clean"], count["all"])
    ratchet("dxil/metadata", count["metadata"], count["all"])
    ratchet("dxil/known operations", count["known"], count["calls"])
    ratchet("dxil/dummies kept", count["kept"], count["dummies"])


def test_facts(corpus: Path, ratchet: Ratchet) -> None:
    """Features of a shader are those of the part SFI0, which dxc computes from the same flags."""
    stated = equal = total = found = 0
    for path in files(corpus):
        if is_dummy(path):
            continue
        data = path.read_bytes()
        for name, part in programs_in(data).items():
            code = Code.decode(part)
            total += 1
            entries = entry_points(code)
            found += all(facts_of(code, entry).stage == stage for entry, stage in entries)
            at = data.find(b"SFI0\x08\0\0\0")
            if name == "DXIL" and at >= 0 and code.kind != LIBRARY:
                stated += 1
                names = feature_names(int.from_bytes(data[at + 8 : at + 16], "little"))
                equal += sorted(facts_of(code).features) == sorted(names)
    ratchet("dxil/facts", found, total)
    ratchet("dxil/features as in SFI0", equal, stated)


def test_stripped_modules_are_valid(corpus: Path, ratchet: Ratchet) -> None:
    """LLVM reads and verifies modules without debug information and names."""
    pytest.importorskip("llvmlite.binding")
    valid = total = 0
    for number, (path, _, part) in enumerate(programs(corpus)):
        if number % EVERY or is_dummy(path):
            continue
        total += 1
        code = Code.decode(part)
        strip_debug(code.module)
        strip_names(code.module)
        text = llvm_text(code)
        valid += not any(each in text for each in ("!dbg", "llvm.dbg", "DILocation"))
    ratchet("dxil/stripped modules that LLVM accepts", valid, total)


def test_stripped_debug_parts_are_the_released_program(corpus: Path, ratchet: Ratchet) -> None:
    """dxc makes the part DXIL of ILDB by removing debug information and reflection."""
    equal = total = 0
    for path in containers(corpus):
        found = programs_in(path.read_bytes())
        if "ILDB" not in found or "DXIL" not in found:
            continue
        total += 1
        code = Code.decode(found["ILDB"])
        strip_debug(code.module)
        strip_reflection(code.module)
        code.rewrite()
        equal += code.encode() == found["DXIL"]
    ratchet("dxil/ILDB stripped is DXIL", equal, total)
