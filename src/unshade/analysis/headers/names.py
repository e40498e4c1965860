"""Identifiers of host languages: legal, not keywords, and unique in their scope."""

import re
from collections.abc import Iterable

__all__ = ["LANGUAGES", "NameScope"]

C = (
    "alignas alignof auto bool break case char const constexpr continue default do double"
    " else enum extern false float for goto if inline int long nullptr register restrict"
    " return short signed sizeof static static_assert struct switch thread_local true typedef"
    " typeof union unsigned void volatile while asm fortran offsetof NULL unix linux"
)
CPP = (
    C + " and and_eq bitand bitor catch char8_t char16_t char32_t class co_await co_return"
    " co_yield compl concept consteval constinit const_cast decltype delete dynamic_cast"
    " explicit export friend mutable namespace new noexcept not not_eq operator or or_eq"
    " private protected public reinterpret_cast requires static_cast template this throw try"
    " typeid typename using virtual wchar_t xor xor_eq std final override"
)
RUST = (
    "as async await break const continue crate dyn else enum extern false fn for gen if impl"
    " in let loop match mod move mut pub ref return self Self static struct super trait true"
    " type union unsafe use where while abstract become box do final macro override priv try"
    " typeof unsized virtual yield u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize core"
)
HLSL = (
    "asm asm_fragment auto bool break case cbuffer class column_major compile const continue"
    " default discard do double dword else enum explicit export extern false float for friend"
    " goto groupshared half if in inline inout int interface line lineadj linear long matrix"
    " mutable namespace new nointerpolation noperspective operator out packoffset pass"
    " pixelfragment point precise private protected public register reinterpret_cast return"
    " row_major sample sampler shared short signed sizeof snorm static string struct switch"
    " tbuffer technique template texture this throw triangle triangleadj true try typedef"
    " typename uint uniform union unorm unsigned using vector virtual void volatile while"
    " extension func let var where property get set init import module params is as Texture2D"
    " Buffer SamplerState none optional expand each This __init"
)
LANGUAGES = {
    name: frozenset(words.split())
    for name, words in (("c", C), ("cpp", CPP), ("rust", RUST), ("hlsl", HLSL), ("json", ""))
}
ILLEGAL = re.compile(r"[^A-Za-z0-9_]+")


class NameScope:
    """The names of a scope in one language."""

    def __init__(self, language: str, taken: Iterable[str] = ()) -> None:
        self.reserved = LANGUAGES[language]
        self.taken = set(taken)

    def add(self, wanted: str, fallback: str = "unnamed") -> str:
        """Return an identifier like `wanted` that is legal and new in the scope, and take it."""
        name = re.sub("__+", "_", ILLEGAL.sub("_", wanted)).strip("_") or fallback
        if wanted.startswith("_") and name[:1].islower():
            name = f"_{name}" if wanted[:2] != "__" else name
        if name[0].isdigit():
            name = f"_{name}"
        if name in self.reserved:
            name += "_"
        made, number = name, 2
        while made in self.taken:
            made, number = f"{name}_{number}", number + 1
        self.taken.add(made)
        return made
