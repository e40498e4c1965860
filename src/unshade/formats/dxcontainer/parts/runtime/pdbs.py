"""Descriptions of compilations in PDBs (PDBI).

No file with these tables was at hand. Source: DXC RDAT_PdbInfoTypes.inl.
"""

from .....wire import Record, derived, field, rest, u32
from .references import bytes_of, numbers_of, text_of, texts_of


class PdbInfo(Record):
    """The description of a compilation in a PDB."""

    entry: str | None = text_of("entry point")
    target: str | None = text_of("target profile")
    main_file: str | None = text_of("main source file")
    source_names: list[str] = texts_of("names of the sources")
    source_contents: list[str] = texts_of("texts of the sources")
    arguments: list[str] = texts_of("arguments: name and value in turn")
    libraries: list[int] = numbers_of("indices of the PDBs of linked libraries")
    library_names: list[str] = texts_of("names of linked libraries")
    hash: bytes = bytes_of("hash of the program", "hash_size")
    hash_size: u32 | None = derived("size of the hash", "len(hash)")
    pdb_name: str | None = text_of("name of the PDB")
    toolchain_id: u32 = field("number of a custom tool chain")
    toolchain_data: bytes = bytes_of("data of a custom tool chain", "toolchain_size")
    toolchain_size: u32 | None = derived("size of the data", "len(toolchain_data)")
    whole_dxil: bytes = bytes_of("the container of the program", "dxil_size")
    dxil_size: u32 | None = derived("size of the container", "len(whole_dxil)")
    later: bytes = rest()


class SubPdbInfo(Record):
    """The PDB of a linked library."""

    data: bytes = bytes_of("a PDB or container", "size")
    size: u32 | None = derived("size in bytes", "len(data)")
    later: bytes = rest()
