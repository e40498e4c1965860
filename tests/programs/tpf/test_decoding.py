"""Instructions that programs share, and those that belong to one."""

import struct
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.programs.tpf.test_program import MOV, RET, stream
from unshade.errors import EncodeError, FormatError, LimitError
from unshade.limits import Limits
from unshade.programs.tpf import Instruction, Program, temp
from unshade.programs.tpf.decoding import SharedInstruction, decode_instructions
from unshade.programs.tpf.kept import Kept
from unshade.programs.tpf.tables.ops import OPS

DATA = stream(*MOV, *RET)
# mov r0.x, r[r[r0.x + 0].x + 0].x
NESTED = (0x0700_0036, 0x0010_0012, 0, 0x0090_000A, 0x0090_000A, 0x0010_000A, 0)


def words(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data)


def test_programs_share_equal_instructions() -> None:
    one, other = Program.decode(DATA), Program.decode(DATA)
    assert all(a is b for a, b in zip(one.listed, other.listed, strict=True))


def test_equal_operands_are_one_object_until_somebody_may_edit_them() -> None:
    twice = decode_instructions(words(stream(*MOV, *RET))[2:])[0]
    data = Program(Program.decode(DATA).version, [twice, twice]).encode()
    add = Instruction.make("add", twice.operands[0], twice.operands[1], twice.operands[1])
    program = Program.decode(Program(Program.decode(data).version, [twice, add]).encode())
    mov, listed = program.listed
    assert listed.operands[1] is listed.operands[2] is mov.operands[1]
    own = program.instructions[1].operands
    assert own[1] == own[2]
    assert own[1] is not own[2]


def test_an_edit_changes_one_program() -> None:
    one, other = Program.decode(DATA), Program.decode(DATA)
    text = other.disassemble()
    one.instructions[0].operands[1].indices[0].immediate = 7
    assert "v7.xyzx" in one.disassemble()
    assert words(one.encode())[6] == 7
    assert one.to_data()["instructions"][0]["operands"][1]["index"] == [7]
    assert (other.disassemble(), other.encode()) == (text, DATA)
    assert Program.decode(DATA).disassemble() == text


def test_a_program_has_one_list_of_instructions() -> None:
    program = Program.decode(DATA)
    first = program.instructions
    first.insert(0, Instruction.make("mov", temp(0), temp(1)))
    assert program.instructions is first
    assert len(program.listed) == 3


def test_threads_get_the_same_list() -> None:
    program = Program.decode(stream(*100 * MOV, *RET))
    with ThreadPoolExecutor(4) as pool:
        lists = list(pool.map(lambda _: program.instructions, range(4)))
    assert all(each is lists[0] for each in lists)


def test_own_instructions_are_encoded_to_the_same_dwords() -> None:
    for data in (DATA, stream(*MOV, *NESTED)):
        program = Program.decode(data)
        assert not any(isinstance(each, SharedInstruction) for each in program.instructions)
        assert program.encode() == data


def test_plain_data_belongs_to_the_caller() -> None:
    program = Program.decode(DATA)
    before = program.to_data()
    before["instructions"][0]["operands"][0]["index"][0] = 9
    assert program.to_data()["instructions"][0]["operands"][0]["index"] == [0]


@pytest.mark.parametrize("count", [True, 1.5, "one"])
def test_plain_data_is_compared_with_its_types(count: object) -> None:
    data = {"major": 5, "kind": "PIXEL", "instructions": [{"op": "dcl_temps", "count": 1}]}
    assert Program.from_data(data).instructions[0].words == (1,)
    data["instructions"] = [{"op": "dcl_temps", "count": count}]
    if count == 1.5:  # the bits of a float
        assert Program.from_data(data).instructions[0].words == (0x3FC0_0000,)
    else:
        with pytest.raises(FormatError, match="count"):
            Program.from_data(data)


@pytest.mark.fast
@pytest.mark.parametrize(
    ("row", "name", "alone", "fields", "word"),
    [
        ("dcl_resource", "return_type", "FLOAT", {"x": "FLOAT"}, 5),
        ("dcl_input_sgv", "system_value", "INSTANCE_ID", {"name": "INSTANCE_ID"}, 8),
        ("dcl_interface", "lengths", 3, {"table_length": 3}, 3),
    ],
)
def test_a_dword_of_fields_may_be_its_first_field(
    row: str, name: str, alone: object, fields: object, word: int
) -> None:
    at = OPS[row].dwords.index(name)
    before = dict.fromkeys(OPS[row].dwords[:at], 0)
    operands = [{"type": "INPUT", "mask": "x", "index": [0]}] * (row != "dcl_interface")
    for given in (alone, fields):
        entry = {"op": row, **before, name: given, "operands": operands}
        program = Program.from_data({"major": 5, "kind": "PIXEL", "instructions": [entry]})
        assert program.instructions[0].words[at] == word


def test_plain_data_may_describe_what_cannot_be_encoded() -> None:
    mov, ret = Program.decode(DATA).to_data()["instructions"]
    odd = {"op": "mov", "operands": [{**mov["operands"][0], "index": [1 << 40]}] * 2}
    program = Program.from_data({"major": 5, "instructions": [mov, odd, ret, odd, mov]})
    assert [each.name for each in program.instructions] == ["mov", "mov", "ret", "mov", "mov"]
    with pytest.raises(EncodeError, match=r"instructions\[1\]"):
        program.encode()


def test_the_limit_on_depth_holds_for_known_instructions() -> None:
    data = stream(*NESTED)
    Program.decode(data)
    with pytest.raises(LimitError):
        Program.decode(data, Limits(depth=1))


def test_what_is_kept_is_kept_for_shared_instructions_alone() -> None:
    asked: list[str] = []

    def name(instruction: Instruction) -> str:
        asked.append(instruction.name)
        return instruction.name

    names = Kept(name)
    program = Program.decode(DATA)
    assert names.of_all(program.listed) == names.of_all(program.listed) == ["mov", "ret"]
    assert asked == ["mov", "ret"]
    own = decode_instructions(MOV)
    assert names.of_all([*own, *own]) == ["mov", "mov"]
    assert asked == ["mov", "ret", "mov", "mov"]
