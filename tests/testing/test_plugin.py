"""The pytest plugin, in test runs of its own."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.programs.dxil.lower.test_exported import LIBRARY
from tests.programs.spirv.lower.test_printing import printing
from unshade import UsageError, assemble
from unshade.errors import not_installed
from unshade.run.kernels import Kernel
from unshade.testing import Vector, approx_ulp, ulp_distance

pytest_plugins = ["pytester"]
OTHERS = ("unshade", "cacheprovider", "hypothesispytest", "xdist")  # Hypothesis loads for 0.1 s
PLUGIN = ("-p", "unshade.testing.plugin", *(f"-pno:{name}" for name in OTHERS))

SAXPY = """
import numpy as np
from unshade.testing import approx_ulp

def test_saxpy(shader):
    x = np.arange(256, dtype=np.float32)
    want = 2 * x + 1
    want[170] = 3
    result = shader("saxpy.dxbc").dispatch(4, a=2.0, X=x, Y=np.ones(256, np.float32))
    {check}
"""


class ImportedModules:
    """A plugin that keeps the modules of unshade that runs of pytest in this process import.

    pytester restores `sys.modules` after each run and after each test. A module that only a run
    imported would be imported again by the next one, with new classes; cached objects, like the
    part types of a format, would be instances of the old ones.
    """

    def __init__(self) -> None:
        self.modules: dict[str, ModuleType] = {}

    def pytest_unconfigure(self) -> None:
        for name, module in sys.modules.items():
            if name.startswith("unshade."):
                self.modules[name] = module

    def restore(self) -> None:
        """Import the modules again, as the same objects."""
        sys.modules.update(self.modules)


def run_pytest(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    """Run the tests of a folder with the plugin of unshade, in this process."""
    [imported] = pytester.plugins
    assert isinstance(imported, ImportedModules)
    result = pytester.runpytest_inprocess(*PLUGIN, *options, plugins=[imported])
    imported.restore()
    return result


@pytest.fixture
def imported() -> Iterator[ImportedModules]:
    modules = ImportedModules()
    yield modules
    modules.restore()


@pytest.fixture
def place(imported: ImportedModules, pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.plugins.append(imported)
    for name in (
        "saxpy.dxbc", "phong.dxbc", "mandel.dxbc", "billboards.dxbc", "sheet.d.dxbc", "lit.shbin",
    ):  # fmt: skip
        shutil.copy(REPOSITORY / "examples" / name, pytester.path)
    return pytester


@pytest.mark.slow
def test_a_shader_of_another_format(place: pytest.Pytester) -> None:
    """Its lines, its names; and the lines that ran."""
    place.makepyfile("""
        import numpy as np
        from unshade.testing import approx_ulp

        def test_lit(shader):
            found = shader("lit.shbin").transform(
                {"position": [[1, 2, 3, 1]], "normal": [[0, 1, 0, 0]]},
                modelViewProjection=np.eye(4), lamp=(0, 1, 0, 0), showNormals=True,
            )
            assert found["color"] == approx_ulp(np.ones((1, 4), "f4"))
    """)
    result = run_pytest(place, "--shader-coverage=out.info")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*2 of 4 differ*", "lit.shbin, thread 0, which gave color:", "*add o1.xyz, c93, r1*"]
    )
    text = place.path.joinpath("out.info").read_text()
    assert "lit.shbin" in text
    ran = [line for line in text.splitlines() if line.startswith("DA:")]
    assert {line.rpartition(",")[2] for line in ran} == {"0", "1"}


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize(
    "check",
    [
        'assert result["Y"] == approx_ulp(want)',
        'assert approx_ulp(want[100:]) == result["u1"][100:]',
    ],
    ids=["whole", "view"],
)
def test_a_failure_shows_the_thread_that_wrote_the_number(
    place: pytest.Pytester, check: str
) -> None:
    place.makepyfile(SAXPY.format(check=check))
    result = run_pytest(place)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*1 of * differ by more than 4 ulp*",
            "*is 341.0, expected 3.0*",
            "*- shader -*",
            "saxpy.dxbc, thread (170, 0, 0), which gave Y:",
            "   12  mul r0.x, cb0?0?.xxxx, r0.xxxx",
            "       ->  r0.x  *  340.0 *was 170.0",
        ]
    )


@pytest.mark.slow
def test_a_passing_test_has_no_report(place: pytest.Pytester) -> None:
    place.makepyfile(SAXPY.format(check='want[170] = 341; assert result["Y"] == approx_ulp(want)'))
    result = run_pytest(place)
    result.assert_outcomes(passed=1)


@pytest.mark.slow
def test_a_run_leaves_its_modules_imported(place: pytest.Pytester) -> None:
    place.makepyfile(SAXPY.format(check=""))
    run_pytest(place)
    module = sys.modules["unshade.testing.kernels"]
    run_pytest(place)
    assert sys.modules["unshade.testing.kernels"] is module


@pytest.mark.slow
def test_any_failure_shows_findings(place: pytest.Pytester) -> None:
    place.makepyfile(
        """
        def test_it(shader):
            result = shader("saxpy.dxbc").dispatch(1, a=2.0, X=[1.0, 2.0], Y=[1.0, 1.0])
            assert result["Y"][0] == 4
        """
    )
    result = run_pytest(place)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["out-of-bounds: t0[[]2[]] is outside: X (t0) has 2 elements*"])


@pytest.mark.slow
def test_any_failure_shows_printed_lines(place: pytest.Pytester) -> None:
    data = printing("%p = OpExtInst %void %print 1 %s0 %x", "x = %u").to_bytes()
    place.path.joinpath("print.spv").write_bytes(data)
    place.makepyfile(
        """
        import numpy as np

        def test_it(shader):
            x = np.arange(4, dtype=np.uint32)
            shader("print.spv").dispatch(1, source=x, target=x.copy())
            assert False
        """
    )
    result = run_pytest(place)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["printed:", "    thread (0, 0, 0): x = 0"])


@pytest.mark.slow
def test_wrong_pixels_are_traced(place: pytest.Pytester) -> None:
    place.makepyfile(
        """
        import numpy as np
        from unshade.testing import approx_ulp

        def test_it(shader):
            result = shader("phong.dxbc").shade(
                (4, 3), {"TEXCOORD0": [0, 0, 1], "TEXCOORD2": 7}, u_l=[dict(p=[0]*4, c=[1]*4)] * 4,
                u_eye=[0, 0, 1, 1], u_n=0, tex=np.ones((1, 1, 4), np.float32),
                env=np.ones((6, 1, 1, 4), np.float32))
            want = np.full((3, 4), 7, np.uint32)
            assert result["SV_Target1"] == approx_ulp(want)
            want[2, 1] = 8
            assert result["SV_Target1"] == approx_ulp(want)
        """
    )
    result = run_pytest(place)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["phong.dxbc, pixel (1, 2), which gave SV_Target1:"])


@pytest.mark.slow
def test_vertices_are_traced_where_they_were_emitted(place: pytest.Pytester) -> None:
    place.makepyfile(
        """
        import numpy as np
        from unshade.testing import approx_ulp

        EYE = np.eye(4, dtype=np.float32)

        def test_geometry(shader):
            points = np.arange(9, dtype=np.float32).reshape(3, 3)
            result = shader("billboards.dxbc").expand(
                {"POSITION": points, "SIZE": [1, 0, 1], "COLOR": [0, 0, 0, 0]},
                view_projection=EYE, right=[1, 0, 0], up=[0, 1, 0])
            want = result["SV_Position"].copy()
            want[6] = 0
            assert result["SV_Position"] == approx_ulp(want)

        def test_domain(shader):
            points = np.zeros((2, 4, 3), np.float32)
            result = shader("sheet.d.dxbc").evaluate(
                [[0, 0], [0.5, 0.5], [1, 0]], {"POSITION": points}, view_projection=EYE, height=3)
            want = result["SV_Position"].copy()
            want[1, 1] = 0
            assert result["SV_Position"] == approx_ulp(want)
        """
    )
    result = run_pytest(place)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "billboards.dxbc, thread 2, which gave SV_Position:",
            "   35  emit_stream m0*",
            "sheet.d.dxbc, thread (1, 1), which gave SV_Position:",
        ]
    )


@pytest.mark.slow
def test_vectors_are_a_test_each(place: pytest.Pytester) -> None:
    place.path.joinpath("saxpy.json").write_text(
        '[{"name": "plain", "bind": {"a": 1, "X": [1], "Y": [2]}, "expect": {"Y": [3]}},'
        ' {"name": "wrong", "bind": {"a": 1, "X": [1], "Y": [2]}, "expect": {"Y": [4]}}]'
    )
    place.makepyfile(
        f"""
        from unshade.testing import vectors

        @vectors({str(place.path / "saxpy.json")!r})
        def test_it(shader, vector):
            vector.check(shader("saxpy.dxbc"))
        """
    )
    result = run_pytest(place, "-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*test_it?wrong? FAILED*", "*Y: 1 of 1 differ*"])


@pytest.mark.slow
def test_vectors_of_pixels_have_a_size(place: pytest.Pytester) -> None:
    place.makepyfile(
        """
        from unshade.testing import vectors

        @vectors([{"size": [2, 1], "bind": {"P": {}}, "expect": {"covered": [[True, True]]}},
                  {"size": [2, 1], "bind": {"resolution": [2, 1], "time": 0.0},
                   "expect": {"covered": [[True, True]]}}])
        def test_it(shader, vector):
            vector.check(shader("gyroid.dxbc"))
        """
    )
    shutil.copy(REPOSITORY / "examples" / "gyroid.dxbc", place.path)
    result = run_pytest(place)
    result.assert_outcomes(passed=1, failed=1)


@pytest.mark.slow
def test_differing_places_are_listed_before_the_arrays(place: pytest.Pytester) -> None:
    place.makepyfile(
        """
        import numpy as np
        from unshade.testing import approx_ulp

        def test_it():
            want = np.zeros((48, 64, 4), np.float32)
            is_ = want.copy()
            is_[5, 7, 1] = 1
            assert is_ == approx_ulp(want)
        """
    )
    result = run_pytest(place)
    result.stdout.fnmatch_lines(
        [
            "E       assert float32 (48, 64, 4) == float32 (48, 64, 4) ± 4 ulp",
            "E         1 of 12,288 differ by more than 4 ulp",
            "E         ?5, 7, 1? is 1.0, expected 0.0: *",
            "E         is       ?0. 0. 0. ... 0. 0. 0.?",
            "E         expected ?0. 0. 0. ... 0. 0. 0.?",
        ],
        consecutive=True,
    )
    assert "truncated" not in result.stdout.str()


@pytest.mark.slow
def test_a_call_that_is_refused_shows_the_test_and_nothing_else(place: pytest.Pytester) -> None:
    place.makepyfile(
        """
        def test_call(shader):
            shader("saxpy.dxbc").dispatch(1, a=2.0, X=[1.0])

        def test_file(shader):
            shader("saxpi.dxbc")
        """
    )
    result = run_pytest(place)
    result.assert_outcomes(failed=2)
    text = result.stdout.str()
    assert "UsageError: Y (u1) is not bound" in text
    assert "UsageError: no such file: 'saxpi.dxbc'; searched " in text
    assert "src/unshade" not in text.replace("\\", "/").partition("short test summary")[0]


@pytest.mark.slow
def test_calls_of_functions_are_recorded(place: pytest.Pytester) -> None:
    assemble(LIBRARY, "dxcontainer").save(place.path / "functions.dxil")
    place.makepyfile(
        """
        def test_refused(shader):
            shader("functions.dxil", entry="lit::shade").call({"normal": [0, 0, 3]})
        """
    )
    result = run_pytest(place)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "UsageError: missing argument k" in text
    assert "src/unshade" not in text.replace("\\", "/").partition("short test summary")[0]


def test_a_missing_engine_is_one_error(place: pytest.Pytester) -> None:
    place.makepyfile("def test_it(shader): pass")
    result = run_pytest(place, "--shader-engine=cuda")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--shader-engine: invalid choice: 'cuda'*"])


@pytest.mark.slow
def test_coverage_is_written_as_lcov(place: pytest.Pytester) -> None:
    place.makepyfile(
        """
        import numpy as np

        def test_it(shader):
            kernel = shader("mandel.dxbc")
            kernel.dispatch(1, _103=np.zeros(64, np.uint32), P=dict(
                _21_x0=0, _21_y0=0, _21_dx=0, _21_dy=0, _21_w=64))
        """
    )
    result = run_pytest(place, "--shader-coverage=cov/out.info")
    result.assert_outcomes(passed=1)
    lines = (place.path / "cov" / "out.info").read_text().splitlines()
    listing = Path(lines[1].removeprefix("SF:"))
    assert listing.read_text().startswith("cs_5_0\n")
    text = listing.read_text().splitlines()
    first = next(at for at, line in enumerate(text, 1) if line.startswith("udiv"))
    assert f"DA:{first},64" in lines
    branches = [line for line in lines if line.startswith("BRDA:")]
    assert [line.rpartition(",")[2] for line in branches] == ["64", "16384", "0", "16384"]
    assert lines[-1] == "end_of_record"


# ---------------------------------------------------------------- comparing


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        (np.float32(1), np.float32(1), 0),
        (np.float32(1), np.nextafter(np.float32(1), np.float32(2)), 1),
        (np.float32(0.0), np.float32(-0.0), 0),
        (np.float32(1e-45), np.float32(-1e-45), 2),
        (np.float32(1e-45), np.float32(-3e-45), 3),
        (np.float16(1), np.float16(-1), 2 * 15 * 1024),
        (np.float16(1), np.float16(1.001), 1),
        (np.float64(1), np.float64(1) + 2**-52, 1),
        (np.float32(np.nan), np.float32(np.nan), 0),
        (np.float32(np.nan), np.float32(1), np.inf),
        (np.float32(np.inf), np.finfo(np.float32).max, 1),
    ],
)
def test_distances_count_the_floats_between(a: float, b: float, distance: float) -> None:
    assert ulp_distance(a, b) == distance
    assert ulp_distance(b, a) == distance


def test_approx_ulp_compares_from_both_sides() -> None:
    array = np.array([1, 2, 3], np.float32)
    near = np.nextafter(array, np.float32(9))
    assert array == approx_ulp(near, 1)
    assert approx_ulp(near, 1) == array
    assert array != approx_ulp(near, 0)
    assert np.float32(2) == approx_ulp(2.0, 0)
    assert array == approx_ulp([1, 2, 3.5], absolute=0.5)
    assert array != approx_ulp([1, 2])
    assert np.array([1, 2]) == approx_ulp([1, 2])
    assert np.array([1, 2]) != approx_ulp([1, 3], 9)
    with pytest.raises(UsageError, match="expected an array, got a mapping of Y, Z; select one"):
        _ = {"Y": array, "Z": array} == approx_ulp(array)


def test_vectors_are_refused_by_field() -> None:
    from unshade.testing import vectors

    with pytest.raises(UsageError, match=r"vector 0: `expect` is missing; known: name"):
        vectors([{"bind": {}}])
    with pytest.raises(UsageError, match="vector 0: unknown grops; known: name"):
        vectors([{"grops": 1, "expect": {}}])
    assert vectors([Vector({}), Vector({}, name="b")]).kwargs["ids"] == ["vector0", "b"]


@pytest.mark.slow
def test_source_is_assembled_and_covered_by_its_lines(place: pytest.Pytester) -> None:
    source = "half4 main(float2 p) {\n    half x = half(p.x);\n    return half4(x);\n}\n"
    (place.path / "ramp.rts").write_text(source)
    place.makepyfile(
        """
        def test_it(shader):
            found = shader("ramp.rts").shade((4, 2))["main"]
            assert found[0].tolist() == [[0.5] * 4, [1.5] * 4, [2.5] * 4, [3.5] * 4]
        """
    )
    result = run_pytest(place, "--shader-coverage=out.info")
    result.assert_outcomes(passed=1)
    assert "DA:2,8\nDA:3,8\n" in (place.path / "out.info").read_text()
    listing = place.path / "out.info.listings" / "ramp.rts.asm"
    assert listing.read_text().startswith(source)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--shader-coverage=out.info", "--shader-engine=jit"])
def test_without_numpy_a_test_fails_with_a_hint(pytester: pytest.Pytester, option: str) -> None:
    pytester.makeconftest("import sys\nsys.modules['numpy'] = None")
    pytester.makepyfile("def test_it(shader):\n    shader('saxpy.dxbc')\n")
    result = pytester.runpytest_subprocess(*PLUGIN, option)
    text = str(not_installed("running shaders", "NumPy", "run"))
    assert text in result.stdout.str() + result.stderr.str()
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
    assert "ModuleNotFoundError" not in result.stdout.str() + result.stderr.str()


def test_names_are_listed_for_completion() -> None:
    assert dir(unshade.testing) == sorted(unshade.testing.__all__)
    assert dir(unshade.run) == sorted(unshade.run.__all__)
    assert unshade.testing.ShaderFixture.__call__.__annotations__["return"] is Kernel
