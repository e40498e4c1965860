"""Versions of the format other than 11."""

import pytest

from tests.programs.sksl.samples import program, tinted, variable
from unshade.errors import EncodeError, UnsupportedError
from unshade.programs.sksl import Program
from unshade.programs.sksl.codec.commands import VERSIONS
from unshade.programs.sksl.tables.enumerations import ModifierFlag
from unshade.programs.sksl.tree import ModuleUnit, SymbolTable


def module(version: int) -> Program:
    """Return a module with a global variable, in some version."""
    table = SymbolTable(builtin=True)
    for name in ("sk_A", "sk_B"):
        table.add(variable(name, "float4", flags=ModifierFlag.IN))
    return Program(ModuleUnit(symbols=table, elements=[]), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_modules_of_every_version(version: int) -> None:
    pool, stream = module(version).encoded()
    found = Program.decode(stream, pool, version)
    assert found.encoded() == (pool, stream)
    assert found.odd == {}
    assert Program.from_data(found.to_data()).encoded() == (pool, stream)


def test_types_have_numbers_in_version_4() -> None:
    spans = module(4).spans()
    commands = [each.value for each in spans if each.path.endswith(".type.command")]
    assert commands == ["SystemType", "SymbolRef"]
    numbers = [each.value for each in spans if each.path.endswith(".number")]
    assert numbers == [1, 2, 3]


def test_commands_of_version_14_are_one_lower_after_overloads() -> None:
    codes = [VERSIONS[version].numbers["Variable"] for version in (11, 13, 14)]
    assert codes == [55, 55, 54]
    assert "UnresolvedFunction" not in VERSIONS[14].numbers


def test_parameters_are_whole_symbols_from_version_13_on() -> None:
    made = tinted()
    made.version = 13
    pool, stream = made.encoded()
    assert Program.decode(stream, pool, 13) == tinted()
    paths = [each.path for each in Program.decode(stream, pool, 13).spans()]
    assert any(path.endswith("parameters[0].symbol") for path in paths)


def test_operators_of_version_8_are_not_known() -> None:
    made = tinted()
    made.version = 8
    with pytest.raises(EncodeError, match="the operators of version 8 are not known"):
        made.encode()
    made.version = 11
    pool, stream = made.encoded()
    with pytest.raises(UnsupportedError, match="the operators of version 8 are not known"):
        Program.decode(stream.replace(b"\x2b\x05\x00", b"\x2b\x05", 1), pool, 8)


def test_programs_before_version_9_have_no_language() -> None:
    table = SymbolTable()
    made = program([], table)
    stream = made.encode()
    made.version = 8
    assert len(made.encode()) == len(stream) - 1
