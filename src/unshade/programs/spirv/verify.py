"""Rules about the form of a module: header, ids, operands."""

from ...errors import Diagnostic
from ...rule import Findings
from .context import Context
from .module import HEADER, Module
from .operands import decode
from .rules import RULES
from .tables.grammar import grammar

__all__ = ["RULES", "reading", "verify"]

NEWEST = 6  # minor version


def verify(module: Module) -> list[Diagnostic]:
    """Return diagnostics in file order; offsets are relative to the start of the module."""
    found = Findings(RULES)
    major, minor = module.version >> 16, module.version >> 8 & 0xFF
    if major != 1 or minor > NEWEST or module.version & 0xFF:
        message = f"expected a version from 1.0 to 1.{NEWEST}, got 0x{module.version:08x}"
        found.add("spirv.version", message, "version", offset=4)
    if module.schema:
        found.add("spirv.schema", f"expected schema 0, got {module.schema}", "schema", offset=16)
    table_ = grammar()
    context = Context()
    defined: set[int] = set()
    uses: dict[int, tuple[int, str]] = {}
    offset = 4 * HEADER
    for number, each in enumerate(module.instructions):
        path = f"instructions[{number}]"
        decoded = decode(each, context, table_)
        if decoded.op is None:
            message = f"unknown opcode {each.opcode}"
            found.add("spirv.unknown-opcode", message, path, offset=offset)
        elif decoded.problem:
            message = f"{decoded.op.name}: {decoded.problem}"
            found.add("spirv.operands", message, path, offset=offset)
        else:
            context.add(each, decoded.result_type, decoded.result)
            for piece in decoded.operands:
                if not piece.is_id:
                    continue
                id_ = piece.words[0]
                where = offset + 4 * piece.at
                if not id_:
                    found.add("spirv.id-zero", f"{decoded.op.name}: id 0", path, offset=where)
                elif id_ >= module.bound:
                    message = f"id {id_} is not below the bound {module.bound}"
                    found.add("spirv.bound", message, path, offset=where)
                if piece.kind != "IdResult":
                    uses.setdefault(id_, (where, path))
                elif id_ in defined:
                    message = f"id {id_} is defined twice"
                    found.add("spirv.defined-twice", message, path, offset=where)
                else:
                    defined.add(id_)
        offset += 4 * len(each.words)
    for id_, (where, path) in uses.items():
        if id_ and id_ not in defined:
            found.add("spirv.undefined", f"id {id_} is not defined", path, offset=where)
    return [*found.diagnostics(), *reading(module)]


def reading(module: Module) -> list[Diagnostic]:
    """Return diagnostics about the bytes after the last whole instruction."""
    data = module.trailing
    if not data:
        return []
    offset = module.offsets()[-1]
    count = int.from_bytes(data[:4], "little" if module.order == "little" else "big") >> 16
    if len(data) < 4 or not count:
        message = f"{len(data)} bytes follow the module"
        return [RULES["spirv.trailing"].found(message, offset=offset, path="trailing")]
    message = f"expected an instruction of {count} words, got {len(data)} bytes"
    return [RULES["spirv.truncated"].found(message, offset=offset, path="trailing")]
