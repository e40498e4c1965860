"""Drawing for `render` and `debug`: the stages of a pipeline, their bindings, the geometry.

--bind NAME=VALUE      for each shader that has the name
--bind vs:NAME=VALUE   for the vertex shader only
"""

import json
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, with_origin
from ..model import SystemValue
from ..screens.text import many
from ..vocab.slots import ResourceClass
from . import values
from .inputs import Input
from .kernels import complete, open_kernel
from .lane_inputs import is_input
from .output import note
from .progress import Advance
from .scene import BETWEEN, GROUPED, Scene

if TYPE_CHECKING:
    from ..run.camera.camera import Camera
    from ..run.camera.guesses import Guesses
    from ..run.kernels import Kernel
    from ..run.raster import Mesh, Picture, PixelHistory
    from ..run.runner import Runner
    from ..run.tev import FragmentStage


def draw_scene(
    pixel: "Runner | None",
    scene: Scene,
    guesses: "Guesses",
    engine: str = "auto",
    progress: Advance | None = None,
    history: "PixelHistory | None" = None,
) -> "tuple[Picture, list[Runner]]":
    """Draw a mesh, numbered vertices, or a mesh shader's output.

    Return the picture and the stages before the pixel shader. The fragments of the pixel of
    `history` are added to it.

    Without a pixel shader, the colours of the vertices are shown.
    """
    from ..run import kernel
    from ..run.raster import draw
    from ..run.raster.fallback import showing
    from ..run.tev import pixel_shader

    stages = _stages(scene, engine)
    last = [*stages.values()][-1]
    fragment = _fragment(scene)
    if pixel is None and fragment is not None:
        pixel = kernel(pixel_shader(fragment), engine=engine)
        pixel.title = scene.fragment or ""
    elif pixel is None:
        with with_origin(last.title):
            pixel = showing(last.program, engine)
    given, shape, inputs = _all_bindings({**stages, "ps": pixel}, scene, guesses)
    vertices: Any
    triangles, topology = None, scene.given.topology
    if scene.count is not None:
        vertices = _count(stages["vs"], scene.count)
    elif shape is None:
        vertices = values.extent(scene.groups or "", "--groups", most=65535)
    else:
        vertices = inputs
        from ..run.meshes.mesh import primitives_of

        triangles, topology = primitives_of(shape, _corners(stages))
    picture = draw(
        [*stages.values()], pixel, vertices, triangles, guesses.size,
        vertex_bindings=given.get("vs"), hull_bindings=given.get("hs"),
        domain_bindings=given.get("ds"), geometry_bindings=given.get("gs"),
        amplification_bindings=given.get("as"), mesh_bindings=given.get("ms"),
        pixel_bindings=given["ps"], cull=scene.given.cull,
        samples=scene.given.samples, progress=progress, topology=topology,
        history=history, **_states(scene, fragment),
    )  # fmt: skip
    return picture.resolved(), [*stages.values()]


def _fragment(scene: Scene) -> "FragmentStage | None":
    """Return the fixed fragment stage of a scene, if it has one."""
    if scene.fragment is None:
        return None
    from ..run.tev import FragmentStage
    from ..yaml import plain

    with with_origin(scene.fragment):
        text = Input(scene.fragment).read().decode("utf-8", "replace")
        return FragmentStage.of(plain(text))


def _states(scene: Scene, fragment: "FragmentStage | None") -> dict[str, Any]:
    """Return the states of the draw; front faces of meshes are counterclockwise."""
    from ..run.raster.states.flat import states_of

    given: dict[str, Any] = {}
    for name, text in values.named(scene.given.state, "--state", "FIELD=VALUE").items():
        try:
            given[name] = json.loads(text.lower())
        except ValueError:
            given[name] = text
    found = states_of(given, scene.given.blend)
    if fragment is not None and fragment.blend is not None:
        found.setdefault("blend", fragment.blend)
    rasterizer = {"front_counter_clockwise": True, **found.get("rasterizer", {})}
    if scene.given.fill is not None:
        rasterizer["fill_mode"] = scene.given.fill
    return {**found, "rasterizer": rasterizer}


def _corners(stages: "dict[str, Kernel]") -> int:
    """Return the number of vertices of the primitives that are drawn from a mesh."""
    from ..run.raster.geometry.consecutive import vertices_of_a_point

    if "gs" not in stages or "hs" in stages:
        return 3
    inputs = stages["gs"].inputs
    points = max((row.points for row in inputs if row.asked), default=3)
    return points if points > 1 else vertices_of_a_point(inputs, stages["vs"].outputs)


def bound_stages(
    pixel: "Runner", scene: Scene, guesses: "Guesses"
) -> "list[tuple[Runner, dict[str, Any]]]":
    """Return the stages that `draw_scene` draws with, and the bindings of each."""
    ours: dict[str, Runner] = {**_stages(scene, "auto"), "ps": pixel}
    given, *_ = _all_bindings(ours, scene, guesses)
    return [(ours[stage], given[stage]) for stage in ours]


def _all_bindings(
    ours: "dict[str, Runner]", scene: Scene, guesses: "Guesses"
) -> "tuple[dict[str, dict[str, Any]], Mesh | None, dict[str, Any]]":
    """Return the bindings of each stage, the mesh, and the inputs of its vertices.

    The camera is placed around the mesh.
    """
    from ..run.camera.finding import find_camera
    from ..run.meshes.files import mesh_of

    shape: Mesh | None = None
    inputs: dict[str, Any] = {}
    if scene.given.mesh is not None:
        with with_origin(scene.given.mesh):
            shape = mesh_of(Input(scene.given.mesh).read(), scene.given.mesh)
    guesses.camera = _camera(scene, shape, guesses)
    last = [each for stage, each in ours.items() if stage != "ps"][-1]
    guesses.camera.least_depth = last.program.declared.least_depth
    given = {stage: _given(stage, ours, scene, guesses) for stage in ours}
    left: list[str] = []
    if shape is not None:
        if not any(row.asked for row in ours["vs"].inputs):
            raise UsageError("--mesh: the vertex shader has no inputs for vertices; give --count N")
        with with_origin(ours["vs"].title):
            chosen = values.named(scene.given.attribute, "--attribute")
            inputs = find_camera(ours["vs"], given["vs"], shape, guesses, chosen, left)
    made = {stage: _completed(stage, ours, given[stage], guesses) for stage in ours}
    guesses.silent += left
    return made, shape, inputs


def _stages(scene: Scene, engine: str) -> "dict[str, Kernel]":
    """Return the stages before the pixel shader, by the prefix of their options."""
    found = {}
    for option, stage in {"vs": "vertex", **BETWEEN, **GROUPED}.items():
        path = scene.shaders.get(option)
        if path is not None:
            prefix = option.rstrip("_")
            with with_origin(path):
                made = open_kernel(
                    Input(path), 0, engine, stage, scene.spread, **scene.options(prefix)
                )
            found[prefix] = made
    if scene.shared and scene.given.mesh is not None:
        _leave_out(found)
    for name, taken in scene.spread.items():
        if not taken:
            raise UsageError(f"--constant {name}: no stage has this specialisation constant")
    return found


def _leave_out(stages: "dict[str, Kernel]") -> None:
    """Leave out the geometry shader of a file that is not made for triangles, with a note.

    It stays if no other stage writes the position.
    """
    if "gs" not in stages or stages["vs"].outputs.by_meaning(SystemValue.POSITION) is None:
        return
    corners = _corners(stages)
    if corners != 3:
        title = stages.pop("gs").title
        points = many(corners, "vertex", "vertices")
        reason = f"its primitives have {points}, those of the mesh 3"
        note(f"{title}: the geometry shader is left out, since {reason}; give --gs to use it")


def _count(vertex: "Kernel", count: int) -> int:
    """Return the number of vertices; UsageError if the vertex shader needs more than that."""
    asked = [row.label for row in vertex.inputs if row.asked]
    if asked:
        reason = f"the vertex shader has inputs ({', '.join(asked)})"
        raise UsageError(f"--count: {reason}: give --mesh FILE")
    return count


def _camera(scene: Scene, shape: "Mesh | None", guesses: "Guesses") -> "Camera":
    """Return the camera: as placed, or around the mesh, or around the unit ball."""
    from ..run.camera.camera import Camera

    width, height = guesses.size
    middle, far = shape.bounds if shape is not None else ((0.0, 0.0, 0.0), 1.0)
    camera = Camera.around(middle, far, width / height)
    camera.columns = scene.given.columns
    if scene.given.fov is not None:
        camera.fov = scene.given.fov
    if scene.given.eye is not None:
        camera.eye = _point(scene.given.eye, "--eye")
        camera.reach(middle, far)
    if scene.given.look_at is not None:
        camera.target = _point(scene.given.look_at, "--look-at")
    return camera


def _given(
    stage: str, kernels: "dict[str, Runner]", scene: Scene, guesses: "Guesses"
) -> dict[str, Any]:
    """Return the given bindings of a stage."""
    kernel = kernels[stage]
    binds = [_for(stage, kernel, text, kernels) for text in scene.bind]
    sets = [_for(stage, kernel, text, kernels) for text in scene.sets]
    with with_origin(kernel.title):
        chosen_binds, chosen_sets = tuple(filter(None, binds)), tuple(filter(None, sets))
        child = scene.children(stage)
        return values.bindings(kernel, chosen_binds, chosen_sets, child, guesses.constants)


def _completed(
    stage: str, kernels: "dict[str, Runner]", given: dict[str, Any], guesses: "Guesses"
) -> dict[str, Any]:
    """Return the given and guessed bindings of a stage."""
    kernel = kernels[stage]
    with with_origin(kernel.title):
        found = guesses.constants(kernel, given, f"{stage}:")
        launched = stage == "ms" and "as" in kernels
        return complete(kernel, found, f"{stage}:", skip=ResourceClass.PAYLOAD if launched else "")


def _for(stage: str, kernel: "Runner", text: str, kernels: "dict[str, Runner]") -> str | None:
    """Return NAME=VALUE if it applies to the kernel of the stage, else None."""
    before, colon, rest = text.partition(":")
    if colon and before in kernels:
        return rest if before == stage else None
    name = text.partition("=")[0]
    if not any(_knows(each, name) for each in kernels.values()):
        if "vs" in kernels and is_input(kernels["vs"], name):
            option = f"--attribute {name}=…"
            raise UsageError(f"{name} is an input of the vertex shader: give {option}")
        return text  # the first kernel raises an error with the names it has
    return text if _knows(kernel, name) else None


def _knows(kernel: "Runner", name: str) -> bool:
    return any(
        name in each.names
        or (each.buffer is not None and any(v.name == name for v in each.buffer.variables))
        for each in kernel.bindings
    )


def _point(text: str, name: str) -> list[float]:
    try:
        found = [float(each) for each in text.split(",")]
    except ValueError:
        found = []
    if len(found) != 3:
        raise UsageError(f"{name}: expected x,y,z, got {text!r:.40}")
    return found
