"""Modules for tests: one that dxc compiled, and one with every kind of instruction."""

import struct
from functools import cache

from tests.examples import EXAMPLES
from unshade.programs.dxil import Code, DxilModule, Program
from unshade.programs.dxil.model.constants import (
    BlockAddress,
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    ConstantString,
    InlineAssembly,
    UndefinedValue,
)
from unshade.programs.dxil.model.instructions import (
    AllocaInst,
    AtomicRMWInst,
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CompareExchangeInst,
    CompareInst,
    ExtractElementInst,
    ExtractValueInst,
    FenceInst,
    GetElementPtrInst,
    IndirectBranchInst,
    InsertElementInst,
    InsertValueInst,
    Instruction,
    InvokeInst,
    LandingPadInst,
    LoadInst,
    PhiInst,
    ResumeInst,
    ReturnInst,
    SelectInst,
    ShuffleVectorInst,
    StoreInst,
    SwitchInst,
    UnreachableInst,
    VAArgInst,
)
from unshade.programs.dxil.model.metadata import (
    DebugLocation,
    DebugNode,
    MetadataNode,
    MetadataString,
    MetadataValue,
    NamedMetadata,
)
from unshade.programs.dxil.model.types import StructType
from unshade.programs.dxil.model.values import (
    AttributeGroup,
    AttributeList,
    BasicBlock,
    Comdat,
    Function,
    FunctionAttribute,
    GlobalAlias,
    GlobalVariable,
    MetadataAsValue,
    UseListOrder,
)
from unshade.programs.dxil.tables.debuginfo import DEBUG_ROWS

SAXPY = EXAMPLES / "saxpy6.dxil"


@cache
def part(name: bytes = b"DXIL") -> bytes:
    """Return a part of the container of saxpy6.dxil."""
    data = SAXPY.read_bytes()
    (count,) = struct.unpack_from("<I", data, 28)
    offsets = struct.unpack_from(f"<{count}I", data, 32)
    at = next(each for each in offsets if data[each : each + 4] == name)
    (size,) = struct.unpack_from("<I", data, at + 4)
    return data[at + 8 : at + 8 + size]


def saxpy() -> Code:
    """Return the program of saxpy6.dxil."""
    return Code.decode(part())


MINIMAL = """\
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

define void @main() {{
  ret void
}}

!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.entryPoints = !{{!2}}

!0 = !{{i32 1, i32 {minor}}}
!1 = !{{!"{stage}", i32 6, i32 {minor}}}
!2 = !{{{entry}, {interface}, null}}
"""
# A vertex shader with a position, and a texture in t0 and t1.
INTERFACE = """
!3 = !{!5, !6, null}
!4 = !{!9, null, null, null}
!5 = !{!7}
!6 = !{!8}
!7 = !{i32 0, !"POSITION", i8 9, i8 0, !11, i8 0, i32 1, i8 4, i32 0, i8 0, null}
!8 = !{i32 0, !"SV_Position", i8 9, i8 3, !11, i8 4, i32 1, i8 4, i32 0, i8 0, null}
!9 = !{!10}
!10 = !{i32 0, float* undef, !"", i32 0, i32 0, i32 2, i32 2, i32 0, null}
!11 = !{i32 0}
"""


@cache
def minimal(stage: str, minor: int = 0, *, interface: bool = False) -> bytes:
    """Return the data of a part with a program that does nothing, for a stage such as `vs`."""
    entry = 'null, !""' if stage == "lib" else 'void ()* @main, !"main"'
    nodes = "!3, !4" if interface else "null, null"
    text = MINIMAL.format(stage=stage, minor=minor, entry=entry, interface=nodes)
    return Program.assemble(text + (INTERFACE if interface else "")).encode()


class Everything:
    """A module with every kind of type, constant, metadata and instruction, made by hand."""

    def __init__(self) -> None:
        self.module = module = DxilModule()
        types = module.types
        self.void, self.i1, self.i8 = types.primitive("void"), types.integer(1), types.integer(8)
        self.i32, self.f32 = types.integer(32), types.floating("float")
        self.pointer = types.pointer(self.i32)
        self.vector = types.vector(4, self.i32)
        self.pair = types.literal([self.i32, self.i1])
        self.node = StructType("node", None)
        self.node.elements = [self.i32, types.pointer(self.node)]
        self.metadata_type = types.primitive("metadata")
        self.label = types.primitive("label")
        module.triple = "dxil-ms-dx"
        module.data_layout = "e-m:e-p:32:32"
        module.assembly = "nop"
        module.libraries = ["library"]
        module.sections = ["section"]
        self.attributes()
        self.constants()
        self.metadata()
        self.globals()
        self.body()

    def attributes(self) -> None:
        group = AttributeGroup(
            1,
            AttributeGroup.FUNCTION,
            [
                FunctionAttribute(18),
                FunctionAttribute(25, 16),
                FunctionAttribute("key"),
                FunctionAttribute("fp32-denorm-mode", "preserve"),
            ],
        )
        self.module.attribute_groups = [group]
        self.list = AttributeList([group])
        self.module.attributes = [self.list]
        self.module.comdats = [Comdat("comdat", 1)]

    def constants(self) -> None:
        types = self.module.types
        i32 = self.i32
        self.zero, self.one = ConstantNull(i32), ConstantInt(i32, 1)
        self.truth, self.text = ConstantInt(self.i1, -1), types.array(3, self.i8)
        numbers = [ConstantInt(i32, number) for number in (-1, 2**31, -(2**63))]
        wide = types.integer(128)
        undefined = UndefinedValue(self.vector)
        filled = ConstantAggregate(self.vector, [self.zero, self.one, *numbers[:2]])
        mask = types.vector(2, i32)

        def expression(
            opcode: str, type: object, *arguments: object, detail: int = 0, flags: int | None = None
        ) -> ConstantExpression:
            return ConstantExpression(type, opcode, list(arguments), detail, flags)  # type: ignore[arg-type]

        self.module.constants = [
            self.zero,
            self.one,
            *numbers,
            self.truth,
            ConstantInt(wide, -(2**100)),
            ConstantInt(wide, 2**64),
            ConstantFloat(self.f32, 0x3F800000),
            ConstantFloat(types.floating("half"), 0x3C00),
            ConstantFloat(types.floating("double"), 0x3FF0 << 48),
            ConstantFloat(types.floating("x86_fp80"), 0x3FFF << 64 | 1 << 63 | 5),
            ConstantFloat(types.floating("fp128"), 0x3FFF << 112 | 7),
            undefined,
            filled,
            ConstantData(types.array(2, self.f32), [0x3F800000, 0xBF800000]),
            ConstantString(self.text, b"abc", False),
            ConstantString(self.text, b"ab", True),
            expression("binary", i32, self.one, numbers[0], detail=2),
            expression("binary", i32, self.one, numbers[0], detail=0, flags=3),
            expression("cast", self.f32, self.one, detail=6),
            expression("select", i32, self.truth, self.zero, self.one),
            expression("extractelement", i32, filled, self.one),
            expression("insertelement", self.vector, filled, self.one, self.zero),
            expression("shufflevector", self.vector, filled, undefined, filled),
            expression("shufflevector", mask, filled, undefined, ConstantNull(mask)),
            expression("icmp", self.i1, self.zero, self.one, detail=32),
            expression("fcmp", self.i1, ConstantNull(self.f32), ConstantNull(self.f32), detail=1),
            InlineAssembly(types.pointer(types.function(self.void)), 1, "nop", "~{memory}"),
        ]
        for each in list(self.module.constants):
            self.module.constants += [
                one  # type: ignore[misc]
                for one in each.operands
                if one not in self.module.constants
            ]

    def metadata(self) -> None:
        module = self.module
        text = MetadataString("text \udcff")
        value = MetadataValue(self.one)
        first = MetadataNode([text, None, value])
        second = MetadataNode([first], distinct=True)
        first.elements.append(second)  # a cycle
        debug = []
        for row in DEBUG_ROWS.values():
            kinds = {"m": None, "n": first, "s": -3}
            node = DebugNode(row, [kinds.get(each, 5) for each in row.kinds], distinct=True)
            node.rest = {"m": [None, second], "i": [1, 2]}.get(row.rest, [])  # type: ignore[assignment]
            debug.append(node)
        self.location = debug[0]
        self.first = first
        module.metadata = [first, second, text, value, *debug]
        module.named_metadata = [NamedMetadata("name", [second, first]), NamedMetadata("none", [])]
        module.kinds = {0: "dbg", 1: "kind"}

    def globals(self) -> None:
        module, types = self.module, self.module.types
        plain = GlobalVariable(
            types.pointer(self.i32, 3), self.i32, "plain", initializer=self.one, alignment=4
        )
        other = GlobalVariable(types.pointer(self.node), self.node, "other", constant=True)
        other.section, other.unnamed_addr, other.comdat = "section", 1, module.comdats[0]
        self.takes = types.function(self.i32, [self.i32, self.metadata_type], vararg=True)
        self.called = Function(
            types.pointer(self.takes), self.takes, "called", attributes=self.list
        )
        type = types.function(self.void, [self.i32, self.pointer, self.vector, self.f32])
        self.main = Function(types.pointer(type), type, "main", is_declaration=False)
        self.main.gc, self.main.alignment = "collector", 16
        self.main.personality = self.called
        alias = GlobalAlias(plain.type, plain, "alias")
        module.gc_names = ["collector"]
        module.globals = [plain, other, self.called, self.main, alias]
        address = BlockAddress(types.pointer(self.i8), self.main, 1)
        step = ConstantExpression(
            types.pointer(self.i32, 3), "getelementptr", [plain, self.zero], 1, None, self.i32
        )
        module.constants += [address, step]
        self.address = address

    def body(self) -> None:
        main = self.main
        number, pointer, vector, real = main.arguments
        number.name = "n"
        main.blocks = [BasicBlock(self.label) for _ in range(8)]
        entry, loop, *others = main.blocks
        entry.name = "entry"
        void, i32, i1 = self.void, self.i32, self.i1
        mine = ConstantInt(i32, 77)
        main.constants = [mine]
        types = self.module.types

        compare = CompareInst(type=i1, predicate=38, left=number, right=mine)
        local = AllocaInst(type=self.pointer, allocated_type=i32, count=self.one, alignment=8)
        local.name = "local"
        metadata = MetadataValue(local)
        main.locals = [metadata]
        argument = MetadataAsValue(self.metadata_type, metadata)
        exchange = CompareExchangeInst(
            type=self.pair, pointer=pointer, compare=number, new=mine, weak=1
        )
        call = CallInst(
            type=i32,
            function_type=self.takes,
            callee=self.called,
            arguments=[number, argument, real],
            attributes=self.list,
            tail=1,
        )
        call.attachments = [(1, self.first)]
        add = BinaryInst(type=i32, operation=0, left=number, right=mine, flags=1)
        load = LoadInst(type=i32, pointer=local, alignment=4)
        atomic = LoadInst(type=i32, pointer=local, alignment=4, volatile=1, ordering=3, scope=1)
        address = GetElementPtrInst(
            type=self.pointer, source_type=i32, pointer=pointer, indices=[mine], inbounds=1
        )
        entry.instructions = [
            local,
            compare,
            CompareInst(type=i1, predicate=4, left=real, right=real, flags=2),
            add,
            BinaryInst(type=self.f32, operation=2, left=real, right=real),
            CastInst(type=self.f32, operation=6, value=number),
            SelectInst(type=i32, condition=compare, true_value=number, false_value=mine),
            ExtractElementInst(type=i32, vector=vector, index=number),
            InsertElementInst(type=self.vector, vector=vector, element=number, index=mine),
            ShuffleVectorInst(type=self.vector, left=vector, right=vector, mask=vector),
            address,
            load,
            atomic,
            StoreInst(type=void, value=number, pointer=local, alignment=4),
            StoreInst(type=void, value=number, pointer=local, alignment=4, ordering=4, scope=0),
            exchange,
            ExtractValueInst(type=i1, aggregate=exchange, indices=[1]),
            InsertValueInst(type=self.pair, aggregate=exchange, value=number, indices=[0]),
            AtomicRMWInst(type=i32, operation=1, pointer=pointer, value=number),
            FenceInst(type=void, ordering=6),
            VAArgInst(type=i32, pointer=pointer),
            call,
            BranchInst(type=void, target=loop),
        ]
        place = DebugLocation(1, 2, self.first, self.location)
        for each in (local, compare, add):
            each.location = place
        phi = PhiInst(type=i32, incoming=[])
        last = BinaryInst(type=i32, operation=1, left=phi, right=mine)
        phi.incoming = [(mine, entry), (last, loop)]  # the second comes later
        unwinding = LandingPadInst(
            type=self.pair, clauses=[self.zero, self.one], kinds=[0, 1], cleanup=1
        )
        loop.instructions = [
            phi,
            last,
            BranchInst(type=void, target=loop, false_target=others[0], condition=compare),
        ]
        endings: list[list[Instruction]] = [
            [
                SwitchInst(
                    type=void,
                    condition=number,
                    default=others[1],
                    cases=[(self.zero, loop), (mine, others[2])],
                )
            ],
            [IndirectBranchInst(type=void, address=self.address, targets=[loop, others[3]])],
            [
                InvokeInst(
                    type=i32,
                    function_type=self.takes,
                    callee=self.called,
                    arguments=[number, argument],
                    normal=others[3],
                    unwind=others[4],
                )
            ],
            [ReturnInst(type=void)],
            [unwinding, ResumeInst(type=void, value=unwinding)],
            [UnreachableInst(type=void)],
        ]
        for block, instructions in zip(others, endings, strict=True):
            block.instructions = instructions
        main.attachments = [(1, self.first)]
        main.use_lists = [UseListOrder(number, [1, 0, 2]), UseListOrder(loop, [0, 1])]
        self.module.use_lists = [UseListOrder(self.one, [1, 0])]
        types.array(0, self.i8)
