"""Names in traces: names of the listing, each with its name in the source.

cb0[0].x       P.a                t0[3]      X[3]
cb1[4].z       lights[1].colour.z u1[12]+8   particles[12].velocity.x
v1.x           TEXCOORD0.x        thread_id  vThreadID
"""

from collections.abc import Hashable, Iterable, Sequence

from ...ir.library.printing import HEAD
from ...ir.locations import SymbolName
from ...ir.lowered import Form, Lowered
from ...ir.memory import Memory, Port
from ...ir.sources import SOURCES
from ...model import ConstantBuffer
from ...vm.lockstep.debug import PlaceNames
from ...vocab.slots import ResourceClass, ResourceSlot
from ..binding.bindings import Binding
from ..binding.layout import is_open, leaf
from ..signature import KernelSignature

LETTERS = "xyzw"
KINDS = {"f": "float", "i": "int", "u": "uint"}
SCALARS = {
    "float": "float", "half": "float", "min16float": "float", "min10float": "float", "int": "int",
    "min16int": "int", "min12int": "int", "uint": "uint", "dword": "uint", "bool": "uint",
    "min16uint": "uint",
}  # fmt: skip
RETURNS = {"float": "float", "unorm": "float", "snorm": "float", "sint": "int", "uint": "uint"}
GLOBALS = "$Globals"  # the buffer of what the source declares outside of any


class SourcePlaces(PlaceNames):
    """Names of a kernel's bindings, inputs and outputs."""

    def __init__(
        self, lowered: Lowered, bindings: Iterable[Binding], signatures: Iterable[KernelSignature]
    ) -> None:
        self.bindings = {each.resource.key: each for each in bindings}
        self._labels = lowered.labels
        self._formats = lowered.printed
        self._ports: dict[Port, tuple[str, str, str]] = {}  # row, component, what it holds
        self._points: dict[Hashable, dict[int, Port]] = {
            points.slot: {byte: port for port, byte in points.ports.items()}
            for points in lowered.points
        }
        for signature in signatures:
            for row in signature:
                for number, port in enumerate(row.ports):
                    if port is not None:
                        letter = f".{LETTERS[number]}" if len(row.ports) > 1 else ""
                        label = row.label if row.label != port.name else ""
                        self._ports[port] = label, letter, KINDS.get(row.dtype.kind, "")

    def name(self, memory: Memory, element: int, byte: int) -> SymbolName:
        """Return a place as in the listing; a register of a file by number: `c12.x`, `b0`."""
        if not is_bank(memory):
            return super().name(memory, element, byte)
        binding = self.bindings.get(memory.key)
        variables = binding.buffer.variables if binding is not None and binding.buffer else []
        register = f"{memory.name}{element}"
        if variables and variables[0].type.columns == 1:
            return SymbolName(register)
        return SymbolName(register, f".{LETTERS[byte // 4 & 3]}")

    def label(self, memory: Memory, element: int, byte: int) -> tuple[SymbolName, str]:
        """Return a name as `P.a` or `Y[3].position.x`, and the type of the number there."""
        binding = self.bindings.get(memory.key)
        if element < len(memory.gives):
            name = memory.gives[element]
            return name, name.kind
        if binding is None:
            return self._point(memory, element, byte)
        if binding.form is Form.CONSTANTS:
            return _constant(binding, element * memory.stride + byte)
        if binding.form is Form.RAW:
            place = element * memory.stride + byte
            if binding.buffer is not None:
                return _constant(binding, place)
            return _inside(binding, f"[{place}]"), ""
        if binding.form in (Form.TYPED, Form.TEXTURE, Form.CHILD):
            returns = binding.resource.returns
            word = returns[min(byte // 4, len(returns) - 1)] if returns else ""
            name = _inside(binding, f"[{element}]", f".{LETTERS[byte // 4 & 3]}")
            return name, RETURNS.get(word, "")
        if binding.form is Form.STRUCTURED and binding.buffer is not None:
            if memory.raw:  # addressed in scalars
                place = element * memory.stride + byte
                element, byte = divmod(place, max(binding.resource.stride, 1))
            path, kind = _element(binding.buffer, byte)
            return SymbolName(binding.names[-1], f"[{element}]", *path), kind
        return SymbolName(), ""

    def _point(self, memory: Memory, element: int, byte: int) -> tuple[SymbolName, str]:
        """Return a name as `POSITION[2].y` for vertices of a primitive or control points."""
        port = self._points.get(memory.key, {}).get(byte)
        if port is None or not memory.each:
            return SymbolName(), ""
        row, letter, kind = self._ports.get(port, ("", "", ""))
        return (_steps(row, f"[{element % memory.each}]", letter) if row else SymbolName()), kind

    def port(self, port: Port) -> tuple[SymbolName, str]:
        """Return the semantic of an input or output register, and its type."""
        row, letter, kind = self._ports.get(port, ("", "", ""))
        return (_steps(row, letter) if row else SymbolName()), kind

    def source(self, name: str) -> SymbolName:
        """Return `vThreadID.x` for `thread_id.x`."""
        source = SOURCES[name]
        return source.of(self._labels.get(source.word, source.word))

    def printed(self, words: Sequence[int]) -> str | None:
        """Return the text of a whole record of printf; None if more words follow."""
        format = self._formats[words[0]]
        arguments = words[HEAD:]
        return format.formatted(arguments) if len(words) >= HEAD + format.words else None

    def memory(self, memory: Memory) -> str:
        """Return the name of a memory as `Y (u1)`."""
        binding = self.bindings.get(memory.key)
        return binding.where if binding is not None else memory.name


def is_bank(memory: Memory) -> bool:
    """Return whether a memory is a file of registers."""
    slot = memory.slot
    return isinstance(slot, ResourceSlot) and slot.kind is ResourceClass.REGISTER_BANK


def _steps(*steps: str) -> SymbolName:
    """Return a name of the existing steps."""
    return SymbolName(*filter(None, steps))


def _inside(binding: Binding, *steps: str) -> SymbolName:
    return SymbolName(binding.label, *steps) if binding.label else SymbolName()


def _constant(binding: Binding, place: int) -> tuple[SymbolName, str]:
    for each in binding.buffer.variables if binding.buffer is not None else ():
        if each.offset <= place and (is_open(each.type) or place < each.offset + each.size):
            found = leaf(each.type, place - each.offset)
            if found is not None:
                path, scalar = found
                if binding.form is Form.CONSTANTS and binding.label in ("", GLOBALS):
                    name = SymbolName(each.name, *path)
                else:
                    name = SymbolName(binding.names[-1], f".{each.name}", *path, scope=1)
                return name, SCALARS.get(scalar, "")
    return SymbolName(), ""


def _element(buffer: ConstantBuffer, byte: int) -> tuple[tuple[str, ...], str]:
    """Return the path and type of a byte in an element, which is a single variable."""
    for each in buffer.variables[:1]:
        found = leaf(each.type, byte)
        if found is not None:
            return found[0], SCALARS.get(found[1], "")
    return (), ""
