"""Plain data of a module: the words of the header, and a line of text for each instruction.

version: '0x00010500'
generator: '0x0008000b'
bound: 24
code:
- OpCapability Shader
- '%1 = OpExtInstImport "GLSL.std.450"'
"""

from typing import TYPE_CHECKING

from ...errors import AssembleError, FormatError
from .exact import code_lines, read_code
from .module import Module

if TYPE_CHECKING:
    from ...wire.data import Plain

__all__ = ["module_from_data", "module_to_data"]

HEADER = (("version", 0x10000), ("generator", 0), ("bound", 1), ("schema", 0))  # with defaults


def module_to_data(module: Module) -> "dict[str, Plain]":
    """Return a module as plain data, without loss."""
    found: dict[str, Plain] = {
        "version": f"0x{module.version:08x}",
        "generator": f"0x{module.generator:08x}",
        "bound": module.bound,
    }
    if module.schema:
        found["schema"] = module.schema
    if module.order != "little":
        found["order"] = module.order
    found["code"] = list(code_lines(module))
    if module.trailing:
        found["trailing"] = module.trailing.hex()
    return found


def module_from_data(data: "Plain", path: str = "") -> Module:
    """Return the module that plain data describes; FormatError names a field that is invalid."""
    from ...isa.data import list_from_data, mapping_from_data, nothing_left, word_from_data
    from ...wire.data import hex_from_data

    def at(name: str) -> str:
        return f"{path}.{name}" if path else name

    left = mapping_from_data(data, path)
    words = {name: word_from_data(left.pop(name, default), at(name)) for name, default in HEADER}
    order = left.pop("order", "little")
    if order not in ("little", "big"):
        raise FormatError(f"expected little or big, got {order!r:.40}", path=at("order"))
    lines = list_from_data(left.pop("code", []), at("code"))
    trailing = hex_from_data(left.pop("trailing", ""), at("trailing"))
    nothing_left(left, path)
    texts = [each for each in lines if isinstance(each, str)]
    if len(texts) != len(lines):
        raise FormatError("expected lines of text", path=at("code"))
    try:
        instructions = read_code(texts)
    except AssembleError as error:
        problem = f"line {error.line}, column {error.column}: {error.problem}"
        raise FormatError(problem, path=at("code")) from None
    return Module(instructions, **words, order=order, trailing=trailing)
