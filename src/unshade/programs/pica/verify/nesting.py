"""Checks of the nesting depth of blocks and calls across all active procedures.

    main    ifu … call a …            1 if
      a       ifc … call b …          1 if, 1 call
        b       for … ifu …           2 ifs, 2 calls, 1 loop

An if counts only inside its if part: in the else part, and after it, it is not on the stack.
"""

from bisect import bisect_left

from ....rule import Findings
from ....vocab.pica import CALL_STACK, IF_STACK, LOOP_STACK
from ..flow import Work
from ..structure import CodeStructure, Procedure

LIMITS = (("ifs", IF_STACK), ("calls", CALL_STACK), ("loops", LOOP_STACK))
NONE = (0, 0, 0)

Need = tuple[int, int, int]  # ifs, calls, loops


def check_nesting(found: CodeStructure, work: Work, findings: Findings) -> None:
    """Check every procedure, callees before callers."""
    calls = _calls(found, work)
    numbers = {id(procedure): number for number, procedure in enumerate(found.procedures)}
    needs: dict[int, Need] = {}
    for root in range(len(found.procedures)):
        running: set[int] = set()
        order = [(root, False)]
        while order:
            number, done = order.pop()
            if not done and (number in needs or number in running):
                continue
            procedure = found.procedures[number]
            inner = [(at, numbers[id(callee)]) for at, callee in calls[number]]
            if done:
                running.discard(number)
                work.step(len(found.blocks[_blocks(found, procedure)]))
                needs[number] = _need(
                    found, procedure, [(at, needs.get(n, NONE)) for at, n in inner]
                )
                continue
            running.add(number)
            order.append((number, True))
            for at, other in inner:
                if other in running:
                    callee = found.procedures[other]
                    message = (
                        f"the procedure at {callee.start} is already running when {at} calls it"
                    )
                    path = f"instructions[{at}].target"
                    findings.add("pica.recursion", message, offset=4 * at, path=path)
                elif other not in needs:
                    order.append((other, False))
    for number, procedure in enumerate(found.procedures):
        if procedure.callers and not procedure.entries:
            continue
        for (name, limit), need in zip(LIMITS, needs[number], strict=True):
            if need > limit:
                message = f"{name} nest {need} deep; the hardware's stack has {limit} entries"
                at = procedure.start
                findings.add("pica.nesting", message, offset=4 * at, path=f"instructions[{at}]")


def _calls(found: CodeStructure, work: Work) -> list[list[tuple[int, Procedure]]]:
    """Return the calls in each procedure: the word of the call, and the callee."""
    sites = sorted(
        ((at, callee) for callee in found.procedures for at in callee.callers),
        key=lambda site: site[0],
    )
    words = [at for at, _ in sites]
    calls = []
    for procedure in found.procedures:
        inside = sites[bisect_left(words, procedure.start) : bisect_left(words, procedure.end)]
        work.step(len(inside) + 1)
        calls.append(inside)
    return calls


def _blocks(found: CodeStructure, procedure: Procedure) -> slice:
    """Return the blocks that begin in a procedure, as a slice of `found.blocks`."""
    first = bisect_left(found.starts, procedure.start)
    return slice(first, bisect_left(found.starts, procedure.end))


def _need(found: CodeStructure, procedure: Procedure, inner: list[tuple[int, Need]]) -> Need:
    """Return the maximum number of stack entries that a procedure uses."""
    ifs = calls = loops = 0
    for block in found.blocks[_blocks(found, procedure)]:
        ifs = max(ifs, block.ifs)
        loops = max(loops, block.loops)
    for at, need in inner:
        here = running = 0
        for outer in found.around(at):
            here = outer.ifs - (not outer.is_loop and at >= outer.middle)
            running = outer.loops
            break
        ifs = max(ifs, here + need[0])
        calls = max(calls, 1 + need[1])
        loops = max(loops, running + need[2])
    return ifs, calls, loops
