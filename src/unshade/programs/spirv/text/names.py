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

from ..context import Number
from ..operands import Decoded
from ..tables.grammar import Grammar
from ..tables.numbers import Decoration
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
    return OTHER.sub(b"_", text.encode("utf-8", "surrogateescape")).decode() or "_"


class FriendlyNames:
    """Names of ids, as far as the module was read."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.by_id: dict[int, str] = {}
        self.used: set[str] = set()
        self.clashes: dict[str, int] = {}  # the next suffix to try, by name
        self.built_ins = grammar.kinds["BuiltIn"].by_value
        self.storage = grammar.kinds["StorageClass"].by_value
        self.access = grammar.kinds["AccessQualifier"].by_value

    def of(self, number: int) -> str:
        """Return the name of an id, its number if it has none."""
        return self.by_id.get(number) or str(number)

    def save(self, number: int, name: str) -> None:
        """Name an id, unless it has a name; take another name if this one is used."""
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
        self.used.add(made)
        self.by_id[number] = made

    def add(self, decoded: Decoded, words: tuple[int, ...], text: str) -> None:
        """Name what an instruction names or defines; `text` is its literal string."""
        op = decoded.op
        if op is None:
            return
        if op.name == "OpName" and len(words) > 2:
            self.save(words[1], text)
        elif op.name == "OpDecorate" and len(words) > 3 and words[2] == Decoration.BuiltIn:
            found = self.built_ins.get(words[3])
            name = BUILT_INS.get(found.name) if found is not None else None
            if name is not None:
                self.save(words[1], name)
        if decoded.result is not None:
            self.save(decoded.result, self._suggested(op.name, decoded, words, text))

    def _suggested(self, op: str, decoded: Decoded, words: tuple[int, ...], text: str) -> str:
        of = self.of
        match op:
            case "OpTypeVoid" | "OpTypeBool":
                return op[6:].lower()
            case "OpTypeInt":
                return self._integer(words[2], bool(words[3]))
            case "OpTypeFloat":
                return self._float(words[2], words[3] if len(words) > 3 else None)
            case "OpTypeVector":
                return f"v{words[3]}{of(words[2])}"
            case "OpTypeMatrix":
                return f"mat{words[3]}{of(words[2])}"
            case "OpTypeArray":
                return f"_arr_{of(words[2])}_{of(words[3])}"
            case "OpTypeRuntimeArray":
                return f"_runtimearr_{of(words[2])}"
            case "OpTypePointer":
                storage = self.storage.get(words[2])
                return f"_ptr_{storage.name if storage else words[2]}_{of(words[3])}"
            case "OpTypePipe":
                access = self.access.get(words[2])
                return f"Pipe{access.name if access else words[2]}"
            case "OpTypeEvent" | "OpTypeDeviceEvent" | "OpTypeReserveId" | "OpTypeQueue":
                return op[6:]
            case "OpTypePipeStorage" | "OpTypeNamedBarrier":
                return op[6:]
            case "OpTypeOpaque":
                return f"Opaque_{sanitized(text)}"
            case "OpTypeStruct":
                return f"_struct_{words[1]}"
            case "OpConstantTrue":
                return "true"
            case "OpConstantFalse":
                return "false"
            case "OpConstant":
                piece = decoded.operands[-1]
                if piece.number is not None:
                    value = number_text(piece.number, piece.words, self.grammar.float_encodings)
                    return f"{of(words[1])}_{value.replace('-', 'n')}"
        return str(decoded.result)

    def _integer(self, width: int, signed: bool) -> str:
        word = INTEGERS.get(width)
        if word is None:
            return f"{'i' if signed else 'u'}{width}"
        return word if signed else f"u{word}"

    def _float(self, width: int, encoding: int | None) -> str:
        form = float_format(Number(True, width, True, encoding), self.grammar.float_encodings)
        if form is not None:
            return form.name
        return IEEE[width].name if width in IEEE else f"fp{width}"
