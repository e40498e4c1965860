"""LLVM assembly, as LLVM 3.7 and dxc print it, to a module.

    tokens        words, names, numbers, strings
    cursor        a place in the tokens: expect, accept, fail                Cursor
    scope         what names mean: types, globals, nodes, constants          TextScope
    types         types
    pointers      pointers without a type
    later         words of later versions of LLVM
    pool          equal constants are one object                             ConstantPool
    nodes         references to metadata
    values        constants and references
    metadata      nodes, fields of debug information, attached metadata
    attributes    attributes, linkage, calling conventions
    calls, instructions
    body          names in a function, used before their definition          NewBody
    functions     bodies
    module        the statements of a module                                 assemble(source)

Modules other than `tokens`, `cursor`, `scope`, `pool` and `body` contain functions that take a
cursor, a scope, or both. Comments are skipped, including dxc's. GenericDINode is not read.

Source: the language references of LLVM 3.7 and 19.
"""

from .module import assemble

__all__ = ["assemble"]
