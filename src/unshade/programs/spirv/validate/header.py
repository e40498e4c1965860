"""The header of a module and the form of its instructions."""

from ....errors import Diagnostic
from ..header import version_text
from ..module import Module
from .rules import RULES
from .state import State

__all__ = ["check_header", "reading"]

NEWEST = 6  # minor version


def check_header(state: State) -> None:
    """Check header words, instructions that the grammar does not explain, and the end."""
    module, found = state.module, state.findings
    major, minor = module.version >> 16, module.version >> 8 & 0xFF
    allowed = state.environment.version
    if major != 1 or minor > NEWEST or module.version & 0xFF:
        message = f"expected a version from 1.0 to 1.{NEWEST}, got 0x{module.version:08x}"
        found.add("spirv.version", message, "version", offset=4)
    elif module.version > allowed:
        message = (
            f"expected version {version_text(allowed)} or older for {state.environment.name}, "
            f"got {version_text(module.version)}"
        )
        found.add("spirv.environment-version", message, "version", offset=4)
    if module.bound > state.options.limits.id_bound:
        most = state.options.limits.id_bound
        message = f"expected a bound of at most {most}, got {module.bound}"
        found.add("spirv.limit", message, "bound", offset=12)
    if module.schema:
        found.add("spirv.schema", f"expected schema 0, got {module.schema}", "schema", offset=16)
    for position in sorted(state.index.bad):
        decoded = state.index.decoded[position]
        path, offset = f"instructions[{position}]", state.offsets[position]
        if decoded.op is None:
            message = f"unknown opcode {module.instructions[position].opcode}"
            found.add("spirv.unknown-opcode", message, path, offset=offset)
        else:
            message = f"{decoded.op.name}: {decoded.problem}"
            found.add("spirv.operands", message, path, offset=offset)
    found.found.extend(reading(module))


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
