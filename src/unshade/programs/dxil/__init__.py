"""DXIL: modules of LLVM 3.7, the programs of shader model 6.

    program     the program with all its operations   Program
    code        header and bitcode of a part          Code.decode(data), .module, .encode()
    bitstream   blocks, records, abbreviations        read(data), write(stream)
    decode      from records to the model             decode_module(stream)
    encode      from the model to records             encode_module(module)
    model       DxilModule and its contents
    operation_calls
                operations of dx.op calls             operation_of(call)
    operation_types
                types of dx.op calls                  wrong_type(call, op)
    shaderinfo  a shader's properties, from metadata  read_shader(module)
    listed_instructions
                instructions with their text          Program.instructions
    editing     insertion, removal, adoption, stripping
    facts       information for reflection            facts_of(code)
    verify      rules                                 verify(code)
    text        LLVM assembly with the comments of dxc  disassemble(module)
    assembler   LLVM assembly to a module             assemble(source)
    exact       the dialect that loses nothing        exact_lines(code), read_code(source)
    datalayout  sizes and offsets of types
    tables      blocks and records, enumerations of LLVM, debug information, dx.op functions

The model has no numbers. Operands are objects: a `CallInst` has `callee` and `arguments`, a
`MetadataNode` its `elements`. Objects that the file numbers are in lists, by number:

    module.types.rows                         types
    module.globals + module.constants         values of the module
      + function.arguments + .constants
      + function.instructions with a result   values of a function
    module.metadata + function.locals         metadata
    function.blocks                           basic blocks

To edit, change attributes and lists, then encode. Every record is encoded again and compared with
the record that it was read from (`.record`), so only changes are written differently. Values, types
and metadata that are referred to must be in those lists; types are added as needed.

Or call `Code.rewrite()`: it fills the lists and orders them as LLVM's writer does, and the module
is encoded with LLVM's abbreviations. A module without old records, such as one that was assembled,
is encoded from its objects alone; if dxc printed the text, the result has the bits that dxc wrote.

A module that the model cannot hold (records from before LLVM 3.7, or malformed ones) stays a tree
of records, and `Code.module` raises FormatError.
"""

from .code import Code
from .model import DxilModule
from .program import Program

__all__ = ["Code", "DxilModule", "Program"]
