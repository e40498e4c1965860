"""Comments of dxc after instructions.

    ; line:8 col:3                                  where the instruction comes from
    ; var:"x" !DIExpression() func:"main" of the variable in a llvm.dbg call
      ; LoadInput(inputSigId,…)                     an operation of DXIL, with its operands
      ; AnnotateHandle(res,props)  resource: CBuffer

Source: microsoft/DirectXShaderCompiler, dxcdisassembler.cpp, for the wording.
"""

from ....enums import member_of
from ....vocab.dxil import DxilComponentType, DxilResourceKind
from ..model.constants import ConstantAggregate, ConstantData, ConstantNull, integer_of
from ..model.instructions import CallInst, Instruction
from ..model.metadata import DebugNode, Metadata
from ..model.types import StructType
from ..model.values import DxilValue, Function, MetadataAsValue
from ..operation_calls import PREFIX, arguments_of, operation_of
from .writer import TextWriter

__all__ = ["comment_of", "properties_text"]

# Calls of the debugger: where variable and expression are among the arguments.
DEBUG_CALLS = {"llvm.dbg.declare": (1, 2), "llvm.dbg.value": (2, 3)}
ANNOTATE_HANDLE = "AnnotateHandle"
MOST_SCOPES = 10_000


def comment_of(instruction: Instruction, writer: TextWriter) -> str:
    """Return the comment after an instruction, with the blanks before it."""
    callee = instruction.callee if isinstance(instruction, CallInst) else None
    name = callee.name if isinstance(callee, Function) else ""
    text = ""
    if name in DEBUG_CALLS:
        assert isinstance(instruction, CallInst)
        text = _variable(instruction, DEBUG_CALLS[name], writer)
    elif instruction.location is not None and instruction.location.line:
        text = f" ; line:{instruction.location.line} col:{_column(instruction)}"
    if name.startswith(PREFIX):
        assert isinstance(instruction, CallInst)
        text += _operation(instruction)
    return text


def _column(instruction: Instruction) -> int:
    assert instruction.location is not None
    column = instruction.location.column
    return column if column < 1 << 16 else 0


def _operation(instruction: CallInst) -> str:
    if not instruction.arguments:
        return ""
    number = integer_of(instruction.arguments[0])
    if number is None:
        return ""
    operation = operation_of(instruction)
    if operation is None:
        return f"  ; invalid DXIL opcode #{number & 0xFFFF_FFFF}"
    text = f"  ; {operation.signature}"
    if operation.name == ANNOTATE_HANDLE:
        words = _properties(arguments_of(instruction, operation).get("props"))
        if words is not None:
            text += f"  resource: {properties_text(*words)}"
    return text


def _variable(instruction: CallInst, places: tuple[int, int], writer: TextWriter) -> str:
    """Return the comment of a call that describes a variable."""
    nodes = []
    for place in places:
        value = instruction.arguments[place] if place < len(instruction.arguments) else None
        node = value.metadata if isinstance(value, MetadataAsValue) else None
        if not isinstance(node, DebugNode):
            return ""
        nodes.append(node)
    variable, expression = nodes
    if "name" not in variable.row.names:
        return ""
    text = f' ; var:"{variable.text("name")}" {writer.node(expression)}'
    function = _function_of(variable)
    return f'{text} func:"{function.text("name")}"' if function is not None else text


def _function_of(variable: DebugNode) -> DebugNode | None:
    """Return the subprogram that a variable is in."""
    scope: Metadata | int | None = variable
    for _ in range(MOST_SCOPES):
        if not isinstance(scope, DebugNode):
            return None
        if scope.row.name == "DISubprogram":
            return scope
        if "scope" not in scope.row.names:
            return None
        scope = scope["scope"]
    return None


def _properties(value: DxilValue | None) -> tuple[int, int] | None:
    """Return the two words of constant properties of a resource."""
    type = value.type if value is not None else None
    if not isinstance(type, StructType):
        return None
    if isinstance(value, ConstantAggregate) and len(value.elements) == 2:
        words = [integer_of(each) for each in value.elements]
        if words[0] is None or words[1] is None:
            return None
        return words[0] & 0xFFFF_FFFF, words[1] & 0xFFFF_FFFF
    if isinstance(value, ConstantData) and len(value.elements) == 2:
        return value.elements[0], value.elements[1]
    if isinstance(value, ConstantNull) and len(type.elements or ()) == 2:
        return 0, 0
    return None


SHAPES = {
    DxilResourceKind.TEXTURE_1D: "Texture1D",
    DxilResourceKind.TEXTURE_2D: "Texture2D",
    DxilResourceKind.TEXTURE_2DMS: "Texture2DMS",
    DxilResourceKind.TEXTURE_3D: "Texture3D",
    DxilResourceKind.TEXTURE_CUBE: "TextureCube",
    DxilResourceKind.TEXTURE_1D_ARRAY: "Texture1DArray",
    DxilResourceKind.TEXTURE_2D_ARRAY: "Texture2DArray",
    DxilResourceKind.TEXTURE_2DMS_ARRAY: "Texture2DMSArray",
    DxilResourceKind.TEXTURE_CUBE_ARRAY: "TextureCubeArray",
    DxilResourceKind.TYPED_BUFFER: "TypedBuffer",
}
OTHERS = {
    DxilResourceKind.RAW_BUFFER: "ByteAddressBuffer",
    DxilResourceKind.STRUCTURED_BUFFER: "StructuredBuffer",
    DxilResourceKind.ACCELERATION_STRUCTURE: "RTAccelerationStructure",
    DxilResourceKind.FEEDBACK_TEXTURE_2D: "FeedbackTexture2D",
    DxilResourceKind.FEEDBACK_TEXTURE_2D_ARRAY: "FeedbackTexture2DArray",
}
FEEDBACK = {0: "MinMip", 1: "MipRegionUsed"}
IS_UAV, ORDERED, COHERENT, COUNTER, REORDER = 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16


def properties_text(first: int, second: int) -> str:
    """Return the properties of a resource: its kind, flags, and element type."""
    number = first & 0xFF
    kind = member_of(DxilResourceKind, number)
    if kind is DxilResourceKind.CBUFFER:
        return "CBuffer"
    if kind is DxilResourceKind.TBUFFER:
        return "TBuffer"
    if kind is DxilResourceKind.SAMPLER:
        return "SamplerComparisonState" if first & COUNTER else "SamplerState"
    if kind is DxilResourceKind.ACCELERATION_STRUCTURE:
        return OTHERS[kind]
    if kind in (
        DxilResourceKind.FEEDBACK_TEXTURE_2D,
        DxilResourceKind.FEEDBACK_TEXTURE_2D_ARRAY,
    ):
        return f"{OTHERS[kind]}<{FEEDBACK.get(second, '<invalid sampler feedback type>')}>"
    prefix = counter = ""
    if first & IS_UAV:
        prefix = "globallycoherent " if first & COHERENT else ""
        prefix += "reordercoherent " if first & REORDER else ""
        prefix += "ROV" if first & ORDERED else "RW"
        counter = ", counter" if first & COUNTER else ""
    if kind in SHAPES:
        count = second >> 8 & 0xFF
        components = f"{count}x" if count > 1 else ""
        return f"{prefix}{SHAPES[kind]}<{components}{_component(second & 0xFF)}>"
    if kind is DxilResourceKind.RAW_BUFFER:
        return prefix + OTHERS[kind]
    if kind is DxilResourceKind.STRUCTURED_BUFFER:
        return f"{prefix}{OTHERS[kind]}<stride={second}{counter}>"
    return "<invalid resource properties>"


def _component(number: int) -> str:
    """Return the type of a component: `F32`, `SNormF16`."""
    known = member_of(DxilComponentType, number)
    if known is None or not 1 <= number <= DxilComponentType.UNORM_F64:
        return "<invalid CompType>"
    name = str(known.name)
    return name.replace("SNORM_", "SNorm").replace("UNORM_", "UNorm")
