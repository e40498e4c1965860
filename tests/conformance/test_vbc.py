"""VBC files of the corpus: rebuilt from decoded parts, refused where they break, and described."""

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.conformance.test_roundtrip import named_bytes
from tests.model.schema_check import violations
from tests.ratchet import Ratchet
from unshade import FormatError, Vbc
from unshade.formats.vbc.records import BaseType, SubpassForm
from unshade.formats.vbc.vslc import derive
from unshade.model import schema
from unshade.rule import is_finding
from unshade.wire.data import to_data
from unshade.wire.spans import gaps

# Offset and path of the structure's break, for each broken file that is refused.
REFUSED = {
    "bad_big_endian_header": (0x05, "VBC.vert_words"),
    "bad_count_huge": (0x1D, "VBC.inputs"),
    "bad_trailing": (0xB69, "trailing"),
    "bad_trunc_code": (0x6DD, "frag"),
    "bad_trunc_header": (0x13, "VBC.tables.buffers"),
    "bad_trunc_reflection": (0x1D, "VBC.inputs"),
    "bad_type2": (0x04, "VBC.type"),
    "bad_version2": (0x03, "VBC.version"),
    "bad_empty": (0x00, "magic"),
    "bad_magic": (0x00, "magic"),
}
REPORTED = {
    "bad_basetype": "vbc.base-type",
    "bad_mask_mismatch": "vbc.mask-mismatch",
    "bad_module_magic": "vbc.module",
    "bad_stage_mismatch": "vbc.stage",
}
SPIRV_VAL = shutil.which("spirv-val")


@pytest.fixture(scope="module")
def manifest(corpus: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((corpus / "vbc" / "MANIFEST.json").read_text())
    return found


@pytest.fixture(scope="module")
def files(corpus: Path, manifest: dict[str, dict[str, Any]]) -> dict[str, bytes]:
    """The well-formed files."""
    return {
        name: (corpus / "vbc" / name).read_bytes()
        for name, each in manifest.items()
        if each["expect"] == "read"
    }


def opened(data: bytes) -> Vbc:
    shader = unshade.loads(data)
    assert isinstance(shader, Vbc)
    return shader


def test_bytes_plain_data_yaml_and_text(files: dict[str, bytes], ratchet: Ratchet) -> None:
    made: dict[str, list[bool]] = {"plain data": [], "YAML": [], "exact text": []}
    for name, data in files.items():
        shader = opened(data)
        assert all(each.instructions for each in shader.programs)
        assert shader.to_bytes() == data, name
        made["plain data"].append(unshade.from_data(shader.to_data()).to_bytes() == data)
        made["YAML"].append(unshade.from_yaml(unshade.to_yaml(shader)).to_bytes() == data)
        made["exact text"].append(unshade.assemble(shader.disassemble("exact")).to_bytes() == data)
    for what, same in made.items():
        ratchet(f"vbc/round trip: {what}", sum(same), len(same))
        assert all(same), what


def test_native_text_assembles_to_the_same_reflection(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        shader = opened(data)
        again = unshade.assemble(shader.disassemble())
        assert isinstance(again, Vbc)
        for f in shader.record.layout.fields:
            if f.name not in ("vert", "tesc", "tese", "geom", "frag"):
                assert getattr(again.record, f.name) == getattr(shader.record, f.name), name
        for old, new in zip(shader.programs, again.programs, strict=True):
            assert len(old.module.instructions) == len(new.module.instructions)


def test_facts_of_the_manifest(
    manifest: dict[str, dict[str, Any]], files: dict[str, bytes]
) -> None:
    for name, data in files.items():
        facts, record = manifest[name], opened(data).record
        stages = ("vert", "tesc", "tese", "geom", "frag")
        words = [len(getattr(record, stage)) // 4 for stage in stages]
        assert words == facts["bytecode_words"]
        assert list(to_data(record.tables).values()) == facts["tables"]
        assert (len(record.inputs), len(record.outputs)) == (facts["inputs"], facts["outputs"])
        bindings = [
            [each.slot, BaseType(each.base).name.replace("_", ""), each.stages]
            for each in record.bindings
        ]
        assert bindings == [[slot, base.upper(), mask] for slot, base, mask in facts["bindings"]]
        assert len(record.subpasses) == facts["subpass"]
        block = facts["uniform"]
        assert record.uniform.size == (block["size"] if block else 0)
        if block:
            members = [
                [m.name, m.offset, BaseType(m.base).name, m.rows, m.columns, m.count]
                for m in record.uniform.members
            ]
            assert members == [
                [n, o, base.upper(), *rest] for n, o, base, *rest in block["members"]
            ]


def test_the_form_of_subpass_inputs(
    manifest: dict[str, dict[str, Any]], files: dict[str, bytes]
) -> None:
    sizes = {4.0: SubpassForm.DOCUMENTED, 48.0: SubpassForm.LIBSTDCXX}
    seen = Counter[SubpassForm]()
    for name, data in files.items():
        form = opened(data).form
        assert form is sizes.get(manifest[name]["subpass_record_bytes"], SubpassForm.DOCUMENTED)
        seen[form] += 1
    assert seen[SubpassForm.LIBSTDCXX]


def test_broken_files_are_refused_or_reported(
    corpus: Path, manifest: dict[str, dict[str, Any]], ratchet: Ratchet
) -> None:
    good = 0
    broken = {name: each["expect"] for name, each in manifest.items() if each["expect"] != "read"}
    for name, expected in broken.items():
        data = (corpus / "vbc" / name).read_bytes()
        stem = Path(name).stem
        if expected.startswith("refuse"):
            with pytest.raises(FormatError) as caught:
                unshade.loads(data)
            assert (caught.value.offset, caught.value.path) == REFUSED[stem], stem
            assert expected != "refuse: big-endian" or "big-endian" in str(caught.value)
        else:
            assert REPORTED[stem] in {each.code for each in opened(data).verify()}, stem
        good += 1
    ratchet("vbc/broken files refused where they break, or reported", good, len(broken))


def test_well_formed_files_have_no_findings(files: dict[str, bytes], ratchet: Ratchet) -> None:
    clean = {name: not any(map(is_finding, opened(data).verify())) for name, data in files.items()}
    ratchet("vbc/files without findings", sum(clean.values()), len(clean))
    assert all(clean.values())


def _rows(records: Any, *without: str) -> list[str]:
    """Return records as a sorted list, without some fields."""
    plain = ({k: v for k, v in to_data(each).items() if k not in without} for each in records)
    return sorted(json.dumps(each).replace("BOOLEAN", "UNSIGNED") for each in plain)


def test_the_reflection_derived_from_modules_is_that_of_the_file(
    files: dict[str, bytes], ratchet: Ratchet
) -> None:
    """Compared as sets, where modules hold it.

    Modules have no names of members, Boolean members as unsigned integers, the block up to its
    last member, and nothing that is unused; handmade modules declare smaller tables.
    """
    same = {}
    for name, data in files.items():
        shader = opened(data)
        record, found = shader.record, derive(shader.modules())
        there = {each.location for each in found.inputs}
        assert there <= {each.location for each in record.inputs}
        made = [
            _rows(found.inputs) == _rows(each for each in record.inputs if each.location in there),
            _rows(found.outputs) == _rows(record.outputs),
            _rows(found.merged()) == _rows(each for each in record.bindings if each.stages),
            not found.unknown,
        ]
        for block in found.uniforms:
            made.append(_rows(block.members, "name") == _rows(record.uniform.members, "name"))
            made.append(record.uniform.size - 16 < block.size <= record.uniform.size)
        if shader.form is SubpassForm.DOCUMENTED:
            typed = {index: each for (_, index), each in found.subpasses.items()}
            assert all(to_data(typed[at]) == to_data(record.subpasses[at]) for at in typed)
        for (_, table), size in found.tables.items():
            made.append(size <= getattr(record.tables, table))
        same[name] = all(made)
    for folder in ("patched", "handmade", "head"):
        chosen = [good for name, good in same.items() if name.startswith(folder)]
        ratchet(f"vbc/derived reflection: {folder}", sum(chosen), len(chosen))
        assert all(chosen), folder


def test_files_are_packed_from_their_modules(files: dict[str, bytes], ratchet: Ratchet) -> None:
    whole = []
    alone = []
    for data in files.values():
        shader = opened(data)
        modules = [each.encode() for each in shader.programs]
        if not modules or shader.form is not SubpassForm.DOCUMENTED:
            continue
        whole.append(unshade.pack(modules, "vbc", shader.to_data()).to_bytes() == data)
        packed = unshade.pack(modules, "vbc")
        alone.append(not any(map(is_finding, packed.verify())))
    ratchet("vbc/packed from modules and plain data", sum(whole), len(whole))
    assert all(whole)
    assert all(alone)


def test_share_of_bytes_in_named_fields(files: dict[str, bytes], ratchet: Ratchet) -> None:
    total: Counter[str] = Counter()
    for data in files.values():
        spans = opened(data).spans()
        assert not gaps(spans, len(data))
        total += named_bytes(spans)
    assert total["field"] + total["padding"] >= 0.995 * total.total()
    ratchet("vbc/bytes in named fields", total["field"] + total["padding"], total.total())


def test_reflections_match_the_schema(files: dict[str, bytes]) -> None:
    rules = schema()
    for data in files.values():
        found = opened(data).reflect()
        assert violations(found.to_dict(), rules) == []
        assert found.complete


@pytest.mark.skipif(SPIRV_VAL is None, reason="needs spirv-val")
def test_extracted_modules_are_accepted_by_spirv_val(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    for name, data in files.items():
        for stage, code in opened(data).extract().items():
            if stage.endswith(".spv"):
                (tmp_path / stage).write_bytes(code)
                line = [str(SPIRV_VAL), "--target-env", "vulkan1.2", "--scalar-block-layout"]
                done = subprocess.run([*line, tmp_path / stage], capture_output=True, check=False)
                assert done.returncode == 0, (name, stage, done.stdout, done.stderr)
