"""The scene of a live page: its pictures, its traces, and the constants that can be set."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ..dataclass import replace
from ..errors import LimitError, UsageError
from ..screens.text import visible
from . import values
from .commands import DebugOptions, SceneOptions
from .debug_run import (
    debugged_kernel,
    debugged_scene,
    enough_groups,
    history_of,
    other_version,
    place_at,
    run_debugger,
    thread_of,
)
from .inputs import Input
from .kernels import first_colour, result, zeros
from .output import note
from .results import encoded
from .scene import Scene, grid, say
from .stages import bound_stages, draw_scene

if TYPE_CHECKING:
    from ..model import Variable
    from ..report.listing import CodeListing
    from ..report.serve import LiveRequest
    from ..run.debugging.debugger import Debugger
    from ..run.kernels import Kernel
    from ..run.runner import Runner
    from ..shader import Shader

SCALARS = {"float": "float", "half": "float", "min16float": "float", "double": "float",
           "int": "int", "uint": "uint", "bool": "bool"}  # fmt: skip
COLOURS = ("colour", "color", "tint", "albedo")
LABEL = 60  # letters of a constant's name that are shown


class LiveScene:
    """A scene that opens its files again when a file has changed."""

    def __init__(self, given: DebugOptions, file: str) -> None:
        self.given = given
        self.file = file
        self.opened = OpenedScene(given, file)

    def answer(self, request: "LiveRequest") -> dict[str, Any]:
        """Return the answer to a request as plain data."""
        if request.version != self.opened.version:
            self.opened = OpenedScene(self.given, self.file, request.version)
        opened = self.opened
        if request.kind == "page":
            return {"page": opened.page, "facts": opened.facts, "version": request.version}
        scene = opened.with_constants(request.constants, request.size)
        if request.kind == "picture":
            return {"picture": b64encode(opened.picture(scene)).decode("ascii")}
        return opened.trace(scene, request)


class OpenedScene:
    """The files as they were when they were opened."""

    def __init__(self, given: DebugOptions, file: str, version: int = 0) -> None:
        self.given = given
        self.item = Input(file)
        self.version = version

    @cached_property
    def shader(self) -> "Shader":
        """The shader that is debugged."""
        return self.item.open_program(compiling=True)

    @cached_property
    def scene(self) -> Scene:
        """The scene of the command line."""
        return debugged_scene(self.given, self.item.path)

    @cached_property
    def kernel(self) -> "Kernel":
        """The kernel of the shader that is debugged."""
        return debugged_kernel(self.given, self.item, self.scene, "auto")

    @cached_property
    def listing(self) -> "CodeListing":
        """The listing of the page."""
        from ..report.listing import CodeListing
        from ..report.tree import FieldTree

        return CodeListing.of(self.shader, FieldTree.of(self.shader.spans()))

    @cached_property
    def page(self) -> str:
        """The page without a trace."""
        from ..report.page import page

        return page(self.shader, self.item.inside)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Facts that the page needs to ask for a run."""
        size = self.scene.guesses().size if self.kernel.stage == "pixel" else None
        constants = [
            {
                "name": name,
                "label": visible(name[:LABEL] + "…" * (len(name) > LABEL)),
                "kind": SCALARS[each.type.scalar],
                "value": value,
                "role": _role(each),
            }
            for name, (each, value) in self.constants.items()
        ]
        thread = thread_of(self.given.thread, self.kernel) if self.given.thread else None
        return {
            "stage": str(self.kernel.stage), "size": size, "thread": thread, "constants": constants
        }  # fmt: skip

    @cached_property
    def constants(self) -> "dict[str, tuple[Variable, list[Any]]]":
        """The variables of constant buffers that are numbers or vectors, with their values."""
        from ..report.serve.bodies import CONSTANTS, NAME
        from ..run.camera.guesses import role_of

        found: dict[str, tuple[Variable, list[Any]]] = {}
        for kernel, given in self._bound():
            for each, value in _variables(kernel, given):
                if len(each.name) > NAME or len(found) == CONSTANTS:  # no request can contain it
                    continue
                if role_of(each.name, each.type.columns) != "size" or _is_set(
                    self.scene, each.name
                ):
                    found.setdefault(each.name, (each, value))
        return found

    def _bound(self) -> "list[tuple[Runner, dict[str, Any]]]":
        """Return the kernels of the scene, each with its bindings."""
        kernel, scene = self.kernel, self.scene
        guesses = scene.guesses()
        if kernel.stage == "pixel" and not scene.is_flat:
            return bound_stages(kernel, scene, guesses)
        fill = guesses.constants if kernel.stage == "pixel" else partial(zeros, left=[])
        given = values.bindings(kernel, scene.bind, scene.sets, scene.children("ps"), fill)
        return [(kernel, fill(kernel, given))]

    def with_constants(
        self, constants: Mapping[str, list[float]], size: tuple[int, int] | None
    ) -> Scene:
        """Return the scene with other constants and another size."""
        known = self.constants
        sets = [
            each for each in self.scene.sets
            if each.partition("=")[0].rpartition(":")[2] not in constants
        ]  # fmt: skip
        for name, numbers in constants.items():
            if name not in known:
                raise UsageError(f"no constant has the name {name!r:.60}")
            variable, value = known[name]
            if len(numbers) != len(value):
                raise UsageError(f"{name}: expected {len(value)} numbers, got {len(numbers)}")
            if SCALARS[variable.type.scalar] != "float" and not all(
                type(each) is int for each in numbers
            ):
                raise UsageError(f"{name}: expected integers")
            sets.append(f"{name}={json.dumps(numbers if len(numbers) > 1 else numbers[0])}")
        options: SceneOptions = copy(self.scene.given)
        if size is not None:
            vars(options)["size"] = f"{size[0]}x{size[1]}"
        return replace(self.scene, given=options, sets=sets)

    def picture(self, scene: Scene) -> bytes:
        """Return the picture of a scene as PNG."""
        import numpy as np

        if self.kernel.stage != "pixel":
            raise UsageError("only a pixel shader has a picture")
        guesses = scene.guesses()
        if scene.is_flat:
            found = grid(self.kernel, scene, guesses)
        else:
            found = draw_scene(self.kernel, scene, guesses)[0].targets
        say(self.item.inside, guesses)
        array = np.array(result(found, first_colour(self.kernel)))
        colours = array.ndim == 3 and array.shape[2] == 4
        return encoded(array[..., :3] if colours else array, ".png")

    def trace(self, scene: Scene, request: "LiveRequest") -> dict[str, str]:
        """Return the trace of a pixel or thread: its columns, and its sections of the summary."""
        from ..report.history import history_section
        from ..report.page import traced
        from ..vm.lockstep.debug import Coverage

        axes = 2 if self.kernel.stage == "pixel" else 3
        at = (*request.thread, 0, 0, 0)[:axes]
        coverage = Coverage() if request.checks else None
        debugger = self.kernel.debug(at, checks=request.checks, coverage=coverage)
        debugger.alone = not request.checks
        for text in request.lenses:
            self._add_lens(debugger, text)
        history = history_of(at, debugger, scene)
        groups = self.given.groups or enough_groups(debugger, at)
        stopped: LimitError | None = None
        try:
            run_debugger(self.kernel, debugger, groups, scene, history)
        except LimitError as error:  # the trace up to here is still shown
            if not debugger.traced:
                raise
            stopped = error
        except UsageError as error:
            if history is None or not history.fragments:
                raise
            note(str(error))  # that nothing is shaded, and why
            return {"sections": history_section(history, debugger)}
        against = None
        if self.given.against is not None and stopped is None:
            against = other_version(self.given, self.item, debugger, scene, folders=False)
        columns, sections = traced(self.shader, self.listing, debugger, history, against)
        if stopped is not None:
            note(str(stopped))
        return {"block": columns.packed(), "sections": sections}

    def _add_lens(self, debugger: "Debugger", text: str) -> None:
        """Add a lens, whose line is counted as on the page."""
        place, line, iteration = place_at(text)
        own = self.listing.lines_of(self.shader, debugger.listing)
        if line - 1 not in own:
            raise UsageError(f"{text}: no line {line} of the program")
        debugger.lens(place, own.index(line - 1) + 1, iteration)


def _is_set(scene: Scene, name: str) -> bool:
    return any(each.partition("=")[0].rpartition(":")[2] == name for each in scene.sets)


def _variables(
    kernel: "Runner", given: Mapping[str, Any]
) -> "Iterator[tuple[Variable, list[Any]]]":
    """Yield the numbers and vectors in a kernel's constant buffers, with their values."""
    for binding in kernel.bindings:
        if binding.form != "constants" or binding.members is None:
            continue
        whole: Any = next((given[name] for name in binding.called if name in given), {})
        if not isinstance(whole, Mapping):  # bytes, which are not given by name
            continue
        for each in binding.members.variables:
            kind = each.type
            if kind.elements or kind.members or kind.rows != 1 or kind.scalar not in SCALARS:
                continue
            value = whole.get(each.name, given.get(each.name, each.value))
            numbers = _numbers(value, kind.columns)
            if each.used and numbers is not None:
                yield each, numbers


def _role(variable: "Variable") -> str:
    """Return the role of a constant that has special controls: `time`, `colour`; else ""."""
    from ..run.camera.guesses import plain, role_of

    word, count = plain(variable.name), variable.type.columns
    if (
        variable.type.scalar == "float"
        and count in (3, 4)
        and any(each in word for each in COLOURS)
    ):
        return "colour"
    return "time" if count == 1 and role_of(variable.name, count) == "time" else ""


def _numbers(value: Any, count: int) -> list[Any] | None:
    """Return the value of a number or vector as a list; None for other values."""
    import numpy as np

    try:
        array = np.asarray(0 if value is None else value).reshape(-1)
    except (ValueError, TypeError):
        return None
    if array.dtype.kind not in "biuf" or not np.isfinite(array).all():
        return None
    numbers = [int(each) if array.dtype.kind != "f" else float(each) for each in array]
    return [*numbers, *[0] * count][:count]
