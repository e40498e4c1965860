"""From a control-flow graph to regions: `build` makes code, `structure` the form alone.

    0: if c goto 2 else 1                block $0 {
    1: if d goto 2 else 3                  0
    2: … goto 3                  ->        if not c {
    3: return                                1             2 has several ways to it, and so has 3:
                                             if not d {    they lie behind what those come from
                                               exit $0
                                             }
                                           }
                                           2
                                         }
                                         3

    graph     blocks, phis and their ends, as a family's reader makes them
    loops     which blocks repeat together, from what they enter
    levels    the body of each loop without its iterations: no cycles, dominators
    regions   the tree of regions; it knows numbers of blocks and nothing of what is in them
    shape     the loops and levels above as one tree: each block once, so it is linear in size
    emission  the tree as statements of `ir`
    scopes    values that are used outside of the region that makes them become variables

What lanes do together
    A block stands in the text once, and within one iteration of every loop around it lanes run it
    once, together: all that come to it in that iteration, by whatever way. So lanes that part at a
    branch have joined again, at the latest, in its immediate post-dominator, or at the head of the
    loop if some come to that first. (It is what LLVM calls maximally converged: "Convergence and
    Uniformity", with all entries of an irreducible cycle as its headers.)

    A loop is a set of blocks that reach one another; blocks that cannot come back to it lie behind
    it. Lanes that leave it wait until all have, and those that leave for one block run that
    together, whichever iterations they left at. An iteration begins when a lane comes to a header,
    a block of the loop that can be reached from outside.

    A merge block, as SPIR-V states for a loop, makes the loop larger: blocks that are reached only
    from inside, short of the merge block, belong to the loop, so that lanes that leave at different
    iterations run them apart, and meet at the merge block. Merge blocks of selections and continue
    blocks need no statement: lanes meet there in any case.

Irreducible loops
    A loop with several headers goes through a variable: what comes to a header, from outside or
    inside, begins an iteration, and the variable says at which of the headers. So blocks of such a
    loop are run together by the lanes that have passed headers of it equally often since they
    entered it. Loops inside are found with all these edges taken out, and in them the same holds
    again. No code is copied.

Nesting
    Regions lie at most `ir.kernel.DEEPEST` deep. Blocks that would need more are put in one row,
    each behind a test of a variable that says which comes next; what lanes do together stays the
    same. Loops in more than `loops.nested(deepest)` others (17) become one with the innermost of
    those: its headers are then the blocks that any of its edges leads back to, found depth first.
"""

from .emission import build
from .graph import ExitGraph, Fork, Jump, Multiway, Node, Phi
from .loops import find_loops
from .structurer import structure

__all__ = [
    "ExitGraph",
    "Fork",
    "Jump",
    "Multiway",
    "Node",
    "Phi",
    "build",
    "find_loops",
    "structure",
]
