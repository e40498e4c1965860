"""Lowering of loads, stores and atomics of buffers, shared memory and texture views.

    ld_raw r0.xy, r1.x, t0.xyxx            t0[r1.x >> 2], t0[(r1.x >> 2) + 1]
    ld_structured r0.x, r1.x, l(8), t0.x   element r1.x, byte 8
    ld r0.xyzw, r1.xxxx, t0.xyzw           the four components of texel r1.x
    atomic_iadd u0, r1.xy, r2.x            one address operand holds element and byte

Each component is checked on its own, as in Direct3D: out of bounds reads return 0.
Source: Direct3D 11.3 functional specification, section 22.9 to 22.17.
"""

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.library import views
from ....ir.library.direct3d import FARTHEST
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory
from ....ir.ops import OPS
from ....ir.textures import Shape
from ....ir.types import I32
from ..instruction import Instruction
from ..operands import Operand, source_component, written_components
from .declarations import ProgramDeclarations, counter
from .ranges import undeclared
from .registers import Registers

ATOMICS = {
    "and": OPS.atomic_and, "or": OPS.atomic_or, "xor": OPS.atomic_xor, "iadd": OPS.atomic_add,
    "imax": OPS.atomic_imax, "imin": OPS.atomic_imin, "umax": OPS.atomic_umax,
    "umin": OPS.atomic_umin, "exch": OPS.atomic_xchg, "cmp_store": OPS.atomic_cas,
    "cmp_exch": OPS.atomic_cas,
}  # fmt: skip
FLOATS = ("unorm", "snorm", "float")  # return types that are floats
Place = tuple[Value, Value]  # element, byte


class Memories:
    """Lowering of operations on memories."""

    def __init__(self, registers: Registers, declared: ProgramDeclarations) -> None:
        self.registers = registers
        self.declared = declared
        self.b = registers.builder

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it does not access a memory."""
        row = instruction.op
        assert row is not None
        name = row.name
        operands = instruction.operands
        match name:
            case "ld_raw":
                self._load(operands, self._raw(operands[1], 0), operands[2])
            case "store_raw":
                self._store(operands[0], self._raw(operands[1], 0), operands[2])
            case "ld_structured":
                self._load(operands, self._pair(operands[1], operands[2]), operands[3])
            case "store_structured":
                self._store(operands[0], self._pair(operands[1], operands[2]), operands[3])
            case "ld_uav_typed":
                self._load(operands, self._texel(operands[2], operands[1]), operands[2])
            case "store_uav_typed":
                self._store(operands[0], self._texel(operands[0], operands[1]), operands[2])
            case "ld" if self._is_typed(operands[2]):
                self._load(operands, self._texel(operands[2], operands[1]), operands[2])
            case "bufinfo":
                self._bufinfo(operands)
            case "imm_atomic_alloc" | "imm_atomic_consume":
                self._counter(operands, name.endswith("consume"))
            case _ if name.startswith("atomic_"):
                self._atomic(name[7:], None, operands[0], operands[1], operands[2:])
            case _ if name.startswith("imm_atomic_"):
                self._atomic(name[11:], operands[0], operands[1], operands[2], operands[3:])
            case _:
                return False
        return True

    def resource(self, operand: Operand) -> LoweredResource:
        """Return the resource declared for a register."""
        name = self.registers.resource(operand)
        found = self.declared.resources.get(name)
        if found is None:
            raise undeclared(name)
        return found

    def _is_typed(self, operand: Operand) -> bool:
        return self.resource(operand).form is Form.TYPED

    # ------------------------------------------------------------ places

    def _raw(self, address: Operand, at: int) -> Place:
        """Return the element of a byte address: four bytes; the low two bits are ignored."""
        b = self.b
        return b.ushr(self.registers.read(address, "u", at), 2), constant(0, I32)

    def _pair(self, element: Operand, byte: Operand) -> Place:
        read = self.registers.read
        return read(element, "u", 0), read(byte, "u", 0)

    def _texel(self, resource: Operand, address: Operand) -> Place:
        """Return the element of a texel: its number, or by coordinates in a texture view."""
        b = self.b
        found = self.resource(resource)
        x = self.registers.read(address, "u", 0)
        if found.shape in (None, Shape.BUFFER):
            return x, constant(0, I32)
        shape = self.registers.memory(f"{found.name}.shape")
        count = min(found.shape.coordinates, 3) + found.layered
        coordinates = [self.registers.read(address, "u", at) for at in range(count)]
        return views.element(b, shape, found.shape, found.layered, coordinates), constant(0, I32)

    # ------------------------------------------------------------ loads and stores

    def _load(self, operands: list[Operand], place: Place, source: Operand) -> None:
        """Load the components of the destination, as selected by the source's swizzle."""
        target = operands[0]
        memory = self.registers.memory(self.registers.resource(source))
        returns = self.resource(source).returns
        made = []
        for at in written_components(target):
            component = source_component(source, at)
            value = self._component(memory, source, place, component)
            if returns and returns[component] in FLOATS:
                value = self.b.asfloat(value)
            made.append((at, value))
        for at, value in made:
            self.registers.write(target, at, value)

    def _component(self, memory: Memory, source: Operand, place: Place, component: int) -> Value:
        element, byte = self._moved(source, place, component)
        return self.b.load(memory, element, byte)

    def _moved(self, operand: Operand, place: Place, component: int) -> Place:
        """Return the place of a component; raw memories have one element for each."""
        element, byte = place
        if not component:
            return place
        resource = self.resource(operand)
        if self._raw_memory(resource):
            return self.b.iadd(element, component), byte
        # Clamped so that adding the component does not wrap around to the start of the element.
        return element, self.b.iadd(self.b.umin(byte, FARTHEST), 4 * component)

    def _raw_memory(self, resource: LoweredResource) -> bool:
        return resource.form is Form.RAW or resource.name in self.declared.raw

    def _store(self, target: Operand, place: Place, source: Operand) -> None:
        memory = self.registers.memory(self.registers.resource(target))
        values = [(at, self.registers.read(source, "x", at)) for at in written_components(target)]
        for at, value in values:
            element, byte = self._moved(target, place, at)
            self.b.store(memory, element, byte, value)

    def _bufinfo(self, operands: list[Operand]) -> None:
        """Lower bufinfo: the size of a raw buffer in bytes, of any other buffer in elements."""
        target, source = operands
        resource = self.resource(source)
        count = self.b.count(self.registers.memory(resource.name))
        if resource.form is Form.RAW:
            count = self.b.ishl(count, 2)
        for at in written_components(target):
            self.registers.write_bits(target, at, count)

    # ------------------------------------------------------------ atomics

    def _atomic(
        self,
        name: str,
        target: Operand | None,
        view: Operand,
        address: Operand,
        values: list[Operand],
    ) -> None:
        operation = ATOMICS.get(name)
        if operation is None:
            raise UnsupportedError(f"atomic {name} cannot be run yet")
        resource = self.resource(view)
        read = self.registers.read
        if self._raw_memory(resource):
            place = self._raw(address, 0)
        elif resource.form in (Form.STRUCTURED, Form.SHARED):
            place = read(address, "u", 0), read(address, "u", 1)
        else:
            place = self._texel(view, address)
        given = [read(each, "u", 0) for each in values]
        if operation is OPS.atomic_cas:
            given.reverse()  # the listing has the comparison first
        memory = self.registers.memory(resource.name)
        old = self.b.make(operation, *place, *given, attr=memory)
        if target is not None:
            for at in written_components(target):
                self.registers.write_bits(target, at, old)

    def _counter(self, operands: list[Operand], consume: bool) -> None:
        """Lower alloc: return the counter and add 1; or consume: subtract 1 first."""
        target, view = operands
        b = self.b
        memory = counter(self.registers, self.declared, self.registers.resource(view))
        step = 0xFFFF_FFFF if consume else 1
        zero = constant(0, I32)
        old = b.atomic_add(zero, zero, constant(step, I32), attr=memory)
        value = b.isub(old, 1) if consume else old
        for at in written_components(target):
            self.registers.write_bits(target, at, value)
