"""Objects become a SHBIN. Experimental: these fixtures are all the objects there are."""

import pytest

import unshade
from tests.fixtures import shbin
from unshade import UnsupportedError, UsageError
from unshade.formats.shbin import Shbin
from unshade.formats.shbin.dvoj import DvojShader
from unshade.formats.shbin.records import Label, Output, Relocation, Uniform
from unshade.programs.pica import OperandDescriptor
from unshade.vocab.pica import OutputType

UNDEFINED = 0xFFFFFFFF


def link(*objects: DvojShader) -> Shbin:
    made = unshade.link([unshade.loads(each.to_bytes()) for each in objects])
    assert isinstance(made, Shbin)
    again = unshade.loads(made.to_bytes())
    assert isinstance(again, Shbin)
    assert again.record == made.record
    return again


def test_an_executable_taken_apart_and_linked_again() -> None:
    """Same words, same labels, same uniforms, the same file."""
    shader = shbin.labelled(0x1002)
    made = link(shbin.object_of(shader))
    assert made.dvles == shader.dvles
    assert made.dvlp.code == shader.dvlp.code
    assert made.to_bytes()[0x14:] == shader.to_bytes()[0x14:]


def test_a_pair_taken_apart_and_linked_again() -> None:
    shader = shbin.pair()
    made = link(shbin.object_of(shader, 0), shbin.object_of(shader, 1))
    assert made.dvlp.code == shader.dvlp.code
    assert made.dvlp.descriptors == shader.dvlp.descriptors
    assert [(each.type, each.main, each.end) for each in made.dvles] == [(0, 0, 3), (1, 3, 7)]
    assert [each.uniforms for each in made.dvles] == [each.uniforms for each in shader.dvles]


def test_targets_move_with_the_code() -> None:
    looped = shbin.words(
        ("for", {"int_id": 0, "target": 2}),
        ("call", {"target": 4, "num": 1}),
        ("nop",),
        ("end",),
        ("mov", {"dst": "o0", "src1": "v0", "desc": 0}),
    )
    made = link(shbin.object_file(), shbin.object_file(code=looped, lines=[], labels=[]))
    code = made.program.instructions
    assert [code[3].target, code[4].target, code[4].num] == [5, 7, 1]
    assert made.dvles[1].main == 3


def test_descriptors_are_merged_with_those_of_mad_first() -> None:
    other = OperandDescriptor(mask=0x8)
    first = shbin.object_file(descriptors=shbin.descriptors(shbin.ALL, shbin.X_ONLY, other))
    code = shbin.words(
        ("mov", {"dst": "o0", "src1": "v0", "desc": 1}),
        ("mad", {"dst": "o1", "src1": "v0", "src2": "c0", "src3": "v0", "desc": 0}),
        ("end",),
    )
    second = shbin.object_file(
        code=code, descriptors=shbin.descriptors(other, shbin.ALL), lines=[], labels=[]
    )
    made = link(first, second)
    assert made.dvlp.descriptors == shbin.descriptors(other, shbin.ALL)
    assert [one.desc for one in made.program.instructions if one.op and one.op.reads] == [
        1,
        1,
        1,
        0,
    ]


def library(**more: object) -> DvojShader:
    """Return an object that defines `transform`, which reads a constant and a uniform."""
    given: dict[str, object] = {
        "code": shbin.words(("mov", {"dst": "o0", "src1": "c4", "desc": 0}), ("nop",)),
        "labels": [Label(symbol="transform", offset=0), Label(id=1, symbol="end", offset=2)],
        "uniforms": [Uniform(symbol="view", start=0x14, end=0x17)],
        "outputs": [],
        "lines": [],
        "relocations": [],
    }
    return shbin.object_file(**given | more)


def caller(**more: object) -> DvojShader:
    """Return an object that calls `transform` without defining it."""
    given: dict[str, object] = {
        "code": shbin.words(("call", {"num": 2}), ("end",)),
        "labels": [
            Label(symbol="main"),
            Label(id=5, symbol="transform", offset=UNDEFINED),
        ],
        "lines": [],
        "relocations": [Relocation(offset=0, unknown_4=5)],
    }
    return shbin.object_file(**given | more)


def test_a_call_into_another_object() -> None:
    made = link(caller(), library())
    assert made.program.instructions[0].target == 2
    assert len(made.dvles) == 1
    found = made.dvles[0]
    assert [(each.id, each.symbol, each.offset) for each in found.labels] == [
        (0, "main", 0),
        (1, "transform", 2),
        (2, "end", 4),
    ]
    assert [each.symbol for each in found.uniforms] == ["projection", "view"]
    assert len(found.constants) == 3


def test_file_names_are_kept() -> None:
    assert link(shbin.object_file(), shbin.object_file()).dvlp.symbols == ["toon.vsh"]


@pytest.mark.parametrize(
    ("objects", "problem"),
    [
        ([caller()], "undefined symbol 'transform'"),
        ([caller(), library(), library()], "duplicate symbol 'transform'"),
        ([library()], "expected an object with outputs"),
        (
            [caller(), library(uniforms=[Uniform(symbol="view", start=0x12, end=0x17)])],
            "'projection' and 'view'",
        ),
        ([caller(), library(constants=shbin.constants()[:1])], None),
    ],
)
def test_incompatible_objects_are_refused(objects: list[DvojShader], problem: str | None) -> None:
    if problem is None:
        assert len(link(*objects).dvles) == 1
        return
    with pytest.raises(UsageError, match=problem):
        unshade.link(objects)


def test_too_many_descriptors() -> None:
    table = [OperandDescriptor(number << 5 | 0xF) for number in range(129)]
    code = shbin.words(*(("mov", {"dst": "r0", "src1": "v0", "desc": n % 128}) for n in range(129)))
    first = shbin.object_file(code=code[:70], descriptors=shbin.descriptors(*table[:70]), lines=[])
    second = shbin.object_file(code=code[:59], descriptors=shbin.descriptors(*table[70:]), lines=[])
    with pytest.raises(UsageError, match="expected at most 128 descriptors in all objects"):
        unshade.link([first, second])


def test_only_objects_of_one_format_are_linked() -> None:
    with pytest.raises(UnsupportedError, match="not linkable objects"):
        unshade.link([shbin.simple()])
    with pytest.raises(UsageError, match="dvoj, shbin"):
        unshade.link([shbin.simple(), shbin.object_file()])
    with pytest.raises(
        UsageError, match="expected a Shader or a non-empty list of shaders, got list"
    ):
        unshade.link([])
    with pytest.raises(UsageError, match="linking has no option"):
        unshade.link([shbin.object_file()], fast=True)


def test_outputs_make_an_executable() -> None:
    shader = shbin.object_file(outputs=[Output(type=OutputType.COLOR, register=1, mask=15)])
    assert link(library(), shader).dvles[0].main == 2
