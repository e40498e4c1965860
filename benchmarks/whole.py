"""A whole program, as a compiler made it, on lavapipe and on both engines.

    Run(device, shader, seed).run() -> Difference

A compute shader runs two groups along each axis that it looks at, a vertex shader over 64 vertices,
a pixel shader over a square of 16 pixels. Every render target, captured vertex output, depth and
writable view is compared; what differs is held against the known rules.
"""

from typing import Any

import numpy as np
from against_lavapipe import engines, interpolated, quads
from comparing import Difference, closeness, distance, small
from drawing import draw, transform
from environment import Environment, Skipped, environment
from interface import Variable, variables
from known import HIGH, LOW, POISONS, RULES, poisoned, shaken, unflushed, unsigned, watched
from lavapipe import Lavapipe
from translating import finely, integers, renamed, translated

import unshade
from unshade.errors import LimitError
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Port
from unshade.vm.launch import Array, Launch, by_label, dtype
from unshade.vm.prepare import prepare
from unshade.vocab.words import SystemValue

SIZE = 16  # of the square that pixel shaders draw
VERTICES = 64
USUAL = {
    "is_front_face": 0xFFFF_FFFF, "primitive_id": 0, "sample_index": 0, "coverage": 1,
    "render_target_array_index": 0, "viewport_array_index": 0, "instance_id": 0,
}  # fmt: skip
SHAKES, REACH = 6, 4.0  # runs that round otherwise, and how far beyond them is believed
FLAT = "constant"
FORMATS = {"f": "rgba32f", "i": "rgba32i", "u": "rgba32ui"}


def execute(
    lowered: Lowered, made: Environment, launch: dict[str, Any], engine: Any, start: int
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Outputs, `start` where nobody writes, and memories."""
    code = lowered.kernel
    kernel = prepare(
        lowered,
        by_label([*code.textures, *code.memories], made.textures),
        by_label(code.samplers, made.samplers),
    )
    items = launch.get("items", 0)
    outputs = {
        port.name: np.full(items, start, np.uint32).view(dtype(port.type))
        for port in kernel.outputs
    }
    if "covered" in outputs:
        outputs["covered"][:] = 0
    memories = {name: data.copy() for name, data in made.memories.items()}
    if "inputs" in launch:
        words = {
            port.name: launch["inputs"][port.name].view(dtype(port.type)) for port in kernel.inputs
        }
        launch = {**launch, "inputs": by_label(kernel.inputs, words)}
    bound, given = by_label(kernel.memories, memories), by_label(kernel.outputs, outputs)
    engine.run(kernel, Launch(bound, outputs=given, budget=1 << 16, **launch))
    return {name: data.view(np.uint32) for name, data in outputs.items()}, memories


class Run:
    """A program on the device and here."""

    def __init__(self, device: Lavapipe, shader: Any, seed: int) -> None:
        self.data = shader.to_bytes()
        if not shader.programs or not hasattr(shader.programs[0], "instructions"):
            raise Skipped("no Shader Model 4 or 5 program")
        program: Any = shader.programs[0]
        self.stage = program.entry_points[0].stage
        if self.stage not in ("pixel", "vertex", "compute"):
            raise Skipped(f"a {self.stage} shader")
        self.module = translated(self.data)
        finely(program)
        try:
            self.lowered = program.lower()
        except unshade.UnshadeError as error:
            raise Skipped(f"lower: {error}") from None
        self.outside = variables(self.module)
        renamed(program, self.outside)
        self.seed = seed
        self.rng = np.random.default_rng(seed + 1000)
        self.made = environment(
            device, self.lowered, shader.reflect(), self.outside, seed, integers(program)
        )
        self.device = device
        self.difference = Difference()
        self.launch: dict[str, Any] = {}

    # ------------------------------------------------------------ stages

    def run(self) -> Difference:
        theirs = self._theirs()
        seen = {*theirs, "covered", "oMask"}  # those two say which pixels are drawn
        ports = [port.name for port in self.lowered.kernel.outputs]
        self.difference.unseen = [name for name in ports if name not in seen]
        both = [self.results(self.lowered, engine) for engine in engines()]
        base = both[0]
        split = {name: base[name] != both[-1][name] for name in theirs}
        for name, (letter, data) in theirs.items():
            self.difference.add(name, letter, base[name], data)
        wrong = self.difference.wrong
        if any(each.any() for each in [*wrong.values(), *split.values()]):
            self._explain(base, theirs, wrong, split)
        for name, where in split.items():
            if where.any():
                self.difference.rows.append((name, int(where.sum()), "the engines differ"))
        return self.difference

    def _theirs(self) -> dict[str, tuple[str, Array]]:
        """Return the device's results: letters and words, under our names."""
        stages = {"compute": self._compute, "vertex": self._vertex, "pixel": self._pixel}
        theirs = stages[self.stage]()
        for name in self.made.written:
            found = next(x for x in self.outside if x.name == name.replace(".", "_"))
            typed = name not in self.made.plain and found.type[1] == "f"
            theirs[name] = "f" if typed else "w", self.made.theirs(name).reshape(-1)
        return theirs

    def _explain(
        self,
        base: dict[str, Array],
        theirs: dict[str, tuple[str, Array]],
        wrong: dict[str, Array],
        split: dict[str, Array],
    ) -> None:
        """Take away what known rules explain; count them."""
        engine = engines()[-1]
        if self._races(engine):
            for masks in (wrong, split):
                for name, where in masks.items():
                    if name in self.made.written and where.any():
                        self.difference.known["race"] += int(where.sum())
                        masks[name] = np.zeros_like(where)
        for rule in RULES:
            for poison in POISONS:
                start = poison if rule == "unwritten" else 0
                try:
                    other = self.results(poisoned(self.lowered, rule, poison), engine, start)
                except LimitError:
                    other = {name: ~data for name, data in base.items()}
                for masks in (wrong, split):
                    for name, where in masks.items():
                        open_ = where & (other[name] != base[name])
                        if open_.any():
                            self.difference.known[rule] += int(open_.sum())
                            masks[name] = where & ~open_
        for rule, lowered in self._others().items():
            if not any(where.any() for where in wrong.values()):
                break
            other = self.results(lowered, engine)
            for name, where in wrong.items():
                letter, data = theirs[name]
                good = where & closeness(letter, other[name], data)
                if good.any():
                    self.difference.known[rule] += int(good.sum())
                    wrong[name] = where & ~good
        self._shake(base, theirs, wrong, engine)
        if any(where.any() for where in wrong.values()):
            again = self._again()
            for name, (_, data) in again._theirs().items():
                unsteady = wrong[name] & (data != theirs[name][1])
                if unsteady.any():
                    self.difference.known["unsteady"] += int(unsteady.sum())
                    wrong[name] = wrong[name] & ~unsteady
        self.difference.add_rows(base, theirs)

    def _others(self) -> dict[str, Lowered]:
        """Return programs whose results may stand for those of this one, by the rule."""
        others = {"subnormal": unflushed(self.lowered)}
        fresh: Any = unshade.loads(self.data)
        if unsigned(fresh.programs[0]):
            others["signs"] = fresh.programs[0].lower()
        return others

    def _again(self) -> "Run":
        """Return the same run once more."""
        return Run(self.device, unshade.loads(self.data), self.seed)

    def _shake(
        self,
        base: dict[str, Array],
        theirs: dict[str, tuple[str, Array]],
        wrong: dict[str, Array],
        engine: Any,
    ) -> None:
        """Numbers that rounding otherwise moves as far as theirs are away."""
        left = [name for name, where in wrong.items() if where.any()]
        if not left:
            return
        most = {name: np.zeros(len(base[name])) for name in left}
        turned = {name: np.zeros(len(base[name]), bool) for name in left}
        for seed in range(SHAKES):
            other = self.results(shaken(self.lowered, seed), engine)
            for name in left:
                moved = distance(other[name], base[name], 0.0)
                most[name] = np.maximum(most[name], moved)
                turned[name] |= other[name] != base[name]
        for name in left:
            letter, data = theirs[name]
            good = wrong[name] & (distance(data, base[name], np.inf) <= REACH * most[name])
            if letter != "f":  # an integer that depends on a comparison
                good = wrong[name] & np.where(small(base[name]), turned[name], good)
            if good.any():
                self.difference.known["rounding"] += int(good.sum())
                wrong[name] = wrong[name] & ~good

    def _races(self, engine: Any) -> bool:
        """Return True if two lanes touch a place that one of them may write."""
        made = Environment(**vars(self.made))
        made.memories = dict(made.memories)
        for name in self.made.written:
            size = len(made.memories[name])
            made.memories[name + LOW] = np.full(size, 0xFF, np.uint8)
            made.memories[name + HIGH] = np.zeros(size, np.uint8)
        _, memories = execute(watched(self.lowered), made, self.launch, engine, 0)
        for name in self.made.written:
            low, high = (memories[name + end].view(np.uint32) for end in (LOW, HIGH))
            if (low < high).any() and (low != 0xFFFF_FFFF).any():
                return True
        return False

    def results(self, lowered: Lowered, engine: Any, start: int = 0) -> dict[str, Array]:
        """All that an engine gives, as words, under the names of outputs and memories."""
        outputs, memories = execute(lowered, self.made, self.launch, engine, start)
        depths = {
            port.name
            for port in lowered.kernel.outputs
            if str(port.meaning).startswith(SystemValue.DEPTH)
        }
        covered = outputs.get("covered", np.ones(self.launch.get("items", 0), np.uint32)) == 1
        if "oMask" in outputs:
            covered = covered & (outputs["oMask"] & 1 == 1)
        for name, given in outputs.items():
            data = given
            if name in depths:
                depth = np.nan_to_num(data.view(np.float32), nan=0.0)
                data = np.clip(depth, np.float32(0), np.float32(1)).view(np.uint32)
            if self.stage == "pixel":
                data = np.where(covered, data, np.uint32(0))
            outputs[name] = data
        for name in self.made.written:
            outputs[name] = self.made.ours(name, memories[name]).reshape(-1)
        return outputs

    def _compute(self) -> dict[str, tuple[str, Array]]:
        """Two groups along each axis that matters: more would do the same again, and race."""
        kernel = self.lowered.kernel
        sources = {value.attr for value in kernel.values() if value.op.name == "source"}
        words = ("thread_id", "thread_group_id")
        x, y, z = (2 if any(f"{word}.{axis}" in sources for word in words) else 1 for axis in "xyz")
        shader = self.device.compute(self.module, self.made.bindings)
        shader.dispatch(x, y, z)
        self.launch = {"groups": (x, y, z)}
        return {}

    def _values(self, count: int, letter: str) -> Array:
        """(count, 4): multiples of 1/4 from -2 to 3, or small integers."""
        if letter == "f":
            return (self.rng.integers(-8, 13, (count, 4)) / 4).astype(np.float32)
        return self.rng.integers(0, 2 + 2 * self.seed, (count, 4)).astype(np.uint32)

    def _vertex(self) -> dict[str, tuple[str, Array]]:
        attributes: dict[int, tuple[str, bytes]] = {}
        columns: dict[int, Array] = {}
        for each in self.outside:
            if each.storage == "input" and each.location >= 0 and each.location not in columns:
                letter = each.type[0]
                data = columns[each.location] = self._values(VERTICES, letter)
                attributes[each.location] = FORMATS[letter], data.tobytes()
        locations: dict[int, int] = {}
        last = 0
        for each in self.outside:
            if each.storage == "output" and each.location >= 0:
                locations[each.location] = 16 + 16 * each.location
                last = max(last, 1 + each.location)
        stride = 16 + 16 * last
        captured = transform(
            self.device, self.module, attributes, self.made.bindings, VERTICES, locations, stride
        )
        words = np.frombuffer(captured, np.uint32).reshape(VERTICES, stride // 4)
        inputs = {}
        for port in self.lowered.kernel.inputs:
            if port.meaning == "vertex_id":
                inputs[port.name] = np.arange(VERTICES, dtype=np.uint32)
            elif port.meaning in USUAL:
                inputs[port.name] = np.full(VERTICES, USUAL[port.meaning], np.uint32)
            else:
                column, letter = self._place(port)
                data = columns.get(column, np.zeros((VERTICES, 4), np.uint32))
                inputs[port.name] = np.ascontiguousarray(data[:, letter]).view(np.uint32)
        self.launch = {"items": VERTICES, "inputs": inputs}
        theirs = {}
        for port in self.lowered.kernel.outputs:
            column, letter = self._place(port)
            for each in self.outside:
                if each.storage != "output" or not self._is_of(each, port):
                    continue
                if not each.component <= letter < each.component + each.type[1]:
                    continue
                if each.built_in == "position":
                    theirs[port.name] = "f", words[:, letter].copy()
                elif each.location >= 0:
                    at = 4 + 4 * each.location + letter
                    theirs[port.name] = each.type[0], words[:, at].copy()
        return theirs

    def _is_of(self, variable: Variable, port: Port) -> bool:
        """Return True if a port is a component of a variable."""
        register = port.name.partition(".")[0]
        if self.stage == "vertex":
            register = f"o{self._place(port)[0]}"
        return variable.name == register

    def _place(self, port: Port) -> tuple[int, int]:
        """Return the number of a port's register and the component."""
        name = port.name
        register, _, letter = name.partition(".")
        number = "".join(x for x in register if x.isdigit())
        return int(number) if number else -1, "xyzw".index(letter) if letter else 0

    def _pixel(self) -> dict[str, tuple[str, Array]]:
        corners: dict[int, Array] = {}
        flat: set[int] = set()
        for one in self.outside:
            if one.storage == "input" and one.location >= 0:
                if one.location not in corners:
                    corners[one.location] = self._values(3, one.type[0])
                if one.flat:
                    flat.add(one.location)
        outputs = [x for x in self.outside if x.storage == "output"]
        targets = ["rgba32f"] * (1 + max((x.location for x in outputs), default=-1))
        for one in outputs:
            if one.location >= 0:
                targets[one.location] = FORMATS[one.type[0]]
        if any(one.built_in == "depth" for one in outputs):
            targets.append("d32")
        varyings: dict[int, Any] = {}
        for at, each in sorted(corners.items()):  # as integers they keep small numbers' bits
            whole = each.dtype != np.float32
            varyings[at] = ("rgba32i", each.view(np.int32)) if whole else ("rgba32f", each)
        drawn = draw(
            self.device, self.module, varyings, self.made.bindings, size=SIZE, targets=targets
        )
        x, y = quads(SIZE)
        count = SIZE * SIZE
        inputs: dict[str, Array] = {}
        position = np.stack([x + 0.5, y + 0.5, np.full(count, 0.5), np.ones(count)], 1)
        for port in self.lowered.kernel.inputs:
            column, letter = self._place(port)
            if port.meaning == "position":
                data = position.astype(np.float32)
            elif port.meaning in USUAL:
                data = np.full((count, 4), USUAL[port.meaning], np.uint32)
            elif column not in corners:
                data = np.zeros((count, 4), np.uint32)
            elif column in flat or port.interpolation == FLAT:
                data = np.repeat(corners[column][:1], count, 0)
            else:
                data = interpolated(corners[column], SIZE)
            inputs[port.name] = np.ascontiguousarray(data[:, letter]).view(np.uint32)
        self.launch = {"items": count, "inputs": inputs}
        theirs = {}
        images = [np.frombuffer(data, np.uint32).reshape(SIZE, SIZE, -1)[y, x] for data in drawn]
        for port in self.lowered.kernel.outputs:
            column, letter = self._place(port)
            for one in outputs:
                if not self._is_of(one, port):
                    continue
                if one.built_in == "depth":
                    theirs[port.name] = "f", images[-1][:, 0].copy()
                elif one.location >= 0:
                    theirs[port.name] = one.type[0], images[one.location][:, letter].copy()
        return theirs
