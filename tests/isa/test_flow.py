"""Basic blocks of instructions that lead to others."""

from unshade.isa.flow import NEXT, FlowStep, ProgramFlow, blocks_of


def flow(*ways: tuple[tuple[int, str], ...], starts: tuple[int, ...] = (0,)) -> ProgramFlow:
    return ProgramFlow([FlowStep(f"instructions[{at}]", each) for at, each in enumerate(ways)],
                       [], starts)  # fmt: skip


def test_instructions_that_follow_each_other_are_one_block() -> None:
    found = blocks_of(flow(((1, NEXT),), ((2, NEXT),), ()))
    assert found == ([(0, 2)], [])


def test_a_branch_and_its_targets_begin_blocks() -> None:
    found = blocks_of(flow(((1, "true"), (3, "false")), ((2, NEXT),), ((3, "jump"),), ()))
    assert found.blocks == [(0, 0), (1, 2), (3, 3)]
    assert found.edges == [(0, 1, "true"), (0, 2, "false"), (1, 2, "jump")]


def test_a_way_back_begins_a_block() -> None:
    found = blocks_of(flow(((1, NEXT),), ((2, NEXT),), ((1, "back"),), ()))
    assert found.blocks == [(0, 0), (1, 2), (3, 3)]
    assert found.edges == [(0, 1, NEXT), (1, 1, "back")]


def test_ways_out_of_the_program_are_left_out() -> None:
    assert blocks_of(flow(((5, "jump"),), ((2, NEXT),))) == ([(0, 0), (1, 1)], [])


def test_functions_begin_blocks() -> None:
    assert blocks_of(flow(((1, NEXT),), (), starts=(0, 1))).blocks == [(0, 0), (1, 1)]


def test_a_program_without_instructions_has_no_blocks() -> None:
    assert blocks_of(ProgramFlow((), ())) == ([], [])
