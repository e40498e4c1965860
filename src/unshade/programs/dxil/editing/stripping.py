"""Removal of debug information and names.

The source is described by metadata `llvm.dbg.…`, calls that connect values with variables, and the
locations of instructions. dxc adds the sources themselves, as `dx.source.…`. Every DXIL program
contains names of structures, which are replaced:

    %struct.SecretLight                      %struct.t0
    %class.StructuredBuffer<SecretLight>     %class.StructuredBuffer<t0>
    %dx.types.Handle                         the same: names of DXIL have meaning

Names of HLSL's own types stay, since validators recognise resources by them.
"""

import re
from collections.abc import Sequence

from ..model.constants import integer_of
from ..model.instructions import CallInst, Instruction
from ..model.metadata import Metadata, MetadataNode, MetadataString, MetadataValue
from ..model.module import DxilModule
from ..model.types import StructType
from ..model.values import Function, GlobalVariable
from ..shaderinfo import read_shader
from .pruning import prune
from .reach import children, constants_below, module_roots

__all__ = ["is_debug_call", "strip_debug", "strip_names", "strip_reflection", "strip_type_names"]

DEBUG_FUNCTIONS = ("llvm.dbg.declare", "llvm.dbg.value")
DEBUG_FLAGS = frozenset({"Dwarf Version", "Debug Info Version"})
DEBUG_KINDS = frozenset({"dbg", "dx.dbg.varlayout"})
TYPE_WORD = re.compile(r"[^\W\d]\w*")
TYPES_OF_DXIL = "dx."
LEAST = 4  # characters of a name that is replaced: its replacement is not longer
TYPES_OF_HLSL = re.compile(
    r"(?:class|struct|hostlayout|matrix|vector|anon|t\d+|float|u?int|half|double|bool|min16float"
    r"|min10float|min16u?int|min12int|float16_t|u?int(?:16|64)_t|u?int8_t4_packed|[uis]norm|const"
    r"|(?:RW|RasterizerOrdered|Feedback|Append|Consume|Globally)?"
    r"(?:ByteAddressBuffer|StructuredBuffer|Buffer|Texture\w+)|ConstantBuffer|TextureBuffer"
    r"|Sampler(?:Comparison)?State|RaytracingAccelerationStructure|RayQuery|RayDesc|\w+Stream"
    r"|(?:Input|Output)Patch|BuiltInTriangleIntersectionAttributes|i\d+|Globals|Params)\Z"
)


def strip_debug(module: DxilModule, *, sources: bool = True) -> None:
    """Remove debug information; with `sources` also source files, defines and arguments.

    Use-list orders are removed, too: dxc keeps them only with debug information.
    """
    gone = ("llvm.dbg.", "dx.source.", "dx.binding.table") if sources else ("llvm.dbg.",)
    module.named_metadata = [
        each for each in module.named_metadata if not each.name.startswith(gone)
    ]
    _strip_flags(module)
    kinds = {number for number, name in module.kinds.items() if name in DEBUG_KINDS}
    module.use_lists = []
    for function in module.functions:
        function.use_lists = []
        function.attachments = [each for each in function.attachments if each[0] not in kinds]
        for block in function.blocks:
            block.instructions = [each for each in block.instructions if not is_debug_call(each)]
            for instruction in block.instructions:
                instruction.location = None
                if instruction.attachments:
                    instruction.attachments = tuple(
                        each for each in instruction.attachments if each[0] not in kinds
                    )
    removed = {each for each in module.functions if each.name in DEBUG_FUNCTIONS}
    module.globals = [each for each in module.globals if each not in removed]
    prune(module)


def _strip_flags(module: DxilModule) -> None:
    """Remove the versions of debug information from the flags of a module."""
    flags = module.named("llvm.module.flags")
    if flags is not None:
        flags.nodes = [each for each in flags.nodes if _flag(each) not in DEBUG_FLAGS]
        if not flags.nodes:
            module.named_metadata.remove(flags)


def _flag(node: MetadataNode) -> str:
    """Return the name of a flag: the second of three elements."""
    key = node.elements[1] if len(node.elements) > 1 else None
    return key.text if isinstance(key, MetadataString) else ""


def is_debug_call(instruction: Instruction) -> bool:
    """Return True if an instruction is a call for debuggers."""
    callee = instruction.callee if isinstance(instruction, CallInst) else None
    return isinstance(callee, Function) and callee.name in DEBUG_FUNCTIONS


def strip_names(module: DxilModule) -> None:
    """Remove the names of arguments, blocks and instructions. Names of globals have meaning."""
    for function in module.functions:
        for each in (*function.arguments, *function.blocks, *function.instructions):
            each.name = ""


def strip_reflection(module: DxilModule) -> None:
    """Remove data that only reflection needs, as dxc does from DXIL when there is a STAT part.

    These are names of blocks and instructions, annotations of types, unused global variables and,
    except in libraries, the names of resources.

    Raises:
        FormatError: The metadata does not describe a shader.
    """
    shader = read_shader(module)
    is_library = shader.stage == "lib"
    for function in module.functions:
        for each in (*function.blocks, *function.instructions):
            each.name = ""
    annotations = module.named("dx.typeAnnotations")
    if annotations is not None:
        keeps_functions = is_library or not shader.is_validated_by(1, 5)
        annotations.nodes = [
            node
            for node in annotations.nodes
            if keeps_functions and _first_number(node.elements[:1]) == 1
        ]
        if not annotations.nodes:
            module.named_metadata.remove(annotations)
    if not is_library:
        _strip_resource_names(module)
    prune(module)
    used = {
        value for each in module.functions for one in each.instructions for value in one.operands
    }
    used |= set(module_roots(module))
    used |= {each.value for each in module.metadata if isinstance(each, MetadataValue)}
    for constant in list(constants_below([*used, *module.constants], set())):
        used |= set(children(constant))
    module.globals = [
        each
        for each in module.globals
        if not isinstance(each, GlobalVariable) or each in used or each.name == "llvm.global_ctors"
    ]
    prune(module)


def _first_number(elements: Sequence[Metadata | None]) -> int | None:
    """Return the first of the elements if it is a number, or None."""
    first = elements[0] if elements else None
    return integer_of(first.value) if isinstance(first, MetadataValue) else None


def _strip_resource_names(module: DxilModule) -> None:
    """Make the names of resources empty, in all lists of resources."""
    empty = MetadataString("")
    lists: list[Metadata | None] = []
    resources = module.named("dx.resources")
    for node in resources.nodes if resources is not None else []:
        lists += node.elements
    entries = module.named("dx.entryPoints")
    for entry in entries.nodes if entries is not None else []:
        own = entry.elements[3] if len(entry.elements) > 3 else None
        if isinstance(own, MetadataNode):
            lists += own.elements
    is_used = False
    for group in lists:
        for resource in group.elements if isinstance(group, MetadataNode) else []:
            if isinstance(resource, MetadataNode) and len(resource.elements) > 2:
                resource.elements[2] = empty
                is_used = True
    if is_used:
        module.metadata.append(empty)


def strip_type_names(module: DxilModule) -> None:
    """Replace the names of structures; a name that occurs in several becomes the same in all."""
    new: dict[str, str] = {}
    for name in _type_names(module):
        for word in _own_words(name):
            new.setdefault(word, f"t{len(new)}")
    for each in module.types:
        if isinstance(each, StructType) and each.name and not each.name.startswith(TYPES_OF_DXIL):
            each.name = TYPE_WORD.sub(lambda found: new.get(found[0], found[0]), each.name)
            each.name_record = None


def _type_names(module: DxilModule) -> list[str]:
    found = [each.name for each in module.types if isinstance(each, StructType) and each.name]
    return [name for name in found if not name.startswith(TYPES_OF_DXIL)]


def _own_words(name: str) -> list[str]:
    return [
        word
        for word in TYPE_WORD.findall(name)
        if len(word) >= LEAST and not TYPES_OF_HLSL.match(word)
    ]
