"""Signatures in LLVM's YAML: names in the order of the text, rows in that of registers."""

from typing import Any

from unshade import Limits
from unshade.formats.dxcontainer.llvm_yaml.signatures import document, part_data
from unshade.formats.dxcontainer.parts import kind_of


def row(name: str, register: int) -> dict[str, str]:
    numbers = {"Stream": "0", "Index": "0", "Register": str(register), "Mask": "3"}
    names = {"Name": name, "SystemValue": "Undefined", "CompType": "Float32"}
    return names | numbers | {"ExclusiveMask": "0", "MinPrecision": "Default"}


def read(data: bytes) -> Any:
    kind = kind_of("ISG1")
    assert kind is not None
    return kind.read("ISG1", data, Limits())


def test_rows_are_sorted_and_names_are_not() -> None:
    data = part_data({"Parameters": [row("B", 1), row("A", 0), row("B", 0)]}, "Signature")
    assert data[8 + 3 * 32 :] == b"B\0A\0"
    found = read(data).elements
    assert [(each.name, each.register) for each in found] == [("B", 0), ("A", 0), ("B", 1)]


def test_a_signature_without_rows() -> None:
    assert (
        part_data(None, "") == part_data({"Parameters": []}, "") == bytes((0, 0, 0, 0, 8, 0, 0, 0))
    )


def test_shown() -> None:
    found = read(part_data({"Parameters": [row("A", 0)]}, ""))
    assert document(found) == {"Parameters": [row("A", 0)]}
