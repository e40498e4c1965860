"""The camera's matrices in a vertex shader: names propose, the positions decide.

    names      projMtx: projection    mdlvMtx: model and view     transform: the identity
    positions  of vertices of the mesh, as the shader transforms them with the matrices so far;
               where they are not what a camera makes of the vertices, other proposals are tried:
                 a projection without a view, or a view without a projection, is the whole camera
                 an unnamed array of vectors holds a matrix
                 matrices are for vectors of the other kind: columns, rows
                 registers have their components in reverse order
               and if no vertex is in view with any of these:
                 registers without names that work as matrices
                 1 for a variable that would be 0
                 another input as the position
                 vertices that the camera has placed, for a shader without a matrix

The first proposal that gives the camera's positions is taken, else the first of those that have
most vertices in view. A shader that transforms its vertices in another way, such as by skinning,
matches no proposal.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...errors import UnshadeError
from ...model import SystemValue, TypeDescription
from ...vm.launch import Array
from ..meshes.inputs import mesh_inputs, nameless_inputs, unnamed_inputs
from ..meshes.mesh import Mesh
from ..runner import Runner
from .guesses import Guesses
from .layout import CAMERA, CameraMatrix, is_vectors
from .names import IDENTITY, MatrixRole
from .unnamed_registers import UnnamedRegisters, use_of
from .uses_of_inputs import uses_of_inputs

SAMPLES = 24  # vertices of the mesh that are tried
MOST = 96  # proposals
CLOSE = 1e-3  # of the greatest coordinate: PICA200 computes with 16 bits
NUMBERS = (-1.0, -0.5, 0.5, 1.0)  # components that are tried where 0 and 1 leave nothing in view
TRIALS = 12  # values of a variable
VARIED = 4  # variables
SMALL = 0.01  # standard deviation of places on a screen 2 wide that counts as none
WHOLE = MatrixRole(CAMERA)

Layouts = dict[str, CameraMatrix]
Variables = dict[str, tuple[TypeDescription, CameraMatrix | None]]


@dataclass(slots=True)
class _VertexTrial:
    """A vertex shader with the bindings and inputs it has, and the vertices that are tried.

    `expected` (vertices, 4) are the vertices as the camera transforms them.
    """

    kernel: Runner
    given: Mapping[str, Any]
    inputs: Mapping[str, Array]
    guesses: Guesses
    expected: Array

    def positions(
        self, layouts: Layouts, values: Mapping[str, Any], inputs: Mapping[str, Array] | None = None
    ) -> Array | None:
        """Return the positions of the vertices; None if the shader does not run."""
        made = self.guesses
        trial = Guesses(made.size, made.time, made.camera, layouts, values=dict(values))
        row = self.kernel.outputs.by_meaning(SystemValue.POSITION)
        if row is None:
            return None
        try:
            bound = trial.constants(self.kernel, self.given)
            with np.errstate(all="ignore"):
                given = self.inputs if inputs is None else inputs
                found = self.kernel.transform(given or len(self.expected), bound)
        except UnshadeError:
            return None
        array = np.asarray(found[row.label], np.float64)
        wide = np.zeros((len(array), 4))
        wide[:, 3] = 1.0
        wide[:, : array.shape[1]] = array
        return wide

    def fits(self, positions: Array) -> bool:
        """Return True if positions are the camera's, upside down or with another depth."""
        wanted = self.expected[:, (0, 1, 3)]
        close = CLOSE * float(np.abs(wanted).max())
        return any(
            np.allclose(positions[:, (0, 1, 3)] * [1, sign, 1], wanted, atol=close, rtol=0)
            for sign in (1, -1)
        )

    def score(self, positions: Array) -> float:
        """Return how good positions are: 2 for the camera's, else the part of them in view."""
        return 2.0 if self.fits(positions) else round(self.visible(positions) * 8) / 8

    def visible(self, positions: Array) -> float:
        """Return the part of the vertices that are in view; 0 if they are in a line or a dot."""
        x, y, z, w = positions.T
        camera = self.guesses.camera
        depth = z - w * (camera.least_depth if camera is not None else 0)
        seen = (w > 0) & (np.abs(x) <= w) & (np.abs(y) <= w) & (depth >= 0) & (depth <= w)
        if seen.sum() < 3:
            return 0.125 if _surrounds(positions, w, depth) else 0.0
        places = positions[seen, :2] / positions[seen, 3:]
        extents = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
        is_small = float(extents[-1]) < SMALL * len(places) ** 0.5
        return 0.0 if is_small else float(seen.mean())


@dataclass(slots=True)
class _Fit:
    """The best proposal: layouts of matrices, values of other variables, and words about them."""

    score: float = -1.0
    layouts: Layouts = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def find_camera(
    kernel: Runner,
    given: Mapping[str, Any],
    mesh: Mesh,
    guesses: Guesses,
    attributes: Mapping[str, str] | None = None,
    silent: list[str] | None = None,
) -> dict[str, Array]:
    """Find the layouts of a vertex shader's matrices; return its inputs from the mesh.

    Args:
        kernel: The vertex shader.
        given: Its bindings and variables that have a value.
        mesh: The mesh that is drawn.
        guesses: Contains the camera; receives the layouts, and the reasons why nothing is visible.
        attributes: Meanings of inputs, as in `mesh_inputs`.
        silent: Gets a sentence for each input that is 0.
    """
    chosen = dict(attributes or {})
    left: list[str] = [] if silent is None else silent
    nameless = nameless_inputs(kernel.inputs, chosen)
    uses = uses_of_inputs(kernel, nameless) if nameless else {}
    if [*uses.values()].count("position") == 1:
        chosen |= uses
    if guesses.camera is None or kernel.outputs.by_meaning(SystemValue.POSITION) is None:
        return mesh_inputs(kernel.inputs, mesh, chosen, left)
    sentences: list[str] = []
    inputs = mesh_inputs(kernel.inputs, mesh, chosen, sentences)
    search = _search(kernel, given, inputs, mesh, guesses)
    if search.visible(search.expected) <= 0:  # the camera is placed to look elsewhere
        left += sentences
        return inputs
    found = _best(search)
    for label in unnamed_inputs(kernel.inputs, chosen) if found.score <= 0 else ():
        others: list[str] = []
        moved = mesh_inputs(kernel.inputs, mesh, {**chosen, label: "position"}, others)
        again = _search(kernel, given, moved, mesh, guesses)
        other = _best(again)
        if other.score > 0:
            found, inputs, sentences, search = other, moved, others, again
            found.notes.append(f"position as {label}")
            break
    held = [layout for _, _, layout in guesses.matrices(kernel, given) if layout is not None]
    if found.score <= 0 and not given and not any(each.role.parts & CAMERA for each in held):
        inputs = _placed(search, found, mesh, inputs)
    if found.score <= 0:
        guesses.reasons += _reasons(search, found)
    left += sentences
    guesses.layouts |= found.layouts
    guesses.values |= found.values
    guesses.notes += found.notes
    return inputs


def _search(
    kernel: Runner, given: Mapping[str, Any], inputs: dict[str, Array], mesh: Mesh, guesses: Guesses
) -> _VertexTrial:
    """Return a search over some vertices of a mesh."""
    count = len(mesh.position)
    some = np.unique(np.linspace(0, count - 1, min(count, SAMPLES)).astype(np.int64))
    points = np.concatenate([mesh.position[some], np.ones((len(some), 1))], axis=1)
    assert guesses.camera is not None
    return _VertexTrial(
        kernel, given, {name: array[some] for name, array in inputs.items()}, guesses,
        points @ guesses.camera.matrix(WHOLE),
    )  # fmt: skip


def _best(search: _VertexTrial) -> _Fit:
    """Return the best proposal for inputs as they are."""
    kinds = search.guesses.matrices(search.kernel, search.given)
    variables = {name: (kind, layout) for name, kind, layout in kinds}
    found = _of_layouts(search, variables, {})
    if found.score > 0:
        return found
    found = _of_registers(search) or found
    if found.score > 0:
        return found
    zero = _left_at_zero(search, found)
    ones = {name: _one(search.kernel, name) for name in zero}
    ones = {name: value for name, value in ones.items() if value is not None}
    for values in _trials(ones):
        other = _of_layouts(search, variables, {**found.values, **values})
        if other.score > 0:
            words = ", ".join(f"{name} is {_numbers(value)}" for name, value in values.items())
            other.notes += [*found.notes, f"{words}, since no vertex is in view with 0"]
            return other
    return found


def _trials(ones: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield values for variables that are 0: 1 for each, 1 for all, then some for each."""
    for name, value in ones.items():
        yield {name: value}
    if len(ones) > 1:
        yield dict(ones)
    random = np.random.default_rng(1)
    for name, value in list(ones.items())[:VARIED]:
        for _ in range(TRIALS):
            yield {name: random.choice(NUMBERS, np.shape(value)).astype(np.float32)}


def _numbers(value: Any) -> str:
    """Return the components of a value; one of them if they are equal."""
    array = np.asarray(value).reshape(-1)
    return f"{array[0]:g}" if np.ptp(array) == 0 else ", ".join(f"{each:g}" for each in array)


def _of_layouts(search: _VertexTrial, variables: Variables, values: dict[str, Any]) -> _Fit:
    """Return the best of the layouts that names and shapes suggest."""
    best = _Fit(values=values)
    camera = search.guesses.camera
    turns = camera is not None and camera.columns is None
    for number, layouts in enumerate(proposals(variables, turns)):
        found = search.positions(layouts, values) if number < MOST else None
        if found is None:
            break
        score = search.score(found)
        if score > best.score:
            best = _Fit(score, layouts, values)
        if score == 2.0:
            break
    return best


def _of_registers(search: _VertexTrial) -> _Fit | None:
    """Return the best use of registers without names; None if there are none."""
    registers = UnnamedRegisters.of(search.kernel, search.given)
    if not registers.places or search.guesses.camera is None:
        return None
    use = use_of(registers, lambda numbers: search.positions({}, registers.values(numbers)))
    best: _Fit | None = None
    for columns, reverse in ((True, False), (False, False), (True, True), (False, True)):
        for group in use.matrices:
            numbers = np.zeros((len(registers.places), 4))
            for other in use.matrices:
                role = WHOLE if other is group else IDENTITY
                layout = CameraMatrix(role, columns, reverse, len(other))
                numbers[other] = layout.array(search.guesses.camera, len(other), 4)
            numbers[use.others] = 1.0
            values = registers.values(numbers)
            found = search.positions({}, values)
            score = -1.0 if found is None else search.score(found)
            if best is None or score > best.score:
                note = f"{layout_words(reverse)} from {registers.words(group)}"
                best = _Fit(score, {}, values, [note])
            if score == 2.0:
                return best
    return best if best is not None and best.score > 0 else None


def layout_words(reverse: bool) -> str:
    """Return the words for the whole camera in registers."""
    return CameraMatrix(WHOLE, True, reverse).camera_words


def _placed(
    search: _VertexTrial, found: _Fit, mesh: Mesh, inputs: dict[str, Array]
) -> dict[str, Array]:
    """Return inputs whose positions the shader transforms to the camera's clip space.

    The transformation is for shaders that scale and move vertices, such as from coordinates of
    the screen. Other inputs are returned as they are.
    """
    points = mesh.position.astype(np.float64)
    labels = [
        name
        for name, array in inputs.items()
        if array.shape[1] >= 2
        and np.array_equal(array[:, : min(3, array.shape[1])], points[:, : array.shape[1]])
    ]
    if len(labels) != 1 or search.guesses.camera is None:
        return inputs
    label = labels[0]
    wide = min(3, inputs[label].shape[1])
    corners = np.concatenate([np.zeros((1, wide)), np.eye(wide)])
    trial = {name: np.repeat(array[:1], len(corners), axis=0) for name, array in inputs.items()}
    trial[label][:, :wide] = corners
    made = search.positions(found.layouts, found.values, trial)
    if made is None or not np.isfinite(made).all() or np.ptp(made[:, 3]) or made[0, 3] <= 0:
        return inputs
    start, moves = made[0], made[1:] - made[0]
    wanted = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    wanted = wanted @ search.guesses.camera.matrix(WHOLE)
    wanted = wanted[:, :3] / wanted[:, 3:] * start[3]
    solved = (wanted - start[:3]) @ np.linalg.pinv(moves[:, :3], rcond=1e-9)
    moved = dict(inputs)
    moved[label] = inputs[label].copy()
    moved[label][:, :wide] = solved
    positions = search.positions(
        found.layouts, found.values, {name: array[:SAMPLES] for name, array in moved.items()}
    )
    if positions is None or not np.allclose(
        positions[:, :2], wanted[:SAMPLES, :2], atol=CLOSE * start[3], rtol=0
    ):
        return inputs
    score = search.visible(positions)
    if score <= 0:
        return inputs
    found.score = score
    found.notes.append(f"in the vertices, since no matrix moves {label}")
    return moved


def _surrounds(positions: Array, w: Array, depth: Array) -> bool:
    """Return True for vertices around the view, such as the corners of a triangle that fills it."""
    if (w <= 0).any() or (depth > w).all() or (depth < 0).all():
        return False
    places = positions[:, :2] / positions[:, 3:]
    low, high = places.min(axis=0), places.max(axis=0)
    return bool(((low < 0) & (high > 0) & (high - low > 2)).all())


def proposals(variables: Variables, turns: bool = True) -> Iterator[Layouts]:
    """Yield the layouts that the names and shapes of variables suggest, the likeliest first.

    `variables` are types and usual layouts, by path. A proposal contains only layouts that are not
    the usual ones. `turns` also allows matrices for vectors of the other kind, columns or rows.
    """
    named = {name: layout for name, (_, layout) in variables.items() if layout is not None}
    roles = [*_roles(named)]
    unnamed = [name for name, (kind, layout) in variables.items() if layout is None]
    held: list[Layouts] = [{}]
    if unnamed:
        held.append({name: _vectors(variables[name][0], IDENTITY) for name in unnamed})
    for name in unnamed:
        others = {each: layout for each, layout in held[1].items() if each != name}
        held.append({**others, name: _vectors(variables[name][0], WHOLE)})
    starts = [{**role, **more} for more in held for role in roles]
    yield from starts
    for start in starts:
        now = {**named, **start}
        turned = [name for name, layout in now.items() if turns and layout.role.parts & CAMERA]
        yield from _turned(start, now, turned, variables)


def _roles(named: Layouts) -> Iterator[Layouts]:
    """Yield changes of roles: none, then a single matrix as the whole camera."""
    yield {}
    parts = {name: layout.role.parts & CAMERA for name, layout in named.items()}
    plain = [name for name in named if not (named[name].role.inverse or named[name].role.normal)]
    for one, other in (("projection", "view"), ("view", "projection")):
        holders = [name for name in plain if parts[name] == {one}]
        if holders and not any(other in parts[name] for name in plain):
            for name in holders:
                yield {name: named[name].other(role=WHOLE)}
    for name in plain:
        if not parts[name]:
            yield {name: named[name].other(role=WHOLE)}


def _turned(
    start: Layouts, now: Layouts, turned: list[str], variables: Variables
) -> Iterator[Layouts]:
    """Yield layouts with the camera's matrices for the other kind of vectors, or reversed."""
    vectors = [name for name in now if is_vectors(variables[name][0])]
    together = [(True, False), (False, True), (True, True)] if turned else [(False, True)]
    for turn, reverse in together:
        changed = {
            name: layout.other(
                columns=layout.columns != (turn and name in turned),
                reverse=reverse and name in vectors,
            )
            for name, layout in now.items()
        }
        if reverse <= bool(vectors):
            yield {**start, **changed}
    if 1 < len(turned) <= 4:
        for flips in product((False, True), repeat=len(turned)):
            if len({*flips}) > 1:
                yield {
                    **start,
                    **{
                        name: now[name].other(columns=now[name].columns != flip)
                        for name, flip in zip(turned, flips, strict=True)
                    },
                }


def _vectors(kind: TypeDescription, role: MatrixRole) -> CameraMatrix:
    """Return the layout of a matrix in an array of vectors whose name suggests none."""
    return CameraMatrix(role, True, registers=3 if kind.elements[0] % 4 else 4)


def _left_at_zero(search: _VertexTrial, found: _Fit) -> list[str]:
    """Return the names of variables that no value is known for."""
    guesses = search.guesses
    trial = Guesses(
        guesses.size, guesses.time, guesses.camera, found.layouts, values=dict(found.values)
    )
    trial.constants(search.kernel, search.given)
    return [each.removesuffix(" is 0") for each in trial.silent if each.endswith(" is 0")]


def _reasons(search: _VertexTrial, found: _Fit) -> list[str]:
    """Return sentences about why no vertex is in view."""
    before = search.positions(found.layouts, found.values)
    if before is None:
        return []
    if not before.any():
        return ["the position of every vertex is 0"]
    if len(before) > 1 and np.ptp(before, axis=0).max() == 0:
        numbers = ", ".join(f"{each:.4g}" for each in before[0])
        return [f"the position of every vertex is ({numbers})"]
    if (before[:, 3] <= 0).all():
        return ["every vertex is behind the camera"]
    return []


def _one(kernel: Runner, name: str) -> Any:
    """Return 1 in all components of a variable of floats; None for a structure."""
    for binding in kernel.bindings:
        members = binding.members.variables if binding.members is not None else []
        for each in members:
            kind = each.type
            if each.name == name and not kind.members and kind.scalar == "float":
                shape = (*kind.elements, *([kind.columns] if kind.columns > 1 else []))
                return np.ones(shape, np.float32)
    return None
