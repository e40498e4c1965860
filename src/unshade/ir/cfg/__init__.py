"""Structuring of control-flow graphs: `build` makes statements, `structure` only the tree.

    0: if c goto 2 else 1                block $0 {
    1: if d goto 2 else 3                  0
    2: … goto 3                  ->        if not c {
    3: return                                1             2 and 3 have several predecessors,
                                             if not d {    so they come after all of those
                                               exit $0
                                             }
                                           }
                                           2
                                         }
                                         3

    graph       blocks, phis and terminators: the input
    loops       the loop nest of the graph
    nesting     the acyclic body of each loop: order, dominators
    regions     the tree of regions, over block numbers; it does not depend on their contents
    structurer  loops and bodies as one tree; each block appears once, so its size is linear
    emission    the tree as statements of `ir`
    scopes      variables for values that are used outside of their region

Convergence
    A block appears in the text once, and within one iteration of every enclosing loop all lanes
    that reach it, on any path, run it once, together. So lanes that diverge at a branch reconverge
    at its immediate post-dominator at the latest, or at the head of the loop if some lanes reach
    the head first. (LLVM calls this maximal convergence: "Convergence and Uniformity", with all
    entries of an irreducible cycle as its headers.)

    A loop is a set of blocks that reach one another; blocks that cannot get back to it come after
    it. Lanes that leave it wait until all have left, and those that leave to the same block run it
    together, even if they left in different iterations. An iteration begins when a lane reaches a
    header, a block of the loop that can be reached from outside.

    A merge block, as SPIR-V declares for a loop, makes the loop larger: blocks that are reached
    only from inside, before the merge block, belong to the loop, so that lanes that leave in
    different iterations run them separately, and reconverge at the merge block. Merge blocks of
    selections and continue blocks need no treatment: lanes reconverge there in any case.

Irreducible loops
    A loop with several headers is dispatched by a variable: reaching a header, from outside or
    inside, begins an iteration, and the variable selects the header. So the lanes that have passed
    the headers of this loop equally often since they entered the loop run its blocks together.
    Inner loops are found after all these edges are removed, and the same applies to them. No code
    is duplicated.

Nesting
    Regions are nested at most `ir.kernel.DEEPEST` deep. Blocks that would need deeper nesting are
    emitted as a flat sequence, each under a test of a variable that selects the next; convergence
    is the same. Loops nested in more than `loops.nested(deepest)` others (17) are merged with the
    innermost of those: its headers are then all targets of back edges, found depth first.
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
