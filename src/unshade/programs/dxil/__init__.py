"""DXIL: LLVM 3.7 modules of shader model 6."""
