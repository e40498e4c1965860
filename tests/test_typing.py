"""The types that type checkers and editors see: every call of the documentation, and more.

The scripts of the documentation are checked as a user's own, against the installed package: with
`mypy --strict`, and with basedpyright where that is installed. Each of CALLS is repeated with a
mistake in it, which has to be found.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import REPOSITORY
from tests.test_documentation import PAGES

START = """\
from __future__ import annotations
import numpy as np
import unshade
from unshade.formats.dxcontainer.parts.rdef import RdefBuffer
from unshade.programs.tpf import temp


def client(shader: unshade.Shader, container: unshade.DxContainer, shbin: unshade.Shbin) -> None:
    program = shader.programs[0]
    kernel = unshade.kernel(shader)
"""
# A call as it is documented, and what its other spelling has in place of what.
CALLS = [
    ('unshade.DxContainer.open("a.cso")', "DxContainer", "DxContaner"),
    ('unshade.open("a.cso").reflect()', "reflect", "reflekt"),
    ('unshade.loads(b"DXBC")', 'b"DXBC"', '"DXBC"'),
    ('unshade.loads(b"DXBC", strict=False).damage', "strict", "strikt"),
    ('unshade.loads(b"DXBC", strict=False).damage', "damage", "demage"),
    ('unshade.open("a.cso", offset=4)', "offset=4", "ofset=4"),
    ('unshade.loads(b"DXBC", strict=False).damage', "damage", "damidge"),
    ('unshade.open("a.cso", strict=False).editable', "strict", "strickt"),
    ('next(unshade.find(b"DXBC", strict=False)).damage', "damage", "damidge"),
    ("unshade.run.Texture(np.zeros((4, 4)))", "Texture", "Textur"),
    ("unshade.run.raster", "raster", "rasterr"),
    ("unshade.__version__.split()", "version", "vershun"),
    ("unshade.diff(shader, container).verdict", "verdict", "verdickt"),
    ("unshade.diff(shader, container)", ", container", ""),
    ("unshade.info(shader).parts[0].title", "title", "titel"),
    ('shader.rename("Light.colour", "tint")', "rename", "renam"),
    ('shader.private_data = b"mine"', "private_data", "privat_data"),
    ('shader.private_data = b"mine"', 'b"mine"', '"mine"'),
    ('shader["SFI0"] = b"bytes"', '"SFI0"', "0"),
    ('del shader["STAT"]', '"STAT"', "0"),
    ('shader.strip("debug")[0].meaning', "meaning", "meening"),
    ("shader.reflect().inputs[0].semantic", "semantic", "semantik"),
    ("shader.reflect().constant_buffers[0].variables[0].type.rows", "rows", "raws"),
    ("shader.verify()[0].severity", "severity", "sewerity"),
    ("shader.spans()[0].path", "path", "pfad"),
    ("shader.parts[0].category", "category", "kategory"),
    ('shader["RDEF"].buffers[0].variables[0].name', "name", "nmae"),
    ('shader["RDEF"].buffers[0].variables[0].type.members[0].offset', "offset", "ofset"),
    ('shader["ISGN"].elements[0].mask', "mask", "maske"),
    ('shader["SHEX"].instructions[0].saturate', "saturate", "saturat"),
    ('shader["DVLE"].outputs[0].register', "register", "registr"),
    ('getattr(shader.get("RDEF"), "buffers")', 'getattr(shader.get("RDEF"), "buffers")',
     'shader.get("RDEF").buffers'),
    ('container["STAT"].mov_instruction_count', "mov_", "mowe_"),
    ("program.entry_points[0].stage.upper()", "upper", "uper"),
    ('program.replace(0, "nop")', "replace", "replase"),
    ('program.insert(0, "nop")', "0", '"0"'),
    ('program.insert(0, "nop")', '"nop"', "5"),
    ("program.remove(slice(1, 2))[0].name", "name", "nane"),
    ("program.instructions[0].operands", "operands", "operanden"),
    ("program.instructions[0].name.upper()", "upper", "uper"),
    ("container.programs[0].instructions[0].operands[0].literal_floats", "floats", "flotes"),
    ("container.programs[0].instructions[0].token", "token", "tocken"),
    ("container.programs[0].instructions.clear()", "clear", "clean"),
    ('container.parts.move("STAT", 0)', "move", "mowe"),
    ("container.parts[0].gap", "gap", "gapp"),
    ("shbin.dvles[0].uniforms[0].symbol", "symbol", "symboll"),
    ("shbin.program.instructions[0].desc", "desc", "deskr"),
    ('RdefBuffer(name="b", size=16)', "name=", "nme="),
    ('RdefBuffer(name="b", size=16)', "16", '"16"'),
    ("RdefBuffer().variables[0].default_value", "default_value", "default"),
    ('temp(0, mask="x")', "mask", "maske"),
    ("unshade.Limits(parts=3).parts", "parts=3", "part=3"),
    ("kernel.dispatch(1, a=2.0).keys()", "dispatch", "dispach"),
    ("kernel.bindings[0].name", "bindings", "bindngs"),
    ("kernel.report.discarded.bit_length()", "discarded", "discardet"),
    ("kernel.inputs[0].label.upper()", "label", "lable"),
    ("kernel.debug(coverage=unshade.run.Coverage()).coverage", "unshade.run.Coverage()", "True"),
    ("unshade.UnshadeError().origin", "origin", "orgin"),
    ('unshade.FormatError("x", offset=3).path', "path", "pfad"),
    ('unshade.FormatError("x", offset=3).path', "offset=3", "ofset=3"),
]  # fmt: skip
FIRST = START.count("\n") + 1  # the line of the first call


def scripts(page: Path) -> list[str]:
    """Return the Python of a page; each script keeps the line numbers of the page."""
    session: dict[int, str] = {}
    others: list[dict[int, str]] = []
    fence = ""
    for number, line in enumerate(page.read_text("utf-8").splitlines()):
        if line.startswith("```"):
            fence = "" if fence else line[3:] or "text"
            inside = False
        elif fence == "python" and line.startswith((">>> ", "... ")):
            session[number] = line[4:]
        elif fence == "console" and re.match(r"\$ (cat > \w+\.py <<|python3 -c \"$)", line):
            others.append({})
            inside = True
        elif fence == "console" and inside:
            inside = line.startswith("> ") and line not in ("> END", '> "')
            if inside:
                others[-1][number] = line[2:]
    found = []
    for lines in filter(None, (session, *others)):
        found.append("\n".join(lines.get(number, "") for number in range(max(lines) + 1)) + "\n")
    return found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts of a user."""
    folder = tmp_path_factory.mktemp("client")
    for page in PAGES:
        name = page.relative_to(REPOSITORY).with_suffix("").as_posix().replace("/", "_")
        for number, text in enumerate(scripts(page)):
            suffix = f"_{number}" if number else ""
            (folder / f"{name.replace('-', '_')}{suffix}.py").write_text(text, "utf-8")
    right = [f"    {call}\n" for call, _, _ in CALLS]
    wrong = [f"    {call.replace(old, new)}\n" for call, old, new in CALLS]
    assert all(call.count(old) == 1 for call, old, _ in CALLS)
    (folder / "right.py").write_text(START + "".join(right), "utf-8")
    (folder / "wrong.py").write_text(START + "".join(wrong), "utf-8")
    return folder


def check(found: dict[str, dict[int, str]]) -> None:
    """Check that every mistake was found, and nothing else."""
    missed = [
        f"{call.replace(old, new)}    (for {call})"
        for number, (call, old, new) in enumerate(CALLS, FIRST)
        if number not in found.get("wrong.py", {})
    ]
    found.get("wrong.py", {}).clear()
    reports = [
        f"{name}:{at}: {words}" for name, some in found.items() for at, words in some.items()
    ]
    assert not reports, "\n".join(reports)
    assert not missed, "\n".join(missed)


@pytest.mark.slow
def test_mypy_knows_every_documented_call(client: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-pretty"]
    done = subprocess.run(
        [*command, "--cache-dir", str(client / ".cache"), "."],
        cwd=client, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found: dict[str, dict[int, str]] = {}
    for line in done.stdout.splitlines():
        match = re.match(r"(\S+?):(\d+): error: (.*)", line)
        if match:
            found.setdefault(match[1], {})[int(match[2])] = match[3]
    assert found.get("wrong.py"), done.stdout + done.stderr
    check(found)


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("basedpyright") is None, reason="pip install '.[pyright]'"
)
def test_basedpyright_knows_every_documented_call(client: Path) -> None:
    command = [sys.executable, "-m", "basedpyright", "--outputjson"]
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable, "."],
        cwd=client, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found: dict[str, dict[int, str]] = {}
    for each in json.loads(done.stdout)["generalDiagnostics"]:
        # Users of pyright may ask it to report every Any: no documented call returns one.
        anything = Path(each["file"]).name == "right.py" and re.search("Any|Unknown", each["rule"])
        if each["severity"] != "error" and not anything:
            continue
        line = each["range"]["start"]["line"] + 1
        found.setdefault(Path(each["file"]).name, {})[line] = each["message"]
    assert found.get("wrong.py"), done.stdout + done.stderr
    check(found)
