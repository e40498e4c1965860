"""The costs of additions.

    a format with a program that runs   its folder, and one line in the registry
    a part of a container               its module

For the format, a fresh interpreter adds that line, runs the program on each engine, and prints
which modules it has loaded: none of another format's code, none of another program's. For the part,
a module in a folder of its own is put beside those of the library.
"""

from __future__ import annotations

import ast
import json
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
    "sksl.about", "vbc", "vbc.about", "msf", "msf.about", "dxil", "dxil.about",
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

from unshade.formats.dxcontainer.parts.description import Category, PartDescription
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
