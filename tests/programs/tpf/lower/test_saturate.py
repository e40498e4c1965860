"""`_sat` on every opcode that can have it: floats and doubles are clamped, other words are not.

One pixel shader for each kind of opcode runs every instruction twice, without and with `_sat`, on
the same operands, and stores both results. What is expected follows from the first: min(1, max(0,
x)), 0 for NaN. Source: Direct3D 11.3 functional specification, section 22.19.1.
"""

import re
from typing import Any

import numpy as np
import pytest

from tests.programs.tpf.lower.support import D, Image, run, words
from unshade.ir.library.sampling import SamplerState
from unshade.programs.tpf.tables.ops import OPS, Op
from unshade.programs.tpf.tables.tokens import Arithmetic

INF, NAN = float("inf"), float("nan")
LANES = 4
RESULT = 32  # bytes: two destinations of four components
ROWS = [row for row in OPS if issubclass(row.controls, Arithmetic) and row.operands[:1] in "DN"]
DOUBLES = {"ftod", "itod", "utod"}  # and what the table calls double, those that give words aside
WORDS = {"deq", "dge", "dlt", "dne", "dtof", "dtoi", "dtou"}
COMPARED = re.compile(r"_c(_|$)")  # samples that are compared with a number: 0 to 1 by themselves
TEXTURE = Image([np.linspace(-3, 5, 64, dtype="f4"), np.linspace(2, 9, 16, dtype="f4")], (4, 4, 1))
SAMPLES = Image([np.linspace(-9, -3, 256, dtype="f4")], (4, 4, 1), samples=4)
# Inputs by letter of the table's operands: registers in turn, a number for each component and lane.
GIVEN: dict[str, dict[str, list[list[Any]]]] = {
    "f": {
        "v1": [[-2.5, 0.4, 3.0, INF], [0.25, 7.0, -1.0, 0.5],
               [2.0, 0.1, 9.0, 4.0], [NAN, 1.5, 2.0, 3.0]],
        "v2": [[0.5, 2.0, -4.0, 1.5], [3.0, 0.5, 0.75, -8.0],
               [1.5, 5.0, -6.0, 1.0], [2.0, 3.0, 4.0, 5.0]],
        "v3": [[0.125, -9.0, 1.0, 2.0], [4.0, 1.0, 3.0, 0.5],
               [9.0, 8.0, 7.0, -6.0], [0.0, 1.0, 0.0, 1.0]],
    },
    "i": {
        "v4": [[3, -2, 0, 1], [1, 0, 2, 5], [0, 1, 2, 3], [0, 0, 0, 0]],
        "v5": [[2, 7, -5, 1], [4, 3, 2, 1], [1, 1, 1, 1], [9, 8, 7, 6]],
    },
    "d": {"v6": [[D(-2.5), D(0.5), D(3.0), D(9.0)], [D(NAN), D(7.0), D(0.25), D(-1.0)]],
          "v7": [[D(0.5), D(2.0), D(1.5), D(-3.0)], [D(1.0), D(-4.0), D(8.0), D(0.125)]]},
}  # fmt: skip
REGISTERS = {
    "f": [*GIVEN["f"]], "x": [*GIVEN["f"]], "i": [*GIVEN["i"]], "u": [*GIVEN["i"]],
    "d": [*GIVEN["d"]], "v": ["v1"],
}  # fmt: skip
FIXED = {"T": "t0.xyzw", "S": "s0", "U": "u1.xyzw", "R": "t1.xyzw"}
DECLARATIONS = """\
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_raw t1
dcl_resource_texture2dms(4) (float,float,float,float) t2
dcl_resource_structured t3, 16
dcl_uav_raw u0
dcl_uav_typed_buffer (float,float,float,float) u1
dcl_input_ps constant v0.x"""


def operands(row: Op) -> list[str]:
    """Return operands that fit the letters of a row; each source is another register."""
    found = []
    turns = {letter: [*registers] for letter, registers in REGISTERS.items()}
    for at, letter in enumerate(row.operands):
        if letter in "DN":
            found.append(f"r{at}.xyzw")
        elif letter in turns:
            registers = turns[letter]
            registers.append(registers.pop(0))
            found.append(f"{registers[-1]}.xyzw")
        elif letter == "T" and row.name.startswith(("ldms", "sample_", "sampleinfo", "samplepos")):
            many = row.name.startswith(("ldms", "sampleinfo", "samplepos"))
            found.append("t2.xyzw" if many else FIXED[letter])
        elif letter == "S" and COMPARED.search(row.name):
            found.append("s1.x" if row.name.startswith("gather4") else "s1")
        elif letter == "S":
            found.append("s0.x" if row.name.startswith("gather4") else "s0")
        elif letter == "R" and row.name.startswith("ld_structured"):
            found.append("t3.xyzw")
        else:
            found.append(FIXED[letter])
    return found


def program(rows: list[Op]) -> str:
    """Return every row plain and clamped; u0 has results by lane, row, form, destination."""
    room = 2 * RESULT * len(rows)  # of a lane
    lines = ["ps_5_0", *DECLARATIONS.splitlines()]
    lines += [f"dcl_input_ps linear {name}.xyzw" for each in GIVEN.values() for name in each]
    lines += ["dcl_output o0.x", "dcl_temps 4", f"imul null, r2.x, v0.x, l({room})"]
    for at, row in enumerate(rows):
        for form, suffix in enumerate(("", "_sat")):
            lines += ["mov r0.xyzw, l(0, 0, 0, 0)", "mov r1.xyzw, l(0, 0, 0, 0)"]
            lines.append(f"{row.name}{suffix} {', '.join(operands(row))}")
            for target in range(2):
                place = RESULT * (2 * at + form) + 16 * target
                lines.append(f"iadd r3.x, r2.x, l({place})")
                lines.append(f"store_raw u0.xyzw, r3.x, r{target}.xyzw")
    return "\n".join([*lines, "mov o0.x, l(0)", "ret", ""])


def inputs() -> dict[str, Any]:
    found = {"v0.x": words(0, 1, 2, 3)}
    moved = [f"v1.{letter}" for letter in "xyzw"] + ["perspective"]  # to the places of eval_*
    slopes = [f"{name}.{axis}" for name in moved for axis in ("ddx", "ddy")]
    found |= {name: words(*[0.5] * LANES) for name in slopes}
    found |= {f"centroid.{axis}": words(*[0.0] * LANES) for axis in "xy"}
    for registers in GIVEN.values():
        for name, columns in registers.items():
            flat = [words(*column) for column in columns]
            if len(flat) == 2:  # doubles: two words a lane
                flat = [half for each in flat for half in (each[::2], each[1::2])]
            found |= {f"{name}.{letter}": each for letter, each in zip("xyzw", flat, strict=True)}
    return found


def gives_floats(row: Op) -> bool:
    more = row.kind == "tex" or row.name in DOUBLES
    return row.saturate or more or row.name.startswith(("eval_", "ld_uav_typed"))


def clamped(row: Op, plain: Any) -> Any:
    """Return the words of a result as `_sat` leaves them."""
    if not gives_floats(row):
        return plain
    wide = row.name in DOUBLES or (row.kind == "double" and row.name not in WORDS)
    found = plain.view("<f8" if wide else "<f4")
    made = np.where(np.isnan(found), 0, np.clip(found, 0, 1)) + 0.0  # no -0
    return np.ascontiguousarray(made.astype(found.dtype)).view("<u4")


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted({row.kind for row in ROWS}))
def test_every_opcode(kind: str) -> None:
    rows = [row for row in ROWS if row.kind == kind]
    room = LANES * len(rows) * 2 * RESULT // 4
    outcome = run(
        program(rows), inputs=inputs(), items=LANES,
        memories={"u0": np.zeros(room, "u4"), "t1": words(*[-3.0, 0.5, 7.0, 2.0] * 8),
                  "t3": words(*[-3.0, 0.5, 7.0, 2.0] * 8),
                  "u1": words(*[-3.0, 0.5, 7.0, NAN] * 4), "rasterizer": words(4)},
        images={"t0": TEXTURE, "t2": SAMPLES},
        samplers={"s0": SamplerState(), "s1": SamplerState(comparison="less")},
    )  # fmt: skip
    found = outcome.memories["u0"].reshape(LANES, len(rows), 2, RESULT // 4)
    for at, row in enumerate(rows):
        plain, got = np.ascontiguousarray(found[:, at, 0]), found[:, at, 1]
        wanted = clamped(row, plain)
        if gives_floats(row):
            got = np.where(got == 1 << 31, 0, got)  # either zero will do
        assert np.array_equal(got, wanted), f"{row}: {got} instead of {wanted}, plain {plain}"
        if gives_floats(row) and not COMPARED.search(row.name):
            assert not np.array_equal(plain, wanted), f"{row}: no number shows it"


def test_nothing_else_has_the_bit() -> None:
    """The bit means something else in `sync_ugroup`, and nothing in other instructions."""
    others = [row for row in OPS if not issubclass(row.controls, Arithmetic)]
    assert not [row for row in others if row.saturate]
