"""Rules for control flow: loops that are left, functions that are called.

    for (;;) { switch (n) { case 0: break; } continue; }     break leaves the switch
    half f(half x);  … f(1) …                                without a body anywhere

Source: SkSLFunctionDefinition.cpp (break, continue) and SkSLAnalysis.cpp (functions that are not
defined) of Skia's milestone 104.
"""

from collections.abc import Container

from ....rule import Findings
from ..tree import (
    BreakStatement,
    ContinueStatement,
    DoStatement,
    ForStatement,
    FunctionCall,
    FunctionDeclaration,
    SwitchStatement,
    TreeNode,
)

__all__ = ["BREAKABLE", "check_body", "check_jump"]

LOOPS = (ForStatement, DoStatement)
BREAKABLE = (*LOOPS, SwitchStatement)


def check_jump(node: TreeNode, path: str, findings: Findings, around: TreeNode | None) -> None:
    """Check a break or continue by the innermost loop or switch around it."""
    if isinstance(node, BreakStatement) and around is None:
        findings.add("sksl.jump", "expected a loop or switch around break", path)
    elif isinstance(node, ContinueStatement) and not isinstance(around, LOOPS):
        place = "" if around is None else ", got a switch"
        findings.add("sksl.jump", f"expected a loop around continue{place}", path)


def check_body(
    node: TreeNode, path: str, findings: Findings, defined: Container[FunctionDeclaration] | None
) -> None:
    """Check that a called function of a program has a body; `defined` is None in modules."""
    if defined is None or not isinstance(node, FunctionCall):
        return
    function = node.function
    is_own = isinstance(function, FunctionDeclaration) and not function.builtin
    if is_own and function not in defined:
        findings.add("sksl.body", f"the function {function.name} has no body", path)
