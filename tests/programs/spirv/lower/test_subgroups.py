import pytest

from .modules import run, shader

LANES = "%scope = OpConstant %uint 3\n%v4uint = OpTypeVector %uint 4"
WORDS = [5, 3, 8, 2, 9, 1, 7, 6]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("%y = OpGroupNonUniformIAdd %uint %scope Reduce %x", [18] * 4 + [23] * 4),
        ("%y = OpGroupNonUniformUMax %uint %scope InclusiveScan %x", [5, 5, 8, 8, 9, 9, 9, 9]),
        ("%y = OpGroupNonUniformIAdd %uint %scope ExclusiveScan %x", [0, 5, 8, 16, 0, 9, 10, 17]),
        ("%y = OpGroupNonUniformIAdd %uint %scope ClusteredReduce %x %c2",
         [8, 8, 10, 10, 10, 10, 13, 13]),
        ("%y = OpGroupNonUniformShuffleXor %uint %scope %x %c1", [3, 5, 2, 8, 1, 9, 6, 7]),
        ("%y = OpGroupNonUniformBroadcast %uint %scope %x %c2", [8] * 4 + [7] * 4),
        ("%y = OpGroupNonUniformQuadSwap %uint %scope %x %c2", [2, 8, 3, 5, 6, 7, 1, 9]),
        ("%y = OpGroupNonUniformRotateKHR %uint %scope %x %c1", [3, 8, 2, 5, 1, 7, 6, 9]),
    ],
)  # fmt: skip
def test_lanes_of_a_subgroup_exchange_values(code: str, expected: list[int]) -> None:
    module = shader(code, "%y", globals=LANES, group=8)
    assert run(module, WORDS, wave_size=4) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("%y = OpGroupNonUniformBallotBitCount %uint %scope Reduce %m", [2] * 4 + [2] * 4),
        ("%y = OpGroupNonUniformBallotFindLSB %uint %scope %m", [0] * 4 + [2] * 4),
        ("%y = OpGroupNonUniformBallotFindMSB %uint %scope %m", [2] * 4 + [3] * 4),
        ("%z = OpGroupNonUniformBallotBitExtract %bool %scope %m %c2\n"
         "%y = OpSelect %uint %z %c1 %c0", [1] * 8),
    ],
)  # fmt: skip
def test_ballots(code: str, expected: list[int]) -> None:
    test = "%t = OpUGreaterThan %bool %x %c4\n%m = OpGroupNonUniformBallot %v4uint %scope %t\n"
    module = shader(test + code, "%y", globals=LANES, group=8)
    assert run(module, [5, 3, 8, 2, 1, 1, 7, 6], wave_size=4) == expected
