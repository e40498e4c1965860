"""The costs of additions.

    a format with a program that runs   its folder, and one line in the registry
    a part of a container               its module
    an instruction of LLVM              its class, and a row of the lowering

For the format, a fresh interpreter adds that line, runs the program on each engine, and prints
which modules it has loaded: none of another format's code, none of another program's. For the part,
a module in a folder of its own is put beside those of the library. For the instruction, a fresh
interpreter adds one that LLVM does not have.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.containers import container
from tools.pages import dxcontainer as page
from unshade.damaged import salvaged
from unshade.formats.dxcontainer import DxContainer, parts
from unshade.limits import DEFAULT
from unshade.programs.dxil.model.instructions import BY_OPCODE

RUN = """
import json, sys
from unshade import formats
formats.FORMATS = (*formats.FORMATS, ("sksl_by_hand", "tests.families.sksl:ABOUT"))
import numpy as np
import unshade
from tests.families import sksl
shader = unshade.loads(sksl.SkSL(sksl.GREY).to_bytes())
found = []
for engine in sys.argv[1:]:
    kernel = unshade.kernel(shader, engine=engine)
    more = dict(tint=[1, 1, 1, 1], turn=np.eye(2), gain=0.5, src=np.ones((4, 4, 4), "f4"))
    found.append(kernel.shade((4, 4), **more)["color"].tolist())
loaded = [name for name in sys.modules if name.startswith(("unshade.", "tests."))]
print(json.dumps([found, loaded, shader.format]))
"""
OWN = ("unshade.formats.", "unshade.programs.", "tests.")
# The descriptions by which files are recognised, and the packages that these lie in.
DESCRIPTIONS = (
    "dxcontainer", "dxcontainer.about", "shbin", "shbin.about", "spirv", "spirv.about", "sksl",
    "sksl.about", "vbc", "vbc.about", "msf", "msf.about", "sodb", "sodb.about", "dxil",
    "dxil.about", "d3d9", "d3d9.about",
)  # fmt: skip


@pytest.mark.slow
def test_one_registry_line_suffices() -> None:
    engines = ["lockstep", *(["jit"] if find_spec("llvmlite") else [])]
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *engines], cwd=REPOSITORY, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    results, loaded, name = json.loads(ended.stdout)
    assert name == "sksl_by_hand"
    assert all(each == results[0] for each in results)
    strange = {each for each in loaded if each.startswith(OWN)}
    strange -= {f"unshade.formats.{each}" for each in DESCRIPTIONS}
    assert strange == {f"tests.families{each}" for each in ("", ".facts", ".handmade", ".sksl")}


# -- a part of a container ------------------------------------------------------------------------

MADE_UP = '''
"""WGHT: the weight of a shader. This part is made up."""

from unshade.formats.dxcontainer.parts.description import Category, LlvmForm, PartDescription
from unshade.formats.dxcontainer.parts.kind import RecordKind
from unshade.wire import Record, field, u32


class Weight(Record):
    """The WGHT part."""

    grams: u32 = field("weight in grams")


PARTS = {
    "WGHT": PartDescription(
        "weight",
        Category.STATISTICS,
        RecordKind(Weight),
        loss="the weight",
        repeats="the weight of the code",
        by_dxc=True,
        llvm=LlvmForm("Weight"),
    )
}
'''
GRAMS = (7).to_bytes(4, "little")


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A part that one module beside those of the library describes; its name."""
    (tmp_path / "wght.py").write_text(MADE_UP)
    monkeypatch.setattr(parts, "__path__", [*parts.__path__, str(tmp_path)])
    parts.description_of.cache_clear()
    yield "WGHT"
    parts.description_of.cache_clear()
    sys.modules.pop(f"{parts.__name__}.wght", None)


def test_one_module_suffices_for_a_part(made_up: str) -> None:
    own = [(part.name, part.data) for part in unshade.loads(blog.build()).parts]
    data = container([*own, (made_up, GRAMS)])
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    assert unshade.identify(data) == "dxcontainer"
    # `info`, plain data and edits
    part = shader.parts[made_up]
    assert (part.title, part.category, part.value.grams) == ("weight", "statistics", 7)
    assert part.to_data() == {"name": made_up, "fields": {"grams": 7}}
    assert unshade.from_data(shader.to_data()).to_bytes() == data
    assert parts.schema_of(made_up) is not None
    assert DxContainer.part_types()[made_up] is type(part.value)
    assert part.pad == shader.parts["ISGN"].pad == 0
    # LLVM's YAML
    text = unshade.to_yaml(shader, "llvm")
    assert "    Weight:\n      Grams:           7\n" in text
    again = unshade.from_yaml(text)
    assert again[made_up].grams == 7
    # `hexdump`
    (span,) = [span for span in shader.spans() if span.path == f"{made_up}.grams"]
    assert (span.value, span.doc) == (7, "weight in grams")
    # `verify`, before and after an edit of the code
    assert "part.unknown" not in {each.code for each in shader.verify()}
    assert shader._copies() == {made_up: "the weight of the code"}
    # a damaged file, in whose part table it has no entry
    table = 32 + 4 * (len(shader.parts) - 1)
    damaged = data[:table] + b"\xff" * 4 + data[table + 4 :]
    remains = salvaged(DxContainer, damaged, DEFAULT)
    assert remains.parts[made_up].value.grams == 7
    # `strip`
    lost = [loss.meaning for loss in shader.strip("statistics", "debug") if loss.part == made_up]
    assert lost == ["the weight"]
    assert made_up not in shader
    # the documentation
    assert f"| [`{made_up}`](#wght) | weight | | |" in page.names()
    (section,) = [page.section(*each) for each in page.typed() if each[0] == made_up]
    assert "| 0x00 | u32 | `grams` | weight in grams. |" in "\n".join(section)


# The modules that name parts in a table, and the reason. None of these tables needs a line for an
# additional part; the facts about one are in its own module.
TABLES = {
    "dxc.listing": "the parts that dxc's listing shows",
    "fxc.assemble.records": "the order in which fxc writes parts",
    "fxc.listing": "the parts that fxc's listing shows",
    "reflect.bitcode": "the copies of a program of DXIL",
    "verify.bitcode": "the parts that repeat metadata of DXIL",
    "verify.validation": "the parts that the runtime compares with each other",
}


def test_no_central_table_names_the_parts() -> None:
    """Outside of the modules of parts, a display of three names of parts has a listed reason."""
    names = set[object](parts.described())
    home = Path(parts.__path__[0]).parent
    found = set()
    for path in home.rglob("*.py"):
        module = ".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__")
        if module.split(".")[0] == "parts":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if len(names.intersection(_texts(node))) > 2:
                found.add(module)
    assert found == TABLES.keys()


def _texts(node: ast.AST | None) -> Iterator[object]:
    """Yield the constants in a display, and in the displays inside of it."""
    match node:
        case ast.Dict(keys=keys, values=values):
            inside: list[ast.expr | None] = [*keys, *values]
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            inside = [*items]
        case _:
            return
    for each in inside:
        if isinstance(each, ast.Constant):
            yield each.value
        yield from _texts(each)


# -- an instruction of LLVM ----------------------------------------------------------------------

INSTRUCTION = """
import json, sys
from dataclasses import dataclass
from tests.programs.dxil.lower.support import compute, load, run, store
from unshade.programs.dxil import Code
from unshade.programs.dxil.lower.instructions import LOWERINGS
from unshade.programs.dxil.model.instructions import Instruction
from unshade.programs.dxil.model.instructions.base import expect
from unshade.programs.dxil.model.values import DxilValue
from unshade.programs.dxil.text import disassemble
from unshade.programs.dxil.verify import verify

@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class TwiceInst(Instruction):
    OPCODE = "twice"
    RECORDS = "60 value:pair exact:more"
    TEXT = "exact:word value:typed"
    value: DxilValue
    exact: int = 0

    def result(self, types, of):
        return of(self.value)

    def problems(self, function):
        yield from expect(self.value.type, self.type)

LOWERINGS[TwiceInst] = lambda lowering, made: lowering.b.iadd(
    *[lowering.values.get(made.value)] * 2
)

code = compute(load("x") + "  %y = twice exact i32 %x\\n" + store("%y"))
code.rewrite()
again = Code.decode(code.encode())
lines = [each.strip() for each in disassemble(again.module).splitlines() if "twice" in each]
right = [each.code for each in verify(again)]
(made,) = [each for each in again.module.functions[0].instructions if each.opcode == "twice"]
number = made.value
made.value = again.module.functions[0].instructions[0]
wrong = [each.message for each in verify(again) if each.code == "dxil.type"]
made.value = number
print(json.dumps([lines, right, wrong, run(again, [21], 1).tolist()]))
"""
# Modules that treat some instructions by themselves, since their subject is what these do.
SUBJECTS = {
    "assembler.body": "phis of pointers without a type",
    "assembler.functions": "calls of debug information, `freeze`",
    "assembler.instructions": "`fneg`, which LLVM 3.7 spells as a difference",
    "assembler.pointers": "casts of pointers without a type",
    "assembler.values": "addresses that are constants",
    "control": "the blocks that a branch may lead to",
    "dependence": "reads and writes of memory, calls",
    "editing.instructions": "flags of arithmetic, which an edit keeps",
    "editing.stripping": "calls of debug information",
    "encode.enumeration": "attributes of calls",
    "facts": "calls of operations; counts as fxc counts",
    "listed_instructions": "calls of operations",
    "model.instructions.base": "an example",
    "operation_calls": "calls of operations",
    "operation_types": "calls of operations",
    "text.comments": "calls of operations",
    "text.numbering": "attributes of calls",
    "verify": "phis, calls of operations",
}


@pytest.mark.slow
def test_an_instruction_of_llvm_is_one_class_and_one_row_of_the_lowering() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INSTRUCTION], cwd=REPOSITORY, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    lines, right, wrong, result = json.loads(ended.stdout)
    assert lines == ["%y = twice exact i32 %x"]
    assert "dxil.type" not in right
    assert wrong == ["twice: expected i32, got %dx.types.Handle"]
    assert result == [42]


def test_only_its_class_and_its_lowering_name_an_instruction_of_llvm() -> None:
    package = Path(unshade.__file__).parent / "programs" / "dxil"
    classes = {each.__name__ for each in BY_OPCODE.values()}
    assert len(classes) == 27
    named: dict[str, set[str]] = {each: set() for each in classes}
    for path in package.rglob("*.py"):
        place = ".".join(path.relative_to(package).with_suffix("").parts)
        if not place.endswith("__init__") and not place.startswith(tuple(SUBJECTS)):
            module = "lower" if place.startswith("lower.") else place
            for each in classes & set(re.findall(r"\w+", path.read_text("utf-8"))):
                named[each].add(module)
    declared = {each.__name__: each.__module__.partition("dxil.")[2] for each in BY_OPCODE.values()}
    assert {each: found - {"lower"} for each, found in named.items()} == {
        each: {module} for each, module in declared.items()
    }
