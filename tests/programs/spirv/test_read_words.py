"""The words of a module that was read, which are made when they are asked for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs.spirv.modules import one_of_each
from unshade.programs.spirv import Program, reading
from unshade.programs.spirv import module as modules
from unshade.programs.spirv.index import index_of
from unshade.programs.spirv.module import (
    Instruction,
    Module,
    PackedInstructions,
    ReadWords,
    first_of,
    positions_of,
)  # fmt: skip
from unshade.programs.spirv.sources import sources
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.text import writers
from unshade.programs.spirv.text.layout import Options
from unshade.programs.spirv.text.printer import MANY, disassemble

DATA = (Path(__file__).parents[3] / "examples" / "particles.spv").read_bytes()


def test_a_sequence_like_the_words_of_instructions() -> None:
    words = Module.loads(DATA).words()
    known = [each.words for each in Module.loads(DATA).instructions]
    assert list(words) == known
    assert len(words) == len(known)
    assert [words[at] for at in range(len(known))] == known
    assert words[-1] == known[-1]
    assert words[3:7] == known[3:7]
    with pytest.raises(IndexError):
        words[len(known)]


def test_instructions_that_are_packed() -> None:
    known = [*Module.loads(DATA).instructions, Instruction([7]), Instruction([1 << 16 | 9, 2, 3])]
    packed = PackedInstructions()
    for each in known:
        packed.append(each)
    assert [*packed] == known
    assert (len(packed), packed[0], packed[-1]) == (len(known), known[0], known[-1])
    assert packed[2:5] == known[2:5]
    made = Module(packed)
    assert list(made.words()) == [each.words for each in known]
    assert made.to_bytes() == Module(known).to_bytes()
    assert made.offsets() == Module(known).offsets()
    assert made.instructions == known


@pytest.mark.parametrize("cut", range(1, 24))
@pytest.mark.parametrize("order", ["little", "big"])
def test_bytes_and_offsets_of_a_cut_module(cut: int, order: str) -> None:
    """They are the same before and after the instructions became objects."""
    data = DATA[:-cut]
    if order == "big":
        data = b"".join(data[at : at + 4][::-1] for at in range(0, len(data) & ~3, 4))
    module = Module.loads(data)
    offsets = module.offsets()
    assert module.to_bytes() == data
    assert offsets[-1] + len(module.trailing) == len(data)
    assert [each.words for each in module.instructions] == list(Module.loads(data).words())
    assert module.to_bytes() == data
    assert module.offsets() == offsets


@pytest.mark.parametrize(("few", "passes"), [(1 << 14, [0, 1, 1]), (8, [0, 1, 2])])
def test_passes_that_make_all_words(
    few: int, passes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that look for some operations make none; instructions share theirs with the index."""
    monkeypatch.setattr(modules, "FEW", few)
    monkeypatch.setattr(reading, "FEW", few)
    made: list[ReadWords] = []
    read = ReadWords._read

    def counted(words: ReadWords) -> Iterator[tuple[int, ...]]:
        made.append(words)
        return read(words)

    monkeypatch.setattr(ReadWords, "_read", counted)
    module = Module.loads(DATA)
    program = Program(module)
    assert (program.entry_points, program.processing) == ([("main", "compute")], [])
    assert [*sources(module)] == []
    counts = [len(made)]
    index = index_of(module)
    assert Opcode.Function in index.opcodes
    counts.append(len(made))
    words = [each.words for each in module.instructions]
    assert all(known is each for known, each in zip(index.code, words, strict=True))
    counts.append(len(made))
    assert counts == passes


@pytest.mark.parametrize("few", [1 << 14, 8])
def test_places_of_operations(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "FEW", few)
    words = Module.loads(DATA).words()
    listed = [*words]
    for wanted in ({Opcode.Load}, {Opcode.Label, Opcode.FunctionEnd}, {Opcode.Kill}):
        known = [at for at, each in enumerate(listed) if each[0] & 0xFFFF in wanted]
        assert [*positions_of(words, wanted)] == [*positions_of(listed, wanted)] == known
        assert first_of(words, *wanted) == min(known, default=len(listed))
        if len(known) > 1:
            assert [*positions_of(words, wanted, known[-1])] == known[:-1]


def test_opcodes_after_an_instruction_is_added() -> None:
    packed = PackedInstructions()
    packed.append(Instruction.of(Opcode.Nop))
    assert [*packed.words.opcodes] == [Opcode.Nop]
    packed.append(Instruction.of(Opcode.Kill))
    assert [*packed.words.opcodes] == [Opcode.Nop, Opcode.Kill]


def test_editing_the_instructions_changes_the_words() -> None:
    module = Module.loads(DATA)
    del module.instructions[0]
    assert module.words()[0] == Module.loads(DATA).words()[1]
    assert len(module.to_bytes()) < len(DATA)


@pytest.mark.parametrize("together", [1, 2, 7])
def test_texts_made_of_few_lines_at_a_time(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged instruction, a switch and options see the lines and types of earlier batches."""
    damaged = [DATA[:at] + b"\x7f" + DATA[at + 1 :] for at in range(40, len(DATA), 97)]
    samples = [DATA, *damaged, *one_of_each().values()]
    options = (Options(), Options(offsets=True))
    usual = [disassemble(Module.loads(each), made) for each in samples for made in options]
    monkeypatch.setattr(writers, "TOGETHER", together)
    assert usual == [disassemble(Module.loads(each), made) for each in samples for made in options]


def test_ids_of_a_large_bound_have_the_same_texts() -> None:
    module = Module.loads(DATA)
    usual = disassemble(module, Options(header=False))
    module.bound = MANY
    assert disassemble(module, Options(header=False)) == usual
