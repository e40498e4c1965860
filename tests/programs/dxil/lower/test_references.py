"""Handles and pointers that depend on the path."""

import numpy as np
import pytest

from tests.kernels import kernel_of
from unshade.errors import UnsupportedError
from unshade.programs.dxil import Code
from unshade.programs.dxil.facts.usage import used_resources
from unshade.programs.dxil.shaderinfo import read_shader
from unshade.run import engines

from .support import ENGINES, compute, load, lowered, run, store

SHARED = """
@a = internal addrspace(3) global [8 x i32] undef, align 4
@b = internal addrspace(3) global [8 x i32] undef, align 4
"""


def element(name: str, index: str | int, of: str = "a") -> str:
    return f"""
  %{name} = getelementptr [8 x i32], [8 x i32] addrspace(3)* @{of}, i32 0, i32 {index}"""


def test_a_phi_of_pointers() -> None:
    """The loop adds up elements behind a pointer that moves."""
    body = f"""{element("p0", 0)}{element("p3", 3)}
  store i32 5, i32 addrspace(3)* %p0
  store i32 7, i32 addrspace(3)* %p3
  br label %loop

loop:
  %p = phi i32 addrspace(3)* [ %p0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %total, %loop ]
  %i = phi i32 [ 0, %0 ], [ %more, %loop ]
  %x = load i32, i32 addrspace(3)* %p
  %total = add i32 %sum, %x
  %next = getelementptr i32, i32 addrspace(3)* %p, i32 3
  %more = add i32 %i, 1
  %done = icmp eq i32 %more, 2
  br i1 %done, label %end, label %loop

end:{store("%total")}"""
    assert run(compute(body, before=SHARED))[0] == 12


def test_a_select_of_pointers() -> None:
    body = f"""{load("x")}{element("p0", 0)}{element("p3", 3)}
  store i32 5, i32 addrspace(3)* %p0
  store i32 7, i32 addrspace(3)* %p3
  %c = icmp eq i32 %x, 0
  %p = select i1 %c, i32 addrspace(3)* %p0, i32 addrspace(3)* %p3
  %y = load i32, i32 addrspace(3)* %p{store("%y")}"""
    code = compute(body, before=SHARED)
    assert run(code, [0])[0] == 5
    assert run(code, [1])[0] == 7


def test_different_memories_are_refused() -> None:
    body = f"""{load("x")}{element("p", 0)}{element("q", 0, "b")}
  %c = icmp eq i32 %x, 0
  %r = select i1 %c, i32 addrspace(3)* %p, i32 addrspace(3)* %q
  %y = load i32, i32 addrspace(3)* %r{store("%y")}"""
    with pytest.raises(UnsupportedError, match="between different memories"):
        lowered(compute(body, before=SHARED))


HANDLE = "%dx.types.Handle"
BRANCHES = f"""{load("x")}
  %c = icmp eq i32 %x, 0
  br i1 %c, label %one, label %other

one:
  %h0 = call {HANDLE} @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  br label %end

other:
  %h1 = call {HANDLE} @dx.op.createHandle(i32 57, i8 1, i32 0, i32 1, i1 false)
  br label %end

end:
  %h = phi {HANDLE} [ %h0, %one ], [ %h1, %other ]
  %r = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, {HANDLE} %h, i32 4, \
i32 undef, i8 1, i32 4)
  %y = extractvalue %dx.types.ResRet.i32 %r, 0{store("%y", 0)}"""


def read(code: Code, first: int) -> int:
    found = set()
    for engine in ENGINES:
        kernel = kernel_of(lowered(code), None, engines.choose(engine, False))
        given = np.array([first, 11], "<u4")
        out = kernel.dispatch(1, t0=given, u1=np.array([0, 22], "<u4"))["u1"]
        found.add(int(out.view("<u4")[0]))
    assert len(found) == 1
    return found.pop()


def test_a_phi_of_handles() -> None:
    code = compute(BRANCHES)
    assert read(code, 0) == 11
    assert read(code, 1) == 22


def test_a_select_of_handles() -> None:
    body = f"""{load("x")}
  %c = icmp eq i32 %x, 0
  %h = select i1 %c, {HANDLE} %in, {HANDLE} %out
  %r = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, {HANDLE} %h, i32 4, \
i32 undef, i8 1, i32 4)
  %y = extractvalue %dx.types.ResRet.i32 %r, 0{store("%y", 0)}"""
    code = compute(body)
    assert read(code, 0) == 11
    assert read(code, 1) == 22


def test_a_phi_of_the_variable_of_a_resource_is_refused() -> None:
    """Its value is the resource, not what the class has as members."""
    body = f"""{load("x")}
  %c = icmp eq i32 %x, 0
  br i1 %c, label %one, label %end

one:
  %b = load %struct.Buffer, %struct.Buffer* @view
  br label %end

end:
  %p = phi %struct.Buffer [ undef, %0 ], [ %b, %one ]
  %y = extractvalue %struct.Buffer %p, 0{store("%y")}"""
    code = compute(body, before="@view = external global %struct.Buffer", view="@view")
    with pytest.raises(UnsupportedError, match=r"a phi of type %struct\.Buffer cannot be run"):
        lowered(code)


@pytest.mark.parametrize("write", ["rawBufferStore", "atomicBinOp"])
def test_writes_to_what_is_only_read_are_refused(write: str) -> None:
    body = (
        store("%lane")
        if write == "rawBufferStore"
        else """
  %old = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %out, i32 0, i32 0, i32 undef, \
i32 undef, i32 1)"""
    )
    with pytest.raises(UnsupportedError, match="expected a UAV to write to, got t0"):
        lowered(compute(body.replace("%out", "%in")))


@pytest.mark.parametrize(
    ("type", "place"),
    [
        (HANDLE, "@view"),
        (
            f"[2 x {HANDLE}]",
            f"getelementptr inbounds ([2 x {HANDLE}], [2 x {HANDLE}]* @view, \
i32 0, i32 0)",
        ),
    ],
)
def test_the_variable_of_a_resource_may_be_a_handle(type: str, place: str) -> None:
    """In libraries of Shader Model 6.6 on: metadata has it behind a cast."""
    body = f"""
  %b = load {HANDLE}, {HANDLE}* {place}
  %h = call {HANDLE} @dx.op.createHandleForLib.dx.types.Handle(i32 160, {HANDLE} %b)
  %r = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, {HANDLE} %h, i32 4, \
i32 undef, i8 1, i32 4)
  %y = extractvalue %dx.types.ResRet.i32 %r, 0{store("%y", 0)}"""
    view = f"bitcast ({type}* @view to %struct.Buffer*)"
    code = compute(body, before=f"@view = external constant {type}", view=view)
    assert read(code, 0) == 11
    resources = read_shader(code.module).entry_points[0].resources.all
    loads = [each for each in code.module.functions[0].instructions if each.opcode == "load"]
    assert used_resources(resources, loads) == {(0, 0)}


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("add (i32 mul (i32 3, i32 undef), i32 5)", 5),
        ("zext (i8 trunc (i32 511 to i8) to i32)", 255),
        ("select (i1 icmp ult (i32 1, i32 2), i32 7, i32 8)", 7),
    ],
)
def test_operations_on_constants(value: str, result: int) -> None:
    body = f"\n  %y = or i32 0, {value}{store('%y', 0)}"
    assert run(compute(body))[0] == result


def test_large_constants_are_refused() -> None:
    value = "undef"
    for _ in range(7):
        value = f"add (i32 {value}, i32 {value})"
    body = f"\n  %y = or i32 0, {value}{store('%y')}"
    with pytest.raises(UnsupportedError, match="a constant of more than 64 operations"):
        lowered(compute(body))


def test_an_undefined_index_is_0() -> None:
    body = f"""
  %r = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, {HANDLE} %in, i32 undef, \
i32 undef, i8 1, i32 4)
  %y = extractvalue %dx.types.ResRet.i32 %r, 0{store("%y", 0)}"""
    assert run(compute(body), given=[11, 22])[0] == 11
