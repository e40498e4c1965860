"""LLVM assembly, as LLVM 3.7 and dxc print it, to a module.

    tokens        words, names, numbers, strings      AssemblyReader
    types         types                               TypeParser
    pointers      pointers without a type             OpaquePointers
    later         words of later versions of LLVM
    pool          equal constants are one object      ConstantPool
    values        constants and references            ValueParser
    metadata      nodes, fields of debug information  MetadataParser
    attributes    attributes, linkage                 AttributeParser
    instructions  instructions                        InstructionParser
    functions     bodies                              FunctionParser
    module        the statements of a module          assemble(source)

A reader of one kind of thing extends that of the parts of the thing. Comments are skipped, those of
dxc as well. Not read: invoke, landingpad, resume and va_arg, which shaders do not have, and
GenericDINode.

Source: the language references of LLVM 3.7 and 19.
"""

from .module import assemble

__all__ = ["assemble"]
