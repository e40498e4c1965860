"""Loads, stores and atomics of generated shaders, with what each does in Python."""

from __future__ import annotations

import random

from .exact_operations import BITS, SUFFIXES, TYPES, cut, signed
from .generated_module import ARRAY, SHARED
from .machine import Expression, Machine, Step, Threads, Values

HANDLE = "%dx.types.Handle"
FAR = 1000  # added to an index, it is out of bounds
ATOMICS = ("add", "and", "or", "xor", "min", "max", "umin", "umax")


def combined(op: str, x: int, y: int) -> int:
    """Return what an atomic operation of 32 bits leaves."""
    match op:
        case "add":
            return cut("i", x + y)
        case "and":
            return x & y
        case "or":
            return x | y
        case "xor":
            return x ^ y
    signs = op in ("min", "max")
    return (min if op.endswith("min") else max)(
        x, y, key=lambda each: signed("i", each) if signs else each
    )


class MemoryStatements:
    """Statements and values of memory; a subclass appends instructions and expressions."""

    random: random.Random
    lines: list[str]
    native: bool

    def put(self, text: str) -> str:
        """Append an instruction with a result."""
        raise NotImplementedError

    def expression(self, kind: str, depth: int = 0) -> Expression:
        """Append instructions for a random value."""
        raise NotImplementedError

    def below(self, count: int) -> Expression:
        """Append a number below a power of two."""
        raise NotImplementedError

    # ------------------------------------------------------------ loads

    def load(self, kind: str) -> Expression:
        """Append a load of a number from any resource that has such numbers."""
        choices = []
        if self.native or BITS[kind] > 16:
            choices += [self._raw, self._structured, self._raw]
        if kind in "ifld":
            choices.append(self._constants)
        if kind == "i":
            choices += [self._texel, self._own, self._array, self._typed_own]
        if kind == "f":
            choices += [self._typed, self._table]
        if not choices:
            return self.expression(kind, 2)
        return self.random.choice(choices)(kind)

    def _part(self, call: str, kind: str, part: int, name: str = "ResRet") -> str:
        type = f"%dx.types.{name}.{SUFFIXES[kind]}"
        found = self.put(f"call {type} @dx.op.{call}")
        return self.put(f"extractvalue {type} {found}, {part}")

    def _raw(self, kind: str) -> Expression:
        size, part = BITS[kind] // 8, self.random.randrange(4)
        text, value = self.below(64)
        byte = self.put(f"shl i32 {text}, {size.bit_length() - 1}")
        call = f"rawBufferLoad.{SUFFIXES[kind]}(i32 139, {HANDLE} %t0, i32 {byte}, i32 undef,"
        made = self._part(f"{call} i8 15, i32 {min(size, 4)})", kind, part)
        return made, lambda machine, threads: {
            at: machine.words("t0", size * (each + part), size)
            for at, each in value(machine, threads).items()
        }

    def _structured(self, kind: str) -> Expression:
        size, part = BITS[kind] // 8, self.random.randrange(4)
        offset = self.random.randrange(16 // size) * size
        text, value = self.below(16)
        call = f"rawBufferLoad.{SUFFIXES[kind]}(i32 139, {HANDLE} %t1, i32 {text}, i32 {offset},"
        made = self._part(f"{call} i8 15, i32 {min(size, 4)})", kind, part)
        byte = offset + size * part
        inside = byte + size <= 16
        return made, lambda machine, threads: {
            at: machine.read("t1", 16 * each + byte, size) if inside else 0
            for at, each in value(machine, threads).items()
        }

    def _constants(self, kind: str) -> Expression:
        size = BITS[kind] // 8
        part = self.random.randrange(16 // size)
        text, value = self.below(8)
        call = f"cbufferLoadLegacy.{SUFFIXES[kind]}(i32 59, {HANDLE} %cb0, i32 {text})"
        made = self._part(call, kind, part, "CBufRet")
        return made, lambda machine, threads: {
            at: machine.read("cb0", 16 * each + size * part, size)
            for at, each in value(machine, threads).items()
        }

    def _typed(self, kind: str) -> Expression:
        part = self.random.randrange(4)
        text, value = self.below(16)
        call = f"bufferLoad.f32(i32 68, {HANDLE} %t3, i32 {text}, i32 undef)"
        return self._part(call, kind, part), lambda machine, threads: {
            at: machine.read("t3", 16 * each + 4 * part, 4)
            for at, each in value(machine, threads).items()
        }

    def _texel(self, kind: str) -> Expression:
        """A load of a texture of 5 x 3 texels."""
        part = self.random.randrange(4)
        (x, xs), (y, ys) = self.below(8), self.below(4)
        nothing = ", ".join(["i32 undef"] * 4)
        call = f"textureLoad.i32(i32 66, {HANDLE} %t2, i32 0, i32 {x}, i32 {y}, {nothing})"

        def value(machine: Machine, threads: Threads) -> Values:
            places = xs(machine, threads), ys(machine, threads)
            return {
                at: machine.read("t2", 16 * (5 * places[1][at] + places[0][at]) + 4 * part, 4)
                if places[0][at] < 5
                else 0
                for at in threads
            }

        return self._part(call, kind, part), value

    def _own(self, kind: str) -> Expression:
        part = self.random.randrange(4)
        call = f"rawBufferLoad.i32(i32 139, {HANDLE} %u1, i32 %lane, i32 0, i8 15, i32 4)"
        return self._part(call, kind, part), lambda machine, threads: {
            at: machine.read("u1", 16 * at + 4 * part, 4) for at in threads
        }

    def _typed_own(self, kind: str) -> Expression:
        call = f"bufferLoad.i32(i32 68, {HANDLE} %u3, i32 %lane, i32 undef)"
        return self._part(call, kind, 0), lambda machine, threads: {
            at: machine.read("u3", 4 * at, 4) for at in threads
        }

    def _pointer(self, type: str, name: str, index: str) -> str:
        return self.put(f"getelementptr {type}, {type}* {name}, i32 0, i32 {index}")

    def _array(self, kind: str) -> Expression:
        text, value = self.below(8)
        place = self._pointer(f"[{ARRAY} x i32]", "%arr", text)
        return self.put(f"load i32, i32* {place}"), lambda machine, threads: {
            at: machine.arrays[at][each] if each < ARRAY else 0
            for at, each in value(machine, threads).items()
        }

    def _table(self, kind: str) -> Expression:
        text, value = self.below(16)
        place = self._pointer("[8 x float]", "@tab", text)
        return self.put(f"load float, float* {place}"), lambda machine, threads: {
            at: machine.read("tab", 4 * each, 4) for at, each in value(machine, threads).items()
        }

    # ------------------------------------------------------------ stores

    def array_store(self) -> Step:
        """Append a store to the array of the thread."""
        (index, at), (text, value) = self.below(8), self.expression("i", 1)
        place = self._pointer(f"[{ARRAY} x i32]", "%arr", index)
        self.lines.append(f"  store i32 {text}, i32* {place}")

        def step(machine: Machine, threads: Threads) -> Threads:
            places, values = at(machine, threads), value(machine, threads)
            for each in threads:
                if places[each] < ARRAY:
                    machine.arrays[each][places[each]] = values[each]
            return threads

        return step

    def buffer_store(self) -> Step:
        """Append a store to the element of the thread in a buffer, or out of bounds."""
        if self.random.random() < 0.3:
            return self._typed_store()
        kind = self.random.choice("iiflwh" if self.native else "iifl")
        size, count = BITS[kind] // 8, self.random.randint(1, 4)
        element, far = self._own_element()
        offset = self.random.randrange(16 // size) * size
        given = [self.expression(kind, 1) for _ in range(count)]
        values = [text for text, _ in given] + ["undef"] * (4 - count)
        listed = ", ".join(f"{TYPES[kind]} {each}" for each in values)
        self.lines.append(
            f"  call void @dx.op.rawBufferStore.{SUFFIXES[kind]}(i32 140, {HANDLE} %u1,"
            f" i32 {element}, i32 {offset}, {listed}, i8 {(1 << count) - 1}, i32 {min(size, 4)})"
        )

        def step(machine: Machine, threads: Threads) -> Threads:
            found = [each(machine, threads) for _, each in given]
            for at in threads:
                for part in range(count):
                    byte = offset + size * part
                    if not far and byte + size <= 16:
                        machine.write("u1", 16 * at + byte, size, found[part][at])
            return threads

        return step

    def _own_element(self) -> tuple[str, bool]:
        """Return the number of the thread's element, or of one that does not exist."""
        far = self.random.random() < 0.15
        return (self.put(f"add i32 %lane, {FAR}") if far else "%lane"), far

    def _typed_store(self) -> Step:
        element, far = self._own_element()
        text, value = self.expression("i", 1)
        listed = ", ".join([f"i32 {text}"] * 4)
        self.lines.append(
            f"  call void @dx.op.bufferStore.i32(i32 69, {HANDLE} %u3, i32 {element}, i32 undef,"
            f" {listed}, i8 15)"
        )

        def step(machine: Machine, threads: Threads) -> Threads:
            for at, each in value(machine, threads).items():
                if not far:
                    machine.write("u3", 4 * at, 4, each)
            return threads

        return step

    # ------------------------------------------------------------ atomics

    def atomic(self) -> Step:
        """Append an atomic operation whose result is not used, so that order has no meaning."""
        number = self.random.randrange(len(ATOMICS))
        (index, at), (text, value) = self.below(4), self.expression("i", 1)
        word = self.put(f"add i32 {index}, {4 * number}")
        byte = self.put(f"shl i32 {word}, 2")
        nothing = "i32 undef, i32 undef"
        self.put(
            f"call i32 @dx.op.atomicBinOp.i32(i32 78, {HANDLE} %u2, i32 {number}, i32 {byte},"
            f" {nothing}, i32 {text})"
        )

        def step(machine: Machine, threads: Threads) -> Threads:
            places, values = at(machine, threads), value(machine, threads)
            for each in threads:
                place = 4 * (4 * number + places[each])
                old = machine.read("u2", place, 4)
                machine.write("u2", place, 4, combined(ATOMICS[number], old, values[each]))
            return threads

        return step

    # ------------------------------------------------------------ memory of the group

    def _barrier(self) -> None:
        self.lines.append("  call void @dx.op.barrier(i32 80, i32 9)")

    def _group_pointer(self, name: str, index: str) -> str:
        type = f"[{SHARED[name]} x i32]"
        return self.put(f"getelementptr {type}, {type} addrspace(3)* @{name}, i32 0, i32 {index}")

    def exchange(self) -> tuple[Expression, Step]:
        """Append an exchange of values within the group; return what each thread gets, and the
        step that does it.
        """
        name = self.random.choice([*SHARED])
        count = SHARED[name]
        (text, value), (index, at) = self.expression("i", 1), self.below(count)
        op = self.random.choice(ATOMICS)
        self._barrier()
        if name == "g":
            place = self._group_pointer(name, "%local")
            self.lines.append(f"  store i32 {text}, i32 addrspace(3)* {place}")
        else:
            place = self._group_pointer(name, index)
            self.put(f"atomicrmw {op} i32 addrspace(3)* {place}, i32 {text} seq_cst")
        self._barrier()
        made = self.put(f"load i32, i32 addrspace(3)* {self._group_pointer(name, index)}")
        self._barrier()

        def step(machine: Machine, threads: Threads) -> Threads:
            memory = machine.shared[name]
            values, places = value(machine, threads), at(machine, threads)
            for each in threads:
                if name == "g":
                    memory[each % machine.threads] = values[each]
                else:
                    old = memory[places[each]]
                    memory[places[each]] = combined(op, old, values[each])
            machine.exchanged = {each: memory[places[each]] for each in threads}
            return threads

        return (made, lambda machine, threads: machine.exchanged), step
