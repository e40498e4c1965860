"""Programs in the cache: a call whose code is stored lowers nothing and gives the same bits."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import unshade
from tests.examples import EXAMPLES
from tests.fixtures.storing import storing
from unshade.errors import UnsupportedError
from unshade.ir.kernel import Block, If, Loop, Switch, Value
from unshade.ir.locations import SymbolName
from unshade.ir.lowered import Form, Lowered
from unshade.ir.memory import Var
from unshade.ir.textures import Shape
from unshade.limits import Limits
from unshade.model import Reflection
from unshade.run import Sampler, Texture, any_stage, engines, execution, opening
from unshade.run.binding.bindings import Binding
from unshade.run.debugging import trace_view
from unshade.run.kernels import Kernel
from unshade.run.stored import CLASSES, codec, stored_program
from unshade.shader import Shader
from unshade.vm.jit import Jit
from unshade.vm.jit import compile as compiling
from unshade.vm.jit import engine as jit
from unshade.vm.jit.cache import module_digests
from unshade.vm.launch import Launch, Report
from unshade.vm.lockstep import Lockstep
from unshade.vm.prepared import KernelTraits
from unshade.vocab.words import Stage

pytestmark = pytest.mark.heavy

SHADERS = (".dxbc", ".dxil", ".spv", ".shbin", ".skslb", ".vbc", ".cso")
ROOT = Path(__file__).parents[2]
STORED = [
    "saxpy.dxbc", "gyroid.dxbc", "mandel.dxbc", "phong.dxbc", "skinning.dxbc", "billboards.dxbc",
    "sheet.h.dxbc", "sheet.d.dxbc", "saxpy6.dxil", "noise.skslb", "particles.spv", "lit.shbin",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, for programs too."""
    monkeypatch.setenv("UNSHADE_CACHE", str(tmp_path / "kept"))
    settle(monkeypatch)
    with storing():
        yield tmp_path / "kept"


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that this process began long after the sources were written."""
    monkeypatch.setattr(
        module_digests, "HERE", module_digests.ModuleDigests(started=time.time_ns() + 10**12)
    )
    jits()


def jits() -> None:
    """Forget the code in memory."""
    engines._jit.cache_clear()


def kernel(name: str, **options: Any) -> Kernel:
    return unshade.kernel(unshade.open(EXAMPLES / name), **options)


def numbers(count: int) -> Any:
    return np.linspace(0.125, 1, count, dtype="f4")


def bound(kernel: Kernel) -> dict[str, Any]:
    """Return something to bind to each name."""
    found: dict[str, Any] = {}
    for each in kernel.bindings:
        match each.form:
            case Form.CONSTANTS:
                found[each.name] = constants(each)
            case Form.TEXTURE:
                shape = [5] * each.rank + [4]
                shape[0] = 6 if each.resource.shape is Shape.CUBE else 5
                found[each.name] = numbers(int(np.prod(shape))).reshape(shape)
            case Form.RAW | Form.STRUCTURED:
                found[each.name] = numbers(256 * max(each.resource.stride // 4, 1))
    return found


def constants(binding: Binding) -> Any:
    """Return fractions for floats, and ones for integers."""
    if binding.dtype is None:
        return numbers(binding.resource.size // 4 + 4)
    made = np.zeros(1, binding.dtype)

    def fill(array: Any) -> None:
        if array.dtype.names is None:
            array[...] = numbers(array.size).reshape(array.shape) if array.dtype.kind == "f" else 1
        for name in array.dtype.names or ():
            fill(array[name])

    fill(made)
    return made.view(np.uint8)


def called(kernel: Kernel) -> dict[str, bytes]:
    """Call a kernel of any stage, and return the bytes of its results."""
    bindings = bound(kernel)
    if kernel.stage is Stage.COMPUTE:
        results: Any = kernel.dispatch(2, bindings)
    elif kernel.stage is Stage.DOMAIN:
        results = kernel.evaluate(*arrays(kernel), bindings)
    else:
        inputs: Any = (6, 5) if kernel.stage is Stage.PIXEL else arrays(kernel)[1] or 3
        results = any_stage.over(kernel, inputs, bindings)
    return {name: np.ascontiguousarray(results[name]).tobytes() for name in results}


def arrays(kernel: Kernel) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for signature in (kernel.inputs, kernel.patch_constants):
        made = {}
        for row in signature if kernel.stage is not Stage.HULL or not rows else ():
            shape = [3, *[row.points] * bool(row.points), *[len(row.ports)] * (len(row.ports) > 1)]
            made[row.label] = numbers(int(np.prod(shape))).astype(row.dtype).reshape(shape)
        rows.append(made)
    return numbers(6).reshape(3, 2), rows[0], rows[1]


def lower(*_: object) -> Any:
    """Lower nothing."""


class Refused(Exception):
    """Something was done that a stored program does not need."""


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function after whose call nothing can be lowered, prepared or compiled."""

    def refuse(*_: object, **__: object) -> None:
        raise Refused

    def begin() -> None:
        jits()
        monkeypatch.setattr(opening, "lowered_program", refuse)
        monkeypatch.setattr(execution, "prepare", refuse)
        monkeypatch.setattr(execution, "expand", refuse)
        monkeypatch.setattr(jit, "module_text", refuse)
        monkeypatch.setattr(compiling, "compile_text", refuse)
        monkeypatch.setattr(Shader, "reflect", refuse)

    return begin


@pytest.mark.slow
@pytest.mark.parametrize("name", STORED)
def test_a_stored_program_is_not_lowered_and_gives_the_same_bits(
    name: str, folder: Path, refusing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setenv("UNSHADE_CACHE", "")
        expected = called(kernel(name))
        listing = kernel(name).listing
    assert called(kernel(name)) == expected
    with monkeypatch.context():
        refusing()
        stored = kernel(name)
        assert called(stored) == expected
        assert stored.program._lowered is None
        monkeypatch.undo()
    assert stored.listing == listing


def test_what_needs_the_code_gets_it(folder: Path) -> None:
    first = kernel("saxpy.dxbc")
    first.dispatch(1, saxpy())
    jits()
    second = kernel("saxpy.dxbc")
    second.dispatch(1, saxpy())
    assert second.program._lowered is None
    assert second.program.declared.kernel.body == []
    traces = []
    for each in second, kernel("saxpy.dxbc", engine="lockstep"):
        debugger = each.debug((3, 0, 0))
        debugger.dispatch(1, saxpy())
        traces.append([*trace_view.trace(debugger)])
    assert traces[0] == traces[1]
    assert second.lowered.kernel.body
    reflections = [each.reflection for each in (first, second)]
    assert reflections[0] == reflections[1]
    assert [str(each) for each in first.bindings] == [str(each) for each in second.bindings]


def saxpy() -> dict[str, Any]:
    return {"X": np.ones(64, "f4"), "Y": np.ones(64, "f4"), "a": 2.0, "n": 64}


@pytest.mark.parametrize("name", ["saxpy.dxbc", "phong.dxbc", "mandel.dxbc", "sheet.h.dxbc"])
def test_a_compiled_program_is_stored(name: str, folder: Path, refusing: Any) -> None:
    expected = called(kernel(name, engine="lockstep"))
    kernel(name).compile(bound(kernel(name)))
    refusing()
    assert called(kernel(name)) == expected


def test_compile_takes_what_is_usual(folder: Path, refusing: Any) -> None:
    """Which is what calls have with arrays of 32-bit numbers; buffers need not be given."""
    expected = called(kernel("phong.dxbc", engine="lockstep"))
    phong = kernel("phong.dxbc")
    phong.compile()
    phong.compile({"u_n": 1})
    with pytest.raises(unshade.UsageError, match="unknown name 'other'"):
        phong.compile(other=1)
    refusing()
    assert called(kernel("phong.dxbc")) == expected


def test_compile_for_groups_along_two_axes(folder: Path, refusing: Any) -> None:
    kernel("saxpy.dxbc").compile(groups=(2, 2))
    refusing()
    kernel("saxpy.dxbc").dispatch((2, 2), saxpy())
    with pytest.raises(Refused):
        kernel("saxpy.dxbc").dispatch((2, 1), saxpy())


def test_lockstep_compiles_nothing(folder: Path) -> None:
    kernel("saxpy.dxbc", engine="lockstep").compile()
    assert not folder.exists()


def test_what_the_jit_cannot_compile(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UnsupportedError("too large")

    monkeypatch.setattr(jit, "check_size", refuse)
    kernel("saxpy.dxbc").compile()  # lockstep will run it
    with pytest.raises(UnsupportedError, match="too large"):
        kernel("saxpy.dxbc", engine="jit").compile()


def test_lockstep_stores_nothing(folder: Path) -> None:
    called(kernel("saxpy.dxbc", engine="lockstep"))
    assert not folder.exists()


def test_a_program_without_machine_code_is_lowered_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if only some of its entries were removed, each of which is then stored again."""
    expected = called(kernel("gyroid.dxbc"))
    kept = sorted(folder.glob("*/*"))
    contents = {each: each.read_bytes() for each in kept}
    for gone in kept:
        gone.unlink()
        settle_again()
        assert called(kernel("gyroid.dxbc")) == expected
        assert gone.exists(), gone
    for each in kept:
        each.write_bytes(contents[each])

    def refuse(*_: object, **__: object) -> None:
        raise UnsupportedError("too large")

    for each in folder.glob("*/*.o"):
        each.unlink()
    jits()
    monkeypatch.setattr(jit, "check_size", refuse)
    assert called(kernel("gyroid.dxbc")) == expected


def test_a_processor_without_the_jit_shares_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds programs there, and no code that it could run."""
    expected = called(kernel("gyroid.dxbc"))

    def refuse() -> None:
        raise UnsupportedError("the jit engine needs another processor")

    def run(engine: Lockstep, code: Any, launch: Launch) -> Report:
        assert code._make is None  # its memories are those that its body refers to
        return lockstep(engine, code, launch)

    settle_again()
    lockstep = Lockstep.run
    monkeypatch.setattr(Lockstep, "run", run)
    monkeypatch.setattr(jit, "target", refuse)
    stored = kernel("gyroid.dxbc")
    assert stored.program._lowered is None
    assert called(stored) == expected


def test_damaged_files_are_replaced(folder: Path) -> None:
    expected = called(kernel("saxpy.dxbc"))
    for place in sorted(folder.glob("*/*")):
        good = place.read_bytes()
        for bad in (b"", good[:20], good[:-1], good[:40] + b"\xff" + good[41:], bytes(len(good))):
            place.write_bytes(bad)
            settle_again()
            assert called(kernel("saxpy.dxbc")) == expected
            assert place.read_bytes() != bad


def settle_again() -> None:
    module_digests.HERE = module_digests.ModuleDigests(started=module_digests.HERE.started)
    jits()


def test_an_edited_shader_is_another(folder: Path) -> None:
    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    unshade.kernel(shader).dispatch(1, saxpy())
    jits()
    stored = unshade.kernel(shader)
    assert stored.program._lowered is None
    shader.strip(*["reflection"])
    edited = unshade.kernel(shader)
    assert edited.program._lowered is not None
    assert not any(each.label for each in edited.bindings)
    assert stored.lowered.lines  # of what it was opened with
    assert stored.dispatch(1, saxpy())["Y"][5] == 3


def test_states_are_part_of_the_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samplers = [Sampler(filter="point"), Sampler(filter="linear"), Sampler(address="wrap")]
    picture = numbers(64).reshape(4, 4, 4)
    textures = [picture, (picture * 255).astype("u1"), Texture([picture, picture[::2, ::2]])]

    def drawn() -> list[bytes]:
        phong = kernel("phong.dxbc")
        flat = [each for each in phong.bindings if each.resource.shape is Shape.D2]
        names = {each.form: each.name for each in [*phong.bindings, *flat]}
        found = []
        for sampler in samplers:
            for texture in textures:
                given = {**bound(phong), names[Form.TEXTURE]: texture}
                result = phong.shade((6, 5), None, {**given, names[Form.SAMPLER]: sampler})
                found.append(result["SV_Target"].tobytes())
        return found

    with monkeypatch.context() as without:
        without.setenv("UNSHADE_CACHE", "")
        expected = drawn()
    assert len({*expected}) > 3
    for _ in range(2):
        assert drawn() == expected
        jits()


@pytest.mark.slow
def test_shaders_that_call_children_are_not_stored(folder: Path) -> None:
    """They are no files yet; their children are, and kernels of their own."""
    ripple = unshade.kernel(unshade.assemble((EXAMPLES / "ripple.rts").read_text(), "sksl"))
    plasma = kernel("plasma.skslb")
    for child in plasma.bind(time=0.5, size=(64.0, 64.0)), (1, 0, 0, 1):
        ripple.shade((6, 5), image=child, centre=(3.0, 2.0), time=1.0)
    assert ripple.program.stored is None
    assert not [*folder.glob("*/*.k")]


def declared(kind: Any, found: set[type]) -> None:
    """Add a class and those that its fields are declared with, and theirs."""
    for each in get_args(kind):
        declared(each, found)
    if not isinstance(kind, type) or not kind.__module__.startswith("unshade."):
        return
    if kind in found or kind in EMPTY:
        return
    found.add(kind)
    if not issubclass(kind, Enum):
        names = getattr(kind, "FIELDS", None) or get_type_hints(kind)
        for name, hint in get_type_hints(kind).items():
            if name in names:
                declared(hint, found)


# What declarations have none of: the code of a kernel, its variables, and names of their scalars.
EMPTY = (Value, If, Loop, Switch, Block, Var, SymbolName)


def test_every_class_of_a_program_can_be_stored() -> None:
    """A new class among the fields of one that is stored has to be listed."""
    found: set[type] = set()
    for kind in Lowered, Binding, KernelTraits, Reflection:
        declared(kind, found)
    assert {each.__name__ for each in found} == {each.__name__ for each in CLASSES}


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [each for each in sorted(EXAMPLES.iterdir()) if each.suffix in SHADERS],
    ids=lambda path: path.name,
)  # fmt: skip
def test_every_reflection_comes_back(path: Path) -> None:
    """With equal plain data."""
    reflection = unshade.open(path).reflect()
    (found,) = codec().unpacked(codec().packed(reflection))
    assert found == reflection
    assert found.to_dict() == reflection.to_dict()


# ---------------------------------------------------------------- the key


def test_every_argument_of_kernel_is_part_of_the_key(folder: Path) -> None:
    """Or known to change no code: a new one has to be sorted in here."""
    assert {*inspect.signature(unshade.run.kernel).parameters} == {
        "shader", "program", "entry", "specialisation",  # the program
        "engine",  # one is stored
        "fast",  # Jit.options
    }  # fmt: skip
    saxpy = unshade.open(EXAMPLES / "saxpy.dxbc")
    programs: list[tuple[Shader, int, str | None, dict[str, Any]]] = [
            (saxpy, 0, None, {}), (unshade.open(EXAMPLES / "mandel.dxbc"), 0, None, {}),
            (saxpy, 1, None, {}), (saxpy, 0, "main", {}), (saxpy, 0, None, {"lengths": {"t0": 4}}),
            (saxpy, 0, None, {"samples": 4}), (saxpy, 0, None, {"interfaces": {0: 2}}),
            (saxpy, 0, None, {"interfaces": {0: 3}}),
            (unshade.open(EXAMPLES / "saxpy.dxbc", limits=Limits(depth=63)), 0, None, {}),
    ]  # fmt: skip
    found = [stored_program(*each, lower) for each in programs]
    assert len({each.stored_as for each in found if each}) == len(programs)


def test_every_option_of_the_engine_is_part_of_the_key() -> None:
    given = {"threads": 2, "width": 8, "fast": True, "quick": True, "tune": False}
    assert {*inspect.signature(Jit.__init__).parameters} == {"self", *given}
    for name, value in given.items():
        changed: Any = {name: value}
        # Quick code is asked for by the call, and has an entry of its own.
        assert (Jit(**changed).options == Jit().options) == (name in ("threads", "quick"))


def test_unknown_objects_are_not_stored(folder: Path) -> None:
    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    assert stored_program(shader, 0, None, {"samples": 1}, lower)
    assert stored_program(shader, 0, None, {"samples": np.int64(1)}, lower) is None


def test_formats_of_other_packages_are_not_stored(folder: Path) -> None:
    kind: Any = type("Other", (unshade.DxContainer,), {"__module__": "other.shaders"})
    shader = kind.loads((EXAMPLES / "saxpy.dxbc").read_bytes())
    assert stored_program(shader, 0, None, {}, lower) is None


# ---------------------------------------------------------------- several processes

CALL = """
import sys, time
import unshade
unshade._STARTED += 10**12
from tests.run.test_stored import called, kernel
print({name: hash(tuple(called(kernel(name)).items())) and kernel(name).program._lowered is None
       for name in sys.argv[1:]})
"""


def processes(folder: Path, root: Path, number: int, *names: str) -> list[str]:
    """Return what some processes print that run at the same time."""
    environment = {
        **os.environ, "UNSHADE_CACHE": str(folder),
        "PYTHONPATH": os.pathsep.join([str(root / "src"), str(ROOT)]),
    }  # fmt: skip
    started = [
        subprocess.Popen(
            [sys.executable, "-c", CALL, *names], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(number)
    ]
    found = []
    for each in started:
        out, _ = each.communicate(timeout=300)
        assert each.returncode == 0
        found.append(out)
    return found


def test_processes_share_a_folder(folder: Path) -> None:
    names = "saxpy.dxbc", "noise.skslb"
    processes(folder, ROOT, 2, *names)
    assert processes(folder, ROOT, 1, *names) == [f"{dict.fromkeys(names, True)}\n"]


def test_no_code_of_another_version_is_run(folder: Path, tmp_path: Path) -> None:
    """A changed module makes entries invalid, whichever module it is; the old one, valid again."""
    root = tmp_path / "copy"
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    changed = root / "src" / "unshade" / "ir" / "simplify" / "identities.py"
    untouched = changed.read_text()
    hit = ["{'saxpy.dxbc': True}\n"]

    def first() -> list[str]:
        return processes(folder, root, 1, "saxpy.dxbc")

    def lowered() -> bool:
        before = {each: each.stat().st_mtime_ns for each in folder.glob("*/*")}
        assert first() == hit  # the second kernel of the process
        return {each: each.stat().st_mtime_ns for each in folder.glob("*/*")} != before

    assert lowered()
    assert not lowered()
    changed.write_text(f"{untouched}# changed\n")
    assert lowered()
    assert not lowered()
