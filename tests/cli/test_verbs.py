"""Each verb on files of our own."""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import CONTAINERS, EXAMPLES
from tests.fixtures import one_of_each
from unshade import damaged
from unshade.analysis.pipelines.rules import RULES as OF_PIPELINES
from unshade.errors import Diagnostic, Severity
from unshade.formats import format_named, own


def test_dis_prints_the_listing() -> None:
    assert unshade("dis", PHONG).out == library.open(PHONG).disassemble()


def test_dis_of_an_unknown_dialect() -> None:
    ended = unshade("dis", PHONG, "--dialect", "nonsense")
    assert (ended.code, ended.out) == (2, "")
    assert "unknown dialect 'nonsense' of dxcontainer: expected native or exact" in ended.err
    assert unshade("dis", PHONG, "--dialect", "upstream").code == 4
    assert unshade("dis", PHONG, "--dialect", "native").code == 0


def test_dis_in_the_exact_dialect() -> None:
    ended = unshade("dis", PHONG, "--dialect", "exact")
    assert ended.code == 0
    assert ended.out == library.open(PHONG).disassemble("exact")
    assert ended.out.startswith("// unshade dxcontainer exact 1\n")


def test_dis_has_the_options_of_the_listing() -> None:
    shader = library.open(PHONG)
    options = {each.name: each for each in format_named("dxcontainer").listing}
    for option in options.values():
        for name in option.choices:
            given: dict[str, Any] = {option.name: name}
            text = shader.disassemble(**given)
            assert unshade("dis", PHONG, option.flag, name).out == text
    old, new = (unshade("dis", PHONG, "--generation", each).out for each in ("9.29", "10.1"))
    assert old != new
    for option in options.values():
        ended = unshade("dis", PHONG, option.flag, "nonsense")
        assert (ended.code, ended.out) == (2, "")
        assert "is not one of" in ended.err


def test_dis_of_several_files_names_each() -> None:
    out = unshade("dis", PHONG, SAXPY).out
    assert out.startswith(f"// {PHONG}\n//\n")
    assert f"\n// {SAXPY}\n//\n" in out


@pytest.mark.skipif(os.name != "posix", reason="such names are not allowed")
@pytest.mark.parametrize("verb", ["dis", "hexdump"])
def test_a_name_cannot_end_the_line_that_holds_it(verb: str, tmp_path: Path) -> None:
    odd = tmp_path / "a\nret\x1b[2J.dxbc"
    odd.write_bytes(PHONG.read_bytes())
    out = unshade(verb, odd, SAXPY).out
    assert "\x1b" not in out
    assert re.search(r"a\\x0aret\\x1b\[2J\.dxbc(\n|: dx)", out)


def test_parts() -> None:
    out = unshade("parts", PHONG).out
    assert out.startswith(f"{PHONG}: dxcontainer, 2,780 bytes, 5 parts\n")
    assert "  SHDR  0x037c  1,724  62.0%  ██████████████▉  program\n" in out
    found = json.loads(unshade("parts", "--json", PHONG).out)
    assert [part["name"] for part in found["parts"]] == ["ISGN", "OSGN", "RDEF", "SHDR", "STAT"]


def test_info_with_costs() -> None:
    shader = EXAMPLES / "reverse.shbin"
    out = unshade("info", "--cost", shader).out
    table = out[out.index("\nCost\n") :].splitlines()
    peaks = [
        library.cost(library.open(shader), entry=name).peak.registers for name in ("main", "main1")
    ]
    assert table[2].split() == ["main", "main1"]
    assert table[-1].split() == ["live", "registers", *map(str, peaks)]
    found = json.loads(unshade("info", "--cost", "--json", shader).out)["costs"]
    assert found[-1] == {"entry_point": "main1", "metric": "live-registers", "value": peaks[1]}
    assert "Cost" not in unshade("info", shader).out


def test_info_says_why_there_are_no_costs(tmp_path: Path) -> None:
    path = tmp_path / "level9.dxbc"
    path.write_bytes(one_of_each.one_of_each()["Aon9"])
    shader = library.open(path)
    assert not shader.programs
    found = json.loads(unshade("info", "--cost", "--json", path).out)
    assert found["costs"] == []
    assert found["notes"][-1] == "no costs: expected a program with number 0, got 0"
    assert "no costs: " in unshade("info", "--cost", path).out
    assert "no costs" not in unshade("info", path).out


def test_reflect() -> None:
    ended = unshade("reflect", PHONG, "--json")
    assert json.loads(ended.out)["reflection"] == library.open(PHONG).reflect().to_dict()
    assert "t2    env           texture cube     float4" in unshade("reflect", PHONG).out


def test_verify_exit_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Diagnostic] = []
    monkeypatch.setattr("unshade.formats.dxcontainer.DxContainer.verify", lambda self: found)
    assert unshade("verify", PHONG) == (0, b"", "")
    found.append(Diagnostic("a.note", Severity.NOTE, "odd", offset=16, path="size"))
    assert unshade("verify", PHONG) == (
        0, f"{PHONG}: note a.note at 0x10: size: odd\n".encode(), "",
    )  # fmt: skip
    found.append(Diagnostic("a.warning", Severity.WARNING, "odder"))
    assert unshade("verify", PHONG).code == 1
    data = json.loads(unshade("verify", "--json", PHONG).out)
    assert [each["code"] for each in data["findings"]] == ["a.note", "a.warning"]


def test_verify_for_a_target(tmp_path: Path) -> None:
    module = tmp_path / "a.spv"
    text = "".join(f"OpCapability {each}\n" for each in ("Addresses", "Linkage", "Kernel"))
    text += "OpMemoryModel Physical32 OpenCL\n"
    library.assemble(text, target="spv1.2").save(module)
    assert unshade("verify", module).code == 0
    ended = unshade("verify", module, "--target", "vulkan1.2")
    assert ended.code == 1
    assert "Addresses" in ended.out
    assert unshade("verify", module, "--target", "opencl2.2").code == 0
    assert "is not one of" in unshade("verify", module, "--target", "vulkan9").err
    ended = unshade("verify", PHONG, "--target", "vulkan1.2")
    assert ended.code == 2
    assert "dxcontainer verify has no option 'target'" in ended.err


def test_verify_explains_its_rules() -> None:
    ended = unshade("verify", "--explain", "container.digest")
    assert ended.code == 0
    assert ended.out.startswith(
        "container.digest: the digest does not match the bytes\n  severity  error\n  The file was"
    )
    rule = json.loads(unshade("verify", "--explain", "tpf.mask", "--json").out)
    assert rule["code"] == "tpf.mask"
    assert [*rule] == ["code", "severity", "summary", "explanation"]
    listed = json.loads(unshade("verify", "--rules", "--json").out)
    assert rule in listed
    rules = {code for each in own() for code in each.shader().rules()} | set(damaged.RULES)
    rules |= set(OF_PIPELINES)
    assert {each["code"] for each in listed} == rules
    out = unshade("verify", "--rules").out
    assert out.count("\n") == len(listed) + 1
    assert "container.unsigned          note      the container is not signed\n" in out


def test_verify_of_an_unknown_rule() -> None:
    ended = unshade("verify", "--explain", "tpf.maks")
    assert (ended.code, ended.out) == (2, "")
    assert "expected a rule of verify, got 'tpf.maks'; did you mean tpf.mask?" in ended.err


@pytest.mark.parametrize("line", [[], ["--rules", "--explain", "x"], ["--rules", PHONG]])
def test_verify_options_exclude_each_other(line: list[str | Path]) -> None:
    ended = unshade("verify", *line)
    assert (ended.code, ended.out) == (2, "")
    assert "expected FILE..., --rules or --explain" in ended.err


def test_sign_restores_the_digest(tmp_path: Path) -> None:
    good = PHONG.read_bytes()
    place = tmp_path / "ps.cso"
    place.write_bytes(good[:4] + bytes(16) + good[20:])
    assert unshade("sign", place, "-o", tmp_path / "out.cso").code == 0
    assert (tmp_path / "out.cso").read_bytes() == good
    assert place.read_bytes() != good
    assert unshade("sign", "--in-place", place).code == 0
    assert place.read_bytes() == good


def containers(tmp_path: Path) -> Path:
    """A folder with the DirectX containers of the examples."""
    folder = tmp_path / "containers"
    folder.mkdir()
    for path in CONTAINERS:
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def test_sign_keeps_names_in_a_folder(tmp_path: Path) -> None:
    assert unshade("sign", containers(tmp_path), "-o", tmp_path / "signed").code == 0
    for path in CONTAINERS:
        assert (tmp_path / "signed" / path.name).read_bytes() == path.read_bytes()


def test_sign_refuses_formats_without_a_digest(tmp_path: Path) -> None:
    ended = unshade("sign", EXAMPLES / "reverse.shbin", "-o", tmp_path / "out.shbin")
    assert ended.code == 4
    assert ended.err.endswith("reverse.shbin: shbin files have no digest\n")


def test_sign_needs_an_output() -> None:
    for line in (["sign", PHONG], ["sign", "-i", PHONG, "-o", "x"], ["sign", "-i", "-"]):
        assert unshade(*line, stdin=PHONG.read_bytes()).code == 2


@pytest.mark.slow
def test_yaml_round_trip(tmp_path: Path) -> None:
    text = tmp_path / "ps.yaml"
    assert unshade("to-yaml", PHONG, "-o", text).code == 0
    assert text.read_text().startswith("format: dxcontainer\n")
    assert unshade("from-yaml", text).data == PHONG.read_bytes()
    assert unshade("from-yaml", "-", stdin=text.read_bytes()).data == PHONG.read_bytes()
    assert unshade("from-yaml", text, "-o", tmp_path / "ps.cso").code == 0
    assert (tmp_path / "ps.cso").read_bytes() == PHONG.read_bytes()


def test_yaml_of_folders(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    folder.mkdir()
    for path in (PHONG, SAXPY):
        shutil.copy(path, folder)
    assert unshade("to-yaml", folder, "-o", tmp_path / "yaml").code == 0
    (tmp_path / "yaml" / "readme.txt").write_text("no YAML")
    ended = unshade("from-yaml", tmp_path / "yaml", "-o", tmp_path / "back")
    assert ended.code == 0
    assert ended.err == "unshade: 2 files: 2 fine; skipped 1 file that is not a YAML file\n"
    for path in folder.iterdir():
        assert (tmp_path / "back" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("line", [["to-yaml"], ["from-yaml"], ["sign"], ["sign", "-o", "-"]])
def test_several_files_need_an_output(line: list[str], tmp_path: Path) -> None:
    shutil.copy(PHONG, tmp_path)
    for files in ([PHONG, SAXPY], [tmp_path]):  # a folder of one file may hold two tomorrow
        ended = unshade(*line, *files)
        assert (ended.code, ended.out) == (2, "")
        assert "give " in ended.err


@pytest.mark.parametrize("text", [b"\xff", b"[", b"a: 1", b"format: nonsense", b"- 1"])
def test_invalid_yaml(text: bytes) -> None:
    ended = unshade("from-yaml", "-", stdin=text)
    assert ended.code in (2, 3)
    assert ended.err.startswith("unshade: standard input: ")


def test_bytes_never_reach_a_terminal(tmp_path: Path) -> None:
    text = unshade("to-yaml", PHONG).data
    ended = unshade("from-yaml", "-", stdin=text, terminal=True)
    assert (ended.code, ended.data) == (2, b"")
    assert "use -o PATH" in ended.err


def test_extract(tmp_path: Path) -> None:
    ended = unshade("extract", PHONG, "-o", tmp_path)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["00-ISGN.bin", "01-OSGN.bin", "02-RDEF.bin", "03-SHDR.bin", "04-STAT.bin"]
    assert (tmp_path / "03-SHDR.bin").read_bytes() == library.open(PHONG).extract()["SHDR"]
    assert ended.out.count("\n") == 5


def test_extract_one_part_of_several_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert unshade("extract", containers(tmp_path), "-o", out, "--only", "ISGN").code == 0
    found = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.bin"))
    assert "gyroid/01-ISGN.bin" in found
    assert len(found) == len([*EXAMPLES.glob("*.dxbc")])


def test_extract_a_missing_part(tmp_path: Path) -> None:
    for wanted in (["--only", "NOPE"], ["--only", "SHDR", "--only", "NOPE"]):
        ended = unshade("extract", PHONG, "-o", tmp_path / "out", *wanted)
        assert (ended.code, ended.out) == (2, "")
        assert "no part 'NOPE': expected one of ISGN, OSGN, RDEF, SHDR, STAT" in ended.err
        assert not (tmp_path / "out").exists()


def test_extract_stays_in_its_folder(tmp_path: Path) -> None:
    data = PHONG.read_bytes()
    for name in (b"../x", b"/etc", b"a\\..", b"\0\n\x1b ", b"....", b"CON:"):
        odd = tmp_path / "odd.cso"
        odd.write_bytes(data.replace(b"STAT", name))
        place = tmp_path / "out" / name.hex()
        assert unshade("extract", odd, "-o", place).code == 0
        assert len(list(place.iterdir())) == 5
        assert {path.name for path in tmp_path.iterdir()} == {"odd.cso", "out"}


def test_find_and_extract(tmp_path: Path) -> None:
    pack = tmp_path / "game.pak"
    pack.write_bytes(b"pack" + PHONG.read_bytes() + b"DXBC" + b"\xff" * 60 + SAXPY.read_bytes())
    ended = unshade("find", pack, "--extract", tmp_path / "out")
    assert ended.code == 0
    assert ended.out == (
        f"{pack}!dxbc@0x4      2,780  dxcontainer  pixel  ps_5_0  -  71e0089ce676\n"
        f"{pack}!dxbc@0xb20      1,236  dxcontainer  compute  cs_5_0  -  adb128daef8b\n"
    )
    assert (tmp_path / "out" / "game@4.dxbc").read_bytes() == PHONG.read_bytes()
    assert (tmp_path / "out" / "game@b20.dxbc").read_bytes() == SAXPY.read_bytes()
    assert unshade("find", PHONG.with_suffix(".hlsl")).code == 1
    found = json.loads(unshade("find", "--json", pack).out)["found"]
    assert found[0] == {
        "offset": 4, "size": 2780, "format": "dxcontainer", "path": "dxbc@0x4", "steps": [],
        "stage": "pixel", "profile": "ps_5_0", "name": None,
        "hash": sha256(PHONG.read_bytes()).hexdigest(),
    }  # fmt: skip


def test_find_in_packed_data(tmp_path: Path) -> None:
    pack = tmp_path / "game.pak"
    pack.write_bytes(b"pack" + zlib.compress(b"x" + SAXPY.read_bytes()))
    ended = unshade("find", pack, "--extract", tmp_path / "out")
    assert ended.code == 0
    line = "1,236  dxcontainer  compute  cs_5_0  -  adb128daef8b\n"
    assert ended.out == f"{pack}!zlib@0x4!dxbc@0x1      {line}"
    assert (tmp_path / "out" / "game@4.zlib@1.dxbc").read_bytes() == SAXPY.read_bytes()
    found = json.loads(unshade("find", "--json", pack).out)["found"]
    assert found[0]["steps"] == [{"name": "zlib", "offset": 4, "entry": ""}]


def test_find_lists_what_was_found_before_a_limit(tmp_path: Path) -> None:
    packed = b"x"
    for _ in range(9):
        packed = zlib.compress(packed)
    (tmp_path / "deep").write_bytes(SAXPY.read_bytes() + packed)
    ended = unshade("find", tmp_path / "deep")
    assert (ended.code, ended.out.count("dxbc@0x0")) == (5, 1)
    assert "limit layers = 8 exceeded" in ended.err
    found = json.loads(unshade("find", "--json", tmp_path / "deep").out)
    assert len(found["found"]) == 1
    assert found["error"]["kind"] == "LimitError"


def test_find_reads_pipes() -> None:
    ended = unshade("find", "-", stdin=b"x" + SAXPY.read_bytes())
    line = "1,236  dxcontainer  compute  cs_5_0  -  adb128daef8b\n"
    assert ended.out == f"standard input!dxbc@0x1      {line}"


def test_find_in_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert unshade("find", tmp_path / "empty").code == 1


def test_in_place_keeps_links(tmp_path: Path) -> None:
    shutil.copy(PHONG, tmp_path / "real.cso")
    (tmp_path / "link.cso").symlink_to("real.cso")
    assert unshade("sign", "-i", tmp_path / "link.cso").code == 0
    assert (tmp_path / "link.cso").is_symlink()


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("info phnog.dxbc", "phong.dxbc"),
        ("dis phong.dxbc --dialect exat", "exact"),
        ("extract phong.dxbc --only RDFE -o made", "RDEF"),
        ("hexdump phong.dxbc --part SHRD", "SHDR"),
        ("hexdump phong.dxbc --only SHDR.instrutions[1]", "SHDR.instructions"),
        ("debug gyroid.dxbc --size 8x8 --thread 1,1 --break maad", "mad"),
        ("verify --explain tpf.featur", "tpf.feature"),
        ("explain OpFMull", "OpFMul"),
        ("explain mad --language picaso", "picasso"),
        ("run saxpy.dxbc --groups 1 --set aa=2", "a"),
    ],
)
def test_the_closest_name_is_suggested(
    line: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    ended = unshade(*line.split())
    assert ended.code == 2
    assert ended.err.endswith(f"; did you mean {meant}?\n")
    assert ended.err.startswith("unshade: ")
