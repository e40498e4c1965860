"""The jit engine: kernels compiled by LLVM, lanes in vector registers, groups on threads.

Its results equal lockstep's in every bit. Text and machine code are kept for each
kernel. Kernels that cannot be compiled well (barriers in divergent control flow, kernels or
memories that are too large) raise UnsupportedError; the lockstep engine runs them.

Threads take pieces of the call in turn. The order of threads only affects several accesses to one
place in memory: atomics, of which the report tells, and stores that race (lane_order.py).
"""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import BudgetError, UnsupportedError
from ...garbage_collection import uncollected
from ...ir.kernel import KernelIR
from ...ir.sources import LANES
from ...ir.transforms.copying import copied_kernel
from ..flush_mode import flushing
from ..launch import Array, Launch, Report
from ..prepared import PreparedKernel
from .cache import entries
from .cache.values import Codec
from .codegen.kernel_facts import kernel_facts
from .codegen.module import module_text
from .codegen.tally import read_counts, sum_counts
from .compile import MachineCode, compile_text, load_object, target
from .frames import check_frame, frame_at
from .lane_order import LaneOrder, lane_order
from .layout import BOUND, ERROR, FIRST, HELPERS, LaneLayout, layout, slots
from .loop_exits import split_loop_exits
from .processor import processor, triple
from .repeated import RepeatedCall
from .segments import check_convergence, spill_values
from .tiers import WorkMeter, meter_of
from .tuning import check_size, fits_in, level_of, width_of
from .width_trials import WidthTrial, enabled

MIN_THREADED_LANES = 1 << 15  # fewer lanes are not worth waking a thread for
ALIGNMENT = 16  # bytes, of the start of memories
PIECES_PER_THREAD = 4
MAX_SCRATCH = 1 << 28  # bytes of scratch memory of a thread
MAX_INDEX_32 = 1 << 31  # bytes: smaller memories are addressed with 32 bits
CODEC = Codec(LaneLayout, WorkMeter, LaneOrder)  # of what is stored with machine code


class CompiledKernel:
    """A kernel compiled for one layout.

    `meter` decides when optimised code is worth its time; None if this is the best there is.
    `seconds` is the processor time of compiling, and `settled` is True if the width was chosen by
    timing others, or is not to be.
    """

    __slots__ = (
        "layout", "machine_code", "meter", "order", "scratch", "seconds", "settled", "text",
    )  # fmt: skip

    layout: LaneLayout
    machine_code: MachineCode
    meter: WorkMeter | None
    order: LaneOrder
    scratch: int
    seconds: float
    settled: bool
    text: str

    @classmethod
    def stored(cls, name: str) -> "CompiledKernel | None":
        """Return the compiled kernel of an entry of the cache; None if it is not there."""
        found = entries.read(name)
        if found is None:
            return None
        made = cls.__new__(cls)
        made.layout, made.scratch, made.meter, of_object, *others = CODEC.unpacked(found[0])
        made.order, made.seconds, made.settled = others
        code = load_object(*of_object)
        if code is None:
            return None
        made.machine_code, made.text = code, ""
        return made

    def store(self, name: str) -> None:
        """Store the kernel as an entry of the cache."""
        of_object = self.machine_code.name, self.machine_code.own
        facts = self.order, self.seconds, self.settled
        values = self.layout, self.scratch, self.meter, of_object, *facts
        entries.write(name, CODEC, values)

    def __init__(
        self, kernel: KernelIR, layout: LaneLayout, fast: bool = False, quick: bool = False
    ) -> None:
        check_size(kernel)
        start = time.thread_time()
        self.order, self.settled = lane_order(kernel, layout.flat), False
        if layout.grouped:
            check_convergence(kernel)
            kernel = copied_kernel(kernel)
            spill_values(kernel)
        self.layout = layout
        facts, native = kernel_facts(kernel, layout), processor().bits
        self.text, self.scratch = module_text(kernel, layout, facts, triple(), native, fast, quick)
        if self.scratch > MAX_SCRATCH:
            raise UnsupportedError(
                f"the kernel needs {self.scratch} bytes of scratch memory, more than "
                f"{MAX_SCRATCH}; the lockstep engine runs it"
            )
        level = level_of(kernel, self.text)
        self.meter = meter_of(kernel, layout, native) if quick and level else None
        self.machine_code = compile_text(self.text, 0 if quick else level)
        check_frame(frame_at(self.machine_code.address))
        self.seconds = time.thread_time() - start


Compiled = dict[tuple[bool, ...], CompiledKernel]
Trials = dict[tuple[bool, bool], WidthTrial[CompiledKernel]]


class Jit:
    """An engine that compiles kernels to machine code.

    Args:
        threads: The number of threads; None for one per available processor.
        width: The number of lanes in a chunk; None to choose it for each kernel.
        fast: Use faster, less exact instructions (codegen/estimates.py).
        quick: Use code that is made quickly; None to use it until optimised code is worth its
            time (tiers.py), and not with `fast`.
        tune: Time other widths than the chosen ones (width_trials.py); None if the environment
            allows it.
    """

    name = "jit"

    def __init__(
        self,
        threads: int | None = None,
        width: int | None = None,
        fast: bool = False,
        quick: bool | None = None,
        tune: bool | None = None,
    ) -> None:
        self.fast = fast
        self.quick = False if quick is None and fast else quick
        self.threads = threads or _processor_count()
        self.width = width
        self.tune = width is None and (enabled() if tune is None else tune)
        # By kernel, then by the arguments of `compile`.
        self.kernels: WeakKeyDictionary[KernelIR, Compiled] = WeakKeyDictionary()
        # By kernel, then by `flat` and `small`.
        self._trials: WeakKeyDictionary[KernelIR, Trials] = WeakKeyDictionary()
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # which has the threads of the pool; a fork of it has none
        self._lock = threading.Lock()

    @uncollected
    def compile(
        self, kernel: KernelIR, flat: bool, small: bool, quick: bool = False
    ) -> CompiledKernel:
        """Return the compiled kernel.

        Args:
            kernel: The kernel.
            flat: The groups are along one axis.
            small: No memory has 2^31 bytes or more.
            quick: Make it quickly; optimised code that was made before is returned instead.
        """
        with self._lock:
            known = self.kernels.setdefault(kernel, {})
            found = known.get((flat, small, False)) or known.get((flat, small, quick))
            if found is None:
                found = self._compiled(kernel, known, flat, small, quick)
            return found

    def _compiled(
        self, kernel: KernelIR, known: Compiled, flat: bool, small: bool, quick: bool
    ) -> CompiledKernel:
        """Return the kernel compiled, or from the cache if it is stored there."""
        found, name = None, ""
        if isinstance(kernel, PreparedKernel):
            for made_quickly in sorted({False, quick}):  # optimised code is better if it is there
                states = flat, small, made_quickly
                name = entries.name_of("machine", kernel.stored_as, states, self.options)
                found = CompiledKernel.stored(name)
                if found is not None:
                    known[states] = found
                    break
        if found is None:
            code = kernel if quick else split_loop_exits(kernel)
            width = self.width or width_of(code, processor().bits, quick)
            plan = layout(code, flat, small, width)
            try:
                found = CompiledKernel(code, plan, self.fast, quick)
            except UnsupportedError:
                # Code of level 0 needs more of the stack.
                if not quick or self.quick:
                    raise
                return self._compiled(kernel, known, flat, small, False)
            known[flat, small, quick] = found
            if name:
                found.store(name)
        if isinstance(kernel, PreparedKernel) and kernel.store is not None:
            kernel.store()
            kernel.store = None
        return found

    @property
    def options(self) -> tuple[object, ...]:
        """The dependences of code besides the kernel and its layout."""
        return self.fast, self.width, self.tune, target()

    def run(self, kernel: KernelIR, launch: Launch) -> Report:
        """Run a kernel; the arrays of the launch are written in place.

        Raises:
            UsageError: An array is missing or does not match the kernel.
            UnsupportedError: The kernel cannot be compiled.
            LimitError: The call has too many lanes.
            BudgetError: A loop exceeds the iteration budget.
        """
        launch.check(kernel)
        flat = launch.groups[1] == launch.groups[2] == 1
        small = all(len(array) < MAX_INDEX_32 for array in launch.memories.values())
        compiled = self.compile(kernel, flat, small, self.quick is not False)
        plan = compiled.layout
        groups = launch.groups[0] * launch.groups[1] * launch.groups[2]
        lanes = launch.items if not kernel.dispatched else groups * plan.size
        if not lanes:
            return Report(self.name)
        call = CallInProgress(kernel, CallArrays(kernel, launch, lanes), lanes)
        compiled = self._run_quickly(call, compiled, flat, small)
        trial = None
        if call.is_open and self._is_timed(kernel, launch, compiled, lanes):
            trial = self._trial(kernel, compiled, small)
            compiled = self._run_timed(call, trial, small)
        done, units = (compiled.layout.units(at) for at in (call.done, lanes))
        pieces = 1
        if self.threads > 1 and lanes > MIN_THREADED_LANES and call.is_open:
            pieces = max(1, min(units - done, PIECES_PER_THREAD * self.threads))
        bounds = [done + (units - done) * at // pieces for at in range(pieces + 1)]
        start = time.process_time()
        if pieces > 1:
            spans = pairwise(bounds)
            call.counts += self._shared([partial(call.work, compiled, *each) for each in spans])
        elif call.is_open:
            call.counts.append(call.work(compiled, done, units))
        if trial is not None:
            trial.add_rest(time.process_time() - start)
        outside, discarded = sum_counts(kernel, call.counts)
        call.arrays.copy_back()
        if call.arrays.error[0]:
            raise BudgetError(launch.budget, int(call.arrays.error[0]) - 1)
        report = Report(self.name, lanes, outside, discarded)
        if pieces > 1 and compiled.order.shown:
            report.unrepeatable = (
                f"atomics of {compiled.order.shown} depend on the order of {self.threads} threads"
            )
        return report

    def _run_quickly(
        self, call: "CallInProgress", code: CompiledKernel, flat: bool, small: bool
    ) -> CompiledKernel:
        """Run quick code until optimised code is worth its time; return the code to go on with."""
        while self.quick is None and code.meter is not None and call.is_open:
            meter = code.meter
            done, units = (code.layout.units(at) for at in (call.done, call.lanes))
            count = meter.next(units - done)
            if not count:
                better = self._optimised(call.kernel, flat, small, code, done > 0)
                if better is not None:
                    return better
                count = units - done
            call.run(code, code.layout.lanes(count))
            meter.add(count, call.counts[-1][-1])
        return code

    def _is_timed(self, kernel: KernelIR, launch: Launch, code: CompiledKernel, lanes: int) -> bool:
        """Return True if other widths are to be timed on the lanes of a call."""
        return (
            self.tune
            and not code.settled
            and code.meter is None
            and lanes <= code.order.chunked
            and not _overlap(kernel, launch)
        )

    def _trial(
        self, kernel: KernelIR, code: CompiledKernel, small: bool
    ) -> WidthTrial[CompiledKernel]:
        """Return the trial of a kernel's widths."""
        with self._lock:
            trials = self._trials.setdefault(kernel, {})
            return trials.setdefault((code.layout.flat, small), WidthTrial(code))

    def _run_timed(
        self, call: "CallInProgress", trial: WidthTrial[CompiledKernel], small: bool
    ) -> CompiledKernel:
        """Time widths on the next lanes of a call; return the best code so far."""
        with trial.lock:
            rival = partial(self._rival, call.kernel, trial.best, small)
            while call.is_open:
                code, count = trial.next(call.lanes - call.done, rival)
                if not count:
                    break
                start = time.thread_time()
                call.run(code, count)
                trial.add(count, time.thread_time() - start)
            if trial.settled and not trial.best.settled:
                self._settle(call.kernel, small, trial.best)
            return trial.best

    @uncollected
    def _rival(
        self, kernel: KernelIR, own: CompiledKernel, small: bool, width: int
    ) -> CompiledKernel | None:
        """Return code of another width; None if it is too long, or could not continue a call."""
        code = split_loop_exits(kernel)
        plan = layout(code, own.layout.flat, small, width)
        fits = fits_in(code, width, processor().bits)
        if not fits or plan.width != width or plan.grouped != own.layout.grouped:
            return None
        try:
            return CompiledKernel(code, plan, self.fast)
        except UnsupportedError:
            return None

    def _settle(self, kernel: KernelIR, small: bool, code: CompiledKernel) -> None:
        """Keep code whose width was settled in place of that of the rules."""
        code.settled = True
        with self._lock:
            states = code.layout.flat, small, False
            self.kernels[kernel][states] = code
            if isinstance(kernel, PreparedKernel):
                code.store(entries.name_of("machine", kernel.stored_as, states, self.options))

    def repeated(self, kernel: KernelIR, budget: int) -> RepeatedCall | None:
        """Return a kernel for repeated calls of few lanes; None if it has ports.

        Raises:
            UnsupportedError: The kernel cannot be compiled.
        """
        if kernel.inputs or kernel.outputs:
            return None
        found = self.compile(kernel, True, True)
        most = MIN_THREADED_LANES if self.threads > 1 else LANES
        code = found.machine_code
        return RepeatedCall(kernel, code, found.layout, found.scratch, budget, most)

    def ready(self, kernel: KernelIR, small: bool, budget: int) -> RepeatedCall | None:
        """Return a kernel that is not dispatched for repeated calls; None if no code is ready.

        Code is ready if it is optimised. It is settled if no other width may take its place.
        """
        with self._lock:
            found = self.kernels.get(kernel, {}).get((True, small, False))
            trial = self._trials.get(kernel, {}).get((True, small))
        if found is None or kernel.dispatched:
            return None
        settled = found.settled or not self.tune
        if trial is not None and not settled:
            found = trial.best
        code, plan = found.machine_code, found.layout
        return RepeatedCall(
            kernel, code, plan, found.scratch, budget, LANES, self.threads, settled=settled
        )

    def _optimised(
        self, kernel: KernelIR, flat: bool, small: bool, quick: CompiledKernel, begun: bool
    ) -> CompiledKernel | None:
        """Return optimised code; None if there is none, or if it cannot continue a call."""
        try:
            found = self.compile(kernel, flat, small)
        except UnsupportedError:
            quick.meter = None
            return None
        if begun and found.layout.grouped != quick.layout.grouped:
            return None
        return found

    def _shared(self, pieces: list[Callable[[], list[int]]]) -> list[list[int]]:
        """Run the pieces of a call on threads.

        If an exception ends the call, such as KeyboardInterrupt, no thread writes to the arrays of
        the call any more.
        """
        with self._lock:
            if self._pool is None or self._process != os.getpid():
                self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="unshade")
                self._process = os.getpid()
            pool = self._pool
        futures = []
        try:
            for piece in pieces:
                futures.append(pool.submit(piece))
            return [each.result() for each in futures]
        except BaseException:
            for each in futures:
                each.cancel()
            wait(futures)
            raise


def address(array: Array) -> int:
    """Return the address of an array, in a quarter of the time that `ctypes.data` takes."""
    found: int = array.__array_interface__["data"][0]
    return found


def _overlap(kernel: KernelIR, launch: Launch) -> bool:
    """Return True if an array that is written shares memory with another one."""
    given = [(launch.memories[memory.key], memory.writable)
             for memory in kernel.memories if memory.space in BOUND]  # fmt: skip
    given += [(launch.inputs[port.key], False) for port in kernel.inputs]
    given += [(launch.outputs[port.key], True) for port in kernel.outputs]
    end = end_written = 0  # of the arrays before, and of those that are written
    for array, written in sorted(given, key=lambda each: address(each[0])):
        start = address(array)
        if start < end_written or (written and start < end):
            return True
        end = max(end, start + array.nbytes)
        if written:
            end_written = max(end_written, start + array.nbytes)
    return False


def _processor_count() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class CallInProgress:
    """A call in progress: `done` of its lanes have run, `counts` are what they counted."""

    def __init__(self, kernel: KernelIR, arrays: "CallArrays", lanes: int) -> None:
        self.kernel = kernel
        self.arrays = arrays
        self.lanes = lanes
        self.done = 0
        self.counts: list[list[int]] = []

    @property
    def is_open(self) -> bool:
        """True if lanes are left, and no loop has exceeded its budget."""
        return self.done < self.lanes and not self.arrays.error[0]

    def run(self, code: CompiledKernel, lanes: int) -> None:
        """Run the next lanes: whole units of the code, or all that are left."""
        end = min(self.done + lanes, self.lanes)
        self.counts.append(self.work(code, *map(code.layout.units, (self.done, end))))
        self.done = end

    def work(self, code: CompiledKernel, first: int, last: int) -> list[int]:
        """Run units of the code in this thread; return what they counted."""
        scratch = np.empty(code.scratch + 64, np.uint8)
        place = address(scratch)
        start = -place % 64
        with flushing(self.kernel.mode):
            code.machine_code.run(address(self.arrays.context), place + start, first, last)
        return read_counts(self.kernel, scratch[start:])


class CallArrays:
    """The arrays of one call as the function needs them: contiguous, aligned, kept alive.

    `context` are the words that the function reads (layout.py).
    """

    def __init__(self, kernel: KernelIR, launch: Launch, lanes: int) -> None:
        self.error = np.zeros(1, np.int64)
        self._copies: dict[tuple[int, int], Array] = {}
        self._copied_outputs: list[tuple[Array, Array]] = []  # array, its copy
        self._alive: list[Array] = []
        self.context = np.array(self._words(kernel, launch, lanes), np.int64)

    def _words(self, kernel: KernelIR, launch: Launch, lanes: int) -> list[int]:
        memories, inputs, outputs = slots(kernel)
        context = [0] * FIRST
        context[:ERROR] = (*launch.groups, lanes, launch.budget)
        context[ERROR] = address(self.error)
        if launch.helpers is not None:
            context[HELPERS] = self._address(np.asarray(launch.helpers, np.uint8), 1, False)
        for memory, at in memories.items():
            array = launch.memories[memory.key]
            count = len(array) // memory.stride
            if memory.count is not None:
                count = min(count, memory.count)
            assert at == len(context)
            context += self._address(array, ALIGNMENT, memory.writable), count
        assert inputs == len(context)
        for port in kernel.inputs:
            size = max(port.type.size, 1)
            context.append(self._address(launch.inputs[port.key], size, False))
        assert outputs == len(context)
        for port in kernel.outputs:
            size = max(port.type.size, 1)
            context.append(self._address(launch.outputs[port.key], size, True))
        return context

    def _address(self, array: Array, align: int, written: bool) -> int:
        """Return the address of an array, or of an aligned, contiguous copy."""
        found, start = array, address(array)
        if not array.flags.c_contiguous or start % align:
            key = start, array.nbytes  # an array that is bound twice is copied once
            known = self._copies.get(key) if array.flags.c_contiguous else None
            found = known if known is not None else _aligned_copy(array)
            self._copies[key] = found
            start = address(found)
            if written:
                self._copied_outputs.append((array, found))
        self._alive.append(found)
        return start

    def copy_back(self) -> None:
        """Copy written copies back to their arrays."""
        for given, copy in self._copied_outputs:
            given[...] = copy.view(given.dtype)


def _aligned_copy(array: Array) -> Array:
    """Return an aligned copy."""
    ref = np.empty(array.nbytes + ALIGNMENT, np.uint8)
    start = -address(ref) % ALIGNMENT
    found: Array = ref[start : start + array.nbytes].view(array.dtype)
    found[...] = array
    return found
