"""Tables of DXIL: record codes, operations of LLVM, descriptions for debuggers, dx.op functions."""
