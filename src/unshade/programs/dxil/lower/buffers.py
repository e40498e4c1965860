"""Lowering of operations on constant buffers, buffers and views that are written.

    cbufferLoadLegacy(cb0, 2)             row 2: 16 bytes, as numbers of the result's type
    bufferLoad(t0, %n, %byte)             of a typed buffer the texel %n, of a structured one
                                          numbers from %byte on of element %n, of a raw one words
                                          from byte %n on
    rawBufferLoad(t0, %n, %byte, mask, …) the same for structured and raw buffers
    textureLoad, textureStore             of a view that is written: the texel by its coordinates
    atomicBinOp(u0, op, %x, %y, %z, %v)

Each component is checked on its own, as in Direct3D: out of bounds reads return 0.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst; Direct3D 11.3 functional specification,
section 22.
"""

from collections.abc import Sequence
from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library import views
from ....ir.library.direct3d import FARTHEST, MAPPED
from ....ir.lowered import Form
from ....ir.ops import OPS, Op
from ....ir.types import F32, F64, I32, Type
from ....tuples import NamedTuple
from ..model.types import StructType, VectorType
from .arithmetic import join, split
from .bound import BoundResource, Handle
from .calls import Handlers, OperationCall
from .handles import Handles
from .values import Result

__all__ = ["ATOMICS", "BufferPlace", "Buffers", "component"]

WORD = 4
OFFSETS = ("offset0", "offset1", "offset2")
COORDINATES = ("coord0", "coord1", "coord2")
ZERO = constant(0, I32)
ATOMICS: dict[int, Op] = {
    0: OPS.atomic_add, 1: OPS.atomic_and, 2: OPS.atomic_or, 3: OPS.atomic_xor,
    4: OPS.atomic_imin, 5: OPS.atomic_imax, 6: OPS.atomic_umin, 7: OPS.atomic_umax,
    8: OPS.atomic_xchg,
}  # fmt: skip


class BufferPlace(NamedTuple):
    """A place in a resource: coordinates, or element and byte; missing values are 0."""

    coordinates: Sequence[Value]
    sample: Value | None = None  # of a multisampled view

    @property
    def element(self) -> Value:
        return self.coordinates[0] if self.coordinates else ZERO

    @property
    def byte(self) -> Value:
        return self.coordinates[1] if len(self.coordinates) > 1 else ZERO


class Buffers:
    """Lowering of operations on memories of resources.

    Numbers of 16 bits that are not `native` have a minimum precision: they take 32 bits in buffers.
    """

    def __init__(self, handles: Handles, *, native: bool = True) -> None:
        self.handles = handles
        self.b = handles.b
        self.native = native

    # ------------------------------------------------------------ constant buffers

    def row(self, handle: Handle, row: Value, type: Type, count: int) -> tuple[Value, ...]:
        """Append the `count` numbers of a row of a constant buffer."""
        b = self.b
        size = 16 // max(count, 1)
        own = type if size == type.size else I32

        def make(each: BoundResource) -> list[Value]:
            parts = [b.load(each.data, row, size * at, own) for at in range(count)]
            return [component(b, part, type) if own != type else part for part in parts]

        return tuple(self.handles.select(handle, make, *[type] * count))

    def constant(self, handle: Handle, byte: Value, type: Type) -> Value:
        """Append a number at a byte of a constant buffer."""
        b = self.b
        row, rest = b.ushr(byte, 4), b.and_(byte, 15)
        (found,) = self.handles.select(
            handle, lambda each: [b.load(each.data, row, rest, type)], type
        )
        return found

    # ------------------------------------------------------------ loads and stores

    def load(
        self, handle: Handle, place: BufferPlace, type: Type, wanted: Sequence[int], count: int = 4
    ) -> tuple[Value, ...]:
        """Append a load; components that are not wanted are 0. The last result is the status."""
        zero = constant(0, type)
        parts = self.handles.select(
            handle,
            lambda each: [self._component(each, place, at, type) for at in wanted],
            *[type] * len(wanted),
        )
        found = dict(zip(wanted, parts, strict=True))
        return (*(found.get(at, zero) for at in range(count)), MAPPED)

    def _component(self, resource: BoundResource, place: BufferPlace, at: int, type: Type) -> Value:
        b = self.b
        if resource.typed:
            return self._texel_component(resource, place, at, type)
        if type.bits == 16 and not self.native:
            return component(b, self._word(resource, place, at, I32), type)
        if resource.form is Form.RAW and type.size > WORD and resource.data.stride == WORD:
            words = [self._word(resource, place, 2 * at + half, I32) for half in (0, 1)]
            bits = join(b, *words)
            return b.asfloat(bits) if type == F64 else bits
        return self._word(resource, place, at, type)

    def _word(self, resource: BoundResource, place: BufferPlace, at: int, type: Type) -> Value:
        element, byte = self._address(resource, place, at, type)
        return self.b.load(resource.data, element, byte, type)

    def _address(
        self, resource: BoundResource, place: BufferPlace, at: int, type: Type
    ) -> tuple[Value, Value]:
        """Return element and byte of a component of a raw or structured buffer."""
        b = self.b
        offset = type.size * at
        if resource.form is not Form.RAW:
            byte = place.byte
            if not offset:
                return place.element, byte
            if byte.op is OPS.const:
                return place.element, constant(min(byte.attr, FARTHEST) + offset, I32)
            # Clamped so that adding the component does not wrap around to the element's start.
            return place.element, b.iadd(b.umin(byte, FARTHEST), offset)
        stride = resource.data.stride
        if stride == WORD and type.size >= WORD:
            element = b.ushr(place.element, 2)
            return (b.iadd(element, at) if at else element), ZERO
        start = b.and_(place.element, -min(type.size, WORD) & 0xFFFF_FFFF)
        start = b.iadd(start, offset) if offset else start
        shift = stride.bit_length() - 1
        return b.ushr(start, shift), b.and_(start, stride - 1)

    def store(self, handle: Handle, place: BufferPlace, values: Sequence[Value], mask: int) -> None:
        """Append a store of the components in a mask."""

        def write(resource: BoundResource) -> None:
            for at, value in enumerate(values):
                if mask >> at & 1:
                    self._store(resource, place, at, value)

        self.handles.each(handle, write)

    def _store(self, resource: BoundResource, place: BufferPlace, at: int, value: Value) -> None:
        b = self.b
        if resource.typed:
            element = self.texel(resource, place)
            wide = value.type.bits == 64
            words = split(b, value) if wide else (self._word_of(resource, value),)
            for number, word in enumerate(words, len(words) * at):
                b.store(resource.written, element, WORD * number, word)
        elif resource.form is Form.RAW and value.type.size > WORD == resource.data.stride:
            for half, word in enumerate(split(b, value)):
                element, byte = self._address(resource, place, 2 * at + half, I32)
                b.store(resource.written, element, byte, word)
        else:
            if value.type.bits == 16 and not self.native:
                value = self._word_of(resource, value)
            element, byte = self._address(resource, place, at, value.type)
            b.store(resource.written, element, byte, value)

    # ------------------------------------------------------------ texels

    def texel(self, resource: BoundResource, place: BufferPlace) -> Value:
        """Return the element of a texel of a typed buffer or view."""
        lowered = resource.lowered
        if lowered.form is Form.TYPED or lowered.shape is None:
            return place.element
        if resource.shape is None:
            raise UnsupportedError(f"expected a texture that is written, got {lowered.name}")
        return views.element(
            self.b, resource.shape, lowered.shape, lowered.layered, place.coordinates or [ZERO],
            (place.sample or ZERO) if lowered.multisampled else None,
        )  # fmt: skip

    def _texel_component(
        self, resource: BoundResource, place: BufferPlace, at: int, type: Type
    ) -> Value:
        b = self.b
        element = self.texel(resource, place)
        if type.bits == 64:
            words = [b.load(resource.data, element, 8 * at + byte) for byte in (0, WORD)]
            bits = join(b, *words)
            return b.asfloat(bits) if type == F64 else bits
        return component(b, b.load(resource.data, element, 4 * at), type)

    def _word_of(self, resource: BoundResource, value: Value) -> Value:
        """Return the 32 bits that are stored of a component."""
        b = self.b
        if value.type.bits == 16:
            if value.type.kind == "f":
                return b.asint(b.fconv(value, type=F32))
            signed = resource.lowered.returns[:1] == ("sint",)
            return (b.iconv if signed else b.uconv)(value, type=I32)
        return b.asint(value) if value.type.kind == "f" else value

    # ------------------------------------------------------------ atomics

    def atomic(self, op: Op, handle: Handle, place: BufferPlace, *values: Value) -> Value:
        """Append an atomic operation; its result is the old value."""
        type = values[0].type

        def change(resource: BoundResource) -> list[Value]:
            if resource.typed:
                element, byte = self.texel(resource, place), ZERO
            else:
                element, byte = self._address(resource, place, 0, type)
            return [self.b.make(op, element, byte, *values, attr=resource.written)]

        return self.handles.select(handle, change, type)[0]

    def counter(self, handle: Handle, step: int) -> Value:
        """Append an update of a counter; the result is the number of the element to access."""
        b = self.b

        def change(resource: BoundResource) -> list[Value]:
            memory = self.handles.declared.counter(resource)
            old = b.atomic_add(ZERO, ZERO, constant(step, I32), attr=memory)
            return [old if step > 0 else b.iadd(old, step & 0xFFFF_FFFF)]

        return self.handles.select(handle, change, I32)[0]

    # ------------------------------------------------------------ sizes

    def size(self, resource: BoundResource, level: Value) -> list[Value]:
        """Append the size of a buffer, or of a view that is written, as four numbers."""
        b = self.b
        lowered = resource.lowered
        if resource.shape is not None and lowered.shape is not None:
            found = views.sizes(b, resource.shape, lowered.shape, lowered.layered, level)
            if lowered.multisampled:
                found[3] = views.samples(b, resource.shape)
            return found
        count = b.count(resource.data)
        if lowered.form is Form.RAW:
            count = b.ishl(count, resource.data.stride.bit_length() - 1)
        return [count, ZERO, ZERO, ZERO]

    # ------------------------------------------------------------ calls

    def _load_call(self, call: OperationCall, *names: str) -> Result:
        place = BufferPlace(call.given(*names))
        return self.load(call.handle("srv"), place, call.type, [at for at in call.wanted if at < 4])

    def _store_call(self, call: OperationCall, handle: str, *names: str) -> None:
        values = call.given("value0", "value1", "value2", "value3")
        sample = call.scalar("sampleIdx") if "sampleIdx" in call.arguments else None
        place = BufferPlace(call.given(*names), sample)
        self.store(call.handle(handle), place, values, call.integer("mask"))

    def _vector_load_call(self, call: OperationCall) -> Result:
        """Append a load of a vector; the result is the vector and the status."""
        type = call.instruction.type
        first = type.elements[0] if isinstance(type, StructType) and type.elements else type
        count = first.count if isinstance(first, VectorType) else 1
        place = BufferPlace(call.given("index", "elementOffset"))
        *found, status = self.load(call.handle("buf"), place, call.type, range(count), count)
        return (*found, status) if first is type else (tuple(found), status)

    def _vector_store_call(self, call: OperationCall) -> None:
        values = call.elements("value0")
        place = BufferPlace(call.given("index", "elementOffset"))
        self.store(call.handle("uav"), place, values, (1 << len(values)) - 1)

    def _atomic_call(self, call: OperationCall) -> Value:
        number = call.integer("atomicOp")
        if number not in ATOMICS:
            raise UnsupportedError(f"atomic operation {number} cannot be run yet")
        place = BufferPlace(call.given(*OFFSETS))
        return self.atomic(ATOMICS[number], call.handle("handle"), place, call.scalar("newValue"))

    def _exchange_call(self, call: OperationCall) -> Value:
        place = BufferPlace(call.given(*OFFSETS))
        values = call.scalars("newValue", "compareValue")
        return self.atomic(OPS.atomic_cas, call.handle("handle"), place, *values)

    def _counter_call(self, call: OperationCall) -> Value:
        return self.counter(call.handle("uav"), call.integer("inc"))

    OPERATIONS: ClassVar[Handlers] = {
        "CBufferLoadLegacy": lambda self, call: self.row(
            call.handle("handle"), call.scalar("regIndex"), call.type, call.parts
        ),
        "CBufferLoad": lambda self, call: self.constant(
            call.handle("handle"), call.scalar("byteOffset"), call.type
        ),
        "BufferLoad": lambda self, call: self._load_call(call, "index", "wot"),
        "RawBufferLoad": lambda self, call: self._load_call(call, "index", "elementOffset"),
        "BufferStore": lambda self, call: self._store_call(call, "uav", "coord0", "coord1"),
        "RawBufferStore": lambda self, call: self._store_call(
            call, "uav", "index", "elementOffset"
        ),
        "TextureStore": lambda self, call: self._store_call(call, "srv", *COORDINATES),
        "TextureStoreSample": lambda self, call: self._store_call(call, "srv", *COORDINATES),
        "RawBufferVectorLoad": _vector_load_call,
        "RawBufferVectorStore": _vector_store_call,
        "BufferUpdateCounter": _counter_call,
        "AtomicBinOp": _atomic_call,
        "AtomicCompareExchange": _exchange_call,
    }


def component(b: Builder, word: Value, type: Type) -> Value:
    """Append a component of a texel, which has 32 bits, as a number of a type."""
    if type.kind == "f":
        number = word if word.type == F32 else b.asfloat(word)
        return number if type == F32 else b.fconv(number, type=type)
    bits = word if word.type == I32 else b.asint(word)
    return bits if type == I32 else b.uconv(bits, type=type)
