"""Records of SHBIN: the file (DVLB), its program (DVLP) and its executables (DVLE).

    DVLB   +0 magic  +4 u32 count  +8 u32[count] offsets of the DVLEs, from the start of the file
    DVLP   follows; +8 code  +10 operand descriptors  +18 lines  +20 file names
    DVLE   +6 stage  +8 main  +c end  +10 masks  +14 geometry mode
           +18 constants  +20 labels  +28 outputs  +30 uniforms  +38 symbols

A table is an offset and a count. Offsets in DVLP and DVLE count from the start of each, offsets of
names from the start of the symbol table. All executables share one program: for example a geometry
shader and the vertex shader that feeds it.

Five writers are known. picasso, aemstro and the vendor's linker write the program first, then each
DVLE followed by its tables. nihstro and azahar write a DVLP header of only 0x1c bytes, directly
followed by the DVLE headers and then by the tables of both, in a different order: these are `short`
files.

Source: 3dbrew's page on SHBIN and GBATEK's on DVLB, corrected by the corpus; the sources of
libctru, nihstro, aemstro and azahar.
"""

from ...enums import IntEnum
from ...vocab.pica import OutputType, PicaGeometryMode
from ...wire import (
    U8,
    U32,
    U64,
    Array,
    CString,
    Nested,
    Pointer,
    Record,
    array,
    derived,
    field,
    magic,
    nested,
    padding,
    pointer,
    sized,
    switch,
    texts,
    u8,
    u16,
    u32,
    unknown,
)
from .spelling import FLOAT24, MASK, REGISTER

TEXT = CString()
SOURCE = "3dbrew (SHBIN), GBATEK (DVLB), checked on files"


class ShaderType(IntEnum):
    """The stage of an executable."""

    VERTEX = 0
    GEOMETRY = 1


class ConstantType(IntEnum):
    """The kind of uniform that a constant sets."""

    BOOL = 0
    INT = 1
    FLOAT = 2


class BoolValue(Record, source=SOURCE):
    """The value of a boolean uniform."""

    value: u32 = field("0 or 1; only bit 0 is used")
    unused: bytes = padding("zeros", 12)


class IntValue(Record, source=SOURCE):
    """The value of an integer uniform: iterations of a loop minus 1, initial aL, step, and w."""

    value: list[int] = array("x, y, z, w", U8, count=4)
    unused: bytes = padding("zeros", 12)


class FloatValue(Record, source=SOURCE):
    """The value of a float uniform."""

    value: list[int] = array("x, y, z, w: float24 in the low bits", U32, count=4, spell=FLOAT24)


class UnknownValue(Record, source=SOURCE):
    """The value of a constant of unknown type."""

    value: list[int] = array("four words", U32, count=4)


class Constant(Record, source=SOURCE):
    """The initial value of a uniform register."""

    type: u16 = field("kind of register", enum=ConstantType)
    id: u16 = field("number of the register: b0, i0, c0; the last row for a register counts")
    data: BoolValue | IntValue | FloatValue | UnknownValue = switch(
        "the value", "type", {0: BoolValue, 1: IntValue, 2: FloatValue}, other=UnknownValue
    )


class Label(Record, params=("short",), source=SOURCE):
    """A named word of the code; it may be the word after the last."""

    id: u16 = field("number; nihstro writes 0 for all")
    flag: u16 = unknown("1 in files of the vendor's linker, 0 in files of nihstro and aemstro")
    offset: u32 = field("word of the code")
    size: u32 = field("words; 0xffffffff if the label has no size; aemstro and nihstro write 0")
    symbol: str = pointer("name", TEXT, pool="symbols", order="0 if short else 1")


class Output(Record, source=SOURCE):
    """The meaning of components of an output register; a register may have several rows."""

    type: u16 = field("meaning", enum=OutputType)
    register: u16 = field("number of the o register")
    mask: u16 = field(
        "components: bit 0 x, 1 y, 2 z, 3 w (descriptors count the other way round)", spell=MASK
    )
    unknown_6: u16 = padding(
        "0 by picasso, aemstro, nihstro; else the same number in all rows of a DVLE"
    )


class Uniform(Record, params=("short",), source=SOURCE):
    """A named range of registers that the application sets, or of inputs."""

    symbol: str = pointer("name; names that begin with `_` are hidden", TEXT, pool="symbols",
                          order="1 if short else 0")  # fmt: skip
    start: u16 = field("first register: v from 0, c from 0x10, i from 0x70, b from 0x78",
                       spell=REGISTER)  # fmt: skip
    end: u16 = field("last register (inclusive)", spell=REGISTER)


class Line(Record, source="GBATEK (line number table of DVOB); no sample is known"):
    """The source line of an instruction; one row for each word of the code."""

    file: str = pointer("source file", TEXT, pool="symbols")
    line: u32 = field("line number")


class Dvle(Record, params=("short",), anchored=True, source=SOURCE):
    """An executable: one shader, its entry point, and its named registers and constants."""

    magic: bytes = magic("`DVLE`", b"DVLE")
    version: u16 = field("0x1002 by picasso, 0 by aemstro and nihstro, 0x0c02 seen in games")
    type: u8 = field("stage", enum=ShaderType)
    flags: u8 = field("bit 0: merge a geometry shader's outputs with the vertex shader's")
    main: u32 = field("first word of the code")
    end: u32 = field("word after the last; 0 by nihstro and azahar; informative only")
    input_mask: u16 = field("v registers that are read; picasso: those with a name")
    output_mask: u16 = field("o registers that are written; 0 by aemstro, nihstro and azahar")
    geometry_mode: u8 = field("how vertices reach a geometry shader", enum=PicaGeometryMode)
    fixed_start: u8 = field("fixed mode: first float uniform of the vertices")
    variable_vertices: u8 = field("variable mode: number of vertices with all attributes")
    fixed_vertices: u8 = field("fixed mode: number of vertices")
    constants: list[Constant] = pointer(
        "initial values of uniforms", Array(Nested(Constant), count="constant_count"), loose=True,
        order="1 if short else 0", present="constants or not short",
    )  # fmt: skip
    constant_count: u32 | None = derived("number of constants", "len(constants)")
    labels: list[Label] = pointer(
        "named words", Array(Nested(Label, short="short"), count="label_count"), loose=True,
        order="3 if short else 1", present="labels or not short",
    )  # fmt: skip
    label_count: u32 | None = derived("number of labels", "len(labels)")
    outputs: list[Output] = pointer(
        "meanings of the outputs", Array(Nested(Output), count="output_count"), loose=True,
        order="0 if short else 2", present="outputs or not short",
    )  # fmt: skip
    output_count: u32 | None = derived("number of outputs", "len(outputs)")
    uniforms: list[Uniform] = pointer(
        "named registers", Array(Nested(Uniform, short="short"), count="uniform_count"),
        loose=True, order="2 if short else 3", present="uniforms or not short",
    )  # fmt: skip
    uniform_count: u32 | None = derived("number of uniforms", "len(uniforms)")
    symbols: list[str] = texts("names", "symbol_size", order=4, present="not short")
    symbol_size: u32 | None = sized("bytes of the names", "symbols")


class Dvlp(Record, params=("short",), anchored=True, source=SOURCE):
    """The program of all executables: code and operand descriptors."""

    magic: bytes = magic("`DVLP`", b"DVLP")
    version: u32 = field("0 in homebrew files; 0x0c02 seen in games")
    code: list[int] = pointer("instructions", Array(U32, count="code_size"), loose=True)
    code_size: u32 | None = derived("words of code", "len(code)")
    descriptors: list[int] = pointer(
        "operand descriptors; the used word is the low half",
        Array(U64, count="descriptor_count"), loose=True,
    )  # fmt: skip
    descriptor_count: u32 | None = derived("number of descriptors", "len(descriptors)")
    unknown_18: u32 = unknown("0 in short files", when="short")
    lines: list[Line] = pointer(
        "source lines of the instructions; empty in every file seen",
        Array(Nested(Line), count="line_count"), loose=True, when="not short",
    )  # fmt: skip
    line_count: u32 | None = derived("number of lines", "len(lines)", when="not short")
    symbols: list[str] = texts("source files", "symbol_size", when="not short")
    symbol_size: u32 | None = sized("bytes of the file names", "symbols", when="not short")


class Dvlb(Record, params=("short",), source=SOURCE):
    """The whole file."""

    magic: bytes = magic("`DVLB`", b"DVLB")
    dvle_count: u32 | None = derived("number of executables", "len(dvles)")
    dvles: list[Dvle] = array(
        "the executables",
        Pointer(
            Nested(Dvle, short="short"),
            order="-1 if short else 1",
            placed_after="1 if short else 0",
        ),
        count="dvle_count",
    )
    dvlp: Dvlp = nested("the program", Dvlp, short="short")


class Relocation(Record, source="GBATEK (relocation table of DVOB); no sample is known"):
    """A word of an object's code that a linker may have to change."""

    offset: u32 = field("word of the code")
    unknown_4: u32 = unknown()
    unknown_8: u32 = unknown()


class Dvoj(Record, params=("short",), source="3dbrew (DVOJ), GBATEK (DVOB); no sample is known"):
    """An unlinked shader. Execution starts at the first word of its code."""

    magic: bytes = magic("`DVOJ`; GBATEK's title has DVOB", b"DVOJ", b"DVOB")
    version: u16 = field("as in DVLE")
    type: u8 = field("stage", enum=ShaderType)
    flags: u8 = field("bit 0: merge a geometry shader's outputs with the vertex shader's")
    input_mask: u16 = field("v registers that are read")
    output_mask: u16 = field("o registers that are written")
    unknown_c: u32 = unknown("usually 0xffffffff", default=0xFFFFFFFF)
    constants: list[Constant] = pointer(
        "initial values of uniforms", Array(Nested(Constant), count="constant_count"), loose=True
    )
    constant_count: u32 | None = derived("number of constants", "len(constants)")
    labels: list[Label] = pointer(
        "named words of the code",
        Array(Nested(Label, short="short"), count="label_count"),
        loose=True,
    )
    label_count: u32 | None = derived("number of labels", "len(labels)")
    code: list[int] = pointer("instructions", Array(U32, count="code_size"), loose=True)
    code_size: u32 | None = derived("words of code", "len(code)")
    descriptors: list[int] = pointer(
        "operand descriptors; the used word is the low half",
        Array(U64, count="descriptor_count"), loose=True,
    )  # fmt: skip
    descriptor_count: u32 | None = derived("number of descriptors", "len(descriptors)")
    lines: list[Line] = pointer(
        "source lines of the instructions (3dbrew's first unknown block)",
        Array(Nested(Line), count="line_count"), loose=True,
    )  # fmt: skip
    line_count: u32 | None = derived("number of lines", "len(lines)")
    relocations: list[Relocation] = pointer(
        "words that a linker changes (3dbrew's second unknown block)",
        Array(Nested(Relocation), count="relocation_count"), loose=True,
    )  # fmt: skip
    relocation_count: u32 | None = derived("number of relocations", "len(relocations)")
    outputs: list[Output] = pointer(
        "meanings of the outputs", Array(Nested(Output), count="output_count"), loose=True
    )
    output_count: u32 | None = derived("number of outputs", "len(outputs)")
    uniforms: list[Uniform] = pointer(
        "named registers", Array(Nested(Uniform, short="short"), count="uniform_count"),
        loose=True,
    )  # fmt: skip
    uniform_count: u32 | None = derived("number of uniforms", "len(uniforms)")
    symbols: list[str] = texts("names of uniforms, labels and source files", "symbol_size", order=1)
    symbol_size: u32 | None = sized("bytes of the names", "symbols")
