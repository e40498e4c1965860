"""Calls in LLVM assembly.

    %3 = tail call fast float @dx.op.unary.f32(i32 6, float %2) #0

A call without the type of its function has that of its arguments. The function of an opaque module
says what its pointers point to.
"""

from ..model.instructions import CallInst, Instruction
from ..model.types import FunctionType, PointerType
from ..model.values import AttributeList, DxilValue, Function, FunctionAttribute
from .attributes import AttributeParser
from .tokens import AssemblyToken

__all__ = ["DBG_OPERANDS", "DBG_VALUE", "CallParser"]

# Since LLVM 6 without the second of four operands, a number of bytes that is always 0.
DBG_VALUE, DBG_OPERANDS = "llvm.dbg.value", 3


class CallParser(AttributeParser):
    """A reader of calls."""

    def _call(self, tail: int = 0) -> Instruction:
        self.flags()
        convention = self.convention()
        places = [self.inline_attributes()]
        type = self.read_type()
        callee = self.next()
        self.expect("(")
        arguments: list[DxilValue] = []
        while not self.accept(")"):
            if arguments:
                self.expect(",")
            kind = self.read_type()
            places.append(self.inline_attributes() if kind is not self.metadata_type else [])
            arguments.append(self.value(kind))
        if callee.text == f"@{DBG_VALUE}" and len(arguments) == DBG_OPERANDS:
            arguments.insert(1, self.pool.null(self.types.integer(64)))
            places.insert(2, [])
        if isinstance(type, PointerType) and isinstance(type.pointee, FunctionType):
            type = type.pointee
        known = self.globals.get(callee.text) if self.opaque else None
        if isinstance(known, Function) and len(known.arguments) == len(arguments):
            type = known.function_type
            parameters = [each.type for each in known.arguments]
            arguments = [self.coerced(*each) for each in zip(arguments, parameters, strict=True)]
        if not isinstance(type, FunctionType):
            type = self.types.function(type, [each.type for each in arguments])
        return CallInst(
            type=type.result,
            function_type=type,
            callee=self._callee(callee, type),
            arguments=arguments,
            attributes=self._attributes(places),
            convention=convention,
            tail=tail,
        )

    def _callee(self, token: AssemblyToken, type: FunctionType) -> DxilValue:
        pointer = self.types.pointer(type)
        if token.kind == "local":
            return self.local(token, pointer)
        if token.kind != "global":
            self.fail("expected a function", token)
        found = self.global_(token)
        if found.type is not pointer:
            self.fail(f"expected a function of type {found.type!s:.80}", token)
        return found

    def _attributes(self, places: list[list[FunctionAttribute]]) -> AttributeList | None:
        group = self.next() if self.token.kind == "group" else None
        return self.attribute_list(places, group)

    def _tail_call(self) -> Instruction:
        self.expect("call")
        return self._call(1)

    def _no_tail_call(self) -> Instruction:
        self.expect("call")
        return self._call()

    def _must_tail_call(self) -> Instruction:
        self.expect("call")
        return self._call(2)
