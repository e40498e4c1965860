"""Dependence of the outputs of a shader on its inputs and on the view.

    %1 = loadInput(0, 0, 2)        output 1.x depends on input 0.z, through values,
    br i1 %c, …                    and on the branches that decide which value is stored
    storeOutput(1, 0, 0, %v)

    control    the branches that decide whether a block runs
    values     what the value of an instruction depends on: operands, memory, branches
    closure    sums of these dependences over all paths
    outputs    the result, by components of registers

Source: microsoft/DirectXShaderCompiler; dx.viewIdState and PSV0 of its shaders.
"""

from .outputs import Dependence, dependence_of, vectors

__all__ = ["Dependence", "dependence_of", "vectors"]
