"""Write the grammar table of SPIR-V: `python tools/spirv_grammar.py FOLDER`.

FOLDER is a checkout of the Khronos repository SPIRV-Headers, or an unpacked archive of it. The
table, src/unshade/programs/spirv/tables/grammar.json, has every instruction, operand kind,
enumerant, extended instruction set and generator of its machine-readable grammar, but no text for
documentation; `programs/spirv/tables/grammar.py` explains the layout. `--revision` and `--date`
state the commit if FOLDER is not a git checkout.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "src" / "unshade" / "programs" / "spirv" / "tables" / "grammar.json"

# Names by which modules import the sets; a file of the grammar does not say its own.
SETS = {
    "arm.experimental-ml-operations": "Arm.ExperimentalMLOperations",
    "arm.motion-engine.100": "Arm.MotionEngine.100",
    "debuginfo": "DebugInfo",
    "glsl.std.450": "GLSL.std.450",
    "nonsemantic.clspvreflection": "NonSemantic.ClspvReflection",
    "nonsemantic.debugbreak": "NonSemantic.DebugBreak",
    "nonsemantic.debugprintf": "NonSemantic.DebugPrintf",
    "nonsemantic.graph.debuginfo": "NonSemantic.Graph.DebugInfo",
    "nonsemantic.shader.debuginfo": "NonSemantic.Shader.DebugInfo",
    "nonsemantic.shader.debuginfo.100": "NonSemantic.Shader.DebugInfo.100",
    "nonsemantic.vkspreflection": "NonSemantic.VkspReflection",
    "opencl.debuginfo.100": "OpenCL.DebugInfo.100",
    "opencl.std.100": "OpenCL.std",
    "spv-amd-gcn-shader": "SPV_AMD_gcn_shader",
    "spv-amd-shader-ballot": "SPV_AMD_shader_ballot",
    "spv-amd-shader-explicit-vertex-parameter": "SPV_AMD_shader_explicit_vertex_parameter",
    "spv-amd-shader-trinary-minmax": "SPV_AMD_shader_trinary_minmax",
    "tosa.001000.1": "TOSA.001000.1",
}


def operands(given: list[dict[str, str]]) -> list[list[str]]:
    """Return each operand as [kind with its quantifier, name]."""
    return [
        [each["kind"] + each.get("quantifier", ""), each.get("name", "")]
        if each.get("name")
        else [each["kind"] + each.get("quantifier", "")]
        for each in given
    ]


def needs(row: dict[str, Any]) -> dict[str, Any]:
    """Return the requirements of a row and its aliases, without empty entries."""
    found = {
        "caps": row.get("capabilities", []),
        "exts": row.get("extensions", []),
        "since": row.get("version", "None"),
        "until": row.get("lastVersion", ""),
        "aliases": row.get("aliases", []),
    }
    if found["since"] == "1.0":
        found["since"] = ""
    return {key: value for key, value in found.items() if value}


def instructions(rows: list[dict[str, Any]]) -> list[list[Any]]:
    """Return each instruction as [name, number, operands, class, needs]."""
    return [
        [
            row["opname"],
            row["opcode"],
            operands(row.get("operands", [])),
            row.get("class", ""),
            needs({"version": "1.0", **row}),
        ]
        for row in rows
    ]


def kinds(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return each kind as [category, bases or enumerants: name, value, operands, needs]."""
    found: dict[str, Any] = {}
    for row in rows:
        inner: list[Any] = row.get("bases", [])
        for each in row.get("enumerants", []):
            value = each["value"]
            number = int(value, 0) if isinstance(value, str) else value
            parameters = operands(each.get("parameters", []))
            inner.append([each["enumerant"], number, parameters, needs({"version": "1.0", **each})])
        found[row["kind"]] = [row["category"], inner]
    return found


def generators(path: Path) -> dict[str, str]:
    """Return the name of each registered generator by its number."""
    found = {}
    for ids in ElementTree.parse(path).getroot().iter("ids"):
        if ids.get("type") == "vendor":
            for each in ids.iter("id"):
                names = each.get("vendor", ""), each.get("tool", "")
                found[each.get("value", "")] = " ".join(name for name in names if name)
    return found


def table(folder: Path, revision: str, date: str) -> dict[str, Any]:
    """Return the whole table."""
    grammars = folder / "include" / "spirv" / "unified1"
    core = json.loads((grammars / "spirv.core.grammar.json").read_text(encoding="utf-8"))
    sets = {}
    for path in sorted(grammars.glob("extinst.*.grammar.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        short = path.name.removeprefix("extinst.").removesuffix(".grammar.json")
        sets[SETS[short]] = {
            "kinds": kinds(row.get("operand_kinds", [])),
            "instructions": instructions(row["instructions"]),
        }
    notice = (folder / "LICENSE").read_text(encoding="utf-8").split("\n---\n")[0].strip()
    return {
        "source": "KhronosGroup/SPIRV-Headers",
        "revision": revision,
        "date": date,
        "version": f"{core['major_version']}.{core['minor_version']} rev {core['revision']}",
        "notice": notice.splitlines(),
        "generators": generators(folder / "include" / "spirv" / "spir-v.xml"),
        "kinds": kinds(core["operand_kinds"]),
        "instructions": instructions(core["instructions"]),
        "sets": sets,
    }


def written(made: dict[str, Any]) -> str:
    """Return the table as JSON with one row in each line, which makes diffs readable."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def rows(value: list[Any]) -> str:
        return "[\n" + ",\n".join(line(each) for each in value) + "\n]"

    def kind(value: list[Any]) -> str:
        return f"[{line(value[0])},{rows(value[1]) if value[1] else '[]'}]"

    def named(value: dict[str, Any]) -> str:
        return (
            "{\n" + ",\n".join(f"{line(name)}:{kind(each)}" for name, each in value.items()) + "}"
        )

    parts = [f"{line(key)}:{line(made[key])}" for key in ("source", "revision", "date", "version")]
    parts.append(f'"notice":{rows(made["notice"])}')
    parts.append('"generators":' + line(made["generators"]).replace('","', '",\n"'))
    parts.append(f'"kinds":{named(made["kinds"])}')
    parts.append(f'"instructions":{rows(made["instructions"])}')
    sets = [
        f'{line(name)}:{{"kinds":{named(each["kinds"])},"instructions":{rows(each["instructions"])}}}'
        for name, each in made["sets"].items()
    ]
    parts.append('"sets":{\n' + ",\n".join(sets) + "}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def git(folder: Path, form: str) -> str:
    """Return a property of the commit that is checked out, or an empty text."""
    command = ["git", "-C", str(folder), "log", "-1", f"--format={form}", "--date=short"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--revision", default="")
    parser.add_argument("--date", default="")
    parser.add_argument("--check", action="store_true", help="only say whether the table is fresh")
    given = parser.parse_args()
    revision = given.revision or git(given.folder, "%H")
    text = written(table(given.folder, revision, given.date or git(given.folder, "%cd")))
    if given.check:
        return 0 if TABLE.read_text(encoding="utf-8") == text else 1
    TABLE.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
