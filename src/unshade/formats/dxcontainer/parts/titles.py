"""What the parts of a container are for, in a few words, whether or not unshade describes them.

Sources: DXC DxilContainer.h, LLVM DXContainerConstants.def, d3dcompiler.h (D3D_BLOB_PART).
"""

# fmt: off
TITLES = {
    "RDEF": "resource definitions",
    "ISGN": "input signature",
    "ISG1": "input signature",
    "OSGN": "output signature",
    "OSG5": "output signature with streams",
    "OSG1": "output signature",
    "PCSG": "patch constant signature",
    "PSG1": "patch constant signature",
    "SHDR": "program",
    "SHEX": "program",
    "DXIL": "program, DXIL",
    "ILDB": "program, DXIL with debug information",
    "ILDN": "name of the debug file",
    "STAT": "statistics",
    "SFI0": "required features",
    "IFCE": "interfaces",
    "ICFE": "interfaces",
    "RTS0": "root signature",
    "HASH": "hash of the program",
    "PSV0": "pipeline state validation",
    "RDAT": "runtime data",
    "VERS": "compiler version",
    "SRCI": "source",
    "PDBI": "debug information",
    "PRIV": "private data",
    "Aon9": "program, feature level 9",
    "SDBG": "debug information",
    "SDGB": "debug information",
    "SPDB": "debug information (PDB)",
    "XNAP": "XNA prepass shader",
    "XNAS": "XNA shader",
    "LIBF": "library functions",
    "LIBH": "library header",
    "LFS0": "library function signature",
}
# fmt: on
