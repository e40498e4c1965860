"""Friendly names of ids, as spirv-dis gives them.

    OpName                        its text
    OpDecorate … BuiltIn          gl_Position, …
    types                         v4float, _ptr_Uniform__struct_7, _arr_float_uint_3
    constants                     true, float_0_5, int_n1
    all others                    the number

Names are assigned in the order of the module; the first one for an id is kept. Characters other
than ASCII letters, digits and _ become _; a name that is taken gets _0, _1, ….

Source: output of spirv-dis.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from ..context import Context, Number, string_of
from ..module import first_of, opcodes_of
from ..operands import result_of
from ..tables.grammar import Grammar
from ..tables.numbers import Decoration, Opcode
from .literals import IEEE, float_format, number_text

__all__ = ["FriendlyNames", "sanitized"]

OTHER = re.compile(rb"[^A-Za-z0-9_]")
LONGEST = 256  # bytes of a name

GL = {
    name: f"gl_{name}"
    for name in (
        "Position", "PointSize", "ClipDistance", "CullDistance", "Layer", "ViewportIndex",
        "TessLevelOuter", "TessLevelInner", "TessCoord", "PatchVertices", "FragCoord",
        "PointCoord", "FrontFacing", "SamplePosition", "SampleMask", "FragDepth",
        "HelperInvocation", "LocalInvocationIndex", "VertexIndex", "InstanceIndex", "BaseInstance",
    )
}  # fmt: skip
GL |= {
    "VertexId": "gl_VertexID",
    "InstanceId": "gl_InstanceID",
    "PrimitiveId": "gl_PrimitiveID",
    "InvocationId": "gl_InvocationID",
    "SampleId": "gl_SampleID",
    "NumWorkgroups": "gl_NumWorkGroups",
    "WorkgroupSize": "gl_WorkGroupSize",
    "WorkgroupId": "gl_WorkGroupID",
    "LocalInvocationId": "gl_LocalInvocationID",
    "GlobalInvocationId": "gl_GlobalInvocationID",
}
PLAIN = {
    name: name
    for name in (
        "WorkDim", "GlobalSize", "EnqueuedWorkgroupSize", "GlobalOffset", "GlobalLinearId",
        "SubgroupSize", "SubgroupMaxSize", "NumSubgroups", "NumEnqueuedSubgroups", "SubgroupId",
        "SubgroupLocalInvocationId",
    )
}  # fmt: skip
PLAIN |= {
    f"Subgroup{each}Mask": f"Subgroup{each}MaskKHR" for each in ("Eq", "Ge", "Gt", "Le", "Lt")
}
BUILT_INS = GL | PLAIN
INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long"}


def sanitized(text: str) -> str:
    """Return a name of ASCII letters, digits and _ alone, at least one character."""
    if text.isascii() and (text.isidentifier() or text.isdecimal()):
        return text
    return OTHER.sub(b"_", text.encode("utf-8", "surrogateescape")).decode() or "_"


class FriendlyNames:
    """Names of ids, as far as the module has been read; an unnamed id is called by its number."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.by_id: dict[int, str] = {}
        self.used: set[str] = set()
        self.clashes: dict[str, int] = {}  # the next suffix to try, by name
        self.digits = False  # a name looks like the number of another id
        self.context = Context()
        self.built_ins = grammar.kinds["BuiltIn"].by_value
        self.storage = grammar.kinds["StorageClass"].by_value
        self.access = grammar.kinds["AccessQualifier"].by_value

    def read(self, code: Sequence[tuple[int, ...]]) -> None:
        """Name the ids of a module.

        Results inside functions are called by their numbers, which takes no reading, unless an
        instruction there names something or a name is a number.
        """
        body = first_of(code, Opcode.Function)
        self._read(islice(code, body))
        inside = {*islice(opcodes_of(code), body, None)}
        if self.digits or not NAMING.isdisjoint(inside):
            self._read(islice(code, body, None))

    def _read(self, code: Iterable[tuple[int, ...]]) -> None:
        results = self.grammar.result_places
        for words in code:
            opcode = words[0] & 0xFFFF
            if opcode == Opcode.Name:
                self._add_name(words)
            elif opcode == Opcode.Decorate:
                self._add_built_in(words)
            elif opcode in results:
                found = result_of(words, self.context, self.grammar)
                if found is not None and found[1] is not None:
                    self.context.add(words, *found)
                    name = RESULTS.get(opcode)
                    suggested = name(self, words) if name is not None else str(found[1])
                    self.save(found[1], suggested)

    def _add_name(self, words: tuple[int, ...]) -> None:
        """Add the name of an OpName, a target and a string."""
        if len(words) > 2:
            text, count = string_of(words[2:])
            if count == len(words) - 2:
                self.save(words[1], text)

    def _add_built_in(self, words: tuple[int, ...]) -> None:
        """Add the name of an id that an OpDecorate declares as a built-in."""
        if len(words) == 4 and words[2] == Decoration.BuiltIn:
            found = self.built_ins.get(words[3])
            name = BUILT_INS.get(found.name) if found is not None else None
            if name is not None:
                self.save(words[1], name)

    def of(self, number: int) -> str:
        """Return the name of an id, its number if it is unnamed."""
        return self.by_id.get(number) or str(number)

    def save(self, number: int, name: str) -> None:
        """Name an id, unless it has a name; take another name if this name is used."""
        if number in self.by_id:
            return
        name = sanitized(name)
        if len(name) > LONGEST:
            name = str(number)
        made, count = name, self.clashes.get(name, 0)
        while made in self.used:
            made = f"{name}_{count}"
            count += 1
            self.clashes[name] = count
        self.digits = self.digits or (made.isdigit() and made != str(number))
        self.used.add(made)
        self.by_id[number] = made

    def _integer(self, words: tuple[int, ...]) -> str:
        width, signed = words[2], words[3]
        word = INTEGERS.get(width)
        if word is None:
            return f"{'i' if signed else 'u'}{width}"
        return word if signed else f"u{word}"

    def _float(self, words: tuple[int, ...]) -> str:
        width, encoding = words[2], words[3] if len(words) > 3 else None
        form = float_format(Number(True, width, True, encoding), self.grammar.float_encodings)
        if form is not None:
            return form.name
        return IEEE[width].name if width in IEEE else f"fp{width}"

    def _pointer(self, words: tuple[int, ...]) -> str:
        return f"_ptr_{self.storage[words[2]].name}_{self.of(words[3])}"

    def _constant(self, words: tuple[int, ...]) -> str:
        number = self.context.numbers[words[1]]
        value = number_text(number, words[3:], self.grammar.float_encodings)
        return f"{self.of(words[1])}_{value.replace('-', 'n')}"


# The name of a result from the words of its instruction; other results are named by number.
RESULTS: dict[int, Callable[[FriendlyNames, tuple[int, ...]], str]] = {
    Opcode.TypeVoid: lambda names, words: "void",
    Opcode.TypeBool: lambda names, words: "bool",
    Opcode.TypeInt: FriendlyNames._integer,
    Opcode.TypeFloat: FriendlyNames._float,
    Opcode.TypeVector: lambda names, words: f"v{words[3]}{names.of(words[2])}",
    Opcode.TypeMatrix: lambda names, words: f"mat{words[3]}{names.of(words[2])}",
    Opcode.TypeArray: lambda names, words: f"_arr_{names.of(words[2])}_{names.of(words[3])}",
    Opcode.TypeRuntimeArray: lambda names, words: f"_runtimearr_{names.of(words[2])}",
    Opcode.TypeNodePayloadArrayAMDX: lambda names, words: f"_payloadarr_{names.of(words[2])}",
    Opcode.TypePointer: FriendlyNames._pointer,
    Opcode.TypeUntypedPointerKHR: lambda names, words: f"_ptr_{names.storage[words[2]].name}",
    Opcode.TypePipe: lambda names, words: f"Pipe{names.access[words[2]].name}",
    Opcode.TypeEvent: lambda names, words: "Event",
    Opcode.TypeDeviceEvent: lambda names, words: "DeviceEvent",
    Opcode.TypeReserveId: lambda names, words: "ReserveId",
    Opcode.TypeQueue: lambda names, words: "Queue",
    Opcode.TypePipeStorage: lambda names, words: "PipeStorage",
    Opcode.TypeNamedBarrier: lambda names, words: "NamedBarrier",
    Opcode.TypeOpaque: lambda names, words: f"Opaque_{sanitized(string_of(words[2:])[0])}",
    Opcode.TypeStruct: lambda names, words: f"_struct_{words[1]}",
    Opcode.ConstantTrue: lambda names, words: "true",
    Opcode.ConstantFalse: lambda names, words: "false",
    Opcode.Constant: FriendlyNames._constant,
}
NAMING = frozenset({Opcode.Name, Opcode.Decorate, *RESULTS})
