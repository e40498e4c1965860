"""Kinds of parts: the module of each, and that each kind reads, shows and writes itself."""

import pkgutil

import pytest

import unshade
from tests.fixtures.one_of_each import one_of_each
from tests.model.schema_check import violations
from tests.programs.dxil.modules import part as part_of_program
from unshade import UsageError
from unshade.formats.dxcontainer import DxContainer, DxPart, parts
from unshade.formats.dxcontainer.parts import MODULES, described, kind_of, schema_of
from unshade.formats.dxcontainer.parts.dxil import Program
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics
from unshade.parts import Category

TYPED = [
    *("RDEF", "ISGN", "OSGN", "PCSG", "OSG5", "ISG1", "OSG1", "PSG1", "SHDR", "SHEX", "STAT"),
    *("SFI0", "IFCE", "ICFE", "RTS0", "HASH", "DXIL", "ILDB", "ILDN", "VERS", "PSV0", "RDAT"),
    *("SRCI", "PDBI", "Aon9", "SDBG", "SPDB"),
]
FILES = {name: data for name, data in one_of_each().items() if name != "PRIV"}


@pytest.mark.parametrize("name", TYPED)
def test_typed(name: str) -> None:
    assert kind_of(name) is not None


@pytest.mark.parametrize(
    "name",
    ["PRIV", "XYZ9", "stat", "kind", "KIND", "AON9", "MASKS", "", "\xff\0 \x80", "....", "TITLES"],
)
def test_not_typed(name: str) -> None:
    assert kind_of(name) is None


def test_every_description_is_found_by_its_name() -> None:
    modules = [each.name for each in pkgutil.iter_modules(parts.__path__)]
    assert set(MODULES) <= set(modules)
    for module in modules:
        listed = MODULES.get(module, "").split()
        own = [name for name in parts.parts_of(module) if name.lower() != module]
        assert sorted(own) == sorted(listed), module
    for name, each in described().items():
        assert parts.description_of(name) is each


@pytest.mark.parametrize("name", FILES)
def test_each_reads_shows_and_writes_itself(name: str) -> None:
    shader = unshade.loads(FILES[name])
    assert isinstance(shader, DxContainer)
    (part,) = shader.parts
    assert not isinstance(part.value, bytes)
    assert not shader.diagnostics
    shown = part.to_data()["fields"]
    assert "layout" not in shown, "laid out as the compilers do"
    again = unshade.from_data(shader.to_data())
    assert again.to_bytes() == FILES[name]
    spans = part.spans()
    assert sum(span.length for span in spans if span.bits is None) <= len(part.data)
    assert all(span.path for span in spans)


@pytest.mark.parametrize("name", FILES)
def test_plain_data_matches_the_schema(name: str) -> None:
    shader = unshade.loads(FILES[name])
    assert isinstance(shader, DxContainer)
    (part,) = shader.parts
    schema = schema_of(part.name)
    if part.name in ("SHDR", "SHEX", "DXIL", "SPDB"):
        assert schema is None
        return
    assert schema is not None
    fields = part.to_data()["fields"]
    assert not violations(fields, schema)
    if name == "STAT beside DXIL":
        return
    assert violations(fields | {"nonsense": 1}, schema)
    assert not violations(fields | {"layout": {"size": 4, "at": {}, "fill": {"0x0": "00"}}}, schema)
    assert violations(fields | {"layout": {"size": 4, "at": {"a": "b"}}}, schema)
    first = schema.get("anyOf", [schema])[0]
    for key in schema["$defs"][first["$ref"].split("/")[-1]]["required"]:
        assert violations({each: fields[each] for each in fields if each != key}, schema)


def test_untyped_parts_have_no_schema() -> None:
    assert schema_of("PRIV") is None


def test_a_missing_module_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing or name)

    monkeypatch.setattr(parts, "import_module", fail)
    missing = ""
    assert kind_of("ABCD") is None
    missing = "something_else"
    with pytest.raises(ModuleNotFoundError, match="something_else"):
        kind_of("EFGH")


def test_the_names_and_types_of_all_parts() -> None:
    types = DxContainer.part_types()
    assert sorted(types) == sorted(TYPED)
    for name, data in FILES.items():
        (part,) = unshade.loads(data).parts
        assert name == "STAT beside DXIL" or type(part.value) is types[part.name], name


def test_stat_beside_dxil_is_a_program() -> None:
    data = part_of_program()
    program = Program.decode(data)
    shader = DxContainer([DxPart("STAT", data)])
    assert isinstance(shader["STAT"], Program)
    assert shader["STAT"].module.functions
    assert shader.parts[0].category is Category.REFLECTION
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()
    fields = shader.parts[0].to_data()["fields"]
    schema = schema_of("STAT")
    assert schema is not None
    assert not violations(fields, schema)
    shader["STAT"] = ShaderStatistics(instruction_count=3)
    assert len(shader.parts[0].data) == 116
    assert DxPart("STAT", shader["STAT"]).category is Category.STATISTICS
    shader["STAT"] = program
    assert shader.parts[0].category is Category.REFLECTION
    with pytest.raises(UsageError, match="expected bytes or a ShaderStatistics or a Program"):
        shader["STAT"] = 3
