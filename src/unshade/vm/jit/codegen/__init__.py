"""Generation of LLVM IR, as text, from a kernel and the layout of its lanes."""
