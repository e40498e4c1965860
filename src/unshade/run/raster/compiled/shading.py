"""Pixel shaders over the quads of a chunk, and their outputs into the targets.

    quads ── some at a time ── attributes ── pixel shader ──┐
                                                            └── depth test, if late ── merging

As many quads are shaded at once as caches of the processor hold. While code may still be replaced
by faster code (vm/jit/tiers.py, width_trials.py), whole calls of the engine run it, and many quads
at once. With several threads, each shades quads of its own; tests and targets have the order of
primitives all the same.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING

import numpy as np

from ....vm.jit.engine import address
from ....vm.jit.written import BoundFunction, GivenWords
from ....vm.launch import Launch, Report
from ....vm.prepare import COVERED
from ...execution import Execution
from ...lanes import QuadLanes
from ..blame import blamed

if TYPE_CHECKING:
    from ....vm.jit.repeated import RepeatedCall
    from .drawing import CompiledDraw

# Words that a chunk replaces.
OF_CHUNK = ("triangles", "x", "y", "shown", "records", "mixed", "flat", "start")
TOGETHER = 4  # batches that are shaded in one call of the engine
NEAR = 1 << 19  # bytes of inputs and outputs of the quads of a repeated call: less than caches have
LANES = 4  # of a quad
UNIT = 64  # quads, of which a number is a multiple


class ShadedQuads:
    """The quads of a draw, chunk by chunk; a context manager, which ends threads."""

    def __init__(self, draw: "CompiledDraw") -> None:
        self._draw = draw
        self._whole: QuadShader | None = None
        self._few: list[QuadShader] = []
        self._pool: ThreadPoolExecutor | None = None
        self._begun = False
        self._failed = False  # a thread ended with an exception

    def __enter__(self) -> "ShadedQuads":
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def draw(self, count: int) -> None:
        """Shade and write the quads of a chunk."""
        if not count:
            return
        shaders, size = self._shaders(count)
        for each in shaders:
            each.begin()
        pairs = pairwise([*range(0, count, size), count])
        if len(shaders) == 1:
            for begin, end in pairs:
                shaders[0].shade(begin, end)
                shaders[0].finish(begin, end)
            return
        assert self._pool is not None
        free: SimpleQueue[QuadShader] = SimpleQueue()
        for each in shaders:
            free.put(each)
        before, futures = None, []
        for pair in pairs:
            after = Event()
            futures.append(self._pool.submit(self._in_turn, free, pair, before, after))
            before = after
        for future in futures:
            future.result()

    def _in_turn(
        self,
        free: "SimpleQueue[QuadShader]",
        pair: tuple[int, int],
        before: Event | None,
        after: Event,
    ) -> None:
        """Shade some quads in a thread, and write them after the quads before them."""
        shader = free.get()
        try:
            shader.shade(*pair)
            if before is not None:
                before.wait()
            if not self._failed:
                shader.finish(*pair)
        except BaseException:
            self._failed = True
            raise
        finally:
            free.put(shader)
            after.set()

    def _shaders(self, count: int) -> tuple[list["QuadShader"], int]:
        """Return shaders for the next `count` quads, and how many each takes at a time."""
        draw, begun, self._begun = self._draw, self._begun, True
        if not self._few and draw.run.pixel is not None:
            self._begin_few(draw.run.pixel, begun=begun)
        if self._few or draw.run.pixel is None:
            if not self._few:
                self._few = [QuadShader(draw, self._near(), None)]
            return self._few, self._few[0].size
        most = draw.batch if draw.is_tested_at_once else TOGETHER * draw.batch
        size = min(most, -(-count // UNIT) * UNIT)
        if self._whole is None or self._whole.size < size:
            self._whole = QuadShader(draw, size, None)
        return [self._whole], size

    def _begin_few(self, pixel: Execution, *, begun: bool) -> None:
        """Make shaders for few quads at a time, if their code may be called so."""
        draw = self._draw
        first = pixel.ready(draw.run.arguments)
        if first is None or not (first.settled or begun):
            return
        calls: list[RepeatedCall] = [first]
        for _ in range(first.threads - 1):
            more = pixel.ready(draw.run.arguments)
            if more is not None:
                calls.append(more)
        if len(calls) > 1:  # each thread has a shader, so that the first quads never wait for one
            self._pool = ThreadPoolExecutor(len(calls), thread_name_prefix="unshade")
        self._few = [QuadShader(draw, self._near(), each) for each in calls]

    def _near(self) -> int:
        """Return how many quads to shade at a time."""
        draw = self._draw
        if draw.is_tested_at_once:
            return draw.batch  # which is tested as a whole
        ports = max(1, len(draw.inputs.kinds) + len(draw.outputs))
        return max(UNIT, min(draw.batch, NEAR // (ports * LANES * 4) // UNIT * UNIT))


class QuadShader:
    """Inputs and outputs of `size` quads, and the calls that make, shade and write them.

    `call` is the pixel shader for repeated calls; None to call the engine.
    """

    def __init__(self, draw: "CompiledDraw", size: int, call: "RepeatedCall | None") -> None:
        self.size = size
        self._draw = draw
        self._call = call
        lanes = LANES * (size + 1)  # one quad more than are made, for what is replaced (attributes)
        self._inputs = {key: np.zeros(lanes, kind) for key, kind in draw.inputs.kinds.items()}
        self._outputs = {key: np.zeros(lanes, kind) for key, kind in draw.outputs.items()}
        self._counts = np.zeros(2, np.int64)
        self._chosen = np.empty(size + 1, np.int32)
        self._helpers = np.empty(lanes, np.uint8)
        self._cleared = [
            array for key, array in self._outputs.items() if key not in draw.always_written
        ]
        self._made = 0  # quads, of which self._helping lanes are hidden
        self._helping = 0
        self._given = GivenWords({
            "begin": 0, "end": 0, "count": 0,
            **({} if draw.own_depth is None else {"own": self._outputs[draw.own_depth]}),
            "counts": self._counts, "chosen": self._chosen, "helpers": self._helpers,
            **{f"to{at}": each for at, each in enumerate(self._inputs.values())},
            **{f"out{at}": self._outputs[key] for at, key in enumerate(draw.written)},
        })  # fmt: skip
        if call is not None:
            inputs, outputs = (
                {key: address(each) for key, each in arrays.items()}
                for arrays in (self._inputs, self._outputs)
            )
            call.bind_ports(inputs, outputs, address(self._helpers))
        self._report: Report | None = None
        self._make: BoundFunction | None = None
        self._merge: BoundFunction | None = None
        self._test: BoundFunction | None = None

    def begin(self) -> None:
        """Begin with the quads of a chunk."""
        given, draw = self._draw.given, self._draw
        if self._make is None or self._merge is None:
            self._make = draw.make.bound(given, self._given)
            self._merge = draw.merge.bound(given, self._given)
            self._test = None if draw.test is None else draw.test.bound(given, self._given)
            return
        for each in (self._make, self._merge, self._test):
            if each is not None:
                each.take(given, OF_CHUNK)

    def shade(self, begin: int, end: int) -> None:
        """Make the inputs of some of the chunk's quads, and shade those with a shown lane."""
        assert self._make is not None
        self._make.run(begin=begin, end=end)
        self._made, self._helping = self._counts.tolist()
        pixel = self._draw.run.pixel
        if not self._made or pixel is None:
            return
        lanes = LANES * self._made
        for array in self._cleared:
            array[:lanes] = 0
        if self._call is None or not self._called(self._call, lanes):
            self._launch(pixel, lanes)
        if COVERED in self._outputs:
            alive = np.packbits(
                self._outputs[COVERED][:lanes].reshape(-1, LANES).astype(np.bool_), axis=1,
                bitorder="little",
            )  # fmt: skip
            self._draw.given["shown"][self._chosen[: self._made]] &= alive[:, 0]

    def _called(self, call: "RepeatedCall", lanes: int) -> bool:
        """Run the shader; return False if a loop exceeds the budget."""
        call.use_helpers(self._helping > 0)
        counts = call.run((1, 1, 1), lanes)
        if counts is None:
            return False
        self._report = Report("jit", lanes, *counts)
        return True

    def _launch(self, pixel: Execution, lanes: int) -> None:
        """Run the shader by the engine."""
        run, given = self._draw.run, self._draw.given
        chosen = self._chosen[: self._made]
        launch = Launch(
            run.arguments.memories, items=lanes,
            inputs={key: array[:lanes] for key, array in self._inputs.items()},
            outputs={key: array[:lanes] for key, array in self._outputs.items()},
            helpers=self._helpers[:lanes].view(np.bool_) if self._helping else None,
            budget=pixel.budget,
        )  # fmt: skip
        with blamed(pixel):
            pixel.launch(run.arguments, launch, QuadLanes(
                lambda: (given["x"][chosen], given["y"][chosen],
                         run.triangles.number[given["triangles"][chosen]]), self._made,
            ))  # fmt: skip

    def finish(self, begin: int, end: int) -> None:
        """Test the quads that were shaded if the test is late, and write them."""
        draw, made = self._draw, self._made
        if not made or self._merge is None:
            return
        run = draw.run
        if run.pixel is not None:
            if self._report is not None:
                run.pixel.add(self._report)
            if run.statistics is not None:
                run.statistics.add(ps_invocations=LANES * made - self._helping)
        if self._test is not None:
            self._test.run(count=made)
        self._merge.run(count=made)
        if run.statistics is not None:
            passed = int(np.unpackbits(draw.given["shown"][begin:end]).sum())
            run.statistics.add(samples_passed=passed)
